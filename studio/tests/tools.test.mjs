// What the tools of the drawing make can be computed, and is what its closed form says; the sheet can be moved, and what is in a band is chosen together.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { changedLines, clicks, column, drag, far, Folder, launch, modelFile, says, scale, screen, spot, text, tool, until, visit } from "./helpers.mjs";
import { load } from "./modules.mjs";

const { Sketch, blank } = await load("text/index.ts");

let browser;
let folder;
let fourBar;
let empty;

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

/** Turns a pivot once a second, and waits for its motion. */
async function motor(page, x, y) {
  await tool(page, "Motor");
  await clicks(page, [x, y]);
  await page.getByRole("button", { name: "Pause" }).click();
}
const types = async (page) => new Sketch(await text(page)).elements.map(({ type }) => type).sort();
const errors = (page) => page.locator(".problem-list .error").allTextContents();
const columns = (page, ...names) => Promise.all(names.map((name) => column(page, name)));

// Wheels that meet in the middle are as large as each other, and turn against each other.
test("two wheels that mesh turn against each other", async () => {
  await visit(browser, empty, {}, async (page) => {
    await tool(page, "Gear");
    await clicks(page, [0.35, 0.5], [0.6, 0.5]);
    await motor(page, 0.35, 0.5);
    assert.deepEqual(await types(page), ["angle", "gear", "revolute", "revolute"]);
    const [one, other] = await columns(page, "wheel1.phi", "wheel2.phi");
    assert.ok(Math.abs(one.at(-1) - one[0] - 2 * Math.PI) < 1e-9);
    one.forEach((phi, k) => assert.ok(Math.abs(phi - one[0] + other[k] - other[0]) < 1e-9, `row ${k}`));
    assert.deepEqual(await errors(page), []);
  });
});

// The slotted lever points from its pivot to the pin of the crank, which goes round it by r, d away.
test("a pin in a slot makes a quick-return of a crank and a lever", async () => {
  await visit(browser, empty, {}, async (page) => {
    await tool(page, "Link");
    await clicks(page, [0.5, 0.4], [0.6, 0.4]);
    await page.keyboard.press("Escape");
    await tool(page, "Ground pivot");
    await clicks(page, [0.5, 0.8]);
    await tool(page, "Link");
    await clicks(page, [0.5, 0.8], [0.72, 0.2]);
    await page.keyboard.press("Escape");
    await tool(page, "Slot");
    await clicks(page, [0.6, 0.4], [0.6, 0.53]);
    assert.ok((await types(page)).includes("pin-in-slot"), (await types(page)).join());
    await motor(page, 0.5, 0.4);
    const sketch = new Sketch(await text(page));
    const { points } = sketch.elements.find(({ type }) => type === "pin-in-slot");
    assert.deepEqual(points.filter(({ key }) => key === "pin").map(({ body, point }) => `${body}.${point}`), ["link1.A"]);
    const [o, q] = [...sketch.bodies.get("ground").points.values()].map((point) => [point.x.value, point.y.value]);
    const [phi, x, y] = await columns(page, "link2.phi", "link1.A.x", "link1.A.y");
    const towards = (k) => Math.atan2(y[k] - q[1], x[k] - q[0]);
    phi.forEach((angle, k) => assert.ok(Math.abs(Math.sin(towards(k) - towards(0) - angle + phi[0])) < 1e-9, `row ${k}`));
    // it swings by 2 asin(r/d): within half a row of the crank
    const swing = phi.reduce((so, one) => Math.max(so, one)) - phi.reduce((so, one) => Math.min(so, one));
    assert.ok(Math.abs(swing - 2 * Math.asin(far([x[0], y[0]], o) / far(o, q))) < 1e-3, `${swing}`);
    assert.deepEqual(await errors(page), []);
  });
});

// It goes out by a third of its length and in again: at a half of the second it is longest.
test("a cylinder goes out and in", async () => {
  await visit(browser, empty, {}, async (page) => {
    await tool(page, "Link");
    await clicks(page, [0.3, 0.6], [0.6, 0.5]);
    await page.keyboard.press("Escape");
    await tool(page, "Cylinder");
    await clicks(page, [0.5, 0.8], [0.6, 0.5]);
    await until(page, () => (window.studio.column("t")?.length ?? 0) > 10);
    const { points } = new Sketch(await text(page)).elements.find(({ type }) => type === "distance");
    const [a, b] = points.map(({ body, point }) => `${body}.${point}`);
    const [t, ax, ay, bx, by] = await columns(page, "t", `${a}.x`, `${a}.y`, `${b}.x`, `${b}.y`);
    const long = t.map((_, k) => Math.hypot(ax[k] - bx[k], ay[k] - by[k]));
    // the numbers of its motion are written to a tenth of a pixel
    t.forEach((time, k) => assert.ok(Math.abs(long[k] / long[0] - 1 - (1 - Math.cos(2 * Math.PI * time)) / 6) < 2e-3, `row ${k}: ${long[k] / long[0]}`));
    assert.deepEqual(await errors(page), []);
  });
});

// A uniform bar of length L that is let go at the angle phi: 3/2 g cos(phi)/L.
test("a mass makes a link swing", async () => {
  await visit(browser, empty, {}, async (page) => {
    await tool(page, "Link");
    await clicks(page, [0.4, 0.4], [0.6, 0.3]);
    await page.keyboard.press("Escape");
    await tool(page, "Mass");
    await clicks(page, [0.5, 0.35]);
    await says(page, /Dynamics/);
    const sketch = new Sketch(await text(page));
    const ends = [...sketch.body("link1").points.values()];
    const long = Math.hypot(ends[1].x.value - ends[0].x.value, ends[1].y.value - ends[0].y.value);
    const [phi, acceleration, total] = await columns(page, "link1.phi", "link1.aphi", "energy.total");
    assert.ok(Math.abs(acceleration[0] - (-1.5 * 9.81 * Math.cos(phi[0])) / long) < 1e-9 * Math.abs(acceleration[0]));
    assert.ok(total.every((value) => Math.abs(value - total[0]) < 1e-6));
    assert.ok(await page.getByRole("button", { name: "Live" }).isVisible());
  });
});

// Two links that cross, held by the ground at one end each, with a pin where they cross: a triangle, which stands still.
test("a pin joins two links where they lie on each other", async () => {
  await visit(browser, empty, {}, async (page) => {
    await tool(page, "Link");
    await clicks(page, [0.3, 0.7], [0.6, 0.3]);
    await page.keyboard.press("Escape");
    await tool(page, "Ground pivot");
    await clicks(page, [0.6, 0.7]);
    await tool(page, "Link");
    await clicks(page, [0.6, 0.7], [0.3, 0.3]);
    await page.keyboard.press("Escape");
    await says(page, /^2 degrees of freedom/);
    await tool(page, "Pin");
    await clicks(page, [0.45, 0.5]);
    await says(page, /^0 degrees of freedom/);
    const sketch = new Sketch(await text(page));
    const { points } = sketch.elements.filter(({ type }) => type === "revolute").at(-1);
    const [one, other] = points.map(({ body, point }) => sketch.spot(`${body}.${point}`));
    assert.ok(far(one, other) * (await scale(page)) < 1, "it lies where they cross");
  });
});

test("what is in a band is chosen together and moves together, and the rest stays", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const before = new Sketch(await text(page));
    const [q, b] = [await screen(page, "ground.Q"), await screen(page, "rocker.B")];
    await page.keyboard.down("Shift");
    await drag(page, [Math.max(q[0], b[0]) + 40, b[1] - 40], [Math.min(q[0], b[0]) - 30, q[1] + 40]);
    await page.keyboard.up("Shift");
    await page.getByRole("group", { name: "2 elements" }).waitFor();
    await page.getByRole("application").focus();
    await page.keyboard.press("Shift+ArrowRight");
    const moved = new Sketch(await text(page));
    const by = moved.spot("ground.Q")[0] - before.spot("ground.Q")[0];
    assert.ok(by > 0.01);
    await until(page, ([x]) => window.studio.screen("rocker.B")[0] > x + 5, b);
    assert.deepEqual(moved.spot("ground.O"), before.spot("ground.O"));
    // the rocker keeps its length: its two pins have gone the same way
    assert.ok(Math.abs(moved.parameters.value("rocker_length") - 0.3) < 1e-3 && Math.abs(moved.parameters.value("ground_length") - 0.35 - by) < 1e-6, changedLines(before.text, moved.text).join("\n"));
    await page.keyboard.press("Control+z");
    assert.equal(await text(page), before.text);
  });
});

test("the sheet goes with the hand, the wheel enlarges what is under it, and 0 shows all", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const names = ["ground.O", "crank.A", "coupler.P", "ground.Q"];
    const places = () => Promise.all(names.map((name) => screen(page, name)));
    const [first, was] = [await places(), await text(page)];
    const sheet = await spot(page, 0.1, 0.15);
    await drag(page, sheet, [sheet[0] + 60, sheet[1] + 35]);
    const gone = (await places()).map(([x, y], k) => [x - first[k][0], y - first[k][1]]);
    // what made it a drag may be missing
    assert.ok(far(gone[0], [60, 35]) < 9, gone[0].join());
    gone.forEach((by, k) => assert.ok(far(by, gone[0]) < 1e-6, names[k]));
    const [metre, under] = [await scale(page), await screen(page, "coupler.P")];
    await page.mouse.move(...under);
    await page.mouse.wheel(0, -300);
    await until(page, (before) => Number(document.querySelector(".plane-sheet").dataset.scale) > 1.3 * before, metre);
    assert.ok(far(await screen(page, "coupler.P"), under) < 1, "a wheel knows whole pixels");
    await page.getByRole("application").focus();
    await page.keyboard.press("0");
    await until(page, ([x, y]) => Math.hypot(window.studio.screen("ground.O")[0] - x, window.studio.screen("ground.O")[1] - y) < 1, first[0]);
    (await places()).forEach((place, k) => assert.ok(far(place, first[k]) < 1, names[k]));
    assert.equal(await text(page), was);
  });
});

// Oracle: the column at the row of the cursor.
test("a plot shows the column that is chosen, and a click in it moves the mechanism", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    await page.getByRole("button", { name: "Add a plot" }).click();
    await page.getByRole("searchbox", { name: "Search columns" }).fill("coupler.P.jx");
    await page.getByTestId("pick-coupler.P.jx").check();
    await page.getByTestId("picker-done").click();
    const plot = page.getByTestId("plot").last();
    await plot.scrollIntoViewIfNeeded();
    const [jerk, before] = [await column(page, "coupler.P.jx"), await screen(page, "coupler.P")];
    const box = await plot.locator(".u-over").boundingBox();
    await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2);
    await until(page, () => Number(document.querySelector("[aria-label=Time]").value) > 10);
    const sample = Number(await page.getByRole("slider", { name: "Time" }).inputValue());
    assert.ok(Math.abs(sample - 50) <= 6, `row ${sample}`);
    assert.ok(far(await screen(page, "coupler.P"), before) > 20, "the mechanism is there, too");
    const shown = parseFloat((await plot.getByTestId("legend-coupler.P.jx").locator("xpath=..").textContent()).replace(/^.*coupler\.P\.jx\s*/, ""));
    assert.ok(Math.abs(shown - jerk[sample]) <= 1e-5 * Math.abs(jerk[sample]), `${shown}, in the column ${jerk[sample]}`);
  });
});

test("a name can be given to nothing that has it already, and what is shown is drawn", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const was = await text(page);
    await page.mouse.click(...(await screen(page, "crank.A")));
    const name = page.getByRole("group", { name: "crank-pin" }).getByRole("textbox", { name: "name" });
    for (const [given, why] of [["rocker-pin", "There is a 'rocker-pin' already."], ["a b", "A name is of letters, digits, _ and -."], ["<b>", "A name is of letters, digits, _ and -."]]) {
      await name.fill(given);
      await page.keyboard.press("Enter");
      await page.getByRole("log", { name: "Messages" }).getByText(why).waitFor();
      assert.equal(await text(page), was);
    }
    const drawn = () => page.locator(".plane-sheet canvas").first().screenshot();
    const plain = await drawn();
    await page.getByText("Show", { exact: true }).click();
    await page.getByLabel("Velocity", { exact: true }).check();
    await page.getByText("Show", { exact: true }).click();
    assert.ok(!(await drawn()).equals(plain), "arrows of velocity");
    assert.equal(readFileSync(modelFile("four-bar"), "utf8"), was);
  });
});
