// The engine of the page is the library once more: in Node it gives the numbers of the program for every model, and in Chromium the bits of Node.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { engine, engineIn } from "./engine.mjs";
import { Folder, launch, modelFile, readTable, root, sample } from "./helpers.mjs";

// Who computes with functions of the C library that round in another way there, or with products that g++ fuses though it is told not to; and by how much of
// the largest number of its unit. With musl's atan2, exp and pow under the program, or compiled without fused products, the program was seen to write the page's
// tables, all but that with friction.
const rounded = new Map([
  ["flat-cam", [1e-13, "atan2: the pressure angle"]],
  ["roller-cam", [1e-12, "atan2: where the roller touches the curve at the start"]],
  ["rope-hoist", [1e-13, "pow: how long a step may be"]],
  ["simple-pendulum", [1e-11, "exp: how long a step may be, over 100 s"]],
  ["friction-slider-crank", [1e-13, "hypot of three numbers: what loads a pin with friction"]],
  ["excavator-boom", [1e-13, "fused products: where the centres of mass are"]],
  // ten times through singular positions, each of which takes digits: of the snap three are left
  ["four-bars-2", [2e-3, "fused products"]],
]);
// In space products and sums are one instruction where the processor has it, and a page has none (CMakeLists.txt: no promise of equal bits for trees).
const inSpace = 1e-11;
// What has no third or fourth derivative, or none out of its plane, has the rounding of the others there.
const noise = new Map([["screw-nut", 1e-9], ["space-four-bar", 1e-10]]);

const models = readdirSync(join(root, "models")).filter((name) => existsSync(modelFile(name)));

/** A model as the page hands it to the engine. */
function question(name) {
  const folder = dirname(modelFile(name));
  const tables = readdirSync(folder).filter((file) => file.endsWith(".csv"));
  return { do: "study", text: readFileSync(modelFile(name), "utf8"), file: "model.toml", tables: Object.fromEntries(tables.map((file) => [file, readFileSync(join(folder, file), "utf8")])) };
}

let folder;
let door;
/** Of each model: what the engine answered, its columns, and the table that it exports. */
const studied = new Map();

before(async () => {
  folder = new Folder();
  door = await engine();
  for (const name of models) {
    const { text, columns } = door.ask(question(name));
    const study = JSON.parse(text);
    studied.set(name, { text, study, numbers: columns, exported: JSON.parse(door.ask({ do: "csv" }).text).text });
    folder.jounce(study.model?.analysis ?? "run", modelFile(name), "-o", folder.file(`${name}.csv`), "--quiet");
  }
});
after(() => { folder.remove(); });

/** Columns of the engine beside those of the program's table, whose digits give every number back. Those of the ground stand still: the table leaves them out. */
function* beside(name) {
  const { study, numbers } = studied.get(name);
  const table = readTable(folder.file(`${name}.csv`));
  const own = study.document.columns.filter(({ from, parts }) => from === undefined && parts === undefined);
  assert.deepEqual(own.map((column) => column.name).filter((column) => !column.startsWith("ground.")), table.names, name);
  for (const [k, { name: column, unit }] of own.entries()) {
    const expected = table.columns.get(column);
    if (!expected) continue;
    assert.equal(numbers[k].length, table.rows, `${name}: rows of ${column}`);
    yield { column, unit, found: numbers[k], expected };
  }
}

const isRounded = (name) => rounded.has(name) || studied.get(name).study.model.space === "3d";

test("in the plane the engine's numbers are those of the program, bit for bit", () => {
  const exact = models.filter((name) => !isRounded(name));
  assert.ok(exact.length >= 34, `${exact.length} models`);
  for (const name of exact)
    for (const { column, found, expected } of beside(name)) {
      const differs = found.findIndex((value, row) => !Object.is(value + 0, expected[row] + 0));
      assert.equal(differs, -1, `${name}: ${column} in row ${differs} is ${found[differs]}, in the table ${expected[differs]}`);
    }
});

// Beside the largest number of a unit, and at least 1 of it: what is zero has no size of its own.
test("where processors or C libraries round in their own way, no more than that is different", () => {
  for (const name of models.filter(isRounded)) {
    const [allowed, why] = rounded.get(name) ?? [noise.get(name) ?? inSpace, "fused products"];
    const columns = [...beside(name)];
    const most = new Map();
    for (const { unit, expected } of columns) most.set(unit, expected.reduce((so, value) => Math.max(so, Math.abs(value)), most.get(unit) ?? 1));
    for (const { column, unit, found, expected } of columns) {
      const off = found.reduce((so, value, row) => Math.max(so, Math.abs(value - expected[row])), 0) / most.get(unit);
      assert.ok(off <= allowed, `${name}: ${column} is off by ${off} of the largest, more than ${allowed} (${why})`);
    }
  }
});

test("the table that the page exports is the program's, byte for byte, in the model's own units, too", () => {
  const tables = new Map([...models].filter((name) => !isRounded(name)).map((name) => [name, studied.get(name).exported]));
  const inches = folder.write("inches.toml", `${readFileSync(modelFile("four-bar"), "utf8")}\n[units]\nlength = "in"\nangle = "deg"\ntime = "ms"\n`);
  folder.jounce("run", inches, "-o", folder.file("inches.csv"), "--report", folder.file("inches.html"), "--quiet");
  door.ask({ do: "study", text: readFileSync(inches, "utf8"), file: "inches.toml" });
  tables.set("inches", JSON.parse(door.ask({ do: "csv" }).text).text);
  for (const [name, exported] of tables) {
    const file = readFileSync(folder.file(`${name}.csv`), "utf8");
    const line = exported.split("\n").findIndex((one, k) => one !== file.split("\n")[k]);
    assert.equal(exported === file, true, `${name}: line ${line + 1} has ${exported.split("\n")[line]?.split(",").length} numbers on the page, ${file.split("\n")[line]?.split(",").length} in the file`);
  }
});

// Two sums over the bits of every number, each column by itself: an equal pair is an equal column.
const marks = (columns) => columns.map((column) => {
  let [one, other] = [0x811c9dc5, 0x01234567];
  for (const word of new Uint32Array(column.buffer, column.byteOffset, 2 * column.length)) {
    one = Math.imul(one ^ word, 0x01000193);
    other = Math.imul(other + word, 0x85ebca6b) ^ (other >>> 13);
  }
  return `${column.length} numbers, ${one >>> 0}, ${other >>> 0}`;
});

test("in Chromium the engine answers with the bits of Node, numbers and words", async () => {
  const browser = await launch();
  try {
    const page = await engineIn(browser);
    for (const name of sample(models, 4)) {
      const { text, study, numbers } = studied.get(name);
      const found = await page.evaluate(`(() => {
        const { text, columns } = window.door.ask(${JSON.stringify(question(name))});
        return { text, marks: (${marks})(columns) };
      })()`);
      const expected = marks(numbers);
      const differs = found.marks.findIndex((mark, k) => mark !== expected[k]);
      assert.equal(differs, -1, `${name}: ${study.document.columns[differs]?.name}`);
      assert.equal(found.marks.length, expected.length, name);
      assert.equal(found.text, text, name);
    }
  } finally {
    await browser.close();
  }
});

test("a run that no page could hold is refused with what it may have, and the engine goes on", () => {
  const { text, columns } = door.ask({ ...question("four-bar"), steps: 1_000_000_000 });
  const { problems, model } = JSON.parse(text);
  assert.match(problems[0].message, /expected at most \d+ rows of \d+ columns on a page, found steps = 1000000000/);
  assert.equal(model.analysis, null);
  assert.equal(columns[0].length, 1, "it is drawn where it stands");
  assert.equal(door.ask(question("four-bar")).columns[0].length, 201);
});
