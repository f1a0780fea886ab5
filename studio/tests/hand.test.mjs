// What a hand and a keyboard do at the edges: beyond what can be built, in the middle of something else, and back again.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { button, clicks, column, drag, Folder, launch, modelFile, scale, screen, slide, spot, text, tool, until, visit } from "./helpers.mjs";
import { load } from "./modules.mjs";

const { blank } = await load("text/index.ts");

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

const problems = (page) => page.getByRole("list", { name: "Problems" }).getByRole("listitem").allTextContents();
/** The drawing without handles. */
const drawing = (page) => page.evaluate(() => [...document.querySelectorAll(".plane-sheet canvas:not(.canvas-overlay)")].map((one) => one.toDataURL()).join());
const parameter = (page, name) => page.getByRole("group", { name: "Parameters" }).getByRole("slider", { name });
const goalValue = (page, name) => page.getByRole("table", { name: "Goals" }).getByRole("row", { name: new RegExp(name) }).locator("td.number").textContent();

/** Two frames later everything that was asked for is drawn. */
const drawn = (page) => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));

test("what was pulled is drawn where the hand has left it", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const before = await drawing(page);
    const [from, o, metre] = [await screen(page, "crank.A"), await screen(page, "crank.O"), await scale(page)];
    await drag(page, from, [o[0] + 0.1 * metre * Math.cos(2), o[1] - 0.1 * metre * Math.sin(2)]);
    await until(page, () => Number(document.querySelector("[aria-label=Time]").value) > 20);
    let left = "";
    while (left !== (left = await drawing(page))) await page.waitForTimeout(250);
    await page.mouse.move(...(await spot(page, 0.5, 0.97)));
    await drawn(page);
    assert.ok(left !== before && (await drawing(page)) === left, "nothing moves any more when the hand has let go");
  });
});

test("a reshape that goes too far at once ends at a shape that can be put together", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const [from, metre] = [await screen(page, "rocker.B"), await scale(page)];
    await page.keyboard.down("Alt");
    await page.mouse.move(...from);
    await page.mouse.down();
    // the crank of 0.1 m and a coupler of less than 0.05 m do not reach the rocker any more
    for (const part of [0.2, 0.5, 1]) await page.mouse.move(from[0] + part * 1.2 * metre, from[1] - part * 0.3 * metre);
    await page.mouse.up();
    await page.keyboard.up("Alt");
    await until(page, () => window.studio.column("rocker.phi")?.length === 201);
    assert.match(await page.getByRole("status").textContent(), /1 degree of freedom/);
    assert.deepEqual(await problems(page), []);
  });
});

test("Esc drops what is reshaped, also with Alt held down, and Delete waits", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const before = await text(page);
    const from = await screen(page, "crank.A");
    await page.keyboard.down("Alt");
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(from[0] + 20, from[1] - 10, { steps: 4 });
    await until(page, (was) => window.studio.text() !== was, before);
    await page.keyboard.press("Delete");
    assert.match(await text(page), /\[joints\.crank-pin\]/);
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await page.keyboard.up("Alt");
    assert.equal(await text(page), before);
  });
});

test("a point that moves is taken hold of where it is pressed", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    await button(page, "Play").click();
    await until(page, () => Number(document.querySelector("[aria-label=Time]").value) > 10);
    // pressed where it is now, moved when it would long be elsewhere
    const at = await page.evaluate(() => {
      const [clientX, clientY] = window.studio.screen("rocker.B");
      document.querySelector(".plane-sheet").dispatchEvent(new window.PointerEvent("pointerdown", { clientX, clientY, bubbles: true, cancelable: true, pointerId: 1, pointerType: "mouse", button: 0, buttons: 1 }));
      return [clientX, clientY];
    });
    await page.waitForTimeout(150);
    await page.mouse.move(at[0] + 12, at[1] - 12, { steps: 3 });
    await until(page, () => document.querySelector(".inspector").getAttribute("aria-label") === "rocker-pin");
    assert.equal(await button(page, "Play").count(), 1, "it plays no more");
  });
});

test("an impossible parameter leaves the last mechanism on the screen, and says what does not fit", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const phi = await column(page, "rocker.phi");
    // 0.9 m is longer than ground, crank and coupler together
    await slide(parameter(page, "rocker_length"), [0.5, 0.7, 0.9]);
    await until(page, () => document.querySelector("[aria-label=Problems]").children.length > 0);
    assert.deepEqual(await column(page, "rocker.phi"), phi);
    assert.match((await problems(page)).join(), /assembled/);
    await button(page, "Undo").click();
    await until(page, () => document.querySelector("[aria-label=Problems]").children.length === 0);
  });
});

test("a spring between two places of the ground is refused in words, and the text stays", async () => {
  await visit(browser, empty, {}, async (page) => {
    const before = await text(page);
    for (const name of ["Spring", "Cylinder"]) {
      await tool(page, name);
      await clicks(page, [0.3, 0.6], [0.5, 0.4]);
      await page.getByText(`A ${name.toLowerCase()} goes from a link to another or to the ground: both ends are on the ground.`).waitFor();
      assert.equal(await text(page), before);
    }
  });
});

test("a sheet that is empty again is a beginning and no error", async () => {
  await visit(browser, empty, {}, async (page) => {
    await tool(page, "Link");
    await clicks(page, [0.3, 0.6], [0.5, 0.4]);
    await page.keyboard.press("Escape");
    await until(page, () => window.studio.text().includes("[bodies."));
    while (await button(page, "Undo").isEnabled()) await button(page, "Undo").click();
    assert.equal(await text(page), blank);
    await until(page, () => /An empty sheet/.test(document.querySelector("[role=status]").textContent));
    assert.deepEqual(await problems(page), []);
  });
});

test("goals are undone like everything else, and follow a name", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    await page.getByRole("combobox", { name: "New goal" }).fill("swing = range(rocker.phi)");
    await page.keyboard.press("Enter");
    await until(page, () => /swing/.test(document.querySelector("table.goals").textContent) && !/–/.test(document.querySelector("table.goals td.number").textContent));
    const value = await goalValue(page, "swing");
    const [b, q] = [await screen(page, "rocker.B"), await screen(page, "rocker.Q")];
    await page.mouse.click((b[0] + q[0]) / 2, (b[1] + q[1]) / 2);
    await page.getByRole("group", { name: "rocker", exact: true }).getByRole("textbox", { name: "name" }).fill("lever");
    await page.keyboard.press("Enter");
    await until(page, () => /range\(lever\.phi\)/.test(document.querySelector("table.goals").textContent));
    await until(page, (was) => document.querySelector("table.goals td.number").textContent === was, value);
    await button(page, "Undo").click();
    await until(page, () => /range\(rocker\.phi\)/.test(document.querySelector("table.goals").textContent));
    await button(page, "Undo").click();
    await until(page, () => !/swing/.test(document.querySelector("table.goals").textContent));
    assert.equal(await button(page, "Undo").isEnabled(), false);
  });
});

test("a table is opened with its model, found in the folder that the model names, and kept", async () => {
  const model = readFileSync(modelFile("four-stroke-engine"), "utf8").replace("'gas.csv'", "'data/gas.csv'");
  const table = readFileSync(modelFile("four-stroke-engine").replace("model.toml", "gas.csv"), "utf8");
  const file = (name, content) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
  const input = (page) => page.locator("input[type=file]");
  await visit(browser, folder.page(), {}, async (page) => {
    await input(page).setInputFiles([file("engine.toml", model), file("gas.csv", table)]);
    await until(page, () => window.studio.column("crank.phi")?.length > 100 && window.studio.text().includes("data/gas.csv"));
    assert.deepEqual(await problems(page), []);
    await input(page).setInputFiles([file("other.csv", "a,b\n1,2\n")]);
    await page.getByText("The model reads no table 'other.csv'.").waitFor();
    // what the browser keeps is written a moment later
    await until(page, () => JSON.parse(localStorage.getItem("jounce-studio-work") ?? "{}").tables?.["data/gas.csv"]?.length > 100);
    await page.goto(page.url().replace(/#.*/, "?again"));
    await page.waitForFunction(() => window.studio?.ready.then(() => true));
    assert.ok((await text(page)).includes("data/gas.csv") && (await column(page, "crank.phi")).length > 100);
    assert.deepEqual(await problems(page), []);
    await input(page).setInputFiles([{ name: "latin.toml", mimeType: "text/plain", buffer: Buffer.from([0x6a, 0xe9, 0x0a]) }]);
    await page.getByText("'latin.toml' is no text in UTF-8: a model is a .toml file.").waitFor();
  });
});

test("two tabs keep both their works", async () => {
  await visit(browser, fourBar, {}, async (page, context) => {
    const other = await context.newPage();
    await other.goto(page.url());
    await other.waitForFunction(() => window.studio?.ready.then(() => true));
    const kept = () => other.evaluate(() => `${localStorage.getItem("jounce-studio-work")} ${localStorage.getItem("jounce-studio-earlier")}`);
    await page.evaluate(() => window.studio.setText(window.studio.text().replace("Four-bar linkage", "Of the first tab")));
    await until(page, () => (localStorage.getItem("jounce-studio-work") ?? "").includes("Of the first tab"));
    await other.evaluate(() => window.studio.setText(window.studio.text().replace("Four-bar linkage", "Of the second tab")));
    await until(other, () => (localStorage.getItem("jounce-studio-work") ?? "").includes("Of the second tab"));
    assert.ok((await kept()).includes("Of the first tab"), "it stands under what was worked on before");
    await other.close();
  });
});

test("keys move the slider of a negative parameter by its steps, and a range that was widened is narrow again", async () => {
  const model = readFileSync(modelFile("four-bar"), "utf8").replace(/point_beside( *)= [\d.]+/, "point_beside$1= -0.12");
  assert.match(model, /point_beside *= -0\.12/);
  await visit(browser, folder.page(folder.write("negative.toml", model)), {}, async (page) => {
    const slider = parameter(page, "point_beside");
    await slider.focus();
    for (let k = 0; k < 5; k += 1) await page.keyboard.press("ArrowRight");
    // a slider of ±0.12 has a range of 0.25 in 200 steps
    await until(page, () => /point_beside *= -0\.11375\b/.test(window.studio.text()));
    const range = () => slider.evaluate((input) => [input.min, input.max].map(Number));
    const narrow = await range();
    await page.getByRole("textbox", { name: "Value of point_beside" }).fill("-5");
    await page.keyboard.press("Enter");
    await until(page, () => Number(document.querySelector("[aria-label=point_beside]").min) <= -5);
    await button(page, "Undo").click();
    await until(page, () => Number(document.querySelector("[aria-label=point_beside]").min) > -5);
    assert.deepEqual(await range(), narrow);
  });
});
