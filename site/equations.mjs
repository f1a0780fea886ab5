// Renders the equations of the built site, so that a page needs no script and no network for them.
//
//   node equations.mjs FOLDER      every \( \) and \[ \] of an element of class "arithmatex", in every page below FOLDER
//
// An equation that KaTeX does not understand ends with 1, with the page and the equation.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import katex from "katex";

const folder = process.argv[2];
const element = /<(span|div) class="arithmatex">\s*(\\\(|\\\[)([\s\S]*?)(\\\)|\\\])\s*<\/\1>/g;
const entities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };
const plain = (text) => text.replace(/&(lt|gt|quot|#39|amp);/g, (entity) => entities[entity]);

let count = 0;
const wrong = [];
const pages = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".html") && !name.startsWith("reports"));
for (const name of pages) {
  const path = join(folder, name);
  const html = readFileSync(path, "utf8");
  const rendered = html.replace(element, (_, tag, open, source) => {
    count += 1;
    try {
      const options = { displayMode: open === "\\[", output: "htmlAndMathml", strict: false };
      return `<${tag} class="equation">${katex.renderToString(plain(source), options)}</${tag}>`;
    } catch (problem) {
      wrong.push(`${relative(folder, path)}: ${problem.message}\n  ${plain(source)}`);
      return `<code>${source}</code>`;
    }
  });
  if (rendered !== html) writeFileSync(path, rendered);
}
for (const line of wrong) console.error(line);
console.log(`${count} equations rendered, ${wrong.length} not understood`);
process.exit(wrong.length > 0 ? 1 : 0);
