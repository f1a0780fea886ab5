// What the browser tests share: runs of the program, a browser, and pages that note everything that goes wrong in them.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const program = process.env.JOUNCE_PROGRAM ?? join(root, "build", "jounce");
const browserProgram = process.env.JOUNCE_CHROMIUM ?? "/usr/bin/chromium";
// 3-D drawings without a graphics card, and without the sandbox that containers do not allow.
const browserFlags = ["--no-sandbox", "--disable-dev-shm-usage", "--enable-unsafe-swiftshader"];
const patience = 120_000;

export const desk = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

/** A folder of its own for the files of one test file, removed at the end. */
export class Folder {
  constructor() {
    this.path = mkdtempSync(join(tmpdir(), "jounce-report-"));
  }

  file(name) {
    return join(this.path, name);
  }

  /** Writes a model's text and gives its path. */
  write(name, text) {
    writeFileSync(this.file(name), text);
    return this.file(name);
  }

  /** Does what a model says, with a table of its results and a report of it, both named NAME. */
  run(model, name, words = [], command = "run") {
    assert.ok(existsSync(program), `expected the program at ${program}: build it first (./dev build), or name it in JOUNCE_PROGRAM`);
    const [html, csv] = [this.file(`${name}.html`), this.file(`${name}.csv`)];
    const all = [command, model, "-o", csv, "--report", html, ...words];
    const ran = spawnSync(program, all, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
    return { html, csv, code: ran.status, err: `jounce ${all.join(" ")}\n${ran.stderr}` };
  }

  /** A run that makes a report, and its exit code. */
  report(model, name, { words = [], code = 0, command = "run" } = {}) {
    const ran = this.run(model, name, words, command);
    assert.equal(ran.code, code, ran.err);
    return ran;
  }

  /** A model of a template. */
  fresh(name, template) {
    const made = spawnSync(program, ["new", name, "--template", template], { cwd: this.path, encoding: "utf8" });
    assert.equal(made.status, 0, made.stderr);
    return this.file(`${name}.toml`);
  }

  remove() {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The file of a model that comes with the program, as its page names it. */
export function modelFile(name) {
  return join("models", name, "model.toml");
}

/** A table of results: its names, and its columns as numbers. */
export function readTable(path) {
  const [head, ...rows] = readFileSync(path, "utf8").trimEnd().split("\n").filter((line) => !line.startsWith("#"));
  const names = head.split(",");
  const columns = new Map(names.map((name) => [name, new Float64Array(rows.length)]));
  rows.forEach((row, k) => row.split(",").forEach((text, c) => { columns.get(names[c])[k] = Number(text); }));
  return { names, rows: rows.length, columns };
}

export function launch() {
  return chromium.launch({ executablePath: browserProgram, args: browserFlags });
}

/** Opens a report from the disk; the answer's `faults` are errors of the page and requests that would leave the machine. */
export async function open(browser, html, { viewport = desk, ...options } = {}) {
  const context = await browser.newContext({ viewport, ...options });
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
  await page.goto(pathToFileURL(html).href);
  try {
    await page.waitForFunction(() => window.jounce?.ready === true);
  } catch (error) {
    throw new Error(`${html} did not become ready: ${faults.join("; ") || error.message}`);
  }
  return { page, faults, close: () => context.close() };
}

/** Opens a report, does something with it, and expects that nothing went wrong meanwhile. */
export async function visit(browser, html, options, look) {
  const opened = await open(browser, html, options);
  try {
    await look(opened.page);
    assert.deepEqual(opened.faults, []);
  } finally {
    await opened.close();
  }
}

/** Moves the slider as a hand does. */
export async function scrub(page, sample) {
  await page.getByTestId("scrub").evaluate((slider, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, sample);
}

export const time = (page) => page.evaluate(() => window.jounce.time());

/** Waits until the clock of the page has passed a time. */
export const passes = (page, t) => page.waitForFunction((limit) => window.jounce.time() > limit, t);

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted.length === 0 ? Number.NaN : sorted[Math.floor(sorted.length / 2)];
}
