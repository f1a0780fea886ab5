// Without a mouse: everything of the page is reached by keys, and the text is written as a text.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { changedLines, column, far, Folder, launch, modelFile, readTable, says, screen, text, until, visit } from "./helpers.mjs";
import { load } from "./modules.mjs";

const { Sketch } = await load("text/index.ts");

let browser;
let folder;
let fourBar;
const source = readFileSync(modelFile("four-bar"), "utf8");

before(async () => {
  browser = await launch();
  folder = new Folder();
  fourBar = folder.page(modelFile("four-bar"));
});
after(async () => {
  await browser.close();
  folder.remove();
});

const most = 120;
const problems = (page) => page.getByRole("list", { name: "Problems" }).getByRole("listitem");
const caret = (page) => page.evaluate(() => {
  const { anchorNode } = window.getSelection();
  const line = (anchorNode instanceof window.Element ? anchorNode : anchorNode?.parentElement)?.closest(".cm-line");
  return line?.textContent ?? "";
});

/** Presses a key until something has the focus. */
async function to(page, what, key = "Tab") {
  for (let k = 0; k < most; k += 1) {
    if (await what.evaluate((element) => element === document.activeElement).catch(() => false)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${key} does not reach ${what} in ${most} presses`);
}

/** Presses Tab in the drawing until something is selected. */
async function select(page, words) {
  for (let k = 0; k < most; k += 1) {
    if ((await page.getByRole("application").getAttribute("aria-description")) === words) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not select ${words}`);
}

test("everything has the name and the role that programs and readers of the screen find it by", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const names = {
      application: ["Mechanism"], radiogroup: ["Tools"], radio: ["Select", "Link", "Ground pivot", "Pin", "Slider", "Motor", "Spring", "Force", "Gear"], textbox: ["Model file"],
      button: ["Play", "Undo", "Redo", "Open", "Save", "Share", "Export", "Gallery"], slider: ["Time", "crank_length", "speed"], group: ["Parameters"], list: ["Problems"], table: ["Goals"],
    };
    for (const [role, all] of Object.entries(names))
      for (const name of all) assert.equal(await page.getByRole(role, { name, exact: true }).count(), 1, `${role} "${name}"`);
    assert.match(await page.getByRole("status").textContent(), /^1 degree of freedom/);
    // whatever can be pressed has a name
    const unnamed = await page.locator("button:visible, input:visible, select:visible, summary:visible").evaluateAll((all) => all.filter((one) =>
      !(one.getAttribute("aria-label") ?? "") && !one.textContent.trim() && !one.labels?.length && !one.title).map((one) => one.outerHTML));
    assert.deepEqual(unnamed, []);
  });
});

test("keys alone open a model, play it, set a parameter, move a point, delete, undo and redo", async () => {
  await visit(browser, folder.page(), {}, async (page) => {
    await to(page, page.getByRole("button", { name: "Gallery" }));
    await page.keyboard.press("Enter");
    await page.keyboard.type("four-bar linkage");
    await to(page, page.getByRole("region", { name: "Gallery" }).getByRole("button", { name: /^Four-bar linkage/ }));
    await page.keyboard.press("Enter");
    await until(page, (model) => window.studio.text() === model, source);
    await page.getByRole("region", { name: "Gallery" }).waitFor({ state: "hidden" });
    await until(page, () => window.studio.column("rocker.phi")?.length === 201);

    await to(page, page.getByRole("button", { name: "Play" }));
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await until(page, () => Number(document.querySelector("[aria-label=Time]").value) > 3);
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Play" }).waitFor();
    const time = page.getByRole("slider", { name: "Time" });
    await to(page, time);
    const sample = Number(await time.inputValue());
    assert.equal(sample, Math.round(sample));
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    assert.equal(Number(await time.inputValue()), sample + 11);

    // a slider of 0.3 has a range of 0.8 in 200 steps
    await to(page, page.getByRole("slider", { name: "rocker_length" }));
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("PageDown");
    assert.deepEqual(changedLines(source, await text(page)), ["rocker_length  = 0.256           # Q to B"]);
    folder.jounce("run", modelFile("four-bar"), "--set", "rocker_length=0.256", "-o", folder.file("set.csv"), "--report", folder.file("set.html"), "--quiet");
    const expected = readTable(folder.file("set.csv")).columns.get("rocker.phi");
    await until(page, (value) => window.studio.column("rocker.phi").at(-1) === value, expected.at(-1));
    await page.keyboard.press("Control+z");
    assert.equal(await text(page), source, "both steps are one");

    const drawing = page.getByRole("application", { name: "Mechanism" });
    await to(page, drawing, "Shift+Tab");
    await select(page, "point ground.Q");
    const q = async () => new Sketch(await text(page)).spot("ground.Q");
    const places = [await q()];
    for (const key of ["ArrowRight", "Shift+ArrowRight"]) {
      await page.keyboard.press(key);
      places.push(await q());
    }
    const [small, large] = [places[1][0] - places[0][0], places[2][0] - places[1][0]];
    assert.ok(small > 0 && Math.abs(large / small - 10) < 1e-6 && places.every((place) => place[1] === 0), places.join(" "));
    await page.keyboard.press("Control+z");
    assert.equal(await text(page), source);
    await select(page, "driver motor");
    await page.keyboard.press("Delete");
    assert.ok(!(await text(page)).includes("[drivers.motor]"));
    await says(page, /nothing drives it/);
    await page.keyboard.press("Control+z");
    assert.equal(await text(page), source);
    await page.keyboard.press("Control+Shift+z");
    assert.ok(!(await text(page)).includes("[drivers.motor]"));
    await page.keyboard.press("Control+z");
    // at the end of the elements the focus goes on
    for (let k = 0; k < most && (await drawing.evaluate((element) => element === document.activeElement)); k += 1) await page.keyboard.press("Tab");
    assert.ok(!(await drawing.evaluate((element) => element === document.activeElement)), "the drawing lets the focus go");
  });
});

test("letters take tools, space plays, arrows go by rows, and Esc leaves what is open", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    for (const [key, name] of [["l", "Link"], ["g", "Ground pivot"], ["p", "Pin"], ["s", "Slider"], ["m", "Motor"], ["k", "Spring"], ["f", "Force"], ["w", "Gear"], ["o", "Slot"], ["c", "Cylinder"], ["n", "Mass"], ["v", "Select"]]) {
      await page.keyboard.press(key);
      assert.equal(await page.getByRole("radio", { checked: true }).getAttribute("aria-label"), name);
    }
    const at = () => page.getByRole("slider", { name: "Time" }).inputValue();
    await page.keyboard.press("End");
    assert.equal(await at(), "200");
    await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await at(), "189");
    await page.keyboard.press("Home");
    assert.equal(await at(), "0");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Play" }).waitFor();
    await page.keyboard.press("?");
    await page.getByText("play or pause", { exact: true }).waitFor();
    await page.keyboard.press("?");
    await page.getByText("play or pause", { exact: true }).waitFor({ state: "hidden" });
    assert.equal(await text(page), source);
  });
});

test("what is typed is in the drawing at once, an error is underlined at its word, and a click on its message goes there", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const editor = page.getByRole("textbox", { name: "Model file" });
    const from = await screen(page, "ground.Q");
    const behind = async (line, word) => {
      const box = await page.locator(".cm-line").filter({ hasText: line }).getByText(word, { exact: true }).boundingBox();
      await page.mouse.click(box.x + box.width - 1, box.y + box.height / 2);
    };
    await behind(/^ground_length/, "0.35");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("40");
    await until(page, (x) => window.studio.screen("ground.Q")[0] > x + 5, from[0]);
    assert.deepEqual(changedLines(source, await text(page)), ["ground_length  = 0.40            # O to Q"]);
    await until(page, () => window.studio.column("rocker.phi")?.length === 201);
    const phi = await column(page, "rocker.phi");

    await behind(/^speed/, '"60*rpm"');
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("s");
    await problems(page).getByText(/'rpms'/).waitFor();
    assert.deepEqual(await page.locator(".cm-lintRange-error").allTextContents(), ["rpms"]);
    const line = (await text(page)).split("\n").findIndex((one) => one.includes("rpms")) + 1;
    const { message, where } = await problems(page).first().evaluate((item) => ({ message: item.querySelector(".what").textContent, where: item.querySelector(".where").textContent }));
    // the program's own words, at its own place
    const said = folder.refusal("check", folder.write("typed.toml", await text(page)));
    assert.ok(said.includes(message.replace(/ \(.*/s, "")), `${said} has not: ${message}`);
    assert.ok(said.includes(`typed.toml:${line}:`) && where === `line ${line}`, `${said} on ${where}`);
    assert.deepEqual(await column(page, "rocker.phi"), phi, "the last good mechanism stays");
    assert.match(await page.getByRole("status").textContent(), /The text has errors: the last mechanism without them is shown/);

    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Escape");
    assert.ok(!(await editor.evaluate((element) => element === document.activeElement)), "Esc leaves the text");
    await problems(page).first().getByRole("button").click();
    await until(page, () => document.activeElement?.getAttribute("aria-label") === "Model file");
    assert.match(await caret(page), /rpms/);
    // undo in the text is the undo of the page: in steps of what was typed in one go
    for (let k = 0; k < 10 && (await text(page)) !== source; k += 1) await page.keyboard.press("Control+z");
    assert.equal(await text(page), source);
    await until(page, ([x, y]) => Math.hypot(window.studio.screen("ground.Q")[0] - x, window.studio.screen("ground.Q")[1] - y) < 1, from);
    assert.equal(await problems(page).count(), 0);
    assert.ok(far(await screen(page, "ground.Q"), from) < 1);
  });
});

test("the text proposes what the model and the program know", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    await page.getByRole("textbox", { name: "Model file" }).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type('\n[joints.second]\ntype = "rev');
    const offered = page.getByRole("option");
    await offered.filter({ hasText: /^revolute/ }).waitFor();
    await page.waitForTimeout(200);
    await page.keyboard.press("Enter");
    assert.match(await text(page), /\[joints\.second\]\ntype = "revolute"$/);
    await page.keyboard.press("End");
    await page.keyboard.type('\ni = "coup');
    await offered.filter({ hasText: /^coupler\.P/ }).waitFor();
    assert.deepEqual((await offered.allTextContents()).map((one) => one.replace(/[^\w.].*/s, "")).filter((one) => one.startsWith("coupler.")).sort(), ["coupler.A", "coupler.B", "coupler.P", "coupler.origin"]);
  });
});

test("a point in the drawing is its line in the text, and the caret in an element selects it", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    await page.mouse.click(...(await screen(page, "coupler.P")));
    await page.getByRole("group", { name: "coupler.P" }).waitFor();
    assert.deepEqual(await page.locator(".cm-chosen").allTextContents(), ['points   = { A = [0, 0], B = ["coupler_length", 0], P = ["point_along", "point_beside"] }']);
    await page.locator(".cm-line").filter({ hasText: /^\[joints\.crank-pin\]/ }).click();
    await page.getByRole("group", { name: "crank-pin" }).waitFor();
    assert.equal(await page.getByRole("application").getAttribute("aria-description"), "joint crank-pin");
  });
});
