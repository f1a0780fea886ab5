// The region of the drawing: the view, the transport under it, and the layers that can be switched.

import { button, check, h, iconButton, section, setIcon } from "./dom";
import { defaultTrails, tracePoints } from "./defaults";
import { fourDigits } from "./format";
import { modePanel, type ModePlay } from "./modes";
import { pausePath, playPath, speeds, type Player } from "./player";
import type { Report } from "./report";
import { trailSeconds } from "./trail-length";
import type { Layers, MakeView, View } from "./view";


export interface Drawing {
  element: HTMLElement;
  view: View;
}

/** `modes`: what the drawing plays where the run itself does not move. */
export function makeDrawing(report: Report, player: Player, makeView: MakeView, modes: ModePlay | null): Drawing {
  const host = h("div", { class: "stage" });
  const element = section("drawing", "Mechanism", host);
  document.body.append(element);
  const view = makeView(modes?.report ?? report, host);
  const moving = report.samples > 1;
  if (moving) element.append(transport(report, player));
  if (modes) element.append(modePanel(modes, player));
  element.append(layerPanel(report, view));
  const when = h("p", { class: "print-only" });
  if (moving) host.after(when);
  player.onMove((sample) => {
    view.draw(modes ? modes.sampleAt(player.time) : sample);
    when.textContent = `At ${report.when(player.time)}`;
  });
  new ResizeObserver(() => view.resize()).observe(host);
  element.querySelector("h2")?.after(h("div", { class: "corner" }, button("Fit", "Fit the whole motion into the drawing (f)", () => view.fit(), { "data-testid": "fit" })));
  return { element, view };
}

function transport(report: Report, player: Player): HTMLElement {
  const play = iconButton(playPath, "Play (space)", () => player.toggle(), { "data-testid": "play", class: "icon primary" });
  const scrub = h("input", { type: "range", min: "0", max: String(report.samples - 1), step: "1", value: "0", "aria-label": report.along === "t" ? "Time" : report.along, "data-testid": "scrub" });
  const clock = h("output", { class: "clock", "data-testid": "clock" });
  const select = h("select", { "aria-label": "Speed", title: "Speed (+ and −)", "data-testid": "speed" });
  const { offered, first } = speeds(player.end - player.start);
  for (const speed of offered) select.append(h("option", { value: String(speed) }, `${speed}×`));
  const loop = button("", "Loop (l)", () => player.setLoop(!player.loop), { "data-testid": "loop", class: "icon" });
  loop.append(iconButton("M3.2 8a4.8 4.8 0 0 1 8.3-3.3V2.6h1.5v4.7H8.3V5.8h2.2A3.3 3.3 0 0 0 4.7 8zM12.8 8a4.8 4.8 0 0 1-8.3 3.3v2.1H3V8.7h4.7v1.5H5.5A3.3 3.3 0 0 0 11.3 8z", "", () => undefined).firstElementChild ?? "");
  const back = iconButton("M11 2.5v11L3.5 8zM2.2 2.5h1.3v11H2.2z", "One step back (←)", () => player.step(-1), { "data-testid": "back" });
  const forward = iconButton("M5 2.5v11L12.5 8zM12.5 2.5h1.3v11h-1.3z", "One step forward (→)", () => player.step(1), { "data-testid": "forward" });

  scrub.addEventListener("input", () => {
    player.pause();
    player.setSample(Number(scrub.value));
  });
  select.addEventListener("change", () => player.setSpeed(Number(select.value)));
  player.setSpeed(first);
  const state = (): void => {
    setIcon(play, player.playing ? pausePath : playPath);
    const label = player.playing ? "Pause (space)" : "Play (space)";
    play.setAttribute("aria-label", label);
    play.setAttribute("title", label);
    loop.setAttribute("aria-pressed", String(player.loop));
    select.value = String(player.speed);
  };
  const width = report.told(player.end, report.alongUnit).length;
  player.onMove((sample) => {
    scrub.value = String(Math.round(sample));
    const shown = report.told(player.time, report.alongUnit, fourDigits);
    clock.textContent = shown;
    scrub.setAttribute("aria-valuetext", shown);
  });
  clock.style.minWidth = `${Math.max(7, width + 1)}ch`;
  player.onState(state);
  state();
  return h("div", { class: "transport", role: "group", "aria-label": "Animation" }, back, play, forward, scrub, clock, select, loop);
}

function layerPanel(report: Report, view: View): HTMLElement {
  const has = (group: string): boolean => report.document.columns.some((column) => column.group === group);
  // What the parts carry is what a rest was asked for.
  const rest = report.document.run.analysis === "equilibrium";
  const layers: Layers = {
    points: false, names: report.scene.bodies.length <= 13, centres: false,
    velocity: false, acceleration: false, reactions: rest && has("reaction"), forces: rest && hasForces(report), arrowScale: 1,
  };
  const toggle = (key: Exclude<keyof Layers, "arrowScale">, text: string, available = true): HTMLElement =>
    check(text, layers[key] === true, (on) => {
      layers[key] = on;
      view.setLayers(layers);
    }, { "data-testid": `layer-${key}`, disabled: !available });
  const scale = h("input", { type: "range", min: "-1", max: "1", step: "0.05", value: "0", "aria-label": "Length of arrows", "data-testid": "arrow-scale" });
  scale.addEventListener("input", () => {
    layers.arrowScale = 10 ** Number(scale.value);
    view.setLayers(layers);
  });
  view.setLayers(layers);
  return h("div", { class: "layers" },
    h("fieldset", {}, h("legend", {}, "Show"), toggle("names", "Names"), toggle("points", "Points"),
      toggle("centres", "Centres of mass", report.scene.bodies.some((body) => body.mass !== null))),
    h("fieldset", {}, h("legend", {}, "Arrows"), toggle("velocity", "Velocity", has("velocity")),
      toggle("acceleration", "Acceleration", has("acceleration")), toggle("reactions", "Reactions", has("reaction")),
      toggle("forces", "Forces", hasForces(report)),
      h("label", { class: "slider" }, h("span", {}, "Length"), scale)),
    trailPanel(report, view));
}

/** True where the run has the columns of a force that the drawing can show. */
function hasForces(report: Report): boolean {
  return report.document.columns.some((column) => column.group === "force" && column.unit === "N");
}

function trailPanel(report: Report, view: View): HTMLElement | null {
  const points = tracePoints(report);
  if (points.length === 0 || report.samples < 2) return null;
  const chosen = new Set(defaultTrails(report));
  const run = (report.time.at(-1) ?? 0) - (report.time[0] ?? 0);
  const length = h("input", { type: "range", min: "-2", max: "0", step: "0.02", "aria-label": "Length of trails", "data-testid": "trail-length" });
  const reach = h("output", { "data-testid": "trail-reach" });
  let seconds = trailSeconds(report, [...chosen]);
  const show = (): void => {
    reach.textContent = Number.isFinite(seconds) ? `last ${report.told(seconds, report.alongUnit, fourDigits)}` : "whole run";
  };
  length.value = Number.isFinite(seconds) ? String(Math.log10(seconds / run)) : "0";
  length.addEventListener("input", () => {
    seconds = Number(length.value) > -0.01 ? Infinity : run * 10 ** Number(length.value);
    apply();
  });
  const apply = (): void => {
    show();
    view.setTrails(points.filter((name) => chosen.has(name)), seconds);
    count.textContent = chosen.size === 0 ? "none" : String(chosen.size);
  };
  const count = h("span", { class: "count" });
  const list = h("div", { class: "trail-list" });
  for (const name of points)
    list.append(check(name, chosen.has(name), (on) => {
      if (on) chosen.add(name);
      else chosen.delete(name);
      apply();
    }, { "data-testid": `trail-${name}` }));
  apply();
  return h("details", { class: "trails" }, h("summary", {}, "Trails ", count),
    h("label", { class: "slider" }, h("span", {}, "Length"), length, reach), list);
}
