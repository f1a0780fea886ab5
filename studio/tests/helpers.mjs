// What the browser tests of the studio share: the page as the program writes it, a browser, and pages that note everything that goes wrong in them.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export { readTable } from "../../report/tests/helpers.mjs";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const program = process.env.JOUNCE_PROGRAM ?? join(root, "build", "jounce");
const browserProgram = process.env.JOUNCE_CHROMIUM ?? "/usr/bin/chromium";
const browserFlags = ["--no-sandbox", "--disable-dev-shm-usage", "--enable-unsafe-swiftshader"];
const patience = 60_000;

/** Of many models a few stand for all, but where everything is tested. */
export const sample = (names, every) => (process.env.JOUNCE_ALL_TESTS === "1" ? names : names.filter((_, k) => k % every === 0));

export const desk = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

export const modelFile = (name) => join(root, "models", name, "model.toml");

/** A folder of its own for the files of one test file, removed at the end. */
export class Folder {
  constructor() {
    this.path = mkdtempSync(join(tmpdir(), "jounce-studio-"));
  }

  file(name) {
    return join(this.path, name);
  }

  write(name, text) {
    writeFileSync(this.file(name), text);
    return this.file(name);
  }

  /** Runs the program. */
  jounce(...words) {
    assert.ok(existsSync(program), `expected the program at ${program}: build it first (./dev build), or name it in JOUNCE_PROGRAM`);
    const ran = spawnSync(program, words, { cwd: this.path, encoding: "utf8", maxBuffer: 1 << 28 });
    assert.equal(ran.status, 0, `jounce ${words.join(" ")}\n${ran.stderr}`);
    return ran.stdout;
  }

  /** What the program says where it refuses. */
  refusal(...words) {
    const ran = spawnSync(program, words, { cwd: this.path, encoding: "utf8" });
    assert.notEqual(ran.status, 0, `jounce ${words.join(" ")}`);
    return ran.stderr;
  }

  /** The page with a model in it, or with what it begins with by itself. */
  page(model) {
    const html = this.file(`studio-${Math.random().toString(36).slice(2)}.html`);
    this.jounce("studio", ...(model ? [model] : []), "-o", html, "--quiet");
    return html;
  }

  remove() {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export function launch() {
  return chromium.launch({ executablePath: browserProgram, args: browserFlags });
}

/** Opens a page from the disk without a network; the answer's `faults` are errors of the page and requests that would leave the machine. */
export async function open(browser, html, { viewport = desk, fragment = "", prepare, ...options } = {}) {
  const context = await browser.newContext({ viewport, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(patience);
  const faults = [];
  await context.setOffline(true);
  context.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) faults.push(`request: ${request.url().slice(0, 200)}`);
  });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  if (prepare) await prepare(page, context);
  await page.goto(pathToFileURL(html).href + fragment);
  try {
    await page.waitForFunction(() => window.studio?.ready.then(() => true));
  } catch (error) {
    throw new Error(`${html} did not become ready: ${faults.join("; ") || error.message}`, { cause: error });
  }
  return { page, context, faults, close: () => context.close() };
}

/** Opens the page, does something with it, and expects that nothing went wrong meanwhile. */
export async function visit(browser, html, options, look) {
  const opened = await open(browser, html, options);
  try {
    await look(opened.page, opened.context);
    assert.deepEqual(opened.faults, []);
  } finally {
    await opened.close();
  }
}

/** A column of the current run. */
export const column = async (page, name) => Float64Array.from(await page.evaluate((one) => [...(window.studio.column(one) ?? [])], name));

/** The model's text. */
export const text = (page) => page.evaluate(() => window.studio.text());

/** Waits until the line at the bottom says something. */
export const says = (page, words) => page.getByRole("status").filter({ hasText: words }).waitFor();

/** Waits until something on the page is so. */
export const until = (page, condition, argument) => page.waitForFunction(condition, argument);

/** Where a point ("crank.A") or a body is in the window. */
export const screen = (page, name) => page.evaluate((one) => window.studio.screen(one), name);

/** Pixels a metre. */
export const scale = async (page) => Number(await page.locator(".plane-sheet").getAttribute("data-scale"));

export const far = ([x, y], [u, v]) => Math.hypot(x - u, y - v);

/** Presses at a place and moves by steps; what is done while the button is down comes before it is let go. */
export async function drag(page, from, to, during) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 8 });
  if (during) await during();
  await page.mouse.up();
}

/** A slider as a hand moves it: many inputs, and one change at the end. */
export const slide = (slider, values) => slider.evaluate((input, all) => {
  for (const value of all) {
    input.value = String(value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  input.dispatchEvent(new Event("change", { bubbles: true }));
}, values);

/** The lines of a text that another does not have at the same place. */
export const changedLines = (before, now) => now.split("\n").filter((line, k) => line !== before.split("\n")[k]);

/** Takes a tool of the drawing. */
export const tool = (page, name) => page.getByRole("radio", { name, exact: true }).click();

export const button = (page, name) => page.getByRole("button", { name, exact: true });

/** A place of the drawing, as parts of its width and height. */
export async function spot(page, x, y) {
  const box = await page.locator(".plane-sheet").boundingBox();
  return [box.x + x * box.width, box.y + y * box.height];
}

/** Clicks at places of the drawing, one after the other. */
export async function clicks(page, ...places) {
  for (const [x, y] of places) {
    const at = await spot(page, x, y);
    await page.mouse.move(...at);
    await page.mouse.click(...at);
  }
}
