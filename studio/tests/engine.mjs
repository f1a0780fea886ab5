// The engine of the page as Node runs it: its sources bundled, its module as it was built.

import { build } from "esbuild";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

export const studio = join(dirname(fileURLToPath(import.meta.url)), "..");

/** What a source of the page exports. */
export async function loaded(source) {
  const { outputFiles } = await build({ entryPoints: [join(studio, source)], bundle: true, format: "esm", write: false, logLevel: "error", platform: "browser" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}

/* global WebAssembly */

/** The bytes of a module, unpacked. */
const bytesOf = (file = process.env.JOUNCE_ENGINE ?? join(studio, "dist", "engine.wasm.gz")) => (file.endsWith(".gz") ? gunzipSync(readFileSync(file)) : readFileSync(file));

/** The module in dist/, compiled. */
export const compiled = (file) => new WebAssembly.Module(bytesOf(file));

/** The engine itself, without a worker. */
export async function engine(file) {
  const { EngineModule } = await loaded("src/engine/module.ts");
  return new EngineModule(compiled(file), (text) => console.error(text));
}

/** The same in an empty page of a browser, as `window.door`. */
export async function engineIn(browser, file) {
  const page = await (await browser.newContext()).newPage();
  await page.goto("about:blank");
  const { outputFiles } = await build({ entryPoints: [join(studio, "src/engine/module.ts")], bundle: true, format: "iife", globalName: "made", write: false, logLevel: "error", platform: "browser" });
  await page.addScriptTag({ content: outputFiles[0].text });
  await page.evaluate(async (base64) => {
    window.door = new window.made.EngineModule(await WebAssembly.compile(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))), console.error);
  }, bytesOf(file).toString("base64"));
  return page;
}
