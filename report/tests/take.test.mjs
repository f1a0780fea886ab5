// What the page gives its reader to keep: tables, figures, pictures and films, compared with what the program wrote and with what the page shows.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Folder, launch, modelFile, readTable, scrub, time, visit } from "./helpers.mjs";

const folder = new Folder();
const runs = {};
let browser;
before(async () => {
  browser = await launch();
  for (const name of ["quick-return", "seven-joint-arm"]) runs[name] = folder.report(modelFile(name), name);
});
after(async () => {
  await browser?.close();
  folder.remove();
});

const open = async (page) => {
  if (!await page.locator("header details.take").evaluate((menu) => menu.open)) await page.getByTestId("take").click();
};

/** What the browser is given when one thing of the menu is chosen. */
async function taken(page, id) {
  await open(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByTestId(id).click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** Frames of a GIF, each shown for so many hundredths of a second. */
function gifTimes(bytes) {
  const times = [];
  // a graphic control extension stands before every frame
  for (let k = 0; k + 7 < bytes.length; k += 1)
    if (bytes[k] === 0x21 && bytes[k + 1] === 0xf9 && bytes[k + 2] === 4 && bytes[k + 7] === 0 && bytes[k + 8] === 0x2c) times.push(bytes.readUInt16LE(k + 4));
  return times;
}

/** The mean difference of two pictures, of 255, where a page can decode them; `frame`: of a film. */
const difference = (page, one, other, frame = 0) => page.evaluate(async ([a, b, frameIndex]) => {
  const pixels = async ({ kind, data }) => {
    const decoder = new ImageDecoder({ type: kind, data: Uint8Array.from(atob(data), (c) => c.charCodeAt(0)) });
    await decoder.tracks.ready;
    const { image } = await decoder.decode({ frameIndex: kind === "image/gif" ? frameIndex : 0 });
    const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
    const c = canvas.getContext("2d");
    c.drawImage(image, 0, 0);
    return c.getImageData(0, 0, canvas.width, canvas.height);
  };
  const [p, q] = [await pixels(a), await pixels(b)];
  if (p.width !== q.width || p.height !== q.height) return Infinity;
  return p.data.reduce((sum, value, k) => sum + Math.abs(value - q.data[k]), 0) / p.data.length;
}, [one, other, frame]);
const picture = (kind, bytes) => ({ kind, data: bytes.toString("base64") });

test("the table of the page is the program's, to the digits that a page carries", async () => {
  const { html, csv } = runs["quick-return"];
  await visit(browser, html, {}, async (page) => {
    const { name, bytes } = await taken(page, "take-csv");
    assert.equal(name, "crank-shaper-quick-return.csv");
    const path = folder.write("page.csv", bytes.toString());
    const [mine, program] = [readTable(path), readTable(csv)];
    assert.equal(mine.rows, program.rows);
    assert.deepEqual(mine.names, program.names);
    for (const column of program.names) {
      // numbers that are rounding noise keep their own digits: what counts is the size of the column
      const size = program.columns.get(column).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      const miss = mine.columns.get(column).reduce((most, value, k) => Math.max(most, Math.abs(value - program.columns.get(column)[k])), 0);
      assert.ok(miss <= 2e-12 * Math.max(size, 1), `${column}: ${miss}`);
    }
  });
});

test("the drawing as SVG looks like the drawing on the page", async () => {
  await visit(browser, runs["quick-return"].html, {}, async (page) => {
    await scrub(page, 60);
    await page.getByTestId("layer-velocity").click();
    await page.locator(".trails summary").click();
    await page.getByTestId("trail-lever.T").check();
    const svg = (await taken(page, "take-svg")).bytes.toString();
    for (const word of ["crank", "lever", "ram", "link"]) assert.match(svg, new RegExp(`>${word}</text>`));
    const png = picture("image/png", (await taken(page, "take-png")).bytes);
    const raster = await page.evaluate(async (text) => {
      const image = new Image();
      image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      canvas.getContext("2d").drawImage(image, 0, 0);
      return canvas.toDataURL("image/png").split(",")[1];
    }, svg);
    // the same strokes: what differs is how their edges are smoothed
    const far = await difference(page, { kind: "image/png", data: raster }, png);
    assert.ok(far < 0.5, `mean difference ${far} of 255`);
    await scrub(page, 120);
    const other = await difference(page, { kind: "image/png", data: raster }, picture("image/png", (await taken(page, "take-png")).bytes));
    assert.ok(other > 4 * far, `expected another instant to differ more: ${other}, ${far}`);
  });
});

for (const name of ["quick-return", "seven-joint-arm"])
  test(`${name}: the GIF has a picture for every twenty-fifth of a second of playing, each of its own instant`, async () => {
    await visit(browser, runs[name].html, { viewport: { width: 700, height: 500 } }, async (page) => {
      const end = await page.evaluate(() => { window.jounce.setTime(1e9); return window.jounce.time(); });
      await scrub(page, 30);
      const before = await time(page);
      const { bytes } = await taken(page, "take-gif");
      assert.equal(await time(page), before, "expected the page to be where it was");
      const times = gifTimes(bytes);
      // oracle: both models play at their own speed, and a film has 25 pictures a second
      const count = Math.round(end * 25);
      assert.equal(times.length, count);
      assert.ok(Math.abs(times.reduce((sum, t) => sum + t, 0) - 100 * end) <= 1);
      const frame = Math.round(count / 3);
      await page.evaluate((t) => window.jounce.setTime(t), (end * frame) / count);
      const shown = picture("image/png", (await taken(page, "take-png")).bytes);
      const gif = picture("image/gif", bytes);
      const [own, another] = [await difference(page, gif, shown, frame), await difference(page, gif, shown, 0)];
      assert.ok(own < 4 && own < another, `frame ${frame}: ${own} from its instant, ${another} from the first`);
    });
  });

/** The pictures of a WebM by their times in ms: every simple block of every cluster. */
function webmTimes(bytes) {
  const times = [];
  /** A number whose first bits say how many bytes it has; of an id they are a part. */
  const number = (at, id) => {
    const length = Math.clz32(bytes[at]) - 23;
    let value = id ? bytes[at] : bytes[at] & (0xff >> length);
    for (let k = 1; k < length; k += 1) value = value * 256 + bytes[at + k];
    return { value, next: at + length };
  };
  let start = 0;
  const walk = (from, to) => {
    for (let at = from; at < to;) {
      const id = number(at, true);
      const size = number(id.next, false);
      const end = Math.min(to, size.next + size.value);
      if (id.value === 0x18538067 || id.value === 0x1f43b675) walk(size.next, end);  // segment, cluster
      if (id.value === 0xe7) start = bytes.readUIntBE(size.next, size.value);
      if (id.value === 0xa3) times.push(start + bytes.readInt16BE(number(size.next, false).next));
      at = end;
    }
  };
  walk(0, bytes.length);
  return times;
}

/** H.264 is not in every build of the browser. */
const encodes = (page, codec) => page.evaluate(async (name) => (await window.VideoEncoder.isConfigSupported({ codec: name, width: 1280, height: 720 })).supported, codec);

test("the film is an MP4 or a WebM with as many pictures, each at its time, and a browser without an encoder says why there is none", async () => {
  const small = { viewport: { width: 700, height: 500 } };
  const count = Math.round(2.1 * 25);
  await visit(browser, runs["quick-return"].html, small, async (page) => {
    if (await encodes(page, "avc1.42001f")) {
      const { name, bytes } = await taken(page, "take-mp4");
      assert.equal(name, "crank-shaper-quick-return.mp4");
      assert.equal(bytes.toString("latin1", 4, 8), "ftyp");
      // stsz: version and flags, the size that all have, and how many there are
      const at = bytes.indexOf("stsz", 0, "latin1");
      assert.equal(bytes.readUInt32BE(at + 12), count);
      await page.keyboard.press("Escape");
    }
    const { name, bytes } = await taken(page, "take-webm");
    assert.equal(name, "crank-shaper-quick-return.webm");
    assert.equal(bytes.readUInt32BE(0), 0x1a45dfa3);
    const times = webmTimes(bytes);
    assert.equal(times.length, count);
    times.forEach((t, k) => { assert.ok(Math.abs(t - (1000 * 2.1 * k) / count) <= 1, `picture ${k} at ${t} ms`); });
    // as a browser that plays it sees it; the page itself may load nothing
    const player = await browser.newPage();
    const shown = await player.evaluate(async (data) => {
      const film = document.createElement("video");
      film.src = `data:video/webm;base64,${data}`;
      await new Promise((done, failed) => { film.onloadeddata = done; film.onerror = () => failed(new Error(film.error?.message)); });
      return { width: film.videoWidth, seconds: film.duration };
    }, bytes.toString("base64"));
    await player.close();
    assert.ok(shown.width > 100 && Math.abs(shown.seconds - 2.1) < 0.1, `found ${JSON.stringify(shown)}`);
    await page.keyboard.press("Escape");
    await page.evaluate(() => {
      const own = window.VideoEncoder.isConfigSupported.bind(window.VideoEncoder);
      window.VideoEncoder.isConfigSupported = (config) => (config.codec.startsWith("avc") ? Promise.resolve({ supported: false, config }) : own(config));
    });
    await open(page);
    await page.waitForFunction(() => document.querySelector("[data-testid='take-mp4']")?.disabled);
    assert.match(await page.getByTestId("take-mp4").textContent(), /this browser encodes no H\.264: take WebM/);
    assert.equal(await page.getByTestId("take-webm").isEnabled(), true);
    await page.keyboard.press("Escape");
    await page.evaluate(() => { delete window.VideoEncoder; });
    await open(page);
    await page.waitForFunction(() => document.querySelector("[data-testid='take-webm']")?.disabled);
    assert.match(await page.getByTestId("take-mp4").textContent(), /this browser encodes no video/);
  });
});

test("a film can be stopped", async () => {
  await visit(browser, runs["seven-joint-arm"].html, {}, async (page) => {
    let given = 0;
    page.on("download", () => { given += 1; });
    await open(page);
    await page.getByTestId("take-gif").click();
    await page.getByTestId("take-stop").click();
    await page.waitForFunction(() => /nothing was made/.test(document.querySelector("[data-testid='take-status']")?.textContent ?? ""));
    assert.equal(given, 0);
  });
});

test("a drawing in space is pixels: there is a PNG, and the menu says why there is no SVG", async () => {
  await visit(browser, runs["seven-joint-arm"].html, {}, async (page) => {
    await open(page);
    await page.waitForFunction(() => document.querySelector("[data-testid='take-svg']")?.disabled);
    assert.match(await page.getByTestId("take-svg").textContent(), /pixels and no lines/);
    const bytes = (await taken(page, "take-png")).bytes;
    const size = await page.locator(".stage").evaluate((stage) => [stage.clientWidth, stage.clientHeight]);
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], size);
    await scrub(page, 100);
    assert.ok(await difference(page, picture("image/png", bytes), picture("image/png", (await taken(page, "take-png")).bytes)) > 0.2);
  });
});

test("a plot is taken with its curves, its units and what is hidden left out", async () => {
  await visit(browser, runs["quick-return"].html, {}, async (page) => {
    const plot = page.getByTestId("plot").first();
    const take = async (id) => {
      if (!await plot.locator("details.take").evaluate((menu) => menu.open)) await plot.getByTestId("take-plot").click();
      const [download] = await Promise.all([page.waitForEvent("download"), plot.getByTestId(id).click()]);
      return readFileSync(await download.path());
    };
    const names = await plot.locator(".legend .name").allTextContents();
    const whole = (await take("plot-svg")).toString();
    for (const name of names) assert.ok(whole.includes(`>${name} [`), `expected ${name} with its unit`);
    assert.deepEqual((await take("plot-csv")).toString().split("\n")[0].split(","), ["t", ...names]);
    assert.equal((await take("plot-png")).toString("latin1", 1, 4), "PNG");
    await page.keyboard.press("Escape");
    await plot.locator(".legend button").first().click();
    const rest = (await take("plot-svg")).toString();
    assert.ok(!rest.includes(`>${names[0]} [`));
  });
});

test("the menu is opened, walked through and closed by keys", async () => {
  await visit(browser, runs["quick-return"].html, {}, async (page) => {
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-testid"));
    await page.getByTestId("take").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(), "take-svg");
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(), "take-png");
    await page.keyboard.press("ArrowUp");
    assert.equal(await focused(), "take-svg");
    await page.keyboard.press("Escape");
    assert.equal(await focused(), "take");
    assert.equal(await page.locator("details.take[open]").count(), 0);
    await page.keyboard.press("Enter");
    await page.mouse.click(200, 300);
    assert.equal(await page.locator("details.take[open]").count(), 0, "expected a click elsewhere to close it");
  });
});

test("where the model's file lies is on no page and in nothing that is taken from one", async () => {
  const model = folder.write("a-secret-place.toml", readFileSync(new URL("../../models/four-bar/model.toml", import.meta.url), "utf8"));
  const { html } = folder.report(model, "sent-on");
  // oracle: the folder's own name, which is random
  const secret = folder.path.split("/").at(-1);
  assert.ok(!readFileSync(html, "utf8").includes(secret));
  await visit(browser, html, {}, async (page) => {
    for (const id of ["take-csv", "take-svg"]) assert.ok(!(await taken(page, id)).bytes.toString().includes(secret), id);
  });
});
