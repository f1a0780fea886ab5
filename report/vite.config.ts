// Builds one template per mode, plane or space: a single HTML file with its script and style inside, the same bytes every time.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The licences of what is bundled, which ask to travel with every copy. */
function licences(packages: string[]): string {
  const text = (name: string): string => {
    const file = ["LICENSE", "LICENSE.md"].map((one) => here(`node_modules/${name}/${one}`)).find(existsSync);
    if (!file) throw new Error(`${name}: expected a file LICENSE or LICENSE.md beside its package.json`);
    return readFileSync(file, "utf8").trim();
  };
  const texts = packages.map((name) => `${name}\n${text(name)}`);
  return `<!--\nThis page contains:\n\n${texts.join("\n\n").replaceAll("--", "- -")}\n-->\n`;
}

/** Moves the script and the style of the bundle into the page. */
function singleFile(page: string, packages: string[]): Plugin {
  return {
    name: "single-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      let script = "";
      let style = "";
      let html = "";
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === "chunk") script += part.code;
        else if (name.endsWith(".css")) style += String(part.source);
        else if (name.endsWith(".html")) html = String(part.source);
        Reflect.deleteProperty(bundle, name);
      }
      html = html.replace(/\s*<script type="module"[^>]*><\/script>/, "").replace(/\s*<link rel="stylesheet"[^>]*>/, "");
      // Functions as replacements: the dollar signs of the script are no patterns.
      html = html.replace("</head>", () => `<style>${style.trim()}</style>\n</head>`);
      html = html.replace("</body>", () => `<script type="module">${script.trim().replaceAll("</script", "<\\/script")}</script>\n</body>`);
      html = html.trimEnd() + "\n" + licences(packages);
      if (html.split('"__JOUNCE_DATA__"').length !== 2) this.error(`${page}.html: the marker of the data must stand in it once`);
      this.emitFile({ type: "asset", fileName: `${page}.html`, source: html });
    },
  };
}

export default defineConfig(({ mode }) => {
  const page = mode === "space" ? "space" : "plane";
  const packages = ["uplot", "fflate", "gifenc", "mp4-muxer", ...(page === "space" ? ["three"] : [])];
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
    plugins: [singleFile(page, packages)],
  };
});
