// The names in the planar drawing: clear of pins and of each other, calm while the mechanism moves, and readable.

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

/** Size of the drawing on a desk, and the width of a letter at 12 px. */
const [width, height, letter] = [636, 496, 7.4];

/** The document in a page. */
function documentOf(html) {
  return JSON.parse(/<script type="application\/json" id="jounce-data">([^<]*)<\/script>/.exec(readFileSync(html, "utf8"))[1]);
}

/** The names' places in a report, and what is seen of them at a sample. */
async function places(html) {
  const [{ Report }, { Poses }, { layout }, { Camera }, { Placing }, { Obstacles, depth }] = await Promise.all(
    ["report", "plane/pose", "plane/layout", "plane/camera", "plane/placing", "plane/obstacles"].map((name) => load(`/src/${name}.ts`)));
  const report = new Report(documentOf(html));
  const poses = new Poses(report);
  const plan = layout(report, poses);
  const camera = Object.assign(new Camera(), { width, height });
  camera.fit(plan.box, 0.08 * height);
  const unit = Math.max(7, Math.min(30, 0.034 * plan.extent * camera.scale));
  const placing = new Placing(report, plan, poses, camera);
  const texts = plan.outlines.map(({ body }) => report.scene.bodies[body].name);
  const chosen = placing.choose(unit, texts, texts.map((text) => letter * text.length + 4));
  const obstacles = new Obstacles(report, plan, poses, camera);
  const at = (sample) => {
    poses.update(sample);
    return { names: placing.visible(chosen, unit), pins: obstacles.pins(unit) };
  };
  return { texts, at, depth, samples: report.samples };
}

const models = ["quick-return", "planetary", "jansen-leg", "andrews-squeezer", "four-bar", "pantograph", "peaucellier", "watt-six-bar", "scotch-yoke",
  "slider-crank-engine", "tusi-couple", "geared-five-bar", "excavator-boom", "toggle-press"];

for (const model of models)
  test(`${model}: names that are seen cover no pin and no other name, stay in the picture, and move little from frame to frame`, async (t) => {
    const { html } = folder.report(modelFile(model), model);
    const { texts, at, depth, samples } = await places(html);
    const seen = texts.map(() => 0);
    const looks = 97;
    for (let k = 0; k < looks; k += 1) {
      const sample = ((samples - 1) * k) / (looks - 1);
      const { names, pins } = at(sample);
      const plain = names.filter(({ opacity }) => opacity > 0.5);
      plain.forEach(({ name }, index) => {
        for (const pin of pins) assert.ok(depth(name, pin) < 4, `sample ${sample}: expected a name clear of the pins`);
        for (const other of plain.slice(0, index)) assert.ok(depth(name, other.name) < 4, `sample ${sample}: expected two names apart`);
        assert.ok(name.x0 > -10 && name.x1 < width + 10 && name.y0 > 0 && name.y0 < height, `sample ${sample}: expected a name in the picture`);
      });
      names.forEach(({ opacity }, index) => { seen[index] += opacity / looks; });
      // a hundredth of a sample moves a mechanism by nearly nothing: a name that is seen neither jumps nor blinks
      if (sample + 0.01 < samples - 1)
        at(sample + 0.01).names.forEach(({ name, opacity }, index) => {
          const before = names[index];
          assert.ok(Math.hypot(name.x0 - before.name.x0, name.y0 - before.name.y0) < 4, `sample ${sample}: expected no jump of ${texts[index]}`);
          assert.ok(Math.abs(opacity - before.opacity) < 0.8, `sample ${sample}: expected no blinking of ${texts[index]}`);
        });
    }
    const mean = seen.reduce((sum, one) => sum + one, 0) / seen.length;
    t.diagnostic(`${model}: names seen ${(100 * mean).toFixed(0)} % of the time, the least ${texts[seen.indexOf(Math.min(...seen))]} ${(100 * Math.min(...seen)).toFixed(0)} %`);
    assert.ok(mean > 0.8, `expected the names to be seen most of the time, found ${mean}`);
  });

/** Red, green and blue from 0 to 1 of "hsl(H S% L%)" or "#rrggbb". */
function colour(text) {
  if (text.startsWith("#")) return [1, 3, 5].map((k) => Number.parseInt(text.slice(k, k + 2), 16) / 255);
  const [h, s, l] = text.match(/[\d.]+/g).map(Number);
  const a = (s / 100) * Math.min(l / 100, 1 - l / 100);
  return [0, 8, 4].map((n) => {
    const k = (n + h / 30) % 12;
    return l / 100 - a * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  });
}

/** Contrast of two colours as WCAG 2 defines it. */
function contrast(one, other) {
  const light = (text) => colour(text).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
  const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

test("names and arrows' values have a contrast of 4.5 to the background, names also to every body", async () => {
  const { palette } = await load("/src/plane/palette.ts");
  assert.ok(Math.abs(contrast("#000000", "#ffffff") - 21) < 1e-9);
  for (const theme of ["light", "dark"]) {
    const { background, bodies, force } = palette(theme);
    assert.ok(contrast(force, background) >= 4.5, `${theme}: forces ${contrast(force, background)}`);
    for (const { name } of bodies)
      for (const under of [background, ...bodies.map(({ fill }) => fill)])
        assert.ok(contrast(name, under) >= 4.5, `${theme}: ${name} on ${under}: ${contrast(name, under)}`);
  }
});
