// An equilibrium's page: modes that can be played, loads and reactions on the drawing, and static curves over a coordinate.
// Oracles: closed forms of a pendulum with two equal bobs, virtual work, and the values of the program's own table.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Folder, launch, modelFile, phone, readTable, visit } from "./helpers.mjs";

const folder = new Folder();
let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser?.close();
  folder.remove();
});

const upright = (angle) => `jounce = 1
name = "Bar on a pin"
gravity = [0, -10]
[ground]
points = { O = [0, 0] }
[bodies.bar]
mass = 3
inertia = 0.25
com = [0.5, 0]
angle = "${angle}"
points = { A = [0, 0], tip = [1, 0] }
shape = { type = "bar", from = "A", to = "tip" }
[joints.pin]
type = "revolute"
i = "ground.O"
j = "bar.A"
`;

const rest = (model, name, words = []) => folder.report(model, name, { command: "equilibrium", words });
const frame = (page) => page.locator(".stage canvas").last().evaluate((canvas) => canvas.toDataURL());

test("a mode is chosen and played about the rest, as far as the slider says", async () => {
  const { html } = rest(modelFile("spring-balance"), "balance");
  await visit(browser, html, {}, async (page) => {
    assert.deepEqual(await page.getByTestId("mode").locator("option").allTextContents(), ["Mode 1: 0.521511 Hz, 3.27675 rad/s", "Mode 2: 1.34932 Hz, 8.47806 rad/s"]);
    assert.equal(await page.getByTestId("layer-reactions").isChecked(), true);
    assert.equal(await page.getByTestId("layer-forces").isChecked(), true);
    const still = await frame(page);
    await page.getByTestId("mode").selectOption("1");
    await page.waitForFunction(() => window.jounce.playing());
    await page.keyboard.press("Escape");
    await page.evaluate(() => { window.jounce.pause(); window.jounce.setTime(0.625); });
    const far = await frame(page);
    assert.notEqual(far, still);
    await page.getByTestId("amplitude").evaluate((slider) => {
      slider.value = "0";
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    });
    assert.equal(await frame(page), still, "no amplitude is the rest");
  });
});

test("what runs away is said to, at its mode and in the summary", async () => {
  const { html } = rest(folder.write("upright.toml", upright("90*deg")), "upright");
  await visit(browser, html, {}, async (page) => {
    const modes = await page.evaluate(() => JSON.parse(document.getElementById("jounce-data").textContent).modes);
    assert.equal(modes.rows, 13);
    assert.deepEqual(modes.columns, ["bar.x", "bar.y", "bar.phi"]);
    // m g a / (J + m a²) = 15 1/s²: it doubles in ln 2 / sqrt(15) = 0.179 s
    assert.equal(modes.modes[0].unstable, "unstable: it runs away, doubling in 0.179 s");
    assert.match(await page.getByTestId("mode-note").textContent(), /^bar\.phi 1, bar\.x -?0\.\d+.* · unstable: it runs away, doubling in 0\.179 s$/);
    assert.match(await page.getByTestId("summary").textContent(), /unstable in 1 of 1 free motions: mode 1 runs away, doubling in 0\.179 s/);
  });
});

test("a mode in space is played too, and on a phone", async () => {
  const { html } = rest(modelFile("space-double-pendulum"), "space");
  await visit(browser, html, { viewport: phone }, async (page) => {
    assert.equal(await page.getByTestId("mode").locator("option").count(), 2);
    await page.getByTestId("play").click();
    await page.waitForFunction(() => window.jounce.frameTimes().length > 3);
    await page.getByTestId("play").click();
    assert.equal(await page.evaluate(() => window.jounce.playing()), false);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(over <= 0, "nothing sticks out of the page");
  });
});

test("a static curve has the coordinate in the place of the time", async () => {
  const model = folder.write("bar.toml", upright("-30*deg"));
  const { html, csv } = rest(model, "curve", ["--over", "bar.phi=-90*deg:90*deg:19"]);
  const table = readTable(csv);
  await visit(browser, html, {}, async (page) => {
    assert.match(await page.locator("header.top").textContent(), /over bar\.phi at 19 values/);
    assert.equal(await page.getByTestId("mode").count(), 0);
    for (const sample of [0, 7, 18]) {
      const phi = table.columns.get("bar.phi")[sample];
      await page.evaluate((t) => window.jounce.setTime(t), phi);
      const found = await page.evaluate(() => [window.jounce.sample(), window.jounce.value("hold.effort")]);
      assert.equal(found[0], sample);
      assert.ok(Math.abs(found[1] - 3 * 10 * 0.5 * Math.cos(phi)) < 1e-9);
    }
    assert.match(await page.getByTestId("clock").textContent(), /rad$/);
    assert.match(await page.getByTestId("plot").first().textContent(), /hold\.effort/);
  });
});

test("where a value has no equilibrium the page has no sample, and says why", async () => {
  const { html } = rest(modelFile("offset-slider-crank"), "gap", ["--over", "piston.x=0.14,0.18,0.2,0.22,0.26"]);
  await visit(browser, html, {}, async (page) => {
    const run = await page.evaluate(() => JSON.parse(document.getElementById("jounce-data").textContent));
    assert.equal(run.samples, 3);
    assert.deepEqual(run.run.missing, [[0.14, 0.14], [0.26, 0.26]]);
    assert.match(await page.getByTestId("problems").textContent(), /no equilibrium at piston\.x = 0\.14 m/);
  });
});
