// What is shown before anybody chooses: which columns are plotted, which share a plot, and what the first view of the drawing takes in.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { Folder, modelFile } from "./helpers.mjs";

const folder = new Folder();
let server;
let load;
before(async () => {
  // gears draw themselves into paths, which only a browser has
  globalThis.Path2D ??= class { lineTo() {} moveTo() {} arc() {} closePath() {} };
  server = await createServer({
    configFile: false, root: fileURLToPath(new URL("../", import.meta.url)), logLevel: "error", appType: "custom",
    server: { host: "127.0.0.1", middlewareMode: true, hmr: false, watch: null }, optimizeDeps: { noDiscovery: true },
  });
  load = (file) => server.ssrLoadModule(file);
});
after(async () => {
  await server?.close();
  folder.remove();
});

/** A run as the page has it. */
async function report(model, name, options) {
  const { html } = folder.report(model, name, options);
  const { Report } = await load("/src/report.ts");
  return new Report(JSON.parse(/<script type="application\/json" id="jounce-data">([^<]*)<\/script>/.exec(readFileSync(html, "utf8"))[1]));
}

/** The columns of the first plots, a list for each. */
async function plotted(model, name, options) {
  const run = await report(model, name, options);
  const { defaultPlots, steady } = await load("/src/defaults.ts");
  return { run, plots: defaultPlots(run).map(({ columns }) => columns), steady: steady(run) };
}

const stage = `jounce = 1
name = "Lead screw"
space = "3d"
[ground]
points = { G = [0, 0, 0] }
[bodies.screw]
mass = 1
inertia = [1e-3, 1e-3, 1e-4, 0, 0, 0]
[bodies.nut]
mass = 2
inertia = [0.01, 0.01, 0.01, 0, 0, 0]
points = { N = [0, 0, 0] }
[joints]
bearing = { type = "revolute", parent = "ground", child = "screw", axis = [1, 0, 0], dofs = [{ motion = "20*t" }] }
thread = { type = "helical", parent = "screw", child = "nut", axis = [1, 0, 0], pitch = 0.005, origin = { xyz = [0.1, 0, 0] } }
[loops]
stay = { type = "prismatic", i = "ground.G", j = "nut.N", axis = [1, 0, 0] }
[run]
analysis = "inverse"
to = 3
steps = 60
`;

const mast = `jounce = 1
name = "Mast"
gravity = [0, -9.81]
[ground]
points = { O = [0, 0], L = [-0.5, 0.5] }
[bodies.mast]
mass = 5
angle = "80*deg"
points = { O = [0, 0], M = [0.5, 0] }
[joints]
foot = { type = "revolute", i = "ground.O", j = "mast.O" }
[forces]
stay = { type = "spring", i = "ground.L", j = "mast.M", stiffness = 400, free_length = 0.3 }
[run]
analysis = "equilibrium"
`;

test("what goes in is not plotted where something comes out", async () => {
  // Oracle: the models: which coordinates they prescribe, and what these move.
  const expected = [
    { model: modelFile("hooke-joint"), input: /^shaft\.q/, shown: ["cross.q1", "cross.q2"] },
    { model: modelFile("rssr"), input: /^shaft\.q/, shown: ["pivot.q1"] },
    { model: modelFile("rssp"), input: /^shaft\.q/, shown: ["rail.q1"] },
    { model: modelFile("two-link-cat"), input: /^waist\.q/, shown: ["front.x", "front.z"] },
    { model: modelFile("seven-joint-arm"), input: /^j\d\.q/, shown: ["hand.x", "hand.y", "hand.z"] },
    { model: modelFile("valve-train"), input: /^cam\./, shown: ["valve.y"] },
    // a nut that keeps upright turns back on its screw as fast as the screw turns: that is what goes in once more
    { model: folder.write("stage.toml", stage), input: /\.q1$/, shown: ["nut.x"] },
  ];
  for (const [k, { model, input, shown }] of expected.entries()) {
    const { plots } = await plotted(model, `in${k}`);
    const all = plots.flat();
    assert.ok(!all.some((name) => input.test(name)), `${model}: found ${all}`);
    for (const name of shown) assert.ok(all.includes(name), `${model}: expected ${name}, found ${all}`);
  }
});

test("a coordinate that is held is not plotted over itself", async () => {
  const { plots } = await plotted(folder.write("mast.toml", mast), "held", { command: "equilibrium", words: ["--over", "mast.phi=60*deg:120*deg:13"] });
  assert.equal(plots[0]?.[0], "hold.effort");
  assert.ok(!plots.flat().includes("mast.phi"), `found ${plots}`);
});

test("what only the integration changes is not plotted", async () => {
  // Oracle: the models. The heavy top precesses steadily; nothing takes energy from the four-bar; the swimmer's energy is its motors' work.
  const { plots: top } = await plotted(modelFile("heavy-top"), "top");
  assert.ok(!top.flat().some((name) => ["com.z", "top.wz"].includes(name)), `found ${top}`);
  const { plots: linkage } = await plotted(modelFile("space-four-bar"), "four");
  assert.ok(!linkage.flat().some((name) => ["energy.total", "energy.balance"].includes(name)), `found ${linkage}`);
  const { plots: swimmer } = await plotted(modelFile("six-link-swimmer"), "swimmer");
  assert.ok(!swimmer.flat().includes("energy.balance"), `found ${swimmer}`);
});

test("curves that share a plot can be told from each other, and none is flat", async () => {
  // Oracle: the columns themselves. Flat: less than a twelfth of what all curves of that unit take up; the same: never a hundredth of it apart.
  const limits = (numbers) => [numbers.reduce((a, b) => Math.min(a, b), Infinity), numbers.reduce((a, b) => Math.max(a, b), -Infinity)];
  for (const name of ["rope-hoist", "quick-return", "seven-joint-arm", "toggle-clamp", "six-link-swimmer", "scissor-lift", "hooke-joint"]) {
    const { run, plots } = await plotted(modelFile(name), `apart-${name}`);
    for (const columns of plots)
      for (const unit of new Set(columns.map((column) => run.unit(column)))) {
        const curves = columns.filter((column) => run.unit(column) === unit).map((column) => ({ column, numbers: run.column(column) }));
        const [low, high] = limits(curves.flatMap(({ numbers }) => limits(numbers)));
        for (const [k, { column, numbers }] of curves.entries()) {
          const [least, most] = limits(numbers);
          assert.ok(12 * (most - least) > high - low, `${name}: ${column} is flat among ${columns}`);
          for (const other of curves.slice(k + 1))
            assert.ok(numbers.some((value, sample) => Math.abs(value - other.numbers[sample]) > 0.01 * (high - low)), `${name}: ${column} looks like ${other.column}`);
        }
      }
  }
});

test("an effort that does not change is told in words", async () => {
  // Oracle: a weight of 10 kg that is lifted steadily: 98.1 N.
  const lift = folder.write("steady.toml", `jounce = 1
name = "Steady lift"
gravity = [0, -9.81]
[ground]
points = { O = [0, 0], Y = [0, 1] }
[bodies.load]
mass = 10
inertia = 1
points = { A = [0, 0], B = [0, 0.1] }
[joints]
guide = { type = "translational", slot = ["ground.O", "ground.Y"], slider = ["load.A", "load.B"] }
[drivers]
winch = { type = "slot-distance", line = ["ground.O", "ground.Y"], point = "load.A", motion = "0.1*t" }
[run]
analysis = "inverse"
to = 1
steps = 20
`);
  const { run, plots, steady } = await plotted(lift, "steady");
  assert.deepEqual(steady, ["winch.effort"]);
  assert.ok(Math.abs(Math.abs(run.column("winch.effort")[7]) - 98.1) < 1e-6);
  assert.ok(!plots.flat().includes("winch.effort"));
});

test("each tick of an axis has its own label", async () => {
  const { ticks } = await load("/src/plot_scales.ts");
  for (const [from, step] of [[0, 0.1], [-1450, 20], [1450, 1e-4], [-3.2, 2e-9], [5e-7, 1e-13]]) {
    const labels = ticks(null, Array.from({ length: 6 }, (_, k) => from + k * step));
    assert.equal(new Set(labels).size, 6, `found ${labels}`);
    labels.forEach((label, k) => assert.ok(Math.abs(Number(label) - from - k * step) < 0.05 * step, `found ${label} at ${from + k * step}`));
  }
});

test("the first view takes in the ends of ropes", async () => {
  // Oracle: the model: its rope runs over (0, 2) and (0.4, 2).
  const hoist = folder.write("tackle.toml", `jounce = 1
name = "Block and tackle"
gravity = [0, -9.81]
[ground]
points = { A = [0, 2], B = [0.4, 2], X = [0.2, 0], Y = [0.2, 1] }
[bodies.load]
mass = 80
inertia = 1
position = [0.2, 0.5]
points = { H = [0, 0], G = [0, -0.2] }
[bodies.counter]
mass = 30
inertia = 1
position = [0.8, 1.2]
points = { H = [0, 0] }
[joints]
guide = { type = "translational", slot = ["ground.X", "ground.Y"], slider = ["load.G", "load.H"] }
across = { type = "coordinate", j = "counter.x", offset = 0.8 }
upright = { type = "coordinate", j = "counter.phi", offset = 0 }
rope = { type = "equation", of = "distance(load.H, ground.A) + distance(load.H, ground.B) + distance(counter.H, ground.B) - 4" }
[run]
analysis = "dynamics"
to = 0.5
steps = 20
`);
  const run = await report(hoist, "tackle");
  const [{ Poses }, { layout }] = [await load("/src/plane/pose.ts"), await load("/src/plane/layout.ts")];
  const { box } = layout(run, new Poses(run));
  assert.ok(box.top >= 2 && box.left <= 0, `found ${JSON.stringify(box)}`);
});

test("hatching is as dense on one side of a line as on the other", async () => {
  const { Pen } = await load("/src/plane/pen.ts");
  const strokes = (depth) => {
    let count = 0;
    const context = new Proxy({}, { get: (_, name) => (name === "moveTo" ? () => { count += 1; } : () => undefined), set: () => true });
    new Pen(context, {}).hatch(0, 0, 200, 0, depth);
    return count;
  };
  assert.equal(strokes(-9), strokes(9));
});
