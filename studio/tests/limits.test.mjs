// What is large, what is full, and what means harm: 200 bodies, a browser that keeps nothing, names and links that somebody else has thought up.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { deflateSync } from "node:zlib";
import { column, drag, far, Folder, launch, modelFile, open, readTable, scale, screen, slide, text, until, visit } from "./helpers.mjs";
import { load } from "./modules.mjs";

let browser;
let folder;
let fourBar;

before(async () => {
  browser = await launch();
  folder = new Folder();
  fourBar = folder.page(modelFile("four-bar"));
});
after(async () => {
  await browser.close();
  folder.remove();
});

const messages = (page) => page.getByRole("log", { name: "Messages" });
const setText = (page, from, to) => page.evaluate(([a, b]) => window.studio.setText(window.studio.text().replace(a, b)), [from, to]);
const gallery = (page) => page.getByRole("region", { name: "Gallery" });

/** A scissor lift: stages of two bars that cross in their middles, on a fixed pivot and a roller. The first bar turns from one angle to another in a second. */
function scissors(stages, bar, from, to) {
  const [c, s] = [bar * Math.cos((from * Math.PI) / 180), bar * Math.sin((from * Math.PI) / 180)];
  const bodies = [];
  const joints = ['foot = { type = "revolute", i = "ground.O", j = "a1.L" }', 'roller = { type = "pin-in-slot", slot = ["ground.O", "ground.X"], pin = "b1.R" }'];
  for (let k = 1; k <= stages; k += 1) {
    bodies.push(`[bodies.a${k}]\nposition = [0, ${(k - 1) * s}]\nangle = "${from}*deg"\npoints = { L = [0, 0], M = [${bar / 2}, 0], R = [${bar}, 0] }`);
    bodies.push(`[bodies.b${k}]\nposition = [${c}, ${(k - 1) * s}]\nangle = "${180 - from}*deg"\npoints = { R = [0, 0], M = [${bar / 2}, 0], L = [${bar}, 0] }`);
    joints.push(`m${k} = { type = "revolute", i = "a${k}.M", j = "b${k}.M" }`);
    if (k > 1) joints.push(`l${k} = { type = "revolute", i = "b${k - 1}.L", j = "a${k}.L" }`, `r${k} = { type = "revolute", i = "a${k - 1}.R", j = "b${k}.R" }`);
  }
  return ["jounce = 1", 'name = "Scissors"', "[ground]", "points = { O = [0, 0], X = [1, 0] }", ...bodies, "[joints]", ...joints,
    "[drivers]", `motor = { type = "angle", i = "ground", j = "a1", motion = "${from}*deg + ${to - from}*deg*t" }`, "[run]", 'analysis = "kinematics"', "to = 1", "steps = 20", ""].join("\n");
}

// Every stage is as high as a bar times the sine of its angle.
test("200 bodies that all hang together are drawn, follow a hand, play, and can be edited", async () => {
  const [stages, bar, from, to] = [100, 0.4, 30, 40];
  const height = (degrees) => stages * bar * Math.sin((degrees * Math.PI) / 180);
  const model = scissors(stages, bar, from, to);
  await visit(browser, folder.page(folder.write("scissors.toml", model)), {}, async (page) => {
    assert.match(await page.getByRole("status").textContent(), /1 degree of freedom/);
    const [t, top] = [await column(page, "t"), await column(page, `b${stages}.L.y`)];
    assert.equal(t.length, 21);
    t.forEach((time, k) => assert.ok(Math.abs(top[k] - height(from + (to - from) * time)) < 1e-12 * height(to), `row ${k}`));

    const [metre, start] = [await scale(page), await screen(page, `b${stages}.L`)];
    await drag(page, start, [start[0], start[1] - 20], async () => {
      await until(page, ([name, x, y]) => Math.hypot(window.studio.screen(name)[0] - x, window.studio.screen(name)[1] - y) < 1, [`b${stages}.L`, start[0], start[1] - 20]);
      const [foot, half] = [await screen(page, "ground.O"), await screen(page, `a${stages / 2 + 1}.L`)];
      assert.ok(far(half, [foot[0], (foot[1] + start[1] - 20) / 2]) < 1, "half of the stages are half as high");
      const [left, right] = [await screen(page, `b${stages}.L`), await screen(page, `b${stages}.R`)];
      assert.ok(Math.abs(far(left, right) / metre - bar) < 1e-6, "no bar has another length");
    });
    // the cursor is on the row that is nearest to it
    const angle = (Math.asin((height(from) + 20 / metre) / (stages * bar)) * 180) / Math.PI;
    assert.equal(Number(await page.getByRole("slider", { name: "Time" }).inputValue()), Math.round((20 * (angle - from)) / (to - from)));
    assert.equal(await text(page), model);

    const before = await screen(page, `b${stages}.L`);
    await page.getByRole("button", { name: "Play" }).click();
    await until(page, ([name, x, y]) => Math.hypot(window.studio.screen(name)[0] - x, window.studio.screen(name)[1] - y) > 10, [`b${stages}.L`, ...before]);
    await page.getByRole("button", { name: "Pause" }).click();
    await setText(page, `${to - from}*deg*t`, "5*deg*t");
    assert.ok(Math.abs((await column(page, `b${stages}.L.y`)).at(-1) - height(from + 5)) < 1e-12 * height(to));
    await page.getByRole("button", { name: "Undo" }).click();
    assert.equal(await text(page), model);
  });
});

// A pendulum for a thousand million seconds: the run would take days.
test("a run without an end is ended by the next change, also on a page that was opened again", async () => {
  const [short, endless] = ["to       = 100", "to       = 1e9"];
  const patient = { timeout: 15_000 };
  const ends = (page, t) => page.waitForFunction((last) => window.studio.column("t")?.at(-1) === last, t, patient);
  await visit(browser, folder.page(modelFile("simple-pendulum")), {}, async (page) => {
    const begin = (from, to) => page.evaluate(([a, b]) => { void window.studio.setText(window.studio.text().replace(a, b)); }, [from, to]);
    await begin(short, endless);
    await begin("rod_length = 1.0", "rod_length = 1.1");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await begin(short, "to       = 50");
    await ends(page, 50);
    await begin("to       = 50", endless);
    await until(page, () => localStorage.getItem("jounce-studio-work").includes("1e9"));
    await page.goto(`${page.url()}?again`);
    await until(page, (words) => window.studio?.text().includes(words), endless);
    await begin(endless, "to       = 20");
    await ends(page, 20);
  });
});

/** Fills what a page may keep to the last letter. */
const full = (page) => page.addInitScript(() => {
  let count = 0;
  for (let size = 1 << 20; size > 0; size >>= 1)
    for (;;) {
      try {
        localStorage.setItem(`somebody-else-${count}`, "x".repeat(size));
        count += 1;
      } catch {
        break;
      }
    }
});
const forbidden = (page) => page.addInitScript(() => {
  Object.defineProperty(window, "localStorage", { get() { throw new window.DOMException("the user has forbidden it", "SecurityError"); } });
});

for (const [why, prepare] of [["is full", full], ["is forbidden", forbidden]]) {
  test(`where the storage ${why} the page says so, and works on`, async () => {
    await visit(browser, fourBar, { prepare }, async (page) => {
      const was = await text(page);
      await setText(page, 'name    = "Four-bar linkage"', 'name    = "Not kept"');
      await messages(page).getByText("This browser keeps nothing for the page: save the model as a file before you close it.").waitFor();
      await until(page, () => document.querySelector("h1").textContent === "Not kept");
      const [name] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save" }).click()]);
      assert.equal(readFileSync(await name.path(), "utf8"), await text(page));
      await page.getByRole("button", { name: "Undo" }).click();
      assert.equal(await text(page), was);
    });
  });

  test(`where the storage ${why} what was worked on is in the gallery as long as the page is open`, async () => {
    await visit(browser, fourBar, { prepare }, async (page) => {
      await setText(page, 'name    = "Four-bar linkage"', 'name    = "Hours of work"');
      const work = await text(page);
      await page.getByRole("button", { name: "Gallery" }).click();
      await gallery(page).getByRole("button", { name: /^Blank/ }).click();
      assert.notEqual(await text(page), work);
      await page.getByRole("button", { name: "Gallery" }).click();
      await gallery(page).getByRole("button", { name: /^Hours of work/ }).first().click({ timeout: 5000 });
      assert.equal(await text(page), work);
    });
  });
}

test("what is kept and is nothing that the page has written does no harm", async () => {
  const work = { file: "x.toml", text: readFileSync(modelFile("four-bar"), "utf8"), goals: [], tables: {}, when: 0, origin: "x" };
  const layout = { text: "wide", side: -1e300, folds: 3, tab: 7, theme: 5, learnt: "pull" };
  for (const kept of ["{", JSON.stringify({ ...work, goals: [null, { name: 1 }] }), JSON.stringify({ ...work, tables: null }), JSON.stringify({ ...work, when: "never" })]) {
    const prepare = (page) => page.addInitScript(([a, b]) => {
      localStorage.setItem("jounce-studio-work", a);
      localStorage.setItem("jounce-studio-earlier", `[${a === "{" ? "null" : a}, 3]`);
      localStorage.setItem("jounce-studio-layout", b);
    }, [kept, JSON.stringify(layout)]);
    await visit(browser, folder.page(), { prepare }, async (page) => {
      assert.ok((await column(page, "rocker.phi")).length > 100, kept);
      await page.getByRole("button", { name: "Gallery" }).click();
      await gallery(page).getByRole("button", { name: /^Pendulum/ }).click();
      await until(page, () => /My pendulum/.test(window.studio.text()));
    });
  }
});

// Names that objects of JavaScript have already: of bodies, points, joints, drivers, parameters and goals. Oracle: the program, to which they are names.
const named = `jounce  = 1
name    = "<img src=x onerror=\\"window.hurt=1\\"> ' & </script><script>window.hurt=2</script> \\u202E日本 🦾 ${"long ".repeat(500)}"

[parameters]
constructor    = 0.1    # <b>bold</b>
__proto__      = 0.25
toString       = 0.3
hasOwnProperty = 0.35

[ground.points]
constructor = [0, 0]
__proto__   = ["hasOwnProperty", 0]

[bodies.constructor]
angle  = "45*deg"
points = { __proto__ = [0, 0], toString = ["constructor", 0] }

[bodies.__proto__]
position = [0.07, 0.07]
angle    = "55*deg"
points   = { toString = [0, 0], valueOf = ["__proto__", 0], P = [0.1, 0.1] }

[bodies.hasOwnProperty]
position = ["hasOwnProperty", 0]
angle    = "115*deg"
points   = { __proto__ = [0, 0], valueOf = ["toString", 0] }

[joints]
prototype        = { type = "revolute", i = "ground.constructor", j = "constructor.__proto__" }
__defineGetter__ = { type = "revolute", i = "constructor.toString", j = "__proto__.toString" }
valueOf          = { type = "revolute", i = "__proto__.valueOf", j = "hasOwnProperty.valueOf" }
isPrototypeOf    = { type = "revolute", i = "ground.__proto__", j = "hasOwnProperty.__proto__" }

[drivers]
arguments = { type = "angle", i = "ground", j = "constructor", motion = "2*pi*t" }

[run]
analysis = "kinematics"
to       = 1
steps    = 100
`;

test("names are names and nothing else, whatever they are", async () => {
  const model = folder.write("named.toml", named);
  const table = (...words) => {
    folder.jounce("run", model, ...words, "-o", folder.file("named.csv"), "--report", folder.file("named.html"), "--quiet");
    return readTable(folder.file("named.csv")).columns;
  };
  const [before, after] = [table(), table("--set", "__proto__=0.27")];
  await visit(browser, folder.page(model), {}, async (page) => {
    for (const name of ["constructor.phi", "__proto__.P.x", "hasOwnProperty.valueOf.vy"]) assert.deepEqual(await column(page, name), before.get(name), name);
    assert.match(await page.getByRole("heading", { level: 1 }).textContent(), /^<img src=x onerror="window.hurt=1"> ' & <\/script><script>/);
    assert.equal(await page.evaluate(() => window.hurt), undefined);
    // it is drawn where it is: the lengths of the bars, in pixels
    const metre = await scale(page);
    for (const [one, other, long] of [["ground.constructor", "constructor.toString", 0.1], ["__proto__.toString", "__proto__.valueOf", 0.25], ["ground.__proto__", "hasOwnProperty.valueOf", 0.3]])
      assert.ok(Math.abs(far(await screen(page, one), await screen(page, other)) / metre - long) < 1e-9, `${one} to ${other}`);
    await slide(page.getByRole("group", { name: "Parameters" }).getByRole("slider", { name: "__proto__", exact: true }), [0.26, 0.27]);
    await until(page, (value) => window.studio.column("hasOwnProperty.phi").length === 101 && window.studio.column("hasOwnProperty.phi")[7] === value, after.get("hasOwnProperty.phi")[7]);
    assert.match(await text(page), /^__proto__ {6}= 0\.27$/m);
    for (const goal of ["__proto__ = range(constructor.phi)", "constructor = first(constructor.phi)"]) {
      await page.getByLabel("New goal").fill(goal);
      await page.keyboard.press("Enter");
    }
    // once round, from 45 degrees
    await page.getByRole("table", { name: "Goals" }).getByRole("cell", { name: "6.28319 rad" }).waitFor();
    await page.getByRole("table", { name: "Goals" }).getByRole("cell", { name: "0.785398 rad" }).waitFor();
    await page.mouse.click(...(await screen(page, "constructor.toString")));
    await page.getByRole("group", { name: "__defineGetter__" }).waitFor();
    await page.keyboard.press("Delete");
    assert.ok(!(await text(page)).includes("__defineGetter__"));
  });
});

test("a name that is none is refused as text, in the list and under the line", async () => {
  // of a long one its beginning is told
  for (const name of ["<img src=x onerror=window.hurt=1>", "日本 🦾", "'; drop", `${"x".repeat(3000)}.`])
    await visit(browser, fourBar, {}, async (page) => {
      const phi = await column(page, "rocker.phi");
      await setText(page, "[bodies.rocker]", `[bodies.${JSON.stringify(name)}]`);
      const problem = page.getByRole("list", { name: "Problems" }).getByRole("listitem").filter({ hasText: "a name has only letters, digits, '_' and '-'" });
      await problem.waitFor();
      assert.ok((await problem.textContent()).includes(name.slice(0, 40)), await problem.textContent());
      assert.equal(await page.evaluate(() => [window.hurt, document.querySelectorAll(".problem-list img, .cm-content img").length].join()), ",0");
      assert.deepEqual(await column(page, "rocker.phi"), phi);
    });
});

/** A link as anybody can make one: what it holds, packed without the words of models. */
async function link(content) {
  const { fragmentOf } = await load("page/share.ts");
  return fragmentOf(content);
}

test("what a link holds is text for the page: names of goals, of files and of tables do nothing", async () => {
  const evil = '<img src=x onerror="window.hurt=1">';
  const fragment = await link({
    text: readFileSync(modelFile("four-bar"), "utf8"), file: `../../${evil}.toml`, tables: { [evil]: "1,2", __proto__: "3" },
    goals: [{ name: evil, text: "range(rocker.phi)" }, { name: "__proto__", text: evil }, { name: "x".repeat(5000), text: "max(rocker.vphi)" }],
  });
  await visit(browser, fourBar, { fragment }, async (page) => {
    const goals = page.getByRole("table", { name: "Goals" });
    await goals.getByText(evil, { exact: true }).first().waitFor();
    // the rocker's range is that of the program
    folder.jounce("run", modelFile("four-bar"), "--steps", "3600", "-o", folder.file("fine.csv"), "--report", folder.file("fine.html"), "--quiet");
    const phi = readTable(folder.file("fine.csv")).columns.get("rocker.phi");
    const range = phi.reduce((so, value) => Math.max(so, value)) - phi.reduce((so, value) => Math.min(so, value));
    assert.ok(Math.abs(parseFloat(await goals.locator("td.number").first().textContent()) - range) < 1e-5);
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("button", { name: "Gallery" }).click();
    assert.equal(await page.evaluate(() => [window.hurt, document.querySelectorAll('img[src="x"]').length, ({}).polluted].join()), ",0,");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "nothing is wider than the window");
  });
});

test("a link that cannot be opened says why, one that unpacks to more than any model at once", async () => {
  const bomb = deflateSync(Buffer.alloc(500_000_000, 0x20)).subarray(2, -4).toString("base64url");
  assert.ok(bomb.length < 1_000_000);
  // a message goes away again: it is noted when it comes
  const prepare = (page) => page.addInitScript(() => {
    window.heard = [];
    new window.MutationObserver(() => window.heard.push(document.querySelector("[role=log]")?.textContent)).observe(document, { subtree: true, childList: true, characterData: true });
  });
  const damaged = (await link({ text: "jounce = 1", file: "model.toml", goals: [], tables: {} })).slice(0, -3);
  for (const [fragment, why] of [
    [`#m1=${bomb}`, "The link cannot be opened: the link unpacks to more than any model."], [damaged, "The link cannot be opened: the link is damaged: a part of it may be missing."],
    ["#model=perpetuum-mobile", "The gallery has no model 'perpetuum-mobile'."],
  ])
    await visit(browser, fourBar, { fragment, prepare }, async (page) => {
      await until(page, (words) => window.heard.includes(words), why);
      assert.equal(await text(page), readFileSync(modelFile("four-bar"), "utf8"));
    });
});

test("the page may ask nobody for anything, and runs no text as a program", async () => {
  const { page, context, faults, close } = await open(browser, fourBar, {});
  try {
    await context.setOffline(false);
    const answered = [];
    page.on("requestfinished", (request) => answered.push(request.url()));
    const tried = await page.evaluate(async () => {
      const refused = [];
      document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
      await fetch("https://example.com/").catch(() => undefined);
      new window.Image().src = "https://example.com/x.png";
      try {
        new window.WebSocket("wss://example.com/");
      } catch {
        // refused at once
      }
      // later: what a test calls may do more than what the page does
      const ran = await new Promise((done) => {
        setTimeout(() => {
          try {
            done(new Function("return true")());
          } catch {
            done(false);
          }
        });
      });
      const form = document.createElement("form");
      form.action = "https://example.com/";
      document.body.append(form);
      form.submit();
      await new Promise((done) => { setTimeout(done, 300); });
      return { refused: [...new Set(refused)].sort(), ran };
    });
    assert.deepEqual(tried, { refused: ["connect-src", "form-action", "img-src", "script-src"], ran: false });
    assert.deepEqual(answered, []);
    assert.deepEqual(faults.filter((fault) => !fault.startsWith("console: ") && !fault.startsWith("request: https://example.com/x.png")), []);
  } finally {
    await close();
  }
});
