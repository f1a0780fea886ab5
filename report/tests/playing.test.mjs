// The controls: play, pause, slider, keys, curves, theme; on a desk, on a phone, in print; and for those who do not see the drawing.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Folder, launch, median, modelFile, passes, phone, readTable, scrub, time, visit } from "./helpers.mjs";
import { chain } from "./models.mjs";

const folder = new Folder();
const pages = {};
let browser;
before(async () => {
  browser = await launch();
  for (const name of ["quick-return", "planetary", "seven-joint-arm"]) pages[name] = folder.report(modelFile(name), name).html;
});
after(async () => {
  await browser?.close();
  folder.remove();
});

/** What is on a canvas, to see whether it changed. */
const picture = (page) => page.locator(".stage canvas").first().screenshot();

for (const name of ["quick-return", "seven-joint-arm"])
  test(`${name}: play moves the time and the drawing, pause holds them, the slider and the steps move them`, async () => {
    await visit(browser, pages[name], {}, async (page) => {
      assert.equal(await time(page), 0, "expected the page to start at rest");
      assert.equal(await page.evaluate(() => window.jounce.playing()), false);
      const first = await picture(page);
      await page.getByTestId("play").click();
      await passes(page, 0.2);
      await page.getByTestId("play").click();
      const held = await time(page);
      assert.ok(!first.equals(await picture(page)), "expected the drawing to have moved");
      await page.waitForTimeout(300);
      assert.equal(await time(page), held);

      await scrub(page, 50);
      assert.equal(await page.evaluate(() => window.jounce.sample()), 50);
      await page.getByTestId("forward").click();
      assert.equal(await page.evaluate(() => window.jounce.sample()), 51);
      await page.getByTestId("back").click();
      await page.getByTestId("back").click();
      assert.equal(await page.evaluate(() => window.jounce.sample()), 49);
    });
  });

test("the run starts again at its end with loop, and stops there without", async () => {
  await visit(browser, pages.planetary, {}, async (page) => {
    const end = await page.evaluate(() => { window.jounce.setTime(1e9); return window.jounce.time(); });
    await page.getByTestId("loop").click();
    assert.equal(await page.getByTestId("loop").getAttribute("aria-pressed"), "false");
    await page.evaluate((t) => window.jounce.setTime(t), end * 0.9);
    await page.getByTestId("play").click();
    await page.waitForFunction(() => !window.jounce.playing());
    assert.equal(await time(page), end);
    await page.getByTestId("loop").click();
    await page.evaluate((t) => window.jounce.setTime(t), end * 0.9);
    await page.getByTestId("play").click();
    await page.waitForFunction((t) => window.jounce.time() < t / 2, end);
    assert.equal(await page.evaluate(() => window.jounce.playing()), true);
  });
});

test("the keys do what the help says", async () => {
  await visit(browser, pages["quick-return"], {}, async (page) => {
    const sample = () => page.evaluate(() => window.jounce.sample());
    const press = (key) => page.keyboard.press(key);
    await press("ArrowRight");
    assert.equal(await sample(), 1);
    await press("Shift+ArrowRight");
    assert.equal(await sample(), 11);
    await press("ArrowLeft");
    assert.equal(await sample(), 10);
    await press("End");
    assert.equal(await sample(), 210);
    await press("Home");
    assert.equal(await sample(), 0);
    const speed = () => page.getByTestId("speed").inputValue();
    const usual = Number(await speed());
    await press("+");
    assert.ok(Number(await speed()) > usual);
    await press("-");
    assert.equal(Number(await speed()), usual);
    const loop = () => page.getByTestId("loop").getAttribute("aria-pressed");
    const looped = await loop();
    await press("l");
    assert.notEqual(await loop(), looped);
    await press("f");
    await press("Space");
    await passes(page, 0.1);
    await press("Space");
    assert.equal(await page.evaluate(() => window.jounce.playing()), false);
    await press("?");
    assert.equal(await page.locator("dialog[open]").count(), 1);
    const words = await page.locator("dialog[open]").textContent();
    for (const word of ["space", "Home", "wheel", "pinch", "double-click"]) assert.match(words, new RegExp(word), `expected "${word}" in the help`);
    assert.doesNotMatch(words, /PageUp/);
    await press("Escape");
    assert.equal(await page.locator("dialog[open]").count(), 0);
  });
});

test("in space the help names the keys and gestures that turn the drawing", async () => {
  await visit(browser, pages["seven-joint-arm"], {}, async (page) => {
    await page.keyboard.press("?");
    const keys = await page.locator("dialog[open] kbd").allTextContents();
    for (const key of ["w", "a", "s", "d", "PageUp", "PageDown"]) assert.ok(keys.includes(key), `expected the key ${key}, found ${keys}`);
    assert.match(await page.locator("dialog[open]").textContent(), /one finger/);
  });
});

test("forces are drawn to scale where the run has their columns, and cannot be chosen elsewhere", async () => {
  const { html } = folder.report(modelFile("stick-slip"), "forces");
  await visit(browser, html, {}, async (page) => {
    const moving = () => page.locator(".plane-view canvas").nth(1).screenshot();
    const before = await moving();
    await page.getByTestId("layer-forces").click();
    assert.ok(!before.equals(await moving()), "expected the arrows of the spring's force");
  });
  await visit(browser, pages["seven-joint-arm"], {}, async (page) => {
    const drawn = () => page.getByTestId("space-view").screenshot();
    const before = await drawn();
    await page.getByTestId("layer-forces").click();
    await page.waitForTimeout(300);
    assert.ok(!before.equals(await drawn()), "expected the force at the tip with its value");
  });
  await visit(browser, pages["quick-return"], {}, async (page) => {
    assert.equal(await page.getByTestId("layer-forces").isEnabled(), false);
  });
});

test("a curve of the legend can be hidden and shown, and columns can be found and added", async () => {
  await visit(browser, pages["quick-return"], {}, async (page) => {
    const key = page.locator("[data-testid^='legend-']").first();
    const plot = page.getByTestId("plot").first();
    const before = await plot.locator("canvas").screenshot();
    await key.click();
    assert.equal(await key.getAttribute("aria-pressed"), "false");
    await page.waitForTimeout(100);
    assert.ok(!before.equals(await plot.locator("canvas").screenshot()), "expected the curve to be gone");
    await key.click();
    assert.equal(await key.getAttribute("aria-pressed"), "true");

    const plots = await page.getByTestId("plot").count();
    await page.getByTestId("add-plot").click();
    await page.getByTestId("search").fill("link.R jerk");
    await page.getByTestId("pick-link.R.jx").check();
    await page.getByTestId("picker-done").click();
    assert.equal(await page.getByTestId("plot").count(), plots + 1);
    assert.match(await page.getByTestId("legend-link.R.jx").textContent(), /m\/s³/);
  });
});

test("a click in a plot moves the cursor, a drag zooms all plots, a double click shows all", async () => {
  await visit(browser, pages["quick-return"], {}, async (page) => {
    const area = page.getByTestId("plot").first().locator(".u-over");
    const box = await area.boundingBox();
    await area.click({ position: { x: box.width / 2, y: 40 } });
    assert.ok(Math.abs((await time(page)) - 1.05) < 0.02, `expected the middle of 2.1 s, found ${await time(page)}`);
    const line = () => page.locator(".now").evaluateAll((lines) => lines.map((one) => one.getBoundingClientRect().x));
    const before = await line();
    await page.mouse.move(box.x + box.width * 0.25, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 5 });
    await page.mouse.up();
    await page.waitForTimeout(100);
    const zoomed = await line();
    assert.ok(zoomed.every((x, k) => x > before[k] + 20), "expected the cursor's line to move to the right in every plot");
    await area.dblclick({ position: { x: 5, y: 20 } });
    await page.waitForTimeout(100);
    await page.evaluate(() => window.jounce.setTime(1.05));
    assert.ok((await line()).every((x, k) => Math.abs(x - before[k]) < 5), "expected all of the time to be shown again");
  });
});

test("an event moves the cursor to its time", async () => {
  const { html } = folder.report(modelFile("stick-slip"), "events");
  await visit(browser, html, {}, async (page) => {
    const first = page.getByTestId("events").locator("button").first();
    const t = Number((await first.locator(".when").textContent()).split(" ")[0]);
    await first.click();
    assert.ok(Math.abs((await time(page)) - t) <= 1e-5 * t, `expected ${t}, found ${await time(page)}`);
  });
});

test("light and dark follow the system and the button; arrows and trails can be drawn", async () => {
  for (const name of ["quick-return", "seven-joint-arm"])
    await visit(browser, pages[name], { colorScheme: "dark" }, async (page) => {
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const dark = await background();
      const before = await picture(page);
      await page.getByTestId("theme").click();
      await page.waitForTimeout(300);
      assert.notEqual(await background(), dark);
      assert.ok(!before.equals(await picture(page)), "expected the drawing to change with the theme");
      await page.keyboard.press("t");
      await page.waitForTimeout(300);
      assert.equal(await background(), dark);
      for (const layer of ["points", "names", "velocity", "acceleration", "reactions", "centres"]) {
        const box = page.getByTestId(`layer-${layer}`);
        if (await box.isEnabled()) await box.click();
      }
    });
});

test("on a phone nothing is wider than the screen", async () => {
  for (const name of Object.keys(pages))
    await visit(browser, pages[name], { viewport: phone, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }, async (page) => {
      const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      assert.ok(wide <= screen && screen === phone.width, `${name}: expected at most ${phone.width} px, found ${wide} px in a window of ${screen} px`);
      const play = await page.getByTestId("play").boundingBox();
      assert.ok(play.width >= 36 && play.height >= 36, "expected a button that a finger can hit");
    });
});

test("in print there are the drawing, the curves and the tables, but no controls, and the page is light", async () => {
  await visit(browser, pages["quick-return"], { colorScheme: "dark" }, async (page) => {
    await page.evaluate(() => window.jounce.setTime(0.7));
    const pdf = await page.pdf({ format: "A4" });
    assert.ok(pdf.length > 20_000, `expected a document, found ${pdf.length} bytes`);
    const sheets = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g).length;
    assert.ok(sheets <= 5, `expected at most five sheets, found ${sheets}`);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
    assert.equal(await page.locator(".print-only").textContent(), "At t = 0.7 s");
    // the sheet of A4 is 680 px wide between its margins; the charts are made smaller to fit
    await page.evaluate(() => { window.dispatchEvent(new Event("beforeprint")); document.body.style.width = "680px"; });
    const wide = await page.locator(".chart canvas").evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().right)));
    assert.ok(wide <= 681, `expected charts as wide as the sheet, found ${wide} px`);
    for (const hidden of ["play", "scrub", "theme", "add-plot"]) assert.equal(await page.getByTestId(hidden).isVisible(), false, hidden);
    for (const shown of ["summary", "source"]) assert.equal(await page.getByTestId(shown).isVisible(), true, shown);
    assert.equal(await page.locator(".stage canvas").first().isVisible(), true);
  });
});

test("the zoom ends somewhere: the page answers however long the wheel turns", async () => {
  await visit(browser, pages["quick-return"], {}, async (page) => {
    for (const way of [-120, 120]) {
      await page.locator(".plane-view canvas").last().evaluate((canvas, deltaY) => {
        for (let k = 0; k < 400; k += 1) canvas.dispatchEvent(new window.WheelEvent("wheel", { deltaY, clientX: 300, clientY: 300, cancelable: true }));
      }, way);
      assert.equal(await page.evaluate(() => 1 + 1), 2);
    }
  });
});

test("on paper the drawing is one picture: what stands still or lies below is in the upper canvas too", async () => {
  // printed, an upper canvas is not transparent
  for (const name of ["quick-return", "seven-joint-arm"])
    await visit(browser, pages[name], {}, async (page) => {
      const covered = () => page.locator(".stage canvas").last().evaluate((canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let k = 3; k < data.length; k += 4) count += data[k] > 0 ? 1 : 0;
        return count / (canvas.width * canvas.height);
      });
      const before = await covered();
      await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
      const printed = await covered();
      await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
      await page.waitForTimeout(200);
      assert.ok(printed > 2 * before, `${name}: expected more of the picture on paper than ${before}, found ${printed}`);
      assert.ok(Math.abs((await covered()) - before) < 1e-3, `${name}: expected the page as it was before`);
    });
});

test("everything has a name, and the keyboard reaches the play button", async () => {
  for (const name of ["quick-return", "seven-joint-arm"])
    await visit(browser, pages[name], {}, async (page) => {
      const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, a")].filter((element) =>
        !(element.getAttribute("aria-label") || element.textContent.trim() || (element.labels && [...element.labels].some((label) => label.textContent.trim()))))
        .map((element) => element.outerHTML.slice(0, 120)));
      assert.deepEqual(nameless, []);
      const unlabelled = await page.evaluate(() => [...document.querySelectorAll(".stage canvas")].filter((canvas) =>
        canvas.getAttribute("aria-hidden") !== "true" && !canvas.getAttribute("aria-label") && !canvas.closest("[aria-label]")).length);
      assert.equal(unlabelled, 0, "expected a label on every canvas of the drawing");
      assert.equal(await page.locator("h1").count(), 1);
      assert.equal(await page.locator("html").getAttribute("lang"), "en");
      let reached = false;
      for (let k = 0; k < 40 && !reached; k += 1) {
        await page.keyboard.press("Tab");
        reached = await page.evaluate(() => document.activeElement?.dataset.testid === "play");
      }
      assert.ok(reached, "expected the play button within 40 steps of Tab");
      await page.keyboard.press("Enter");
      assert.equal(await page.evaluate(() => window.jounce.playing()), true);
    });
});

test("fifty bodies: time of a frame (measured, not judged: this machine draws in software)", async (t) => {
  const { html } = folder.report(folder.write("chain.toml", chain(50)), "chain");
  await visit(browser, html, {}, async (page) => {
    const work = await page.evaluate(() => {
      const times = [];
      for (let k = 0; k < 120; k += 1) {
        const start = performance.now();
        window.jounce.setTime(k / 20);
        times.push(performance.now() - start);
      }
      return times;
    });
    await page.getByTestId("play").click();
    await page.waitForFunction(() => window.jounce.frameTimes().length >= 60);
    const frames = await page.evaluate(() => window.jounce.frameTimes());
    t.diagnostic(`50 bodies: from frame to frame ${median(frames).toFixed(1)} ms (median), of which the page's script ${median(work).toFixed(1)} ms`);
  });
});

test("the first plots show what comes out, not what goes in, and nothing that stands still", async () => {
  // oracle: the mechanisms: the crank of the shaper and the cylinder of the lift go in, the lever, the ram and the platform come out
  const legends = (page) => page.locator("[data-testid^='legend-']").evaluateAll((keys) => keys.map((key) => key.dataset.testid.slice("legend-".length)));
  await visit(browser, pages["quick-return"], {}, async (page) => {
    const names = await legends(page);
    assert.deepEqual(names.slice(0, 2), ["lever.phi", "ram.x"]);
    assert.ok(!names.includes("crank.phi") && !names.includes("ram.R.vy"), `found ${names}`);
  });
  const lift = folder.report(modelFile("scissor-lift"), "lift");
  const { columns } = readTable(lift.csv);
  await visit(browser, lift.html, {}, async (page) => {
    const names = await legends(page);
    assert.deepEqual(names.slice(0, 2), ["cylinder.effort", "pivot.f"]);
    const shown = Number.parseFloat((await page.getByTestId("legend-pivot.f").locator(".value").textContent()).replace(" N", ""));
    const expected = Math.hypot(columns.get("pivot.fx")[0], columns.get("pivot.fy")[0]);
    assert.ok(Math.abs(shown - expected) < 1e-5 * expected, `expected ${expected}, found ${shown}`);
  });
});

test("curves of unlike size have plots of their own, and a column can stand along the axis", async () => {
  const squeezer = folder.report(modelFile("andrews-squeezer"), "squeezer");
  await visit(browser, squeezer.html, {}, async (page) => {
    const inOne = await page.getByTestId("plot").evaluateAll((plots) => plots.map((plot) => plot.querySelectorAll("[data-testid^='legend-']").length));
    assert.equal(inOne[0], 1, `expected the winding angle by itself, found ${inOne}`);
    const plot = page.getByTestId("plot").nth(1);
    await plot.getByTestId("choose").click();
    await page.getByTestId("along").selectOption("K3.x");
    await page.getByTestId("picker-done").click();
    assert.match(await plot.locator("h3").textContent(), /over K3\.x$/);
    assert.ok((await plot.locator(".dot").count()) > 0, "expected a dot on each curve");
    const before = await plot.locator(".dot").first().boundingBox();
    await page.keyboard.press("End");
    const after = await plot.locator(".dot").first().boundingBox();
    assert.ok(Math.hypot(after.x - before.x, after.y - before.y) > 5, "expected the dot to move with the time");
  });
});

test("adding a plot and leaving the dialog leaves nothing behind", async () => {
  await visit(browser, pages["quick-return"], {}, async (page) => {
    const plots = await page.getByTestId("plot").count();
    await page.getByTestId("add-plot").click();
    await page.keyboard.press("Escape");
    assert.equal(await page.getByTestId("plot").count(), plots);
  });
});

test("tables have heads, and a page tells no folders", async () => {
  await visit(browser, pages["quick-return"], {}, async (page) => {
    const summary = page.getByTestId("summary");
    assert.deepEqual(await summary.locator("table", { hasText: "Driven" }).locator("thead th").allTextContents(), ["driver", "motion", "rate"]);
    assert.ok((await summary.textContent()).includes("3 rad/s") && !(await summary.textContent()).includes(".."), "expected one number where nothing changes");
    assert.ok(!(await page.content()).includes("models/quick-return"), "expected the name of the file alone");
  });
});
