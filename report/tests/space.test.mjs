// Mechanisms in space: that their solids are drawn, in the frame, upright, and as finely as can be afforded.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Folder, launch, modelFile, scrub, visit } from "./helpers.mjs";

const folder = new Folder();
const root = fileURLToPath(new URL("../../", import.meta.url));
const program = process.env.JOUNCE_PROGRAM ?? `${root}build/jounce`;
let browser;

before(async () => {
  browser = await launch();
});

after(async () => {
  await browser?.close();
  folder.remove();
});

const scene = (page) => page.evaluate(() => JSON.parse(document.querySelector("script[type='application/json']").textContent).scene);

/** Which part of the picture differs from its background, and how far to its edges that reaches. */
async function drawn(page) {
  const picture = await page.getByTestId("space-view").screenshot();
  return page.evaluate(async (data) => {
    const image = new window.Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data: pixels } = pen.getImageData(0, 0, image.width, image.height);
    // Strong colours are bodies; the floor, text and shadows are grey.
    const box = { left: image.width, right: 0, top: image.height, bottom: 0, count: 0, width: image.width, height: image.height };
    for (let y = 60; y < image.height - 110; y += 1)
      for (let x = 0; x < image.width; x += 1) {
        const at = 4 * (y * image.width + x);
        const parts = [pixels[at], pixels[at + 1], pixels[at + 2]];
        if (Math.max(...parts) - Math.min(...parts) < 60) continue;
        box.count += 1;
        box.left = Math.min(box.left, x);
        box.right = Math.max(box.right, x);
        box.top = Math.min(box.top, y);
        box.bottom = Math.max(box.bottom, y);
      }
    return box;
  }, picture.toString("base64"));
}

const visuals = `jounce = 1
name = "looks"
space = "3d"
gravity = [0, -9.81, 0]
[bodies.arm]
mass = 1
com = [0.2, 0, 0]
inertia = [0.001, 0.02, 0.02, 0, 0, 0]
visuals = [
  { type = "box", size = [0.4, 0.05, 0.05], origin = { xyz = [0.2, 0, 0] }, colour = "#ff00c8" },
  { type = "mesh", file = "parts/tip.obj", origin = { xyz = [0.4, 0, 0] } },
  { type = "mesh", file = "parts/gone.stl" },
]
[joints.pivot]
type = "revolute"
parent = "ground"
child = "arm"
[run]
analysis = "dynamics"
to = 1
steps = 100
`;

test("the whole motion is in the frame, with the rails and stands", async () => {
  for (const name of ["seven-joint-arm", "stewart", "rssp"]) {
    const { html } = folder.report(modelFile(name), name);
    await visit(browser, html, {}, async (page) => {
      for (const sample of [0, 100, 250]) {
        await scrub(page, sample);
        await page.waitForTimeout(150);
        const box = await drawn(page);
        assert.ok(box.count > 500, `${name}: expected bodies in the picture, found ${box.count} coloured pixels`);
        assert.ok(box.left > 4 && box.right < box.width - 4, `${name}: from ${box.left} to ${box.right} of ${box.width}`);
      }
    });
  }
});

test("bodies look as the model says, up is against gravity, and a mesh that is not there is a warning on the page", async () => {
  const model = folder.write("looks.toml", visuals);
  mkdirSync(folder.file("parts"));
  writeFileSync(folder.file("parts/tip.obj"), "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const { html } = folder.report(model, "looks");
  await visit(browser, html, {}, async (page) => {
    const { up, solids } = await scene(page);
    assert.deepEqual(up, [0, 1, 0]);
    // what can be drawn of the looks, and a member in place of the mesh that cannot
    const kinds = solids.filter((one) => one.body === 1).map((one) => one.kind);
    assert.deepEqual(["block", "mesh", "capsule"].map((kind) => kinds.filter((one) => one === kind).length), [1, 1, 1]);
    await scrub(page, 0);
    await page.waitForTimeout(150);
    const start = await drawn(page);
    await scrub(page, 38);
    await page.waitForTimeout(150);
    const later = await drawn(page);
    // It falls: downwards in the picture.
    assert.ok(later.bottom > start.bottom + 30, `expected the arm to fall in the picture, found ${start.bottom} and ${later.bottom}`);
    assert.match(await page.locator("body").innerText(), /the mesh 'parts\/gone\.stl' is not drawn/);
  });
});

test("draw and the page show the same solids", async () => {
  // Each capsule, ball, block ... of the scene is a part of the drawing, in the colours of its bodies; joints are named in both by their symbol.
  const { html } = folder.report(modelFile("hooke-joint"), "hooke");
  const { stdout } = spawnSync(program, ["draw", modelFile("hooke-joint")], { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
  await visit(browser, html, {}, async (page) => {
    const { solids } = await scene(page);
    for (const what of new Set(solids.map((one) => one.what).filter(Boolean))) assert.ok(stdout.includes(`class="part ${what}"`), `draw shows no ${what}`);
    assert.equal(solids.filter((one) => one.what === "universal" && one.kind === "wire").length, 2, "two forks");
  });
});

test("fifty bodies with fifty trails are drawn in one call for all tails", async () => {
  const parts = ["jounce = 1\nspace = \"3d\"\nname = \"chain\"\n"];
  for (let k = 0; k < 50; k += 1)
    parts.push(`[bodies.b${k}]\nmass = 1\ncom = [0, 0, -0.1]\ninertia = [0.003, 0.003, 0.0005, 0, 0, 0]\npoints = { E = [0, 0, -0.2] }\n[joints.j${k}]\ntype = "revolute"\nparent = "${k ? `b${k - 1}` : "ground"}"\nchild = "b${k}"\naxis = ${k % 2 ? "[1, 0, 0]" : "[0, 1, 0]"}\n${k ? "origin = { xyz = [0, 0, -0.2] }\n" : ""}dofs = [ { motion = "0.15*sin(${1 + (k % 5)}*t + ${k})" } ]\n`);
  const { html } = folder.report(folder.write("chain.toml", `${parts.join("")}[run]\nanalysis = "kinematics"\nto = 10\nsteps = 400\n`), "chain");
  await visit(browser, html, {}, async (page) => {
    // Counts what a picture asks of the graphics: this does not depend on how busy the machine is.
    const calls = await page.evaluate(async () => {
      let [count, pictures] = [0, 0];
      const { clear } = window.WebGL2RenderingContext.prototype;
      window.WebGL2RenderingContext.prototype.clear = function counted(...words) {
        // once for each picture with its colours; of the depths alone before what lies on top
        if (words[0] & this.COLOR_BUFFER_BIT) pictures += 1;
        return clear.apply(this, words);
      };
      for (const name of ["drawElements", "drawArrays", "drawElementsInstanced", "drawArraysInstanced"]) {
        const own = window.WebGL2RenderingContext.prototype[name];
        window.WebGL2RenderingContext.prototype[name] = function counted(...words) {
          count += 1;
          return own.apply(this, words);
        };
      }
      for (const box of document.querySelectorAll("input[type=checkbox]"))
        if (/^b\d+\.E$/.test((box.closest("label")?.textContent ?? "").trim()) && !box.checked) box.click();
      await new Promise((done) => { window.setTimeout(done, 1500); });
      [count, pictures] = [0, 0];
      window.jounce.setTime(3);
      await new Promise((done) => { window.requestAnimationFrame(() => window.requestAnimationFrame(done)); });
      return count / pictures;
    });
    assert.ok(calls > 0 && calls <= 130, `expected a picture of at most 130 calls, found ${calls}`);
    await page.evaluate(() => { window.jounce.play(); });
    await page.waitForTimeout(2000);
    const times = await page.evaluate(() => window.jounce.frameTimes());
    const sorted = [...times].sort((a, b) => a - b);
    console.log(`fifty bodies with fifty trails: ${sorted[sorted.length >> 1]?.toFixed(1)} ms from picture to picture`);
  });
});

const buffer = `jounce = 1
space = "3d"
name = "Buffer"
[bodies.car]
mass = 20
inertia = [0.4, 0.4, 0.4, 0, 0, 0]
shape = { type = "box", centre = [0, 0, 0], size = [0.4, 0.24, 0.2] }
[joints.rail]
type = "prismatic"
parent = "ground"
child = "car"
axis = [1, 0, 0]
dofs = [{ stiffness = 800, damping = 15, rest = 0.25 }]
[run]
analysis = "dynamics"
to = 2
steps = 100
`;

test("the spring of a slide is a coil: alone between bodies that stay apart, else around the rail, outside of the whole motion", async () => {
  // Oracle: the models. The bob hangs on the guide by its spring; the car swings from 0 to 0.5 m, less what is damped, and is 0.4 m long.
  const pendulum = folder.report(modelFile("elastic-pendulum"), "elastic");
  await visit(browser, pendulum.html, {}, async (page) => {
    const { struts, solids, bodies } = await scene(page);
    assert.equal(struts.length, 1);
    const [{ i, j, pi, pj, coil, tube }] = struts;
    assert.deepEqual([bodies[i].name, bodies[j].name], ["guide", "bob"]);
    assert.deepEqual([pi, pj], [[0, 0, 0], [0, 0, 0]]);
    assert.ok(coil > 0 && tube === 0);
    assert.ok(!solids.some((one) => one.what === "slide"), "expected no rail where the bob hangs on its spring");
  });
  const car = folder.report(folder.write("buffer.toml", buffer), "buffer");
  await visit(browser, car.html, {}, async (page) => {
    const { struts, solids } = await scene(page);
    assert.equal(struts.length, 1);
    const [{ pi, pj, coil, tube }] = struts;
    assert.ok(coil > 0 && tube > 0, "expected a coil with a damper");
    const [seat] = pi;
    assert.ok(seat < -0.2 - 0.05 && Math.abs(pj[0] + 0.2) < 0.05, `expected it to stand before the car's end at the start, found ${seat} and ${pj[0]}`);
    const rail = solids.filter((one) => one.body === 0 && one.what === "slide").flatMap(({ points, size }) => [points[0] - Math.max(...size) / 2]);
    assert.ok(Math.min(...rail) < seat + 0.02, `expected the rail to carry the spring, found ${rail} and ${seat}`);
  });
  for (const file of [modelFile("elastic-pendulum"), folder.file("buffer.toml")]) {
    const { stdout } = spawnSync(program, ["draw", file], { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
    assert.match(stdout, /class="part spring"/);
  }
});

test("what is nothing but rounding has no arrows", async () => {
  // Oracle: the model. The shafts of the Hooke joint turn about their own axes and carry nothing: its table has forces of 1e-17 N.
  const { html, csv } = folder.report(modelFile("hooke-joint"), "rounding");
  const [line, ...rows] = readFileSync(csv, "utf8").split("\n");
  const at = line.split(",").indexOf("shaft.f");
  const largest = Math.max(...rows.filter(Boolean).map((row) => Number(row.split(",")[at])));
  assert.ok(largest > 0 && largest < 1e-12, `expected rounding in the table, found ${largest}`);
  await visit(browser, html, {}, async (page) => {
    await page.evaluate(() => {
      window.heard = [];
      const { fillText } = window.CanvasRenderingContext2D.prototype;
      window.CanvasRenderingContext2D.prototype.fillText = function heard(text, ...rest) {
        window.heard.push(text);
        return fillText.call(this, text, ...rest);
      };
    });
    for (const layer of ["velocity", "reactions"]) await page.getByTestId(`layer-${layer}`).check();
    await scrub(page, 50);
    await page.waitForFunction(() => window.heard.includes("x"));
    const texts = await page.evaluate(() => window.heard);
    assert.deepEqual(texts.filter((text) => / (N|m\/s)\b/.test(text)), []);
  });
});

test("arrows and their values are in the first view, and what they mean stands beside the drawing", async () => {
  // Oracle: the picture: nothing of the colour of reactions at its edges, and the values of both reactions in it.
  const { html } = folder.report(modelFile("space-double-pendulum"), "hanging", { command: "equilibrium" });
  await visit(browser, html, {}, async (page) => {
    await page.evaluate(() => {
      window.heard = new Map();
      const { fillText } = window.CanvasRenderingContext2D.prototype;
      window.CanvasRenderingContext2D.prototype.fillText = function heard(text, ...rest) {
        window.heard.set(text, rest);
        return fillText.call(this, text, ...rest);
      };
    });
    await page.getByTestId("fit").click();
    await page.waitForFunction(() => window.heard.has("9.81 N") && window.heard.has("19.6 N"));
    const frame = await page.getByTestId("space-view").boundingBox();
    const legend = await page.locator(".arrow-legend").boundingBox();
    assert.match(await page.locator(".arrow-legend").textContent(), /^[125]0* N reaction$/);
    assert.ok(legend.height > 10 && legend.y >= frame.y + frame.height - 0.5, `expected the legend under the drawing, found ${JSON.stringify({ frame, legend })}`);
    const top = await highest(page);
    assert.ok(top > 4, `expected the arrow to end in the picture, found its colour in row ${top}`);
  });
  // the load that the arm carries is an arrow from the start, up from its hand
  const { html: arm } = folder.report(modelFile("seven-joint-arm"), "loaded");
  await visit(browser, arm, {}, async (page) => {
    await page.getByTestId("layer-names").uncheck();
    await scrub(page, 80);
    await page.waitForTimeout(150);
    const top = await highest(page);
    assert.ok(top > 4, `expected the load in the picture, found its colour in row ${top}`);
  });
});

/** The uppermost row of the picture that has a strong red, as arrows and trails have. */
async function highest(page) {
  const picture = await page.getByTestId("space-view").screenshot();
  return page.evaluate(async (data) => {
    const image = new window.Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data: pixels, width } = pen.getImageData(0, 0, image.width, image.height);
    for (let at = 0; at < pixels.length; at += 4)
      if (pixels[at] > 110 && pixels[at] - pixels[at + 1] > 60 && pixels[at] - pixels[at + 2] > 80) return Math.floor(at / 4 / width);
    return -1;
  }, picture.toString("base64"));
}
