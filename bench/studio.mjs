// What the page of the studio costs: ./dev bench studio. The library, the engine in Node and the engine in Chromium answer the same question in
// turns; then the page itself: how long until it can be used, and from a move of the hand until the curves have followed. Best and median of several.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { engine, engineIn, studio } from "../studio/tests/engine.mjs";
import { Folder, launch, modelFile, open } from "../studio/tests/helpers.mjs";

const program = process.argv[2];
const turns = 5;
const text = readFileSync(modelFile("watt-six-bar"), "utf8");
const question = (steps) => ({ do: "study", text, file: "model.toml", tables: {}, parameters: {}, goals: [], analysis: "inverse", to: 1, steps });

const sorted = (times) => times.toSorted((a, b) => a - b);
const told = (times) => `best ${sorted(times)[0].toFixed(2)}, median ${sorted(times)[times.length >> 1].toFixed(2)}`;
const ask = (door, steps) => {
  const times = [];
  for (let k = 0; k < 40; k += 1) {
    const begin = performance.now();
    door.ask(question(steps));
    times.push(performance.now() - begin);
  }
  return times;
};

const native = () => spawnSync(program, ["studio"], { encoding: "utf8" }).stdout.trim().split("\n").map((line) => Number(line.split(/\s+/).at(-2)));

const browser = await launch();
const folder = new Folder();
try {
  const inNode = await engine();
  ask(inNode, 360);
  const page = await engineIn(browser);
  const inChromium = (steps) => page.evaluate(`(${ask})(window.door, ${steps})`.replace("question(steps)", JSON.stringify(question(0)).replace('"steps":0', '"steps":steps')));
  await inChromium(360);

  // as the page has it, as text, until it has answered for the first time
  const packed = readFileSync(join(studio, "dist/engine.wasm.gz"));
  const awake = (base64, first) => page.evaluate(async ([text, asked]) => {
    const begin = performance.now();
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const unpacked = new Response(bytes).body.pipeThrough(new DecompressionStream("gzip"));
    const module = await WebAssembly.compileStreaming(new Response(unpacked, { headers: { "Content-Type": "application/wasm" } }));
    const door = new window.made.EngineModule(module, console.error);
    const ready = performance.now() - begin;
    door.ask(asked);
    return [ready, performance.now() - begin];
  }, [base64, first]);

  const times = { ready: [], answered: [], cycle: [], native: [], node: [], chromium: [], few: [], none: [] };
  for (let k = 0; k < turns; k += 1) {
    const [cycle, study] = native();
    times.cycle.push(cycle), times.native.push(study);
    times.node.push(...ask(inNode, 360));
    times.chromium.push(...(await inChromium(360)));
    times.few.push(...(await inChromium(120)));
    times.none.push(...(await inChromium(1)));
    const [ready, answered] = await awake(packed.toString("base64"), question(360));
    times.ready.push(ready), times.answered.push(answered);
  }
  console.log(`engine, with gzip                          ${(packed.length / 1e6).toFixed(2)} MB`);
  console.log(`engine unpacked and compiled, Chromium      ${told(times.ready)} ms`);
  console.log(`until its first study of 361 rows           ${told(times.answered)} ms`);
  console.log(`six-bar, 361 rows, the run alone, library  ${told(times.cycle)} ms`);
  console.log(`a study of it, library                     ${told(times.native)} ms`);
  console.log(`a study of it, Node                        ${told(times.node)} ms`);
  console.log(`a study of it, Chromium                    ${told(times.chromium)} ms`);
  console.log(`a study with 121 rows, as while dragging   ${told(times.few)} ms`);
  console.log(`a study with 2 rows                        ${told(times.none)} ms`);
  await page.context().close();

  // the page: until it can be used, and until curves have followed a hand
  const html = folder.page(folder.write("model.toml", text.replace('"kinematics"', '"inverse"')));
  const ready = [];
  const latency = [];
  let frames = [];
  for (let k = 0; k < turns; k += 1) {
    const { page: own, close } = await open(browser, html, {});
    ready.push(await own.evaluate(() => performance.now()));
    if (k === turns - 1) {
      const from = await own.evaluate(() => window.studio.screen("crank.A"));
      await own.evaluate(() => {
        const seen = { moved: 0, latency: [], frames: [], last: 0, value: 0 };
        window.seen = seen;
        addEventListener("pointermove", () => { seen.moved ||= performance.now(); }, { capture: true });
        const frame = (now) => {
          if (seen.last > 0) seen.frames.push(now - seen.last);
          seen.last = now;
          const value = window.studio.column("output.phi")?.[7];
          if (value !== seen.value && seen.moved > 0) seen.latency.push(performance.now() - seen.moved), (seen.moved = 0);
          seen.value = value;
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      });
      // with Control the hand is not held by the dots: every move is another shape
      await own.keyboard.down("Control");
      await own.keyboard.down("Alt");
      await own.mouse.move(...from);
      await own.mouse.down();
      for (let step = 1; step <= 120; step += 1) {
        await own.mouse.move(from[0] + 14 * Math.sin(step / 9), from[1] - 14 * Math.sin(step / 13));
        await own.waitForTimeout(8);
      }
      await own.mouse.up();
      await own.keyboard.up("Alt");
      await own.keyboard.up("Control");
      const seen = await own.evaluate(() => window.seen);
      latency.push(...seen.latency);
      frames = seen.frames;
    }
    await close();
  }
  console.log(`page opened from the disk until usable     ${told(ready)} ms`);
  console.log(`hand to new curves, six-bar reshaped       ${told(latency)} ms, ${latency.length} times`);
  console.log(`from picture to picture meanwhile          ${told(frames)} ms`);
} finally {
  await browser.close();
  folder.remove();
}
