// The page as the program writes it: it opens from the disk, computes what the program computes, plays, follows its sliders, and keeps what is done.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { column, Folder, launch, modelFile, open, readTable, slide, text, until, visit } from "./helpers.mjs";

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

// Oracle: the table that the program writes, whose digits give every number back.
for (const name of ["four-bar", "quick-return", "valve-train", "double-pendulum"])
  test(`${name}: the columns of the page are the program's, bit for bit`, async () => {
    folder.jounce("run", modelFile(name), "-o", folder.file(`${name}.csv`), "--report", folder.file(`${name}.html`), "--quiet");
    const table = readTable(folder.file(`${name}.csv`));
    await visit(browser, folder.page(modelFile(name)), {}, async (page) => {
      for (const [one, numbers] of table.columns) {
        const found = await column(page, one);
        assert.equal(found.length, table.rows, `${one}: rows`);
        const differs = found.findIndex((value, k) => value !== numbers[k]);
        assert.equal(differs, -1, `${one}: row ${differs}: ${found[differs]} on the page, ${numbers[differs]} in the table`);
      }
    });
  });

test("the mechanism is drawn, says in how many ways it moves, and plays", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    assert.match(await page.getByRole("status").textContent(), /1 degree of freedom/);
    assert.ok(await page.getByRole("application", { name: "Mechanism" }).isVisible());
    const start = await page.evaluate(() => window.studio.screen("coupler.P"));
    assert.ok(start, "the coupler point has a place on the screen");
    await page.getByRole("button", { name: "Play" }).click();
    await until(page, ([x, y]) => Math.hypot(window.studio.screen("coupler.P")[0] - x, window.studio.screen("coupler.P")[1] - y) > 20, start);
    await page.getByRole("button", { name: "Pause" }).click();
    const sample = Number(await page.getByRole("slider", { name: "Time" }).inputValue());
    assert.equal(sample, Math.round(sample), "a pause is on a row");
  });
});

test("a slider changes the whole motion while it moves, and only its line of the text when it is let go", async () => {
  // the page follows what jounce says of the model with the other value
  const model = modelFile("four-bar");
  folder.jounce("run", model, "--set", "rocker_length=0.28", "-o", folder.file("set.csv"), "--report", folder.file("set.html"), "--quiet");
  const expected = readTable(folder.file("set.csv")).columns.get("rocker.phi");
  await visit(browser, fourBar, {}, async (page) => {
    const was = (await text(page)).split("\n");
    await slide(page.getByRole("group", { name: "Parameters" }).getByRole("slider", { name: "rocker_length" }), [0.29, 0.285, 0.28]);
    await until(page, (value) => window.studio.column("rocker.phi")?.at(-1) === value && window.studio.column("t").length === 201, expected.at(-1));
    assert.deepEqual(await column(page, "rocker.phi"), expected);
    const now = (await text(page)).split("\n");
    const changed = now.flatMap((line, k) => (line === was[k] ? [] : [[was[k], line]]));
    assert.deepEqual(changed, [["rocker_length  = 0.30            # Q to B", "rocker_length  = 0.28            # Q to B"]]);
    await page.getByRole("button", { name: "Undo" }).click();
    assert.deepEqual((await text(page)).split("\n"), was);
  });
});

test("an error in the text is said with its line, and the last good mechanism stays", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    const phi = await column(page, "rocker.phi");
    await page.evaluate(() => window.studio.setText(window.studio.text().replace('j      = "coupler.A"', 'j      = "copler.A"')));
    const problem = page.getByRole("list", { name: "Problems" }).getByRole("listitem");
    await problem.first().waitFor();
    const line = (await text(page)).split("\n").findIndex((one) => one.includes("copler")) + 1;
    assert.match(await problem.first().textContent(), new RegExp(`unknown body 'copler'.*did you mean 'coupler'.*line ${line}`));
    assert.deepEqual(await column(page, "rocker.phi"), phi);
    await page.getByRole("button", { name: "Undo" }).click();
    await until(page, () => document.querySelector("[aria-label=Problems]").children.length === 0);
  });
});

test("a link holds the model, and what is typed outlives the tab", async () => {
  const { page, context, faults, close } = await open(browser, folder.page(), {});
  try {
    await page.evaluate(() => window.studio.setText(window.studio.text().replace("My four-bar", "Sent <b>on</b> & on")));
    await page.getByRole("button", { name: "Share" }).click();
    await until(page, () => location.hash.startsWith("#m1="));
    const [link, sent] = [page.url(), await text(page)];
    const other = await context.newPage();
    await other.goto(link);
    await other.waitForFunction(() => window.studio?.ready.then(() => true));
    assert.equal(await text(other), sent);
    assert.equal(await other.getByRole("heading", { level: 1 }).textContent(), "Sent <b>on</b> & on");
    // typed, not sent: the tab is closed and opened again
    await other.evaluate(() => window.studio.setText(window.studio.text().replace("Sent", "Kept")));
    await other.close({ runBeforeUnload: true });
    await context.waitForEvent("close", { timeout: 300 }).catch(() => undefined);
    await page.goto(link.replace(/#.*/, "?again"));
    await page.waitForFunction(() => window.studio?.ready.then(() => true));
    assert.match(await text(page), /Kept <b>on/);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
});

test("every model of the gallery is there, and one that is clicked opens and is put into the address of nobody", async () => {
  await visit(browser, fourBar, {}, async (page) => {
    await page.getByRole("button", { name: "Gallery" }).click();
    await page.getByRole("searchbox", { name: "Search models" }).fill("peaucellier");
    await page.getByRole("region", { name: "Gallery" }).getByRole("button", { name: /Peaucellier/ }).first().click();
    await until(page, (model) => window.studio.text() === model, readFileSync(modelFile("peaucellier"), "utf8"));
    await until(page, () => document.querySelector("h1").textContent.includes("Peaucellier"));
  });
});

test("the folder for a web server is the same page", async () => {
  const { createServer } = await import("node:http");
  folder.jounce("studio", modelFile("four-bar"), "-o", `${folder.file("served")}/`, "--quiet");
  const asked = [];
  const server = createServer((request, answer) => {
    asked.push(request.url);
    answer.setHeader("Content-Type", request.url.endsWith(".html") || request.url === "/" ? "text/html" : "application/octet-stream");
    answer.end(readFileSync(folder.file(`served/${request.url === "/" ? "index.html" : request.url.slice(1)}`)));
  }).listen(0, "127.0.0.1");
  await new Promise((done) => { server.once("listening", done); });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => window.studio?.ready.then(() => true));
    assert.equal((await column(page, "rocker.phi")).length, 201);
    assert.deepEqual(asked, ["/", "/engine.wasm.gz"]);
  } finally {
    await context.close();
    server.close();
  }
});

test("a hostile link changes nothing but a message", async () => {
  for (const fragment of ["#m1=%%%", "#m1=AAAA", "#m1=<img src=x onerror=alert(1)>", `#m1=${"A".repeat(200_000)}`, "#model=../../etc/passwd", "#model=nothing"])
    await visit(browser, fourBar, { fragment }, async (page) => {
      assert.equal(await text(page), readFileSync(modelFile("four-bar"), "utf8"), fragment.slice(0, 40));
    });
});

// Oracle: a straight line is straight in every picture, and its points keep their order.
test("in space, too, the page says where points are in the window", async () => {
  const model = `jounce = 1\nspace = "3d"\n[bodies.rod]\npoints = { A = [0, 0, 0], B = [0.3, 0.1, 0.2], C = [0.6, 0.2, 0.4] }\n` +
    `[joints.hinge]\ntype = "revolute"\nparent = "ground"\nchild = "rod"\naxis = [0, 0, 1]\ndofs = [{ motion = "t" }]\n[run]\nanalysis = "kinematics"\nto = 2\nsteps = 40\n`;
  await visit(browser, folder.page(folder.write("rod.toml", model)), {}, async (page) => {
    await until(page, () => window.studio.screen("rod.C") !== null);
    const box = await page.getByRole("application", { name: "Mechanism" }).boundingBox();
    const [a, b, c] = await page.evaluate(() => ["rod.A", "rod.B", "rod.C"].map((name) => window.studio.screen(name)));
    const [ab, ac] = [[b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]];
    const long = Math.hypot(...ac);
    assert.ok(long > 50 && Math.abs(ab[0] * ac[1] - ab[1] * ac[0]) < 1e-6 * long * long, "they lie on a line");
    assert.ok((ab[0] * ac[0] + ab[1] * ac[1]) / long ** 2 > 0.3 && (ab[0] * ac[0] + ab[1] * ac[1]) / long ** 2 < 0.7, "B is between A and C");
    for (const [x, y] of [a, b, c]) assert.ok(x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height, "in the drawing");
    await page.getByRole("slider", { name: "Time" }).fill("20");
    await until(page, ([x, y]) => Math.hypot(window.studio.screen("rod.C")[0] - x, window.studio.screen("rod.C")[1] - y) > 20, c);
    assert.equal(await page.evaluate(() => window.studio.screen("rod.D") ?? window.studio.screen("bar")), null);
  });
});
