// The pages in dist/, which the program carries, are what the sources give, byte for byte.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const report = fileURLToPath(new URL("../", import.meta.url));

/** Bytes that the templates had before they had symbols, solids and exports (docs/performance.md, Reports): they are to stay below. */
const most = { plane: 155_000, space: 760_000 };

for (const page of ["plane", "space"]) {
  test(`dist/${page}.html is no larger than pages were`, () => {
    const { size } = statSync(join(report, "dist", `${page}.html`));
    assert.ok(size < most[page], `expected less than ${most[page]} bytes, found ${size}`);
  });

  test(`dist/${page}.html is a fresh build of the sources`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "jounce-dist-"));
    try {
      await build({ configFile: join(report, "vite.config.ts"), mode: page, logLevel: "error", build: { outDir: folder } });
      const fresh = readFileSync(join(folder, `${page}.html`));
      const kept = readFileSync(join(report, "dist", `${page}.html`));
      assert.ok(fresh.equals(kept), `dist/${page}.html (${kept.length} bytes) is not what the sources give (${fresh.length} bytes): npm run build, in report/`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
