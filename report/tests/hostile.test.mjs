// Models that mean harm, or only too much: a safe page that can be used, or a clear refusal.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { after, before, test } from "node:test";
import { Folder, launch, modelFile, passes, phone, readTable, scrub, visit } from "./helpers.mjs";
import { turningBar } from "./models.mjs";

const folder = new Folder();
let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser?.close();
  folder.remove();
});

const attack = "</script><script>window.pwned=1</script><img src=x onerror=window.pwned=1>";

test("a title and a comment full of markup are text", async () => {
  const title = `${attack} "double" 'single' \`back\` \\ &lt; --> ]]> {{x}} \u2028\u2029 🦾👩‍🔧 \u202eright to left\u202c ${"very long ".repeat(1000)}`;
  const { html } = folder.report(folder.write("markup.toml", turningBar({ title, comment: `${attack} --> "` })), "markup");
  for (const viewport of [undefined, phone])
    await visit(browser, html, viewport ? { viewport } : {}, async (page) => {
      assert.equal(await page.evaluate(() => window.pwned), undefined);
      assert.equal(await page.locator("h1").textContent(), title);
      // a document's title has its white space collapsed by the browser
      assert.ok((await page.title()).startsWith(attack), "expected the attack as text in the title");
      assert.match(await page.getByTestId("source").textContent(), /window\.pwned=1/);
      assert.equal(await page.locator("img").count(), 0);
      assert.equal(await page.locator("body script:not(#jounce-data)").count(), 1, "expected no script but the page's own");
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "expected no scrolling sideways");
      assert.ok((await page.locator("h1").boundingBox()).height < 400, "expected a long title not to fill the screen");
      await page.getByTestId("play").click();
      await passes(page, 0.1);
    });
});

test("markup as the name of a body is refused, with the place", () => {
  const ran = folder.run(folder.write("body.toml", turningBar({ bar: "<img src=x onerror=alert(1)>" })), "body");
  assert.equal(ran.code, 2);
  assert.match(ran.err, /body\.toml:\d+:\d+: error: .*letters, digits/);
});

test("a name of 300 letters leaves the page as wide as the screen", async () => {
  const bar = "b".repeat(300);
  const { html } = folder.report(folder.write("long.toml", turningBar({ bar })), "long");
  for (const viewport of [undefined, phone])
    await visit(browser, html, viewport ? { viewport } : {}, async (page) => {
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "expected no scrolling sideways");
    });
});

test("a million samples: every k-th is carried, the page opens and says so", async (t) => {
  const model = modelFile("scotch-yoke");
  const { html, csv } = folder.report(model, "million", { words: ["--steps", "1000000", "--columns", "t,crank.phi,yoke.x"] });
  const size = statSync(html).size;
  assert.ok(size < 40e6, `expected a page under 40 MB, found ${size} bytes`);
  const table = readTable(csv);
  assert.equal(table.rows, 1_000_001);
  const start = Date.now();
  await visit(browser, html, {}, async (page) => {
    t.diagnostic(`a million samples: ${(size / 1e6).toFixed(1)} MB, ready after ${((Date.now() - start) / 1000).toFixed(1)} s`);
    assert.match(await page.locator("header").textContent(), /1000001 rows/);
    assert.match(await page.getByTestId("problems").textContent(), /1000001 rows/);
    const last = Number(await page.getByTestId("scrub").getAttribute("max"));
    for (const sample of [0, 1, Math.round(last / 3), last]) {
      await scrub(page, sample);
      const found = await page.evaluate(() => ["t", "crank.phi", "yoke.x"].map((name) => window.jounce.value(name)));
      // the row with this time; 40 bits are carried
      const row = Math.round(found[0] / 5e-7);
      ["t", "crank.phi", "yoke.x"].forEach((name, k) => {
        const value = table.columns.get(name)[row];
        assert.ok(Math.abs(found[k] - value) <= 1e-12 * Math.abs(value), `${name} in row ${row}: expected ${value}, found ${found[k]}`);
      });
    }
    await page.evaluate(() => window.jounce.setTime(0));
    await page.getByTestId("play").click();
    await passes(page, 0.01);
  });
});

test("fifty thousand samples of 191 columns: a small page, and only what is looked at is unpacked", async (t) => {
  const { html, csv } = folder.report(modelFile("quick-return"), "long", { words: ["--steps", "50000"] });
  const size = statSync(html).size;
  // numbers of smooth columns take about half a byte each; without prediction they took more than two
  assert.ok(size < 3e6, `expected a page under 3 MB, found ${size} bytes`);
  const table = readTable(csv);
  const start = Date.now();
  await visit(browser, html, {}, async (page) => {
    t.diagnostic(`50 001 samples: ${(size / 1e6).toFixed(1)} MB, ready after ${((Date.now() - start) / 1000).toFixed(1)} s`);
    for (const row of [0, 1, 12_345, 49_999, 50_000]) {
      await scrub(page, row);
      const found = await page.evaluate(() => window.jounce.columns().map((name) => window.jounce.value(name)));
      table.names.forEach((name, c) => {
        const numbers = table.columns.get(name);
        const most = numbers.reduce((big, value) => Math.max(big, Math.abs(value)), 0);
        assert.ok(Math.abs(found[c] - numbers[row]) <= 1.1e-10 * most, `${name} in row ${row}: expected ${numbers[row]}, found ${found[c]}`);
      });
    }
  });
});

test("two samples: a page with both", async () => {
  const { html } = folder.report(modelFile("four-bar"), "two", { words: ["--steps", "1"] });
  await visit(browser, html, {}, async (page) => {
    await page.keyboard.press("End");
    assert.equal(await page.evaluate(() => window.jounce.sample()), 1);
  });
});

test("a motion that stops being a number ends the run with the reason; every number of the page is one", async () => {
  const model = folder.write("nan.toml", turningBar({ title: "Root", motion: "sqrt(0.5 - t)", steps: 20 }));
  const { html } = folder.report(model, "nan", { code: 1 });
  await visit(browser, html, {}, async (page) => {
    assert.notEqual(await page.getByTestId("outcome").textContent(), "Completed");
    assert.ok((await page.getByTestId("problems").textContent()).length > 20, "expected the reason");
    const bad = await page.evaluate(() => {
      const names = [];
      for (let k = 0; k <= Number(document.querySelector("[data-testid=scrub]").max); k += 1) {
        window.jounce.setTime(0.05 * k);
        for (const name of window.jounce.columns()) if (!Number.isFinite(window.jounce.value(name))) names.push(name);
      }
      return names;
    });
    assert.deepEqual(bad, []);
  });
});
