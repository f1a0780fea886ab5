// The page in dist/, which the program carries, is what the sources give, byte for byte.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const studio = fileURLToPath(new URL("../", import.meta.url));

test("dist/studio.html is a fresh build of the sources, of the report's that it shares, and of the models", async () => {
  const folder = mkdtempSync(join(tmpdir(), "jounce-dist-"));
  try {
    await build({ configFile: join(studio, "vite.config.ts"), logLevel: "error", build: { outDir: folder } });
    const fresh = readFileSync(join(folder, "studio.html"));
    const kept = readFileSync(join(studio, "dist", "studio.html"));
    assert.ok(fresh.equals(kept), `dist/studio.html (${kept.length} bytes) is not what the sources give (${fresh.length} bytes): npm run build, in studio/`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
