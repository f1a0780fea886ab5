// Units of the user's choice, members by tension and compression, and rounding that is shown as nothing.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { Folder, launch, modelFile, program, readTable, root, scrub, visit } from "./helpers.mjs";

const folder = new Folder();
let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser?.close();
  folder.remove();
});

const cells = (page, title) => page.getByTestId("summary").locator("table", { hasText: title }).locator("tr")
  .evaluateAll((lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent)));

test("a page is in the units that are asked for: legends, axes, lists and tables", async () => {
  // oracle: the same run in SI units, times 1000, 180/pi and 1/1000
  const si = folder.report(modelFile("slider-crank-engine"), "si");
  const own = folder.report(modelFile("slider-crank-engine"), "own", { words: ["--units", "length=mm,angle=deg,force=kN,torque=N m,time=ms"] });
  const table = readTable(si.csv);
  const factors = { "piston.x": [1000, "mm"], "crank.phi": [180 / Math.PI, "deg"], "piston-pin.f": [1e-3, "kN"], "flywheel.effort": [1, "N m"], "rod.vphi": [180 / Math.PI / 1000, "deg/ms"] };
  await visit(browser, own.html, {}, async (page) => {
    for (const row of [0, 100, 321]) {
      await scrub(page, row);
      for (const [name, [factor, unit]] of Object.entries(factors)) {
        const text = await page.evaluate((column) => window.jounce.shown(column), name);
        const expected = table.columns.get(name)[row] * factor;
        assert.ok(Math.abs(Number.parseFloat(text) - expected) <= 1e-5 * Math.abs(expected), `${name}: expected ${expected}, found ${text}`);
        assert.ok(text.endsWith(` ${unit}`), `${name}: expected ${unit}, found ${text}`);
      }
    }
    const first = page.getByTestId("plot").first();
    assert.equal(await first.locator(".u-axis").count() > 0, true);
    await first.getByTestId("choose").click();
    await page.getByTestId("search").fill("piston.x");
    assert.deepEqual(await page.locator(".picker-list .unit").allTextContents(), ["mm"]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    const driven = await cells(page, "Efforts");
    assert.match(driven[1][1], /N m$/);
    assert.match(driven[1][2], /ms$/);
    // the clock, the sentence under the title, and what arrows mean: row 321 is at 321/450 of the run
    const t = table.columns.get("t")[321];
    assert.equal(await page.getByTestId("clock").textContent(), `${Number((1000 * t).toPrecision(4))} ms`);
    assert.match(await page.locator("header.top p").first().textContent(), / 0 to [\d.]+ ms in /);
    await page.getByTestId("layer-reactions").click();
    await page.getByTestId("layer-velocity").click();
    await page.waitForFunction(() => document.querySelectorAll(".arrow-legend span").length === 2);
    assert.match((await page.locator(".arrow-legend span").allTextContents()).join(), /^[125]0* mm\/ms velocity,(0\.0*)?[125]0* kN reaction$/);
  });
  // the same run in SI has arrows of the same length for the same numbers
  const perUnit = async (html) => {
    let found;
    await visit(browser, html, {}, async (page) => {
      await page.getByTestId("layer-reactions").click();
      const key = page.locator(".arrow-legend span").first();
      await key.waitFor();
      const [value, unit] = (await key.textContent()).split(" ");
      found = (await key.locator("i").evaluate((arrow) => arrow.getBoundingClientRect().width)) / (Number(value) * (unit === "kN" ? 1000 : 1));
    });
    return found;
  };
  // what is round is round in the unit that is shown, also where that is no power of ten of the SI unit
  const inches = folder.report(modelFile("slider-crank-engine"), "inches", { words: ["--units", "length=in"] });
  await visit(browser, inches.html, {}, async (page) => {
    await page.getByTestId("layer-velocity").click();
    const key = page.locator(".arrow-legend span").first();
    await key.waitFor();
    assert.match(await key.textContent(), /^[125]0* in\/s velocity$/);
  });
  const [inSi, inKn] = [await perUnit(si.html), await perUnit(own.html)];
  assert.ok(Math.abs(inSi / inKn - 1) < 0.02, `expected arrows as long as in SI, found ${inKn} pixels for a newton instead of ${inSi}`);
  const heads = readFileSync(own.csv, "utf8").split("\n")[0].split(",");
  assert.ok(heads.includes("piston.x [mm]") && heads.includes("crank.phi [deg]") && heads.includes("t [ms]"), `found ${heads.slice(0, 8)}`);
});

test("a truss: its members by tension and compression", async () => {
  // oracle: nodes in balance, by hand: T2 carries wind and snow, diagonal-4 takes what P2 and the roller leave
  const truss = folder.report(modelFile("truss"), "truss");
  await visit(browser, truss.html, {}, async (page) => {
    const [head, ...rows] = await cells(page, "Members");
    assert.deepEqual(head.slice(0, 2), ["member", "force"]);
    const words = new Map(rows.map(([name, force, word]) => [name, [Number.parseFloat(force), word]]));
    assert.equal(words.get("top")[1], "compression");
    assert.equal(words.get("bottom-1")[1], "tension");
    const { columns } = readTable(truss.csv);
    for (const [name, [force, word]] of words) {
      const tension = columns.get(`${name}.tension`)[0];
      assert.equal(word, tension > 0 ? "tension" : "compression");
      assert.ok(Math.abs(force - Math.abs(tension)) <= 1e-5 * force);
    }
  });
});

test("the size of a joint's force takes no room on a page, and rounding is shown as 0", async () => {
  const lift = folder.report(modelFile("scissor-lift"), "lift");
  const { columns } = readTable(lift.csv);
  const text = /<script[^>]*id="jounce-data"[^>]*>([^]*?)<\/script>/.exec(readFileSync(lift.html, "utf8"))[1];
  const document = JSON.parse(text);
  const sizes = document.columns.filter((column) => column.parts);
  assert.ok(sizes.length > 4 && sizes.every((column) => column.name.endsWith(".f")));
  assert.ok(statSync(lift.html).size < 2_000_000);
  await visit(browser, lift.html, {}, async (page) => {
    const noisy = document.columns.filter((column) => column.nothing && columns.has(column.name) && columns.get(column.name).some((value) => value !== 0));
    assert.ok(noisy.length > 0, "expected columns of rounding in a lift that keeps level");
    await scrub(page, 20);
    for (const column of noisy.slice(0, 10)) assert.equal((await page.evaluate((name) => window.jounce.shown(name), column.name)).split(" ")[0], "0");
    for (const column of sizes.slice(0, 4)) {
      const expected = Math.hypot(columns.get(`${column.owner}.fx`)[20], columns.get(`${column.owner}.fy`)[20]);
      assert.ok(Math.abs(Number.parseFloat(await page.evaluate((name) => window.jounce.shown(name), column.name)) - expected) <= 1e-5 * expected);
    }
  });
});

test("what a run came to is told in the units that are asked for, on the page and on the terminal", async () => {
  // oracle: the same run in SI units, times 1000
  const told = (words) => spawnSync(program, ["run", modelFile("toggle-clamp"), "-o", folder.file("told.csv"), "--report", folder.file("told.html"), ...words], { cwd: root, encoding: "utf8" }).stdout;
  const own = ["--units", "energy=mJ,time=ms"];
  const numbers = (text) => [...text.matchAll(/-?\d[\d.e-]*/g)].map(([number]) => Number(number));
  const fact = (text, head) => new RegExp(`^ *${head} +(.*)$`, "m").exec(text)[1];
  const [si, mine] = [told([]), told(own)];
  const energies = numbers(fact(si, "energy")).map((joule) => 1000 * joule);
  assert.match(fact(mine, "energy"), /^[\d.]+ mJ at the start, [\d.]+ mJ at the end$/);
  numbers(fact(mine, "energy")).forEach((value, k) => { assert.ok(Math.abs(value - energies[k]) <= 1e-5 * energies[k]); });
  assert.match(fact(mine, "run"), /from 0 to 500 ms in/);
  const [at] = numbers(fact(si, "event"));
  assert.ok(Math.abs(numbers(fact(mine, "event"))[0] - 1000 * at) < 1e-3 && / ms {2}impact/.test(fact(mine, "event")));
  await visit(browser, folder.report(modelFile("toggle-clamp"), "clamp", { words: own }).html, {}, async (page) => {
    const rows = new Map(await cells(page, "Run"));
    assert.equal(rows.get("energy"), fact(mine, "energy"));
    const first = await page.getByTestId("events").locator(".when").first().textContent();
    assert.equal(first, `${numbers(fact(mine, "event"))[0]} ms`);
  });
});
