// What the drawing shows besides the mechanism: names, points, arrows, and which points draw their curves.

import { defaultTrails, tracePoints } from "../../../report/src/defaults";
import { check, h } from "../../../report/src/dom";
import type { Report } from "../../../report/src/report";
import type { Layers, View } from "../../../report/src/view";

export class Shown {
  readonly element: HTMLElement;
  private readonly layers: Layers = {
    points: false, names: true, centres: false, velocity: false, acceleration: false, reactions: false, forces: false, arrowScale: 1,
  };
  /** Chosen by the user, by name; what he has not chosen is as usual. */
  private readonly chosen = new Map<string, boolean>();
  private readonly trails = h("div", { class: "canvas-trails" });
  private listed = "";
  /** Points whose curves are drawn. */
  traced: readonly string[] = [];

  constructor(private readonly view: View, private readonly report: () => Report, private readonly changed: () => void) {
    const toggle = (key: Exclude<keyof Layers, "arrowScale">, text: string): HTMLElement =>
      check(text, this.layers[key] === true, (on) => {
        this.layers[key] = on;
        this.apply();
      });
    const scale = h("input", { type: "range", min: "-1", max: "1", step: "0.05", value: "0", "aria-label": "Length of arrows" });
    scale.addEventListener("input", () => {
      this.layers.arrowScale = 10 ** Number(scale.value);
      this.apply();
    });
    this.element = h("details", { class: "canvas-show" }, h("summary", {}, "Show"),
      h("div", { class: "canvas-show-list" },
        toggle("names", "Names"), toggle("points", "Points"), toggle("centres", "Centres of mass"),
        toggle("velocity", "Velocity"), toggle("acceleration", "Acceleration"), toggle("reactions", "Reactions"), toggle("forces", "Forces"),
        h("label", { class: "slider" }, h("span", {}, "Arrows"), scale),
        h("p", { class: "canvas-show-title" }, "Curves"), this.trails));
    this.element.addEventListener("keydown", (event) => { event.stopPropagation(); });
    view.setLayers(this.layers);
  }

  private apply(): void {
    this.view.setLayers(this.layers);
    this.changed();
  }

  isTraced(point: string): boolean {
    return this.chosen.get(point) ?? defaultTrails(this.report()).includes(point);
  }

  trace(point: string, on: boolean): void {
    this.chosen.set(point, on);
    this.listed = "";
    this.follow();
    this.changed();
  }

  /** Other results: the same points draw their curves. */
  follow(): void {
    const report = this.report();
    const points = tracePoints(report);
    const usual = new Set(defaultTrails(report));
    const on = points.filter((name) => this.chosen.get(name) ?? usual.has(name));
    this.traced = report.samples > 1 ? on : [];
    this.view.setTrails([...this.traced], Infinity);
    const listed = `${points.join(" ")} ${on.join(" ")}`;
    if (listed === this.listed) return;
    this.listed = listed;
    this.trails.replaceChildren(...points.map((name) => check(name, on.includes(name), (ticked) => { this.trace(name, ticked); })));
  }
}
