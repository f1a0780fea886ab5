// Builds the studio: a single HTML file that the program fills with its engine, the same bytes every time.

import { fileURLToPath } from "node:url";
import { defineConfig, type InlineConfig } from "vite";
import { singleFile } from "../report/build/single_file";
import { pieces } from "./build/pieces";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The report's sources are the studio's, too; what they import is found here, once. */
const shared: InlineConfig = {
  root: here("."),
  base: "./",
  configFile: false,
  logLevel: "warn",
  define: { "process.env.NODE_ENV": '"production"' },
  resolve: {
    alias: Object.fromEntries(["uplot", "fflate", "gifenc", "mp4-muxer", "webm-muxer", "three"].map((name) => [name, here(`node_modules/${name}`)])),
  },
};

const packages = [
  "@codemirror/autocomplete", "@codemirror/commands", "@codemirror/language", "@codemirror/legacy-modes", "@codemirror/lint", "@codemirror/search",
  "@codemirror/state", "@codemirror/view", "@lezer/common", "@lezer/highlight", "crelt", "style-mod", "w3c-keyname", "toml-eslint-parser", "eslint-visitor-keys", "uplot", "fflate", "gifenc", "mp4-muxer", "webm-muxer", "three",
];

export default defineConfig({
  ...shared,
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: false,
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    chunkSizeWarningLimit: 4000,
    reportCompressedSize: false,
    rollupOptions: { input: here("studio.html") },
  },
  plugins: [
    pieces({
      models: here("../models"),
      space: { ...shared, build: { target: "es2022", write: false, minify: "esbuild", reportCompressedSize: false, lib: { entry: here("src/space.ts"), formats: ["es"], fileName: "space" } } },
    }),
    singleFile({ page: "studio", packages, modules: here("node_modules"), mark: '"__JOUNCE_ENGINE__"' }),
  ],
});
