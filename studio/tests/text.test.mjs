// The model file as text: an edit changes what it is about, and every other character stays.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "./modules.mjs";

const { ModelText, Parameters, Sketch, addBody, addPoint, blank, ensureRun, evaluate, namesIn, newPoints, numberText, plain, quantityText, readToml, remove, rename, reshape, toLocal, writePoses } =
  await load("text/index.ts");

const folder = resolve(dirname(fileURLToPath(import.meta.url)), "../../models");
const models = readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/model.toml`)).map((name) => ({ name, text: readFileSync(`${folder}/${name}/model.toml`, "utf8") }));

/** All values of a file with their paths. */
function* leaves(node, path = []) {
  if (node.kind === "value") yield { path, node };
  else if (node.kind === "array") for (const [k, item] of node.items.entries()) yield* leaves(item, [...path, k]);
  else for (const [key, entry] of node.entries) yield* leaves(entry.value, [...path, key]);
}

/** Lines of a text that another does not have at the same place. */
const changedLines = (before, after) => {
  const lines = before.split("\n");
  return after.split("\n").flatMap((line, k) => (line === lines[k] ? [] : [k]));
};

test("every value of every model can be written again as it stands, and no byte changes", () => {
  assert.ok(models.length >= 60);
  for (const { name, text } of models) {
    const model = new ModelText(text);
    model.replace([...leaves(model.root)].map(({ node }) => ({ node, text: text.slice(...node.range) })));
    assert.equal(model.text, text, name);
  }
});

// One in four of the values, another one in every model.
test("a value that is set is the value that is read, on its own line, and all others are what they were", () => {
  for (const [shift, { name, text }] of models.entries()) {
    const chosen = [...leaves(readToml(text))].filter((_, k) => k % 4 === shift % 4);
    for (const { path, node } of chosen) {
      const value = typeof node.value === "string" ? `${node.value} + 1` : typeof node.value === "number" ? Number((node.value + 1.25).toPrecision(12)) : !node.value;
      const model = new ModelText(text);
      model.set(path, value);
      const wanted = plain(readToml(text));
      path.slice(0, -1).reduce((at, key) => at[key], wanted)[path.at(-1)] = value;
      assert.deepEqual(plain(readToml(model.text)), wanted, `${name} ${path.join(".")}`);
      assert.equal(changedLines(text, model.text).length, 1, `${name} ${path.join(".")}`);
    }
  }
});

test("an element that comes and goes again leaves every model as it was", () => {
  for (const { name, text } of models) {
    const model = new ModelText(text);
    model.addElement("joints", "a-new-one", { type: "revolute", i: "ground.O", j: "ground.P" });
    assert.deepEqual(plain(model.find("joints", "a-new-one")), { type: "revolute", i: "ground.O", j: "ground.P" }, name);
    model.addElement("bodies", "a-new-body", { position: [1, 2], points: { A: [0, 0] } });
    model.addElement("forces", "a-new-push", { type: "force", on: "a-new-body.A", value: [0, 1] });
    assert.deepEqual(plain(model.find("bodies", "a-new-body", "points", "A")), [0, 0], name);
    model.remove(["forces", "a-new-push"]);
    if (model.table("forces")?.entries.size === 0) model.remove(["forces"]);
    model.remove(["bodies", "a-new-body"]);
    model.remove(["joints", "a-new-one"]);
    if (model.table("joints")?.entries.size === 0) model.remove(["joints"]);
    assert.deepEqual(plain(readToml(model.text)), plain(readToml(text)), name);
    assert.equal(model.text.replace(/\n+/g, "\n"), text.replace(/\n+/g, "\n"), name);
  }
});

test("points come and go in braces, under headers and by keys with dots, in the way that is there", () => {
  for (const [before, after] of [
    ["[bodies.b]\npoints = { A = [0, 0] } # here\n", "[bodies.b]\npoints = { A = [0, 0], B = [1, 2] } # here\n"],
    ["[bodies.b]\npoints = {}\n", "[bodies.b]\npoints = { B = [1, 2] }\n"],
    ["[bodies.b]\nmass = 1\n", "[bodies.b]\nmass = 1\npoints = { B = [1, 2] }\n"],
    ["[bodies.b]\n\n[bodies.b.points]   # all\nA   = [0, 0]     # one\nXYZ = [3, 3]\n", "[bodies.b]\n\n[bodies.b.points]   # all\nA   = [0, 0]     # one\nXYZ = [3, 3]\nB   = [1, 2]\n"],
    ["bodies.b.points.A = [0, 0]\r\n", "bodies.b.points.A = [0, 0]\r\nbodies.b.points.B = [1, 2]\r\n"],
    ["[bodies.b]\npoints.A = [\n  0, # x\n  0,\n]\n", "[bodies.b]\npoints.A = [\n  0, # x\n  0,\n]\npoints.B = [1, 2]\n"],
  ]) {
    const model = new ModelText(before);
    addPoint(model, "b", "B", [1, 2], 1e-3);
    assert.equal(model.text, after);
    remove(model, ["b.B"]);
    if (before.includes("A")) assert.equal(model.text, before);
  }
});

test("what is deleted takes along what refers to it, and comments of others stay", () => {
  const text = models.find(({ name }) => name === "four-bar").text;
  const model = new ModelText(text);
  assert.deepEqual(remove(model, ["coupler"]).names, ["coupler", "crank-pin", "rocker-pin"]);
  const left = plain(readToml(model.text));
  assert.deepEqual(Object.keys(left.bodies), ["crank", "rocker"]);
  assert.deepEqual(Object.keys(left.joints), ["crank-bearing", "rocker-bearing"]);
  for (const line of model.text.split("\n")) assert.ok(text.includes(line));
  const ground = new ModelText(text);
  assert.deepEqual(remove(ground, ["ground.O"]).names, ["ground.O", "crank-bearing"]);
});

test("a name is another everywhere: in references, in expressions and in shapes, but not where a parameter has it", () => {
  const model = new ModelText(`[parameters]
crank = 0.1
[ground]
points = { O = [0, 0] }
[bodies.crank]
points = { O = [0, 0], A = ["crank", 0] }
shape = { type = "bar", from = "O", to = "A" }
[joints.crank-pin]
type = "revolute"
i = "ground.O"
j = 'crank.O' # 'crank.O'
[measures]
high = "crank.A.y - 2*crank + crank-pin.fx"
`);
  rename(model, "crank", "wheel");
  rename(model, "wheel.A", "rim");
  rename(model, "crank-pin", "axle");
  assert.deepEqual(plain(readToml(model.text)), {
    parameters: { crank: 0.1 }, ground: { points: { O: [0, 0] } },
    bodies: { wheel: { points: { O: [0, 0], rim: ["crank", 0] }, shape: { type: "bar", from: "O", to: "rim" } } },
    joints: { axle: { type: "revolute", i: "ground.O", j: "wheel.O" } },
    measures: { high: "wheel.rim.y - 2*crank + axle.fx" },
  });
  assert.ok(model.text.includes("# 'crank.O'"));
});

// By hand: 2^3^2 = 2^9; -2^2 = -(2^2); the blend of degree 9 is 1/2 in its middle.
test("expressions have the values of the model file's rules", () => {
  for (const [text, value] of [["-2^2", -4], ["2^3^2", 512], ["60*deg", Math.PI / 3], ["2^-1", 0.5], ["1 - 2 - 3", -4], ["8/4/2", 1], ["atan2(1, 1)*4", Math.PI], ["max(1, 5, 3)", 5],
    ["step(0.5, 0, 1)", 0.5], ["step(0.25, 0, 1) + step(0.75, 0, 1)", 1], ["--3", 3], ["1e-3*mm/mm", 1e-3], [".5", 0.5], ["(1 + 2)*3", 9], ["2*rod", 8], ["sqrt(rod)", 2]])
    assert.ok(Math.abs(evaluate(text, (name) => (name === "rod" ? 4 : undefined)) - value) < 1e-15, text);
  for (const text of ["", "1 +", "nobody", "sin()", "2 3", "(1", "1)", "sin", "a b", "'x'"]) assert.ok(Number.isNaN(evaluate(text)), text);
  assert.ok(Number.isNaN(evaluate("(".repeat(100_000))));
  assert.deepEqual(namesIn("2*a + sin(b)/pi - step(t, a, 'c')"), ["a", "b", "t"]);
  const circle = new Parameters(new Map([["a", "b"], ["b", "a"], ["c", "2*d"], ["d", 3]]));
  assert.ok(Number.isNaN(circle.value("a")));
  assert.equal(circle.value("c"), 6);
  assert.deepEqual(circle.behind("c + a"), ["d"]);
});

test("numbers are as short as they can be, and keep the unit that they were written in", () => {
  assert.equal(numberText(0.1 + 0.2), "0.3");
  assert.equal(numberText(0.123456, 1e-4), "0.1235");
  assert.equal(numberText(-0.00001, 1e-3), "0");
  assert.equal(numberText(1234.5, 100), "1200");
  assert.equal(numberText(1e21), "1e21");
  const unit = (written, value, quantum) => quantityText({ kind: "value", value: written, range: [0, 0] }, written, value, quantum);
  assert.equal(unit("50*mm", 0.0512, 1e-4), '"51.2*mm"');
  assert.equal(unit("-50 * deg", Math.PI / 3, 1e-5), '"60 * deg"');
  assert.equal(unit("2*mm + 1", 0.5, 1e-3), "0.5");
});

// The points of a drawing and where they are moved are given; where they lie afterwards is read from the text alone.
test("in every plane model any point that is moved lies where it was moved to, in all bodies that it joins, and the others stay", () => {
  let moved = 0;
  for (const { name, text } of models) {
    const sketch = new Sketch(text);
    if (!sketch.plane) continue;
    const size = Math.max(...[...sketch.bodies.keys()].flatMap((body) => [...sketch.body(body).points.keys()].map((point) => Math.hypot(...sketch.spot(`${body}.${point}`)))));
    for (const body of sketch.bodies.values())
      for (const point of body.points.values()) {
        const reference = `${body.name}.${point.name}`;
        if ([...point.x.parameters, ...point.y.parameters].length > 0 || sketch.together(reference).length > 1) continue;
        const from = sketch.spot(reference);
        const to = [from[0] + 0.1 * size, from[1] - 0.05 * size];
        const { text: after } = reshape(sketch, (one) => sketch.pose(one), [{ reference, to }], 1e-6 * size);
        const there = new Sketch(after).spot(reference);
        assert.ok(Math.hypot(there[0] - to[0], there[1] - to[1]) < 1e-5 * size, `${name} ${reference}: ${there} for ${to}`);
        for (const other of sketch.usedPoints(body.name))
          if (other !== point.name) {
            const [before, now] = [sketch.spot(`${body.name}.${other}`), new Sketch(after).spot(`${body.name}.${other}`)];
            assert.ok(Math.hypot(now[0] - before[0], now[1] - before[1]) < 1e-5 * size, `${name} ${body.name}.${other}`);
          }
        moved += 1;
      }
  }
  assert.ok(moved > 50);
});

// A pin 3 along and 4 up from its bearing is 5 away, at an angle of atan2(4, 3).
test("a pin that joins two bars of given lengths moves the parameters and the angles of both", () => {
  const text = models.find(({ name }) => name === "four-bar").text;
  const sketch = new Sketch(text);
  const { text: after, parameters, expressions } = reshape(sketch, (body) => sketch.pose(body), [{ reference: "coupler.A", to: [0.03, 0.04] }], 1e-7);
  assert.deepEqual(expressions.map(({ coordinate, written }) => `${coordinate} is ${written}`), ["coupler.B.x is coupler_length", "crank.A.x is crank_length"]);
  assert.ok(Math.abs(parameters.crank_length - 0.05) < 1e-7);
  const there = new Sketch(after);
  for (const point of ["crank.A", "coupler.A"]) assert.ok(Math.hypot(there.spot(point)[0] - 0.03, there.spot(point)[1] - 0.04) < 1e-6, point);
  assert.ok(Math.abs(there.pose("crank").phi - Math.atan2(4, 3)) < 1e-5);
  const [before, now] = [sketch.spot("coupler.B"), there.spot("coupler.B")];
  assert.ok(Math.hypot(now[0] - before[0], now[1] - before[1]) < 1e-6);
  assert.ok(after.includes('A = ["crank_length", 0]'));
});

test("where one coordinate follows from two parameters the one moves that the least else follows from", () => {
  const text = models.find(({ name }) => name === "watt-six-bar").text;
  const sketch = new Sketch(text);
  const { parameters } = reshape(sketch, (body) => sketch.pose(body), [{ reference: "ground.S", to: [0.4, 0] }], 1e-6);
  assert.equal(parameters.second_base, 0.2);
  assert.equal(parameters.first_base, undefined);
});

test("a bell crank's pin in polar coordinates follows by both of them", () => {
  const text = models.find(({ name }) => name === "watt-six-bar").text;
  const sketch = new Sketch(text);
  const to = [0.29, 0.08];
  const { text: after } = reshape(sketch, (body) => sketch.pose(body), [{ reference: "bell-crank.C", to }], 1e-6);
  const there = new Sketch(after);
  assert.ok(Math.hypot(there.spot("bell-crank.C")[0] - to[0], there.spot("bell-crank.C")[1] - to[1]) < 1e-5);
  assert.match(after, /bell_angle {4}= "-[\d.]+\*deg"/);
});

// From 175° the nearest turn to -2 rad is 2π - 2: an angle of more than half a turn stays one.
test("poses that are written are the poses that are read", () => {
  const text = models.find(({ name }) => name === "quick-return").text;
  const sketch = new Sketch(text);
  const { text: after } = writePoses(sketch, new Map([["link", { x: 0.21, y: 0.3, phi: -2 }], ["crank", { x: 0, y: 0, phi: 1 }]]), 1e-5);
  const there = new Sketch(after);
  assert.ok(Math.abs(there.pose("link").phi - (2 * Math.PI - 2)) < 1e-4 && there.pose("link").x === 0.21);
  assert.ok(Math.abs(there.pose("crank").phi - 1) < 1e-4 && there.pose("crank").x === 0);
  assert.equal(changedLines(text, after).length, 3);
});

test("a link between two places lies there, however it is turned", () => {
  const model = new ModelText(blank);
  addPoint(model, "ground", "O", [0, 0], 1e-3);
  addBody(model, "link1", [{ name: "A", at: [0.3, 0.1] }, { name: "B", at: [-0.1, 0.4] }, { name: "C", at: [0.2, 0.5] }], 1e-5);
  ensureRun(model, { to: 9 });
  const sketch = new Sketch(model.text);
  for (const [point, at] of [["A", [0.3, 0.1]], ["B", [-0.1, 0.4]], ["C", [0.2, 0.5]]]) {
    const there = sketch.spot(`link1.${point}`);
    assert.ok(Math.hypot(there[0] - at[0], there[1] - at[1]) < 1e-5, point);
  }
  assert.ok(Math.abs(sketch.local("link1", "B")[0] - 0.5) < 1e-9 && sketch.local("link1", "B")[1] === 0);
  assert.deepEqual(toLocal({ x: 1, y: 2, phi: Math.PI / 2 }, [1, 3]).map((value) => Math.round(value * 1e9) / 1e9), [1, 0]);
  assert.equal(plain(model.find("run", "to")), 1);
  assert.deepEqual(newPoints(sketch, 2), ["D", "E"]);
});
