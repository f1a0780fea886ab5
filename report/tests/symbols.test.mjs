// Pictures of mechanisms of the plane: what `jounce draw` and the page show is the same, ends where the motion ends, and hides nothing.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Folder, launch, modelFile, program, readTable, root, scrub, visit } from "./helpers.mjs";
import { deadCentre } from "./models.mjs";

const folder = new Folder();
let browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
  folder.remove();
});

/** The figure of `jounce draw`. */
function figure(model, words = []) {
  const ran = spawnSync(program, ["draw", model, ...words], { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(ran.status, 0, `jounce draw ${model}\n${ran.stderr}`);
  return ran.stdout;
}

/** The document that a page carries. */
function carried(html) {
  const text = /<script[^>]*id="?jounce-data"?[^>]*>([\s\S]*?)<\/script>/.exec(readFileSync(html, "utf8"));
  assert.ok(text, "expected the page to carry a document");
  return JSON.parse(text[1]);
}

/** The groups of a figure, each with its element's name and symbol, and what is in it. */
function parts(svg) {
  return [...svg.matchAll(/<g data-element="([^"]*)" data-symbol="([^"]*)">([\s\S]*?)<\/g>/g)].map(([, name, symbol, inside]) => ({ name, symbol, inside }));
}

/** How a figure maps metres to pixels, and how large its pins are. */
function measures(svg) {
  const scale = Number(/data-scale="([^"]*)"/.exec(svg)[1]);
  const [x, y] = /data-origin="([^"]*)"/.exec(svg)[1].split(" ").map(Number);
  const pin = /<circle class="pin paper"[^>]* r="([^"]*)"/.exec(svg);
  return { scale, x, y, pin: pin ? Number(pin[1]) : 0 };
}

const plane = readdirSync(join(root, "models"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !/^space *= *"3d"/m.test(readFileSync(join(root, "models", entry.name, "model.toml"), "utf8")))
  .map((entry) => entry.name);

/** Symbols that `draw` puts into a group of their own where they have a place. */
const grouped = ["slot", "slider", "rod", "spring", "cylinder", "bushing", "spiral", "motor", "turn", "push"];

test("figures through draw and through the page have the same symbols and the same slots", async () => {
  // Oracle: the two doors against each other. The slots of a figure are read back from its pixels.
  assert.ok(plane.length > 35, `expected the planar models of the gallery, found ${plane.length}`);
  const slots = { ground: 0, body: 0 };
  for (const name of plane) {
    const { html, csv } = folder.run(modelFile(name), name);
    const { scene } = carried(html);
    const svg = figure(modelFile(name));
    const drawn = parts(svg);
    const rolls = (slot) => scene.elements.some((e) => e.symbol === "wheel" && e.i === slot.i && e.j === slot.j && String(e.centre_j) === String(slot.pj));
    for (const e of scene.elements) {
      if (!grouped.includes(e.symbol) || (e.symbol === "slot" && rolls(e))) continue;
      assert.ok(drawn.some((part) => part.name === e.name && part.symbol === e.symbol), `${name}: expected ${e.symbol} '${e.name}' in the figure`);
    }
    assert.equal((svg.match(/class="plate teeth"/g) ?? []).length, scene.wheels.filter((wheel) => wheel.teeth).length, `${name}: toothed wheels`);
    const { scale, x, y, pin } = measures(svg);
    for (const e of scene.elements) {
      if (e.symbol !== "slot" || rolls(e)) continue;
      const part = drawn.find((one) => one.name === e.name && one.inside.includes("thin paper"));
      const p = [...part.inside.matchAll(/d="([^"]*)"/g)][0][1].match(/-?[\d.]+/g).map(Number);
      // M a- L b- A r r 0 0 1 b+ L a+ A ...
      const ends = [[(p[0] + p[11]) / 2, (p[1] + p[12]) / 2], [(p[2] + p[9]) / 2, (p[3] + p[10]) / 2]];
      // Where the body is that the slot is in: in the first row of the table.
      const { columns } = readTable(csv);
      const [bx, by, phi] = e.i === 0 ? [0, 0, 0] : ["x", "y", "phi"].map((c) => columns.get(`${scene.bodies[e.i].name}.${c}`)[0]);
      const [cos, sin] = [Math.cos(phi), Math.sin(phi)];
      const [[fx, fy], [tx, ty]] = e.line_i.map(([px, py]) => [bx + cos * px - sin * py, by + sin * px + cos * py]);
      const length = Math.hypot(tx - fx, ty - fy);
      const [dx, dy] = [(tx - fx) / length, (ty - fy) / length];
      e.span.forEach((s, k) => {
        const more = (k === 0 ? -0.4 : 0.4) * pin;
        const expected = [x + scale * (fx + dx * s) + dx * more, y - scale * (fy + dy * s) - dy * more];
        for (const axis of [0, 1]) assert.ok(Math.abs(ends[k][axis] - expected[axis]) < 0.25, `${name}: slot '${e.name}' ends at ${ends[k]} in draw, at ${expected} in the page`);
      });
      slots[e.i === 0 ? "ground" : "body"] += 1;
    }
  }
  assert.ok(slots.ground >= 2 && slots.body >= 2, `expected slots in the ground and in bodies, found ${JSON.stringify(slots)}`);
});

/** Says where a place of the ground is on the canvas, and which colour is there on one of its two layers. */
const colour = (page, x, y, layer, dx = 0, dy = 0) => page.evaluate(({ x, y, layer, dx, dy }) => {
  const sheet = document.querySelector(".plane-sheet");
  const canvas = sheet.querySelectorAll("canvas")[layer];
  const [ox, oy] = sheet.dataset.origin.split(" ").map(Number);
  const scale = Number(sheet.dataset.scale);
  const ratio = canvas.width / canvas.clientWidth;
  return [...canvas.getContext("2d").getImageData(Math.round((ox + x * scale + dx) * ratio), Math.round((oy - y * scale + dy) * ratio), 1, 1).data];
}, { x, y, layer, dx, dy });

const still = 0;
const moving = 1;

test("the slot of the quick return ends where its pin turns back", async () => {
  // Oracle: closed form. The pin is 0.15 m to 0.35 m from the lever's bearing at (0, -0.25); with the crank upright the lever is upright, too.
  await visit(browser, folder.report(modelFile("quick-return"), "quick").html, {}, async (page) => {
    await page.getByTestId("layer-names").uncheck();
    // The trails lie elsewhere. At t = pi/6 s the crank has turned by a quarter.
    await page.evaluate(() => window.jounce.setTime(Math.PI / 6));
    const lever = (far) => colour(page, 0, -0.25 + far, moving);
    const slot = await lever(0.2);
    const body = await lever(0.08);
    assert.deepEqual(slot.slice(0, 3), [255, 255, 255], "expected paper in the slot");
    assert.notDeepEqual(body.slice(0, 3), [255, 255, 255], "expected the lever below its slot");
    const above = await lever(0.44);
    assert.deepEqual(above, body, "expected the lever above its slot to look as below it");
  });
});

const compressor = `jounce = 1
name = "Compressor"
[ground]
points = { O = [0, 0], Y = [0, 1] }
[bodies.crank]
angle = "90*deg"
points = { O = [0, 0], A = [0.04, 0] }
[bodies.rod]
position = [0, 0.04]
angle = "90*deg"
points = { A = [0, 0], P = [0.13, 0] }
[bodies.piston]
position = [0, 0.17]
points = { P = [0, 0], crown = [0, 0.03] }
shape = { type = "box", centre = [0, 0.012], size = [0.08, 0.05] }
[joints]
main = { type = "revolute", i = "ground.O", j = "crank.O" }
big-end = { type = "revolute", i = "crank.A", j = "rod.A" }
small-end = { type = "revolute", i = "rod.P", j = "piston.P" }
cylinder = { type = "translational", slot = ["ground.O", "ground.Y"], slider = ["piston.P", "piston.crown"] }
[drivers]
motor = { type = "angle", i = "ground", j = "crank", motion = "pi/2 + t" }
[run]
to = "2*pi"
steps = 60
`;

test("a piston with a box of its own stands between two walls, with no block and no line through it", async () => {
  const file = folder.write("compressor.toml", compressor);
  await visit(browser, folder.report(file, "compressor").html, {}, async (page) => {
    for (const side of [-1, 1]) {
      const wall = await colour(page, 0.04 * side, 0.13, still, 1.5 * side);
      assert.ok(wall[0] < 200, `expected a wall beside the bore, found ${wall}`);
    }
    const middle = await colour(page, 0, 0.125, still);
    assert.ok(middle[0] > 220, `expected no line through the bore, found ${middle}`);
  });
  const guides = parts(figure(file)).filter((part) => part.symbol === "slider");
  assert.equal(guides.map((part) => (part.inside.match(/class="ground guide"/g) ?? []).length).reduce((a, b) => a + b), 2);
  assert.ok(!guides.some((part) => part.inside.includes('class="plate"')), "expected no second block");
});

test("cams and what rolls on them are on the page", async () => {
  // Oracle: the scene: the middle of each piece of the curve is covered, and so is the roller's rim.
  const { html } = folder.report(modelFile("roller-cam"), "cam");
  const { scene } = carried(html);
  const cam = scene.elements.find((e) => e.curve);
  assert.ok(cam?.roller > 0 && cam.curve.length > 20, "expected a curve and a roller in the scene");
  await visit(browser, html, {}, async (page) => {
    const at = await page.evaluate((name) => ["x", "y", "phi"].map((c) => window.jounce.value(`${name}.${c}`)), scene.bodies[cam.i].name);
    for (let k = 0; k < cam.curve.length; k += 17) {
      const [px, py] = cam.curve[k];
      const [c, s] = [Math.cos(at[2]), Math.sin(at[2])];
      const found = await colour(page, at[0] + c * px - s * py, at[1] + s * px + c * py, moving);
      assert.ok(found[3] > 0, `expected the cam's outline at place ${k}`);
    }
  });
});

const spinning = `jounce = 1
name = "Winding up"
[ground]
points = { O = [0, 0] }
[bodies.bar]
mass = 1
inertia = 1
points = { O = [0, 0], E = [0.5, 0] }
[joints]
pin = { type = "revolute", i = "ground.O", j = "bar.O" }
[forces]
coil = { type = "torsion-spring", i = "ground", j = "bar", stiffness = 0.001 }
[drivers]
motor = { type = "angle", i = "ground", j = "bar", motion = "20*t" }
[run]
to = 10
steps = 100
`;

test("a torsion spring keeps its windings however far it turns", () => {
  // Oracle: the angle that the drawn line turns about the pin, added up.
  const file = folder.write("winding.toml", spinning);
  for (const t of ["0", "1", "9.7"]) {
    const svg = figure(file, ["--at", t]);
    const { x, y } = measures(svg);
    const line = /<path class="usual torsion" d="([^"]*)"/.exec(svg)[1].match(/-?[\d.]+/g).map(Number);
    let turned = 0;
    for (let k = 2; k + 1 < line.length; k += 2) {
      const [a, b] = [Math.atan2(line[k - 1] - y, line[k - 2] - x), Math.atan2(line[k + 1] - y, line[k] - x)];
      turned += Math.atan2(Math.sin(b - a), Math.cos(b - a));
    }
    const windings = Math.abs(turned) / (2 * Math.PI);
    assert.ok(windings > 1.4 && windings < 3.6, `expected two or three windings at ${t} s, found ${windings}`);
  }
});

test("a load that depends on an angle is drawn as it is after many turns", () => {
  // Oracle: closed form. After 8 rad sin(phi/2) is negative; of the same direction within one turn, 1.717 rad, it is positive.
  const file = folder.write("turned.toml", `${spinning}[forces.push]\ntype = "force"\non = "bar.E"\nvalue = [0, "sin(bar.phi/2)"]\n`.replace(/(\[run\][\s\S]*?steps = 100\n)([\s\S]*)/, "$2$1"));
  for (const [t, down] of [["0.1", false], ["0.4", true]]) {
    const [, y1, y2] = /<line class="load force" x1="[^"]*" y1="([^"]*)" x2="[^"]*" y2="([^"]*)"/.exec(figure(file, ["--at", t])) ?? assert.fail("expected an arrow");
    assert.equal(Number(y2) > Number(y1), down, `expected the arrow to point ${down ? "down" : "up"} at ${t} s, found it from ${y1} to ${y2}`);
  }
});

/** Notes what is written on the canvases from now on, and fills in a colour. */
const listen = (page) => page.evaluate(() => {
  window.heard = { texts: [], fills: {} };
  const { fillText, fill } = window.CanvasRenderingContext2D.prototype;
  window.CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    window.heard.texts.push({ text, x: rest[0], y: rest[1], half: this.measureText(text).width / 2 });
    return fillText.call(this, text, ...rest);
  };
  window.CanvasRenderingContext2D.prototype.fill = function (...rest) {
    window.heard.fills[this.fillStyle] = (window.heard.fills[this.fillStyle] ?? 0) + 1;
    return fill.call(this, ...rest);
  };
});

/** What one frame writes and fills. */
const frame = (page) => page.evaluate(async () => {
  window.heard.texts.length = 0;
  for (const key of Object.keys(window.heard.fills)) delete window.heard.fills[key];
  window.jounce.setTime(window.jounce.time() + 1e-3);
  await new Promise((done) => window.requestAnimationFrame(() => window.requestAnimationFrame(done)));
  return JSON.parse(JSON.stringify(window.heard));
});

const force = "#935100";

test("each load is drawn once, as a symbol or to scale, and the legend stands beside the drawing", async () => {
  await visit(browser, folder.report(modelFile("scissor-lift"), "lift").html, {}, async (page) => {
    await listen(page);
    await page.evaluate(() => window.jounce.setTime(1));
    const heads = async () => (await frame(page)).fills[force] ?? 0;
    assert.equal(await heads(), 1, "expected one arrow for the weight");
    await page.getByTestId("layer-forces").check();
    assert.equal(await heads(), 1, "expected one arrow for the weight with arrows to scale, too");
    const sheet = await page.locator(".plane-sheet").boundingBox();
    const legend = await page.locator(".arrow-legend").boundingBox();
    assert.ok(legend.height > 10 && legend.y >= sheet.y + sheet.height - 0.5, `expected the legend under the drawing, found ${JSON.stringify({ sheet, legend })}`);
    assert.match(await page.locator(".arrow-legend").textContent(), /\d N applied force/);
    await page.getByTestId("layer-forces").uncheck();
    assert.equal((await page.locator(".arrow-legend").boundingBox()).height, 0);
  });
});

test("reactions have their values, and the values do not lie on each other", async () => {
  await visit(browser, folder.report(modelFile("slider-crank-engine"), "engine").html, {}, async (page) => {
    await page.getByTestId("layer-reactions").check();
    await page.getByTestId("layer-names").uncheck();
    await listen(page);
    await scrub(page, 37);
    const texts = (await frame(page)).texts.filter((one) => / N$/.test(one.text));
    const shown = await page.evaluate(() => ["main-bearing", "crank-pin", "piston-pin", "cylinder"].map((name) => Math.hypot(window.jounce.value(`${name}.fx`), window.jounce.value(`${name}.fy`))));
    assert.ok(texts.length >= 3, `expected values at most joints, found ${JSON.stringify(texts)}`);
    for (const { text } of texts) {
      const number = Number(text.replace(/ N$/, "").replace("−", "-").replace(/[ ,]/g, ""));
      assert.ok(shown.some((value) => Math.abs(value - number) <= 0.01 * value), `expected a reaction of ${shown}, found ${text}`);
    }
    const apart = (all) => all.forEach((one, k) => all.slice(k + 1).forEach((other) =>
      assert.ok(one.text === other.text || Math.abs(one.x - other.x) > one.half + other.half || Math.abs(one.y - other.y) > 11, `${one.text} lies on ${other.text}`)));
    apart(texts);
    // nor on the names of bodies
    await page.getByTestId("layer-names").check();
    const names = ["crank", "rod", "piston"];
    for (const sample of [37, 139, 161]) {
      await scrub(page, sample);
      const all = (await frame(page)).texts.filter((one) => / N$/.test(one.text) || names.includes(one.text));
      assert.equal(names.filter((name) => all.some((one) => one.text === name)).length, 3);
      apart(all);
    }
  });
});

test("drivers and loads have one colour in draw and on the page, and a driver along a line is one arrow", async () => {
  // Oracle: the style that a figure carries.
  const file = folder.write("piston.toml", deadCentre);
  const [, drive] = /\.drive-head\{fill:(#[0-9a-f]{6})/.exec(figure(file));
  const [, load] = /\.load-head\{fill:(#[0-9a-f]{6})/.exec(figure(file));
  assert.equal(load, force);
  await visit(browser, folder.report(file, "piston", { code: 1 }).html, {}, async (page) => {
    await listen(page);
    assert.equal((await frame(page)).fills[drive], 1);
  });
});

/** Where the tips of arrows of a colour are in one frame, in pixels of the drawing. */
async function tips(page, hue) {
  await page.evaluate(() => {
    window.tips = [];
    const { moveTo, fill } = window.CanvasRenderingContext2D.prototype;
    let last = [0, 0];
    window.CanvasRenderingContext2D.prototype.moveTo = function (x, y) {
      last = [x, y];
      moveTo.call(this, x, y);
    };
    window.CanvasRenderingContext2D.prototype.fill = function (...rest) {
      window.tips.push({ colour: this.fillStyle, at: last });
      fill.call(this, ...rest);
    };
  });
  await frame(page);
  return (await page.evaluate(() => window.tips)).filter((one) => one.colour === hue).map((one) => one.at);
}

const reaction = "#c4311d";

test("the view that shows all leaves room for the arrows, and their values keep off the bars", async () => {
  // Oracle: the canvas: what is drawn beyond its edges is not seen; and the truss, whose rods go from joint to joint.
  const truss = folder.report(modelFile("truss"), "truss").html;
  const { scene } = carried(truss);
  for (const [html, layer] of [[truss, null], [folder.report(modelFile("slider-crank-engine"), "arrows").html, "reactions"], [folder.report(modelFile("excavator-boom"), "quick-arrows").html, "velocity"]])
    await visit(browser, html, {}, async (page) => {
      if (layer) await page.getByTestId(`layer-${layer}`).check();
      if (layer) await page.getByTestId("fit").click();
      await listen(page);
      if (layer) await scrub(page, 37);
      const sheet = await page.locator(".plane-sheet").boundingBox();
      const found = [...await tips(page, reaction), ...await tips(page, force), ...await tips(page, "#0a7d4f")];
      assert.ok(found.length > 2, "expected arrows");
      for (const [x, y] of found) assert.ok(x > 0 && y > 0 && x < sheet.width && y < sheet.height, `${html}: an arrow ends at ${x}, ${y} of ${sheet.width} by ${sheet.height}`);
    });
  await visit(browser, truss, {}, async (page) => {
    await listen(page);
    const values = (await frame(page)).texts.filter((one) => / N$/.test(one.text));
    assert.ok(values.length >= 8, `expected the value of each arrow, found ${values.map((one) => one.text)}`);
    const places = await page.evaluate((bodies) => bodies.map((name) => (name === "ground" ? [0, 0, 0] : ["x", "y", "phi"].map((c) => window.jounce.value(`${name}.${c}`)))), scene.bodies.map((body) => body.name));
    const [scale, origin] = await page.locator(".plane-sheet").evaluate((one) => [Number(one.dataset.scale), one.dataset.origin.split(" ").map(Number)]);
    const at = (body, [px, py]) => {
      const [x, y, phi] = places[body];
      return [origin[0] + scale * (x + Math.cos(phi) * px - Math.sin(phi) * py), origin[1] - scale * (y + Math.sin(phi) * px + Math.cos(phi) * py)];
    };
    for (const { text, x, y } of values)
      for (const e of scene.elements.filter((one) => one.symbol === "rod")) {
        const [[ax, ay], [bx, by]] = [at(e.i, e.pi), at(e.j, e.pj)];
        const part = Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)));
        const far = Math.hypot(x - ax - part * (bx - ax), y - ay - part * (by - ay));
        assert.ok(far > 8, `${text} lies on ${e.name}: ${far} pixels from its middle`);
      }
  });
});

test("what is fixed to the ground is grey, and feet stand before wheels", async () => {
  // Oracle: the palette: the ground has one grey, the bodies are coloured.
  const ring = folder.write("ring.toml", `jounce = 1
name = "Fixed ring"
[ground]
points = { O = [0, 0] }
[bodies.arm]
points = { O = [0, 0], C = [0.3, 0] }
[bodies.planet]
position = [0.3, 0]
points = { C = [0, 0] }
[joints]
bearing = { type = "revolute", i = "ground.O", j = "arm.O" }
axle = { type = "revolute", i = "arm.C", j = "planet.C" }
mesh = { type = "gear-on-arm", i = "planet", j = "ground", arm = "arm", mesh = "internal", radii = [0.1, 0.4] }
[drivers]
motor = { type = "angle", i = "ground", j = "arm", motion = "t" }
[run]
steps = 20
`);
  const { html } = folder.report(ring, "ring");
  const wheel = carried(html).scene.wheels.find((one) => one.ring);
  assert.equal(wheel?.body, 0, "expected a ring on the ground");
  await visit(browser, html, {}, async (page) => {
    const rim = await colour(page, -0.44, 0, moving);
    assert.ok(rim[3] > 200 && Math.max(...rim.slice(0, 3)) - Math.min(...rim.slice(0, 3)) < 10, `expected grey, found ${rim}`);
  });
  await visit(browser, folder.report(modelFile("planetary"), "foot").html, {}, async (page) => {
    await page.getByTestId("layer-names").uncheck();
    assert.deepEqual(await colour(page, 0, 0, moving, 0, 11), [0xee, 0xf1, 0xf5, 255], "expected the foot before the sun");
  });
});

test("points that coincide have one label, and labels do not lie on each other", async () => {
  await visit(browser, folder.report(modelFile("andrews-squeezer"), "andrews").html, {}, async (page) => {
    await page.getByTestId("layer-points").check();
    await listen(page);
    const { texts } = await frame(page);
    const labels = texts.filter((one, k) => texts.findIndex((other) => other.text === one.text && other.x === one.x) === k && !/ m+$/.test(one.text));
    assert.ok(labels.length > 6);
    let worst = 0;
    labels.forEach((one, k) => labels.slice(k + 1).forEach((other) => {
      const wide = one.half + other.half - Math.abs(one.x - other.x);
      const high = 13 - Math.abs(one.y - other.y);
      if (wide > 0 && high > 0) worst = Math.max(worst, (wide * high) / (2 * Math.min(one.half, other.half) * 13));
    }));
    assert.ok(worst < 0.4, `expected room between labels, found one that another covers by ${worst}`);
  });
});

test("trails show the whole run where they stay lines, and the last part of it where they would cover the drawing", async () => {
  await visit(browser, folder.report(modelFile("quick-return"), "whole").html, {}, async (page) => {
    assert.equal(await page.getByTestId("trail-reach").textContent(), "whole run");
  });
  await visit(browser, folder.report(modelFile("differential-hoist"), "tail").html, {}, async (page) => {
    const reach = page.getByTestId("trail-reach");
    assert.match(await reach.textContent(), /^last [\d.]+ s$/);
    await page.locator(".trails").evaluate((details) => { details.open = true; });
    const length = page.getByTestId("trail-length");
    await length.evaluate((slider) => {
      slider.value = "0";
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    });
    assert.equal(await reach.textContent(), "whole run");
  });
});

test("an equation of distances is drawn as the rope that it is, by draw and on the page", async () => {
  // Oracle: the model at its start: from the pulley at (0, 0) straight to the collar's eye at (0.8, 0).
  const svg = figure(modelFile("rope-hoist"));
  const { scale, x, y } = measures(svg);
  const ropes = parts(svg).filter((part) => part.inside.includes("belt rope"));
  assert.deepEqual(ropes.map(({ name }) => name), ["rope", "no-slip"]);
  for (const { inside } of ropes) {
    const [fx, fy, tx, ty] = /class="usual belt rope" d="([^"]*)"/.exec(inside)[1].match(/-?[\d.]+/g).map(Number);
    [[fx, x], [fy, y], [tx, x + 0.8 * scale], [ty, y]].forEach(([found, expected]) => { assert.ok(Math.abs(found - expected) < 0.1, `expected ${expected}, found ${found}`); });
  }
  await visit(browser, folder.report(modelFile("rope-hoist"), "rope").html, {}, async (page) => {
    await page.getByTestId("layer-names").uncheck();
    await scrub(page, 140);
    const [ex, ey] = await page.evaluate(() => ["x", "y"].map((c) => window.jounce.value(`collar.${c}`)));
    assert.ok(ey < -1, "expected the collar to have come down");
    const on = await colour(page, 0.6 * ex, 0.6 * ey, moving);
    const beside = await colour(page, 0.6 * ex, 0.6 * ey, moving, -12, -4);
    assert.ok(on[3] > 200 && beside[3] === 0, `expected the rope there and nothing beside it, found ${on} and ${beside}`);
  });
});
