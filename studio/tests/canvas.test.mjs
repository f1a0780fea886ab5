// A mechanism is drawn, pulled and reshaped by hand, in a real browser; what the text then says is what the hand did.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { changedLines, clicks, column, drag, far, Folder, launch, modelFile, phone, scale, screen, spot, text, tool, until, visit } from "./helpers.mjs";
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

const undo = (page) => page.getByRole("button", { name: "Undo" }).click();

// A crank of 0.12 m, a coupler of 0.18 m and a rocker of 0.23 m on a base of 0.24 m turn by Grashof's rule; 60 rpm is a turn a second.
test("four clicks and a motor make a four-bar that goes round", async () => {
  await visit(browser, empty, {}, async (page) => {
    await tool(page, "Link");
    await clicks(page, [0.3, 0.6], [0.35, 0.5], [0.6, 0.35], [0.7, 0.6]);
    await page.keyboard.press("Enter");
    await tool(page, "Motor");
    await clicks(page, [0.3, 0.6]);
    await page.getByRole("button", { name: "Pause" }).waitFor();
    assert.match(await page.getByRole("status").textContent(), /1 degree of freedom/);
    const sketch = new Sketch(await text(page));
    assert.deepEqual([...sketch.bodies.keys()], ["ground", "link1", "link2", "link3"]);
    assert.equal(sketch.elements.filter(({ type }) => type === "revolute").length, 4);
    const angle = await column(page, "link1.phi");
    assert.ok(Math.abs(angle.at(-1) - angle[0] - 2 * Math.PI) < 1e-9, "one turn");
    assert.equal(await page.getByRole("radio", { name: "Select" }).getAttribute("aria-checked"), "true");
    for (let k = 0; k < 6; k += 1) await undo(page);
    assert.equal(await text(page), blank);
  });
});

// The lengths of the model: 0.10 m from O to A, 0.25 m from A to B, 0.30 m from Q to B.
test("a point that is pulled takes the mechanism along by its joints, and the text stays", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const before = await text(page);
    const [from, metre] = [await screen(page, "crank.A"), await scale(page)];
    const centre = await screen(page, "crank.O");
    const turned = [centre[0] + 0.1 * metre * Math.cos(2), centre[1] - 0.1 * metre * Math.sin(2)];
    await drag(page, from, turned, async () => {
      await until(page, ([x, y]) => Math.hypot(window.studio.screen("crank.A")[0] - x, window.studio.screen("crank.A")[1] - y) < 1, turned);
      const [a, b, q] = [await screen(page, "coupler.A"), await screen(page, "rocker.B"), await screen(page, "ground.Q")];
      assert.ok(Math.abs(far(a, b) / metre - 0.25) < 1e-6 && Math.abs(far(q, b) / metre - 0.3) < 1e-6, "no link has another length");
    });
    assert.equal(await text(page), before);
    // the cursor has gone with it: the motor turns from 45° to 2 rad at 2 pi a second
    const sample = Number(await page.getByRole("slider", { name: "Time" }).inputValue());
    assert.ok(Math.abs(sample / 200 - (2 - Math.PI / 4) / (2 * Math.PI)) < 0.01, `row ${sample}`);
  });
});

test("what is pulled beyond its reach stays at the limit, and says what holds it", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const [from, metre, o] = [await screen(page, "crank.A"), await scale(page), await screen(page, "crank.O")];
    await drag(page, from, [o[0] - 0.05 * metre, o[1] - 0.3 * metre], async () => {
      await page.getByText(/Held back by .*crank-bearing/).waitFor();
      assert.ok(Math.abs(far(await screen(page, "crank.A"), o) / metre - 0.1) < 1e-6);
    });
  });
});

test("with Alt the geometry changes: the pin goes where the hand goes, parameters move, expressions stay, and one undo takes it back", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const before = await text(page);
    const [from, q] = [await screen(page, "crank.A"), await screen(page, "coupler.B")];
    const to = [from[0] + 23, from[1] - 17];
    await page.keyboard.down("Alt");
    await page.keyboard.down("Control");
    await drag(page, from, to);
    await page.keyboard.up("Control");
    await page.keyboard.up("Alt");
    // and the other pins stay
    await until(page, (places) => ["crank.A", "coupler.B"].every((name, k) => Math.hypot(window.studio.screen(name)[0] - places[k][0], window.studio.screen(name)[1] - places[k][1]) < 1), [to, q]);
    const lines = changedLines(before, await text(page));
    assert.deepEqual(lines.map((line) => line.split(" ")[0]).sort(), ["angle", "angle", "coupler_length", "crank_length", "position"]);
    assert.ok((await text(page)).includes('A = ["crank_length", 0]'));
    await undo(page);
    assert.equal(await text(page), before);
    assert.equal(await page.getByRole("button", { name: "Undo" }).isDisabled(), true);
  });
});

test("nothing drives it: where it is put is where the text draws it", async () => {
  const undriven = readFileSync(modelFile("four-bar"), "utf8").replace(/\[drivers\.motor\][^[]*/, "");
  await visit(browser, folder.page(folder.write("undriven.toml", undriven)), {}, async (page) => {
    const [o, metre] = [await screen(page, "crank.O"), await scale(page)];
    const to = [o[0] + 0.1 * metre * Math.cos(1.6), o[1] - 0.1 * metre * Math.sin(1.6)];
    await drag(page, await screen(page, "crank.A"), to);
    await until(page, (was) => window.studio.text() !== was, undriven);
    const sketch = new Sketch(await text(page));
    assert.ok(Math.abs(sketch.pose("crank").phi - 1.6) < 0.01);
    assert.ok(far(await screen(page, "crank.A"), to) < 2);
    assert.ok(changedLines(undriven, await text(page)).every((line) => /^(angle|position) /.test(line)));
    await undo(page);
    assert.equal(await text(page), undriven);
  });
});

test("what is selected has its numbers beside it; they can be changed there, and it can be deleted with what refers to it", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    await page.mouse.click(...(await screen(page, "crank.A")));
    const panel = page.getByRole("group", { name: "crank-pin" });
    await panel.getByRole("textbox", { name: "name" }).fill("elbow");
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "elbow" }).waitFor();
    assert.match(await text(page), /\[joints\.elbow\]/);
    const [b, q] = [await screen(page, "rocker.B"), await screen(page, "rocker.Q")];
    await page.mouse.click((b[0] + q[0]) / 2, (b[1] + q[1]) / 2);
    await page.getByRole("group", { name: "rocker", exact: true }).waitFor();
    await page.keyboard.press("Delete");
    const sketch = new Sketch(await text(page));
    assert.deepEqual([...sketch.bodies.keys()], ["ground", "crank", "coupler"]);
    assert.deepEqual(sketch.elements.map(({ name }) => name), ["crank-bearing", "elbow", "motor"]);
    await page.getByText("With it went rocker-pin and rocker-bearing.").waitFor();
  });
});

test("keys alone select, move by the grid and delete", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const drawing = page.getByRole("application", { name: "Mechanism" });
    await drawing.focus();
    for (let k = 0; k < 2; k += 1) await page.keyboard.press("Tab");
    assert.equal(await drawing.getAttribute("aria-description"), "point ground.Q");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    const sketch = new Sketch(await text(page));
    // two of ten steps of a square of the grid, whose bar says how wide it is
    assert.ok(sketch.spot("ground.Q")[1] > 0 && Math.abs(sketch.spot("ground.Q")[1] / 0.02 - 1) < 1e-9, String(sketch.spot("ground.Q")[1]));
    await undo(page);
    assert.equal(new Sketch(await text(page)).spot("ground.Q")[1], 0);
  });
});

test("a slider, a spring and a force are drawn with two clicks or one drag, and what they make can be computed", async () => {
  await visit(browser, empty, {}, async (page) => {
    await tool(page, "Link");
    await clicks(page, [0.3, 0.6], [0.36, 0.5], [0.62, 0.6]);
    await page.keyboard.press("Escape");
    await tool(page, "Slider");
    await drag(page, await spot(page, 0.62, 0.6), await spot(page, 0.8, 0.6));
    await tool(page, "Spring");
    await clicks(page, [0.62, 0.6], [0.8, 0.4]);
    await tool(page, "Force");
    await drag(page, await spot(page, 0.36, 0.5), await spot(page, 0.36, 0.35));
    await tool(page, "Motor");
    await clicks(page, [0.3, 0.6]);
    await page.getByRole("button", { name: "Pause" }).waitFor();
    const sketch = new Sketch(await text(page));
    assert.deepEqual(sketch.elements.map(({ type }) => type).sort(), ["angle", "force", "revolute", "revolute", "revolute", "spring", "translational"]);
    assert.equal(await page.getByRole("list", { name: "Problems" }).getByText(/error/i).count(), 0);
    // level to what is rounded in the text: a tenth of a pixel
    const [x, y] = [await column(page, "slider1.x"), await column(page, "slider1.y")];
    const range = (numbers) => Math.max(...numbers) - Math.min(...numbers);
    assert.ok(range(x) > 0.05 && range(y) < 1e-3 * range(x), `it slides along the line that was drawn: ${range(x)}, ${range(y)}`);
  });
});

test("a finger selects what it covers, and two zoom", async () => {
  await visit(browser, fourBar, { viewport: phone, hasTouch: true }, async (page) => {
    const session = await page.context().newCDPSession(page);
    const touch = (type, ...places) => session.send("Input.dispatchTouchEvent", { type, touchPoints: places.map(([x, y], id) => ({ x, y, id })) });
    const q = await screen(page, "ground.Q");
    await touch("touchStart", [q[0] + 12, q[1] + 10]);
    await touch("touchEnd");
    await until(page, () => document.querySelector(".inspector")?.getAttribute("aria-label") === "rocker-bearing");
    const before = await scale(page);
    const [a, b] = [await spot(page, 0.4, 0.5), await spot(page, 0.6, 0.6)];
    await touch("touchStart", a, b);
    for (let k = 1; k <= 6; k += 1) await touch("touchMove", [a[0] - 6 * k, a[1]], [b[0] + 6 * k, b[1]]);
    await touch("touchEnd");
    await until(page, (was) => Number(document.querySelector(".plane-sheet").dataset.scale) > 1.3 * was, before);
  });
});
