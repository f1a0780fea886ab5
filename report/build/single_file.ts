// Puts what Vite has built into one HTML file: its script and its style go in compressed, and a few lines in the page unpack them.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "fflate";
import type { Plugin } from "vite";

export interface SingleFile {
  /** Name of the HTML file, without .html. */
  page: string;
  /** Packages whose licences stand, readable, at the end of the page. */
  packages: string[];
  /** The folder with the packages. */
  modules: string;
  /** A text that is to stand in the page exactly once, for the program to replace. */
  mark?: string;
}

/** The licences of what is bundled, which ask to travel with every copy. */
function licences(packages: string[], modules: string): string {
  const text = (name: string): string => {
    const file = ["LICENSE", "LICENSE.md"].map((one) => join(modules, name, one)).find(existsSync);
    if (!file) throw new Error(`${name}: expected a file LICENSE or LICENSE.md beside its package.json`);
    return readFileSync(file, "utf8").trim();
  };
  const texts = packages.map((name) => `${name}\n${text(name)}`);
  return `<!--\nThis page contains:\n\n${texts.join("\n\n").replaceAll("--", "- -")}\n-->\n`;
}

/** Deflated, in base 64. By a library, not by Node's zlib: that gives other bytes on other machines. */
export function packed(bytes: Uint8Array): string {
  return Buffer.from(deflateSync(bytes, { level: 9, mem: 12 })).toString("base64");
}

const between = "\0";

/**
 * Unpacks style and script and puts them into the page as elements of their own, which works from the disk, without a network and in a frame that
 * may do no more than run scripts. It is written for old browsers as well: what they lack is said, not left as an empty page.
 */
const loader = `(function (text) {
  function failed(reason) {
    var note = document.createElement("p");
    note.textContent = "This page cannot be shown: " + reason;
    document.body.appendChild(note);
  }
  if (typeof DecompressionStream === "undefined")
    return failed("it needs a browser of 2023 or later (Chrome 103, Firefox 113, Safari 16.4).");
  var letters = atob(text), bytes = new Uint8Array(letters.length);
  for (var k = 0; k < letters.length; k++) bytes[k] = letters.charCodeAt(k);
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text().then(function (all) {
    var parts = all.split("\\0");
    ["style", "script"].forEach(function (name, k) {
      var element = document.createElement(name);
      if (name === "script") element.type = "module";
      element.textContent = parts[k];
      document.head.appendChild(element);
    });
  }).catch(function (error) { failed(String(error)); });
})`;

/** Moves the script and the style of the bundle into the page. */
export function singleFile({ page, packages, modules, mark }: SingleFile): Plugin {
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
      if (style.includes(between) || script.includes(between)) this.error("a character 0 in the style or the script: it stands between them in the page");
      html = html.replace(/\s*<script type="module"[^>]*><\/script>/, "").replace(/\s*<link rel="stylesheet"[^>]*>/, "");
      const code = packed(new TextEncoder().encode(style.trim() + between + script.trim()));
      // A function as replacement: dollar signs are no patterns.
      html = html.replace("</body>", () => `<script>${loader.replace(/\n\s*/g, "\n")}("${code}")</script>\n</body>`);
      html = html.trimEnd() + "\n" + licences(packages, modules);
      if (mark !== undefined && html.split(mark).length !== 2) this.error(`${page}.html: expected ${mark} in it once`);
      this.emitFile({ type: "asset", fileName: `${page}.html`, source: html });
    },
  };
}
