// On a phone: fingers draw, pull and reshape; what stands beside the drawing is behind tabs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { button, column, far, Folder, launch, modelFile, phone, says, scale, screen, spot, text, until, visit } from "./helpers.mjs";
import { load } from "./modules.mjs";

const { Sketch, blank } = await load("text/index.ts");
const options = { viewport: phone, hasTouch: true, isMobile: true };

let browser;
let folder;
let fourBar;
let empty;
const source = readFileSync(modelFile("four-bar"), "utf8");

before(async () => {
  browser = await launch();
  folder = new Folder();
  fourBar = folder.page(modelFile("four-bar"));
  empty = folder.page(folder.write("blank.toml", blank));
});
after(async () => {
  await browser.close();
  folder.remove();
});

/** Fingers on the page. */
async function fingers(page) {
  const session = await page.context().newCDPSession(page);
  const touch = (type, ...places) => session.send("Input.dispatchTouchEvent", { type, touchPoints: places.map(([x, y], id) => ({ x, y, id })) });
  return {
    tap: async (at) => {
      await touch("touchStart", at);
      await touch("touchEnd");
    },
    drag: async (from, to, during) => {
      await touch("touchStart", from);
      for (let k = 1; k <= 8; k += 1) await touch("touchMove", [from[0] + (k / 8) * (to[0] - from[0]), from[1] + (k / 8) * (to[1] - from[1])]);
      if (during) await during();
      // a finger that rests before it is lifted does not throw the page
      await page.waitForTimeout(300);
      await touch("touchEnd");
    },
  };
}

const isThere = (page, [x, y]) => until(page, ([a, b]) => Math.hypot(window.studio.screen("crank.A")[0] - a, window.studio.screen("crank.A")[1] - b) < 1.5, [x, y]);

test("tabs show plots, parameters and text, and nothing is wider than the phone", async () => {
  await visit(browser, fourBar, options, async (page) => {
    const tab = (name) => page.getByRole("tab", { name });
    const parts = { Plots: page.getByRole("button", { name: "Add a plot" }), Parameters: page.getByRole("slider", { name: "crank_length" }), Text: page.getByRole("textbox", { name: "Model file" }) };
    for (const name of ["Parameters", "Text", "Plots"]) {
      await tab(name).tap();
      assert.equal(await tab(name).getAttribute("aria-selected"), "true");
      for (const [other, part] of Object.entries(parts)) assert.equal(await part.isVisible(), other === name, `${other} behind the tab ${name}`);
      assert.ok(await page.getByRole("application", { name: "Mechanism" }).isVisible());
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth && document.documentElement.scrollHeight <= window.innerHeight), name);
    }
    // every button of the bar can be tapped
    for (const name of ["Undo", "Redo", "Gallery", "Open", "Save", "Share", "Export", "Help"]) {
      const box = await button(page, name).boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= phone.width && box.width >= 24 && box.height >= 24, `${name}: ${JSON.stringify(box)}`);
    }
  });
});

test("a finger pulls a point, and reshapes it where Reshape is on; one undo takes it back", async () => {
  await visit(browser, fourBar, options, async (page) => {
    const { drag } = await fingers(page);
    const [o, metre] = [await screen(page, "crank.O"), await scale(page)];
    // on the circle that the crank's 0.1 m make
    const to = [o[0] + 0.1 * metre * Math.cos(2), o[1] - 0.1 * metre * Math.sin(2)];
    await drag(await screen(page, "crank.A"), to, async () => {
      await isThere(page, to);
      assert.ok(Math.abs(far(await screen(page, "coupler.A"), await screen(page, "coupler.B")) / metre - 0.25) < 1e-6);
    });
    assert.equal(await text(page), source);
    await page.getByRole("button", { name: "Reshape" }).tap();
    const [from, q] = [await screen(page, "crank.A"), await screen(page, "ground.Q")];
    const there = [from[0] + 30, from[1] + 12];
    await drag(from, there);
    await until(page, (was) => window.studio.text() !== was, source);
    // it goes from dot to dot of the grid
    await until(page, ([a, b]) => Math.hypot(window.studio.screen("crank.A")[0] - a, window.studio.screen("crank.A")[1] - b) < 12, there);
    assert.ok(far(await screen(page, "ground.Q"), q) < 1);
    await button(page, "Undo").tap();
    assert.equal(await text(page), source);
  });
});

test("a four-bar is drawn with taps, a double tap ends it, and it turns", async () => {
  await visit(browser, empty, options, async (page) => {
    const { tap } = await fingers(page);
    await page.getByRole("radio", { name: "Link" }).tap();
    for (const [x, y] of [[0.25, 0.7], [0.3, 0.55], [0.65, 0.35], [0.8, 0.7]]) {
      await tap(await spot(page, x, y));
      await page.waitForTimeout(400);
    }
    await tap(await spot(page, 0.8, 0.7));
    await tap(await spot(page, 0.8, 0.7));
    await says(page, /1 degree of freedom/);
    await page.getByRole("radio", { name: "Motor" }).tap();
    await tap(await spot(page, 0.25, 0.7));
    await button(page, "Pause").waitFor();
    const sketch = new Sketch(await text(page));
    assert.deepEqual([...sketch.bodies.keys()], ["ground", "link1", "link2", "link3"]);
    assert.equal(sketch.elements.filter(({ type }) => type === "revolute").length, 4);
    // once round in the second of its run
    const angle = await column(page, "link1.phi");
    assert.ok(Math.abs(angle.at(-1) - angle[0] - 2 * Math.PI) < 1e-9);
  });
});

test("the gallery fills the phone, opens a model, and a finger moves its parameter", async () => {
  await visit(browser, fourBar, options, async (page) => {
    await button(page, "Gallery").tap();
    await page.getByRole("searchbox", { name: "Search models" }).fill("offset slider");
    await page.getByRole("region", { name: "Gallery" }).getByRole("button", { name: /^Offset slider-crank/ }).tap();
    await until(page, (model) => window.studio.text() === model, readFileSync(modelFile("offset-slider-crank"), "utf8"));
    await page.getByRole("tab", { name: "Parameters" }).tap();
    const slider = page.getByRole("slider", { name: "crank_length" });
    const stroke = async () => {
      const x = await column(page, "piston.x");
      return x.reduce((so, value) => Math.max(so, value)) - x.reduce((so, value) => Math.min(so, value));
    };
    await until(page, () => window.studio.column("piston.x")?.length === 301);
    const before = await stroke();
    const box = await slider.boundingBox();
    const part = Number(await slider.inputValue()) / Number(await slider.getAttribute("max"));
    const { drag } = await fingers(page);
    await drag([box.x + part * box.width, box.y + box.height / 2], [box.x + (part + 0.1) * box.width, box.y + box.height / 2]);
    await until(page, (was) => window.studio.text() !== was, readFileSync(modelFile("offset-slider-crank"), "utf8"));
    await until(page, () => window.studio.column("piston.x")?.length === 301);
    const value = Number(/^crank_length\s*= ([\d.]+)/m.exec(await text(page))[1]);
    const [l, e] = [0.2, 0.01];
    assert.ok(value > 0.05 && (await stroke()) > before);
    // √((l + r)² − e²) − √((l − r)² − e²), of which the rows are within half a step of the crank
    const exact = Math.sqrt((l + value) ** 2 - e ** 2) - Math.sqrt((l - value) ** 2 - e ** 2);
    assert.ok(Math.abs((await stroke()) - exact) < value * (Math.PI / 300) ** 2, `${await stroke()}, expected ${exact}`);
  });
});
