// A module of the page, as the page is built from it, for tests in Node.

import { build } from "esbuild";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const source = resolve(dirname(fileURLToPath(import.meta.url)), "../src");

/** All that a file below src/ exports. */
export async function load(path) {
  const outfile = resolve(mkdtempSync(`${tmpdir()}/jounce-studio-`), "module.mjs");
  await build({ entryPoints: [resolve(source, path)], outfile, bundle: true, format: "esm", platform: "neutral", mainFields: ["module", "main"], logLevel: "error" });
  return import(pathToFileURL(outfile).href);
}
