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

/** The module in dist/, compiled. */
export const compiled = (file = join(studio, "dist", "engine.wasm.gz")) => {
  const bytes = readFileSync(file);
  return new WebAssembly.Module(file.endsWith(".gz") ? gunzipSync(bytes) : bytes);
};

/** The engine itself, without a worker. */
export async function engine(file) {
  const { EngineModule } = await loaded("src/engine/module.ts");
  return new EngineModule(compiled(file), (text) => console.error(text));
}
