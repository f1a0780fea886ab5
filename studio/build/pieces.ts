// The parts of the page that wait until they are wanted, packed into it: the drawing of space, and the models of the gallery.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "fflate";
import { build, type Plugin, type InlineConfig } from "vite";

/** By a library, with no time in it: the same bytes on every machine. */
const packed = (text: string): string => Buffer.from(gzipSync(new TextEncoder().encode(text), { level: 9, mem: 12, mtime: 0 })).toString("base64");

/** Every model of a folder with the tables that lie beside it. */
export function galleryOf(folder: string): object[] {
  return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort().flatMap((id) => {
    const files = readdirSync(join(folder, id));
    if (!files.includes("model.toml")) return [];
    const read = (name: string): string => readFileSync(join(folder, id, name), "utf8").replaceAll("\r\n", "\n");
    const text = read("model.toml");
    const card = files.includes("card.md") ? read("card.md") : "";
    return [{
      id, text,
      name: /^\s*name\s*=\s*"([^"]*)"/m.exec(text)?.[1] ?? id,
      space: /^\s*space\s*=\s*"3d"/m.test(text) ? "3d" : "plane",
      words: firstSentence(card),
      tables: Object.fromEntries(files.filter((name) => name.endsWith(".csv")).map((name) => [name, read(name)])),
    }];
  });
}

/** Of the first paragraph under the heading. */
function firstSentence(card: string): string {
  const paragraph = card.split(/\n\s*\n/).map((part) => part.trim()).find((part) => part !== "" && !part.startsWith("#")) ?? "";
  const plain = paragraph.replace(/\s+/g, " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[*`]/g, "");
  return /^.*?[.:!?](?=\s|$)/.exec(plain)?.[0].replace(/:$/, ".") ?? plain;
}

/** `space`: how the script of that part is built; `models`: the folder of the gallery's. */
export function pieces({ space, models }: { space: InlineConfig; models: string }): Plugin {
  return {
    name: "pieces",
    transformIndexHtml: {
      order: "post",
      async handler(html) {
        const built = await build(space);
        const [first] = Array.isArray(built) ? built : [built];
        if (!first || !("output" in first)) throw new Error("the part for space was not built");
        const code = first.output.map((part) => (part.type === "chunk" ? part.code : "")).join("");
        const part = (name: string, text: string): string => `<script type="text/plain" id="piece-${name}">${packed(text)}</script>\n`;
        return html.replace("</body>", () => `${part("space", code)}${part("gallery", JSON.stringify(galleryOf(models)))}</body>`);
      },
    },
  };
}
