// Builds one template per mode, plane or space: a single HTML file with its script and style inside, the same bytes every time.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { singleFile } from "./build/single_file";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig(({ mode }) => {
  const page = mode === "space" ? "space" : "plane";
  const packages = ["uplot", "fflate", "gifenc", "mp4-muxer", "webm-muxer", ...(page === "space" ? ["three"] : [])];
  return {
    root: here("."),
    base: "./",
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      target: "es2022",
      outDir: "dist",
      emptyOutDir: false,
      modulePreload: false,
      cssCodeSplit: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      chunkSizeWarningLimit: 2000,
      reportCompressedSize: false,
      rollupOptions: { input: here(`${page}.html`) },
    },
    plugins: [singleFile({ page, packages, modules: here("node_modules"), mark: '"__JOUNCE_DATA__"' })],
  };
});
