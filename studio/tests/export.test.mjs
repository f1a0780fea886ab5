// What comes into the page and what is taken from it: files, links, the gallery, tables, reports, drawings and films. Oracle: the program's own files.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { inflateSync } from "node:zlib";
import { column, Folder, launch, modelFile, open, root, sample, text, until, visit } from "./helpers.mjs";

let browser;
let folder;
let model;
let fourBar;
const source = (name) => readFileSync(modelFile(name), "utf8");

before(async () => {
  browser = await launch();
  folder = new Folder();
  model = folder.write("model.toml", source("four-bar"));
  fourBar = folder.page(model);
  folder.jounce("run", "model.toml", "-o", folder.file("model.csv"), "--report", folder.file("model.html"), "--quiet");
});
after(async () => {
  await browser.close();
  folder.remove();
});

const button = (page, name) => page.getByRole("button", { name, exact: true });
/** What a press gives to the downloads: its name and its bytes. */
async function taken(page, press) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}
async function exported(page, choice) {
  if (!(await page.getByRole("group", { name: "Export" }).isVisible())) await button(page, "Export").click();
  return taken(page, () => page.getByTestId(`export-${choice}`).click());
}
const opened = (page, name) => until(page, (model) => window.studio.text() === model, source(name));

test("the table is the program's file, byte for byte", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const { name, bytes } = await exported(page, "csv");
    assert.equal(name, "four-bar-linkage.csv");
    const [page0, file0] = [bytes, readFileSync(folder.file("model.csv"))].map((one) => one.toString().split("\n")[0].split(","));
    assert.deepEqual(page0.filter((column) => !file0.includes(column)), [], "columns that the program does not write");
    assert.ok(bytes.equals(readFileSync(folder.file("model.csv"))));
  });
});

// Of a model in which nothing goes round at a constant speed: when that is highest is a matter of the last bit of the C library's hypot.
test("the report is the program's page with the program's numbers, and opens", async () => {
  folder.write("drafting.toml", source("drafting-machine"));
  folder.jounce("run", "drafting.toml", "-o", folder.file("drafting.csv"), "--report", folder.file("drafting.html"), "--quiet");
  /** The data of a report, unpacked: how tightly they were packed is left to who does it. */
  const document = (html) => {
    const { data, ...others } = JSON.parse(/<script type="application\/json" id="jounce-data">(.*?)<\/script>/s.exec(html)[1]);
    return { ...others, data: data.split(/[^\w+/=]+/).map((part) => inflateSync(Buffer.from(part, "base64")).toString("base64")) };
  };
  await visit(browser, folder.page(folder.file("drafting.toml")), {}, async (page, context) => {
    const { name, bytes } = await exported(page, "report");
    assert.equal(name, "drafting-machine.html");
    const [own, program] = [bytes.toString(), readFileSync(folder.file("drafting.html"), "utf8")];
    assert.deepEqual(document(own), document(program));
    const bare = (html) => html.replace(/(id="jounce-data">).*?(<\/script>)/s, "$1$2");
    assert.equal(bare(own), bare(program), "everything but its data");
    const other = await context.newPage();
    await other.goto(`file://${folder.write("exported.html", own)}`);
    await other.waitForFunction(() => window.jounce?.ready === true);
  });
});

test("drawings are of the instant at the cursor: what is shown as SVG and PNG, and the technical drawing of the program", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    for (let k = 0; k < 5; k += 1) await page.keyboard.press("Shift+ArrowRight");
    const svg = await exported(page, "svg");
    assert.equal(svg.name, "four-bar-linkage-at-0.25s.svg");
    const drawn = await page.evaluate((words) => {
      const parsed = new window.DOMParser().parseFromString(words, "image/svg+xml");
      return { error: parsed.querySelector("parsererror")?.textContent ?? null, names: [...parsed.querySelectorAll("text")].map((one) => one.textContent) };
    }, svg.bytes.toString());
    assert.equal(drawn.error, null);
    for (const name of ["crank", "coupler", "rocker"]) assert.ok(drawn.names.includes(name), `${name} in ${drawn.names}`);
    const png = await exported(page, "png");
    assert.equal(png.name, "four-bar-linkage-at-0.25s.png");
    assert.equal(png.bytes.subarray(0, 8).toString("latin1"), "\x89PNG\r\n\x1a\n");
    const sheet = await page.locator(".plane-sheet canvas").first().evaluate((canvas) => [canvas.width, canvas.height]);
    assert.deepEqual([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)], sheet);
    folder.jounce("draw", "model.toml", "--at", "0.25", "-o", folder.file("drawing.svg"), "--quiet");
    const drawing = await exported(page, "drawing");
    assert.equal(drawing.name, "four-bar-linkage-drawing.svg");
    assert.equal(drawing.bytes.toString(), readFileSync(folder.file("drawing.svg"), "utf8"));
  });
});

// Of one second at 25 pictures a second.
test("a film is as long as the motion", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const { name, bytes } = await exported(page, "gif");
    assert.equal(name, "four-bar-linkage.gif");
    assert.equal(bytes.subarray(0, 6).toString("latin1"), "GIF89a");
    assert.equal(bytes.at(-1), 0x3b);
    // before each picture stands how long it stays, in hundredths of a second
    const stays = [];
    for (let at = bytes.indexOf("\x21\xf9\x04", 0, "latin1"); at >= 0; at = bytes.indexOf("\x21\xf9\x04", at + 1, "latin1")) if (bytes[at + 7] === 0 && bytes[at + 8] === 0x2c) stays.push(bytes.readUInt16LE(at + 4));
    assert.deepEqual(stays, Array(25).fill(4));
    await page.getByText(/^four-bar-linkage\.gif: [\d.]+ MB$/).waitFor();
  });
});

test("a file that is opened is the model, and is saved under its name as it is", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const first = await taken(page, () => button(page, "Save").click());
    assert.deepEqual([first.name, first.bytes.toString()], ["four-bar-linkage.toml", source("four-bar")]);
    const file = { name: "Kniehebel (2).toml", mimeType: "", buffer: Buffer.from(source("toggle-press").replaceAll("\n", "\r\n")) };
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), button(page, "Open").click()]);
    await chooser.setFiles(file);
    await opened(page, "toggle-press");
    assert.equal(await button(page, "Undo").isDisabled(), true);
    const saved = await taken(page, () => page.keyboard.press("Control+s"));
    assert.deepEqual([saved.name, saved.bytes.toString()], ["Kniehebel (2).toml", source("toggle-press")]);
    // dropped on the page
    await page.evaluate((content) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], "dropped.toml"));
      document.body.dispatchEvent(new window.DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, source("quick-return"));
    await opened(page, "quick-return");
    assert.equal((await taken(page, () => button(page, "Save").click())).name, "dropped.toml");
  });
});

test("a link takes tables and goals along, to a browser that has never seen the model", async () => {
  const { page, faults, close } = await open(browser, folder.page(modelFile("four-stroke-engine")), {});
  const there = await open(browser, folder.page(), {});
  try {
    await page.getByLabel("New goal").fill("highest = max(abs(piston.vx))");
    await page.keyboard.press("Enter");
    await button(page, "Share").click();
    await until(page, () => location.hash.startsWith("#m1="));
    const fragment = await page.evaluate(() => location.hash);
    assert.ok(fragment.length < 4000, `${fragment.length} letters`);
    await there.page.evaluate((hash) => { location.hash = hash; }, fragment);
    await opened(there.page, "four-stroke-engine");
    await until(there.page, () => window.studio.column("pressure")?.length > 100);
    assert.deepEqual(await column(there.page, "pressure"), await column(page, "pressure"));
    await there.page.getByRole("table", { name: "Goals" }).getByRole("row", { name: /^highest/ }).getByText(/m\/s/).waitFor();
    const value = (one) => one.locator(".goals td.number").textContent();
    assert.equal(await value(there.page), await value(page));
    assert.deepEqual([...faults, ...there.faults], []);
  } finally {
    await close();
    await there.close();
  }
});

test("what was worked on before is in the gallery, and its work goes on", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    await page.evaluate(() => window.studio.setText(window.studio.text().replace('"Four-bar linkage"', '"Half done"')));
    const work = await text(page);
    const gallery = page.getByRole("region", { name: "Gallery" });
    await button(page, "Gallery").click();
    await gallery.getByRole("button", { name: /^Pendulum/ }).click();
    await until(page, () => /My pendulum/.test(window.studio.text()));
    await button(page, "Gallery").click();
    await page.getByRole("searchbox", { name: "Search models" }).fill("half");
    assert.deepEqual(await gallery.getByRole("heading", { level: 3 }).allTextContents(), ["Worked on before"]);
    await gallery.getByRole("button", { name: /^Half done/ }).click();
    assert.equal(await text(page), work);
    await button(page, "Gallery").click();
    await page.keyboard.press("Escape");
    assert.equal(await gallery.isVisible(), false);
  });
});

test("models of the project open by their names in the address, without an error, with all rows of their runs", async () => {
  const names = readdirSync(join(root, "models")).filter((name) => existsSync(modelFile(name)));
  await visit(browser, fourBar, {}, async (page) => {
    for (const name of sample(names.filter((one) => one !== "four-bar"), 6)) {
      await page.evaluate((hash) => { location.hash = hash; }, `#model=${name}`);
      await opened(page, name);
      const title = /^name\s*=\s*"(.*)"/m.exec(source(name))[1];
      const steps = Number(/^steps\s*=\s*(\d+)/m.exec(source(name))?.[1] ?? 0);
      await until(page, ([words, rows]) => document.querySelector("h1").textContent === words && window.studio.column("t")?.length === rows, [title, steps + 1]).catch(async (error) => {
        throw new Error(`${name}: ${await page.getByRole("status").textContent()}`, { cause: error });
      });
      assert.deepEqual(await page.locator(".problem-list .error").allTextContents(), [], name);
    }
  });
});
