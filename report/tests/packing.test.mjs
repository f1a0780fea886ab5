// The page unpacks itself: in a frame that may do nothing but run scripts, as notebooks show it, and it says what a browser lacks for it.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Folder, launch, modelFile } from "./helpers.mjs";

const folder = new Folder();
let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser?.close();
  folder.remove();
});

const quoted = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

for (const model of ["quick-return", "seven-joint-arm"])
  test(`${model}: the page lives in a frame that may run scripts and nothing else`, async () => {
    const { html } = folder.report(modelFile(model), model);
    const outer = folder.file(`${model}-frame.html`);
    writeFileSync(outer, `<!doctype html><iframe sandbox="allow-scripts" srcdoc="${quoted(readFileSync(html, "utf8"))}" style="width:1200px;height:700px"></iframe>`);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, offline: true });
    const page = await context.newPage();
    const faults = [];
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(pathToFileURL(outer).href);
    const frame = page.frames()[1];
    await frame.waitForFunction(() => window.jounce?.ready === true);
    await frame.getByTestId("play").click();
    await frame.waitForFunction(() => window.jounce.time() > 0.1);
    assert.deepEqual(faults, []);
    await context.close();
  });

test("a browser that cannot unpack the page says so", async () => {
  const { html } = folder.report(modelFile("four-bar"), "old");
  const context = await browser.newContext({ offline: true });
  await context.addInitScript(() => { delete window.DecompressionStream; });
  const page = await context.newPage();
  await page.goto(pathToFileURL(html).href);
  await page.getByText("This page cannot be shown: it needs a browser of 2023 or later").waitFor();
  assert.equal(await page.evaluate(() => window.jounce), undefined);
  await context.close();
});

test("the licences of what is in the page can be read in it", () => {
  const { html } = folder.report(modelFile("seven-joint-arm"), "licences");
  const text = readFileSync(html, "utf8");
  for (const name of ["uplot", "fflate", "gifenc", "three"]) assert.match(text, new RegExp(`^${name}$`, "m"));
  assert.match(text, /Permission is hereby granted, free of charge/);
});
