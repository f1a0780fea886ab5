// What moves: goals as numbers, what happens on the way marked on the time, what is not driven yet, what moves by itself, and models in space.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { column, drag, far, Folder, launch, modelFile, readTable, scale, screen, slide, text, until, visit } from "./helpers.mjs";

let browser;
let folder;

before(async () => {
  browser = await launch();
  folder = new Folder();
});
after(async () => {
  await browser.close();
  folder.remove();
});

const source = (name) => readFileSync(modelFile(name), "utf8");
const page = (name, text) => folder.page(folder.write(name, text));
/** What the program makes of a model: its table, and its summary. */
function ran(model, ...words) {
  const csv = folder.file(`${Math.random().toString(36).slice(2)}.csv`);
  const said = folder.jounce("run", model, ...words, "-o", csv, "--report", `${csv}.html`, "--json");
  return { ...readTable(csv), summary: JSON.parse(said) };
}

const goals = (page) => page.getByRole("table", { name: "Goals" });
async function addGoal(page, formula) {
  await page.getByLabel("New goal").fill(formula);
  await page.keyboard.press("Enter");
}
/** The number that stands beside a goal, and its unit. */
const goal = async (page, name) => {
  const words = await goals(page).getByRole("row", { name: new RegExp(`^${name}`) }).getByRole("cell").first().textContent();
  return { value: parseFloat(words), unit: words.replace(/^\S+\s*/, "") };
};
/** Six digits are shown. */
const shown = (value, expected) => assert.ok(Math.abs(value - expected) <= 0.6e-5 * Math.abs(expected), `${value}, expected ${expected}`);

// With the crank r, the rod l and an offset e the slider runs between √((l + r)² − e²) and √((l − r)² − e²).
test("a goal is its number in closed form, follows a slider, stays with the model's link, and a wrong one says why", async () => {
  await visit(browser, folder.page(modelFile("offset-slider-crank")), {}, async (page, context) => {
    const number = (name) => Number(new RegExp(`^${name}\\s*=\\s*([\\d.]+)`, "m").exec(source("offset-slider-crank"))[1]);
    const [r, l, e] = ["crank_length", "rod_length", "eccentricity"].map(number);
    const stroke = (crank) => Math.sqrt((l + crank) ** 2 - e ** 2) - Math.sqrt((l - crank) ** 2 - e ** 2);
    await addGoal(page, "stroke = range(piston.x)");
    await until(page, () => /\d/.test(document.querySelector(".goals tbody .number")?.textContent ?? ""));
    shown((await goal(page, "stroke")).value, stroke(r));
    assert.equal((await goal(page, "stroke")).unit, "m");
    const longer = Number((1.1 * r).toPrecision(3));
    await slide(page.getByRole("slider", { name: "crank_length" }), [r, longer]);
    await until(page, (was) => !document.querySelector(".goals tbody .number").textContent.startsWith(was), String(stroke(r)).slice(0, 6));
    shown((await goal(page, "stroke")).value, stroke(longer));
    // what is no goal
    await addGoal(page, "range(pistn.x)");
    await page.getByRole("list", { name: "Problems" }).getByText(/pistn\.x/).waitFor();
    assert.equal(Number.isNaN((await goal(page, "pistn-x-range")).value), true);
    await goals(page).getByRole("button", { name: "Remove pistn-x-range" }).click();
    await until(page, () => document.querySelector("[aria-label=Problems]").children.length === 0);
    // with the link it goes on
    await page.getByRole("button", { name: "Share" }).click();
    await until(page, () => location.hash.startsWith("#m1="));
    const other = await context.newPage();
    await other.goto(page.url());
    await other.waitForFunction(() => window.studio?.ready.then(() => true));
    assert.equal(await text(other), await text(page));
    shown((await goal(other, "stroke")).value, stroke(longer));
  });
});

// A four-bar that is driven at its rocker: it comes to an end where crank and coupler lie on each other.
const [base, crank, coupler, rocker] = [0.35, 0.1, 0.25, 0.3];
const fromRocker = `jounce = 1
name = "Driven at its rocker"
[ground]
points = { O = [0, 0], Q = [${base}, 0] }
[bodies.crank]
angle  = "45*deg"
points = { O = [0, 0], A = [${crank}, 0] }
[bodies.coupler]
position = [0.07, 0.07]
angle    = "55*deg"
points   = { A = [0, 0], B = [${coupler}, 0] }
[bodies.rocker]
position = [${base}, 0]
angle    = "130*deg"
points   = { Q = [0, 0], B = [${rocker}, 0] }
[joints]
crank-bearing  = { type = "revolute", i = "ground.O", j = "crank.O" }
crank-pin      = { type = "revolute", i = "crank.A", j = "coupler.A" }
rocker-pin     = { type = "revolute", i = "coupler.B", j = "rocker.B" }
rocker-bearing = { type = "revolute", i = "ground.Q", j = "rocker.Q" }
[drivers]
motor = { type = "angle", i = "ground", j = "rocker", motion = "130*deg + t" }
[run]
analysis = "kinematics"
to       = 2
steps    = 20
`;

test("a dead point is said with its time, and is marked once, on the time", async () => {
  // by the law of cosines: the rocker's pin is then as far from the crank's bearing as the coupler is longer than the crank
  const end = Math.PI - Math.acos((base ** 2 + rocker ** 2 - (coupler - crank) ** 2) / (2 * base * rocker)) - (130 * Math.PI) / 180;
  await visit(browser, page("rocker.toml", fromRocker), {}, async (page) => {
    assert.match(await page.getByRole("status").textContent(), new RegExp(`stopped at ${end.toPrecision(4)} s: dead point`));
    await page.getByRole("list", { name: "Problems" }).getByText(`dead point at t = ${end.toPrecision(12)} s`).waitFor();
    const marks = page.getByRole("button", { name: new RegExp(`^dead point at ${end.toPrecision(5)} s`) });
    assert.equal(await marks.count(), 1, "marks of one dead point");
    const track = await page.getByRole("slider", { name: "Time" }).boundingBox();
    const mark = await marks.boundingBox();
    assert.ok(mark.x + mark.width / 2 <= track.x + track.width, "the mark stands on the time");
    await marks.click();
    assert.equal((await column(page, "t")).at(-1), 0.4, "the last row before it");
    assert.equal(await page.getByRole("slider", { name: "Time" }).inputValue(), "4");
  });
});

// Oracle: the events that the program tells.
test("what happens on the way is marked where it happens, and a click goes there", async () => {
  const { summary } = ran(modelFile("valve-train"));
  await visit(browser, folder.page(modelFile("valve-train")), {}, async (page) => {
    const marks = await page.locator(".marks button").evaluateAll((all) => all.map((one) => ({ words: one.getAttribute("aria-label"), part: parseFloat(one.style.left) / 100 })));
    assert.equal(marks.length, summary.events.length);
    summary.events.forEach(({ t, kind, sentence }, k) => {
      assert.equal(marks[k].words, `${kind.replaceAll("-", " ")} at ${Number(t.toPrecision(5))} s: ${sentence}`);
      assert.ok(Math.abs(marks[k].part - t / summary.to) < 1e-5);
    });
    const { t } = summary.events[2];
    await page.locator(".marks button").nth(2).click();
    assert.ok(Math.abs(Number(await page.getByRole("slider", { name: "Time" }).inputValue()) - (t / summary.to) * summary.steps) < 1e-6);
  });
});

test("what nothing drives says what it lacks, and a motor gives it the motion", async () => {
  const undriven = source("four-bar").replace(/\[drivers\.motor\][^[]*/, "");
  await visit(browser, page("undriven.toml", undriven), {}, async (page) => {
    assert.match(await page.getByRole("status").textContent(), /1 degree of freedom.*nothing drives it yet: add a motor/);
    const problems = page.getByRole("list", { name: "Problems" }).getByRole("listitem");
    await problems.getByText("1 motion is not driven yet: add a motor, or masses and gravity that move it").waitFor();
    assert.equal(await problems.count(), 1);
    assert.ok(await page.getByRole("button", { name: "Play" }).isDisabled());
    await page.getByText("Curves come with a motion: add a motor to a pivot.").waitFor();
    assert.equal((await column(page, "t")).length, 1, "it is drawn where it stands");
    await page.getByRole("radio", { name: "Motor" }).click();
    await page.mouse.click(...(await screen(page, "crank.O")));
    await page.getByRole("button", { name: "Pause" }).waitFor();
    assert.equal(await problems.count(), 0);
    // once a second, over the second of its [run]
    const angle = await column(page, "crank.phi");
    assert.ok(Math.abs(angle.at(-1) - angle[0] - 2 * Math.PI) < 1e-12);
  });
});

// Oracle: the program's dynamics at the time that the clock of the page shows.
test("what moves by itself goes on live as its dynamics say", async () => {
  const table = ran(modelFile("double-pendulum"));
  const [t, x, y] = ["t", "lower.tip.x", "lower.tip.y"].map((name) => table.columns.get(name));
  await visit(browser, folder.page(modelFile("double-pendulum")), {}, async (page) => {
    const [metre, origin] = [await scale(page), await screen(page, "ground.O")];
    await page.getByRole("button", { name: "Live" }).click();
    await until(page, () => parseFloat(document.querySelector(".clock").textContent) > 0);
    const seen = await page.evaluate(() => new Promise((done) => {
      const all = [];
      const look = () => {
        all.push([parseFloat(document.querySelector(".clock").textContent), ...window.studio.screen("lower.tip")]);
        if (all.at(-1)[0] < 1.2) requestAnimationFrame(look);
        else done(all);
      };
      look();
    }));
    assert.ok(seen.length > 10, `${seen.length} pictures`);
    for (const [time, sx, sy] of seen) {
      const k = Math.floor(time / (t[1] - t[0]));
      const between = (numbers) => numbers[k] + ((time - t[k]) / (t[k + 1] - t[k])) * (numbers[k + 1] - numbers[k]);
      // the clock has three digits: at 6 m/s half of the last is 3 mm
      const off = far([sx, sy], [origin[0] + metre * between(x), origin[1] - metre * between(y)]);
      assert.ok(off < 0.004 * metre, `${off} pixels off at ${time} s`);
    }
    // anything else ends it
    await page.getByRole("button", { name: "Play" }).click();
    assert.equal(await page.getByRole("button", { name: "Live" }).getAttribute("aria-pressed"), "false");
  });
});

// What hangs at rest stays there; the spring of a hand gives way by a twentieth of the mechanism at most under all of its weight (src/jounce/api/hand.cpp).
test("a hand takes along what moves by itself, and lets it go; the text stays", async () => {
  const hanging = source("double-pendulum").replace(/upper_start\s*=.*/, 'upper_start = "-90*deg"').replace(/lower_start\s*=.*/, 'lower_start = "-90*deg"');
  await visit(browser, page("hanging.toml", hanging), {}, async (page) => {
    const [metre, rest] = [await scale(page), await screen(page, "lower.tip")];
    await page.keyboard.press("i");
    await until(page, () => parseFloat(document.querySelector(".clock").textContent) > 0.2);
    assert.ok(far(await screen(page, "lower.tip"), rest) < 1e-3, "it hangs");
    const hand = [rest[0] + 0.3 * metre, rest[1] - 0.2 * metre];
    await drag(page, rest, hand, async () => {
      await until(page, ([x, y, reach]) => Math.hypot(window.studio.screen("lower.tip")[0] - x, window.studio.screen("lower.tip")[1] - y) < reach, [...hand, 0.05 * 0.6 * metre]);
    });
    // it swings through where it hung, and beyond
    await until(page, (x) => window.studio.screen("lower.tip")[0] < x, rest[0] - 0.1 * metre);
    assert.equal(await page.getByRole("button", { name: "Live" }).getAttribute("aria-pressed"), "true");
    assert.equal(await text(page), hanging);
  });
});

// A universal joint between shafts that are bent by β: where the input has turned by θ the output turns 1/(cos β (1 + tan² β sin² θ')) times as fast, θ' counted
// from where it is fastest.
test("a model in space plays, takes a parameter, and goes on in closed form", async () => {
  const [speed, turned] = [2, 0.7];
  await visit(browser, folder.page(modelFile("hooke-joint")), {}, async (page) => {
    const canvas = page.getByRole("main").locator("canvas").first();
    await canvas.waitFor();
    const rates = async () => {
      const [x, y, z] = [await column(page, "output.wx"), await column(page, "output.wy"), await column(page, "output.wz")];
      return x.map((one, k) => Math.hypot(one, y[k], z[k]));
    };
    const follows = async (bend) => {
      const [t, found] = [await column(page, "t"), await rates()];
      assert.equal(t.length, 501);
      const most = found.reduce((so, value) => Math.max(so, value), 0);
      // it is fastest, or slowest, where it begins
      const fast = Math.abs(found[0] - speed / Math.cos(bend)) < 1e-12;
      assert.ok(fast || Math.abs(found[0] - speed * Math.cos(bend)) < 1e-12, `${found[0]}`);
      t.forEach((time, k) => {
        const theta = speed * time + (fast ? 0 : Math.PI / 2);
        const expected = speed / (Math.cos(bend) * (1 + (Math.tan(bend) * Math.sin(theta)) ** 2));
        assert.ok(Math.abs(found[k] - expected) < 1e-12 * most, `row ${k}: ${found[k]}, expected ${expected}`);
      });
    };
    await follows(0.5);
    const start = await canvas.screenshot();
    await page.getByRole("button", { name: "Play" }).click();
    await until(page, () => Number(document.querySelector("[aria-label=Time]").value) > 20);
    await page.getByRole("button", { name: "Pause" }).click();
    assert.ok(!(await canvas.screenshot()).equals(start), "it is drawn elsewhere");
    const first = await column(page, "output.wx");
    await slide(page.getByRole("slider", { name: "bend" }), [0.55, turned]);
    await until(page, (was) => window.studio.column("t").length === 501 && window.studio.column("output.wx")[0] !== was, first[0]);
    await follows(turned);
    assert.match(await text(page), /^bend\s*= 0\.7\s/m);
  });
});
