// The numbers on the page are those of the table that the same run wrote, to the digits shown.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Folder, launch, modelFile, readTable, scrub, visit } from "./helpers.mjs";
import { deadCentre } from "./models.mjs";

const folder = new Folder();
let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser?.close();
  folder.remove();
});

/** Half a unit of the sixth digit of a number: what rounding to six digits may change. */
function halfDigit(value) {
  return value === 0 ? 0 : 0.5 * 10 ** (Math.floor(Math.log10(Math.abs(value))) - 5);
}

function largest(numbers) {
  return numbers === undefined ? 0 : numbers.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/**
 * How far a shown number may be from the table's. The page carries 40 bits (relative 5e-13), so that a rounding may fall the other
 * way. Points are computed from their bodies where that gives them to 1e-10 of the largest number of their column.
 */
function tolerance(table, name, value) {
  const point = /^(.*)\.([^.]+)\.([vajs]?)[xy]$/.test(name);
  return halfDigit(value) * (1 + 1e-6) + (point ? 1.1e-10 * largest(table.columns.get(name) ?? []) : 1e-12 * Math.abs(value));
}

/** What is nothing but rounding is shown as 0: less than 1e-12 of the largest number of a column of its kind, here of its group. */
function rounding(table, kinds, name) {
  const kind = kinds.get(name);
  return 1e-12 * Math.max(...table.names.filter((other) => kinds.get(other) === kind).map((other) => largest(table.columns.get(other))));
}

function check(table, kinds, name, row, text) {
  const value = table.columns.get(name)[row];
  const shown = Number(text.split(" ")[0]);
  const near = shown === 0 ? Math.max(tolerance(table, name, value), rounding(table, kinds, name)) : tolerance(table, name, value);
  assert.ok(Math.abs(shown - value) <= near, `${name} in row ${row}: the page shows "${text}", the table has ${value}`);
}

/** The group of each column, as the page carries it. */
function groups(html) {
  const text = /<script[^>]*id="jounce-data"[^>]*>([^]*?)<\/script>/.exec(readFileSync(html, "utf8"))[1];
  return new Map(JSON.parse(text).columns.map((column) => [column.name, column.group]));
}

/** Compares all columns at some rows, and in the legends of the plots as they are on the screen. */
async function compare(page, table, kinds) {
  const columns = await page.evaluate(() => window.jounce.columns());
  assert.deepEqual(columns, table.names);
  const rows = [...new Set([0, 1, 0.17, 0.29, 0.5, 0.71, 1].map((part, k) => (k === 1 ? 1 : Math.round(part * (table.rows - 1)))))];
  for (const row of rows) {
    await scrub(page, row);
    const shown = await page.evaluate(() => window.jounce.columns().map((name) => window.jounce.shown(name)));
    columns.forEach((name, c) => check(table, kinds, name, row, shown[c]));
    const legends = await page.evaluate(() => [...document.querySelectorAll("[data-testid^='legend-']")].map((key) => [key.dataset.testid.slice(7), key.querySelector(".value").textContent]));
    assert.ok(legends.length > 0, "expected legends with values");
    for (const [name, text] of legends) check(table, kinds, name, row, text);
  }
  return columns.length * rows.length;
}

const models = ["quick-return", "planetary", "jansen-leg", "andrews-squeezer", "slider-crank-engine", "seven-joint-arm", "six-link-swimmer"];
for (const name of models)
  test(`${name}: every column at seven times`, async (t) => {
    const { html, csv } = folder.report(modelFile(name), name);
    const table = readTable(csv);
    await visit(browser, html, {}, async (page) => {
      // a plot of its own for a point, whose column the page computes
      const point = table.names.find((column) => /\..*\.vx$/.test(column)) ?? table.names[1];
      await page.evaluate((column) => window.jounce.toggle(column), point);
      t.diagnostic(`${name}: ${await compare(page, table, groups(html))} numbers are the table's`);
    });
  });

test("an equilibrium, one sample: the table of values", async () => {
  const { html, csv } = folder.report(modelFile("spring-balance"), "rest");
  const table = readTable(csv);
  assert.equal(table.rows, 1);
  await visit(browser, html, {}, async (page) => {
    const rows = await page.getByTestId("state").locator("tr").evaluateAll((lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent)));
    // at rest every rate is 0 and left out; all else is there
    const still = table.names.filter((name) => name !== "t" && !/\.[vajs](x|y|phi)$/.test(name));
    assert.deepEqual(rows.map(([name]) => name).sort(), still.sort());
    for (const [name, text] of rows) check(table, groups(html), name, 0, text);
    const box = await page.getByTestId("state").locator(".values").evaluate((one) => [one.scrollWidth, one.clientWidth]);
    assert.ok(box[0] <= box[1], `expected no value beside the page, found ${box[0]} pixels in ${box[1]}`);
    assert.equal(await page.getByTestId("scrub").count(), 0, "expected no time to go through: what can be played are the modes");
  });
});

test("a run that ends at a dead point: its 21 samples and the reason", async () => {
  const { html, csv } = folder.report(folder.write("dead.toml", deadCentre), "dead", { code: 1 });
  const table = readTable(csv);
  assert.equal(table.rows, 21);
  await visit(browser, html, {}, async (page) => {
    await compare(page, table, groups(html));
    assert.match(await page.getByTestId("outcome").textContent(), /dead point at (2|1\.9999\d*) s/);
    assert.match(await page.getByTestId("problems").textContent(), /dead point/);
  });
});
