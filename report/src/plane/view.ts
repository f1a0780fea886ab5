// The drawing of a planar mechanism on a canvas: a still layer of ground, guides and trails, and the moving bodies over it.

import { arrowLayers, Legend } from "../arrow-legend";
import { button } from "../dom";
import { SvgInk } from "../ink";
import { interpolate, type Report } from "../report";
import type { Layers, MakeView, Theme, View } from "../view";
import { Camera, steer, type Box } from "./camera";
import { drawGrid } from "./grid";
import { layout, type Layout } from "./layout";
import { context, Painters } from "./painters";
import { palette } from "./palette";
import { Pen } from "./pen";
import { Poses, type Spot } from "./pose";

const tip: Spot = { x: 0, y: 0 };
/** Of a trail that is drawn anew in every frame. */
const mostTrailPoints = 1000;
/** Steps in which a trail fades. */
const shades = 12;

export interface PlaneOptions {
  /** False: whoever made it pans and zooms, by the camera. */
  steering?: boolean;
}

export class PlaneView implements View {
  readonly element: HTMLElement;
  readonly camera = new Camera();
  private readonly canvas = document.createElement("canvas");
  private readonly still = document.createElement("canvas");
  private readonly sheet = document.createElement("div");
  /** Under the drawing: what lengths of arrows mean. */
  private readonly legend = new Legend();
  private poses: Poses;
  private plan: Layout;
  private readonly surface: CanvasRenderingContext2D;
  private front: Painters;
  private back: Painters;
  /** Where bodies are held, in place of where they are at the sample. */
  private held: ArrayLike<number> | null = null;
  private layers: Layers = { points: false, names: true, centres: false, velocity: false, acceleration: false, reactions: false, arrowScale: 1 };
  private trails: string[] = [];
  /** Seconds that trails reach back. */
  private reach = Infinity;
  private sample = 0;
  private readonly paths = new Map<string, Path2D>();
  private stale = true;
  private readonly stacked = document.createElement("canvas");
  private fitted = true;
  private printing = false;
  private ratio = 1;
  private readonly steering: boolean;

  constructor(private report: Report, host: HTMLElement, { steering = true }: PlaneOptions = {}) {
    this.steering = steering;
    this.poses = new Poses(report);
    this.plan = layout(report, this.poses);
    this.surface = context(this.canvas);
    this.front = new Painters(report, this.plan, this.poses, this.camera, new Pen(this.surface, palette("light")));
    this.back = new Painters(report, this.plan, this.poses, this.camera, new Pen(context(this.still), palette("light")));
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `Drawing of ${report.document.model.name}`);
    const zoom = (factor: number): void => {
      this.camera.zoom(factor, this.camera.width / 2, this.camera.height / 2);
      this.moved();
    };
    const tools = document.createElement("div");
    tools.className = "zoom";
    tools.append(button("+", "Zoom in", () => zoom(1.25)), button("−", "Zoom out", () => zoom(0.8)));
    this.element = document.createElement("div");
    this.element.className = "plane-view";
    this.still.setAttribute("aria-hidden", "true");
    this.sheet.className = "plane-sheet";
    this.sheet.append(this.still, this.canvas, tools);
    this.element.append(this.sheet, this.legend.element);
    host.append(this.element);
    if (steering) steer(this.canvas, this.camera, () => this.moved());
    for (const [event, printing] of [["beforeprint", true], ["afterprint", false]] as const)
      window.addEventListener(event, () => {
        this.printing = printing;
        this.draw(this.sample);
      });
    this.resize();
  }

  /** Other results in the same window: the camera stays, and so do the names of bodies until the next fit. */
  show(report: Report): void {
    const { front, back, camera } = this;
    this.report = report;
    this.poses = new Poses(report);
    this.plan = layout(report, this.poses);
    this.front = new Painters(report, this.plan, this.poses, camera, front.pen);
    this.back = new Painters(report, this.plan, this.poses, camera, back.pen);
    this.front.labels.keep(front.labels);
    this.canvas.setAttribute("aria-label", `Drawing of ${report.document.model.name}`);
    this.stale = true;
    this.writeLegend();
  }

  /** What the motion takes up. */
  get motion(): Box {
    return this.plan.box;
  }

  /** Draws the bodies where they are held: x, y and angle of each, the ground first; null: where they are at the sample. */
  hold(bodies: ArrayLike<number> | null): void {
    this.held = bodies;
    this.draw(this.sample);
  }

  private place(sample: number): void {
    if (this.held) this.poses.set(this.held);
    else this.poses.update(sample);
  }

  /** The camera is elsewhere. */
  moved(): void {
    this.fitted = false;
    this.stale = true;
    this.writeLegend();
    this.draw(this.sample);
  }

  resize(): void {
    const width = Math.max(50, this.sheet.clientWidth);
    const height = Math.max(50, this.sheet.clientHeight);
    this.ratio = Math.max(1, window.devicePixelRatio || 1);
    for (const canvas of [this.canvas, this.still]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(height * this.ratio);
    }
    this.camera.width = width;
    this.camera.height = height;
    if (this.fitted) this.fit();
    else this.moved();
  }

  fit(): void {
    const { box, written } = this.front.arrows.around(this.plan.box, this.layers);
    this.camera.fit(box, Math.max(written ? 44 : 28, 0.08 * Math.min(this.camera.width, this.camera.height)));
    this.fitted = true;
    this.stale = true;
    this.writeLegend();
    this.front.labels.replace();
    this.draw(this.sample);
  }

  /** Symbols keep their size on the screen within limits, so that zooming in shows more and not only larger pins. */
  private unit(): number {
    return Math.max(7, Math.min(30, (this.report.scene.link ?? 0.034 * this.plan.extent) * this.camera.scale));
  }

  draw(sample: number): void {
    this.sample = sample;
    if (this.stale) this.drawStill();
    this.place(sample);
    const { pen } = this.front;
    const c = pen.context;
    pen.unit = this.unit();
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, this.camera.width, this.camera.height);
    this.front.bodies.drawWheels();
    this.front.elements.below();
    for (const outline of this.plan.outlines) {
      this.front.bodies.draw(outline);
      this.front.elements.cut(outline.body);
    }
    this.front.elements.scaled = this.front.arrows.scaled(this.layers);
    this.front.elements.above(sample);
    if (Number.isFinite(this.reach)) this.trails.forEach((name, index) => this.drawTail(name, index));
    else this.trails.forEach((name, index) => this.drawTrail(this.front.pen, name, index, 0.45));
    this.drawTips();
    const written = this.front.labels.draw(() => this.place(sample), this.layers);
    if (!this.held) this.front.arrows.draw(sample, this.layers, written);
    if (this.printing) this.flatten();
  }

  /** The drawing gives way where the legend comes or goes. */
  private writeLegend(): void {
    if (this.legend.write(this.front.arrows.legend(this.layers))) this.resize();
  }

  /** Puts what stands still into the same picture: on paper the upper one is not transparent. */
  private flatten(): void {
    const c = this.surface;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.globalCompositeOperation = "destination-over";
    c.drawImage(this.still, 0, 0);
    c.globalCompositeOperation = "source-over";
  }

  private drawStill(): void {
    this.stale = false;
    this.paths.clear();
    // As a figure of `jounce draw` has it: pixels a metre, and where the ground's origin is.
    this.sheet.dataset.scale = String(this.camera.scale);
    this.sheet.dataset.origin = `${this.camera.sx(0)} ${this.camera.sy(0)}`;
    const { pen } = this.back;
    const c = pen.context;
    pen.unit = this.unit();
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.fillStyle = pen.colours.background;
    c.fillRect(0, 0, this.camera.width, this.camera.height);
    drawGrid(pen, this.camera, this.report);
    this.poses.update(0);
    this.back.elements.ground();
    if (!Number.isFinite(this.reach)) this.trails.forEach((name, index) => this.drawTrail(this.back.pen, name, index, 1));
  }

  private trailColour(index: number): string {
    const colours = this.front.pen.colours.trail;
    return colours[index % colours.length] ?? colours[0] ?? "";
  }

  /** Once behind the bodies in full, and every frame faintly and with fewer points over them, where they would hide it. */
  private drawTrail(pen: Pen, name: string, index: number, alpha: number): void {
    const path = this.trailPath(pen, name, alpha < 1 ? mostTrailPoints : Infinity);
    if (!path) return;
    const c = pen.context;
    c.globalAlpha = alpha;
    c.strokeStyle = this.trailColour(index);
    c.lineWidth = 1.75;
    c.lineJoin = "round";
    c.stroke(path);
    c.globalAlpha = 1;
  }

  /** The last seconds of a path, fading out backwards. */
  private drawTail(name: string, index: number): void {
    const x = this.report.column(`${name}.x`);
    const y = this.report.column(`${name}.y`);
    if (!x || !y) return;
    const c = this.front.pen.context;
    const last = Math.floor(this.sample);
    const first = Math.ceil(this.report.sampleAt((this.report.time[last] ?? 0) - this.reach));
    const stride = Math.max(1, Math.ceil((last - first) / mostTrailPoints));
    c.strokeStyle = this.trailColour(index);
    c.lineWidth = 1.75;
    c.lineJoin = "round";
    for (let shade = 0; shade < shades; shade += 1) {
      const from = first + stride * Math.floor(((last - first) * shade) / (shades * stride));
      const to = shade + 1 === shades ? last : first + stride * Math.floor(((last - first) * (shade + 1)) / (shades * stride));
      c.beginPath();
      for (let k = from; k < to; k += stride) c.lineTo(this.camera.sx(x[k] ?? 0), this.camera.sy(y[k] ?? 0));
      c.lineTo(this.camera.sx(x[to] ?? 0), this.camera.sy(y[to] ?? 0));
      if (shade + 1 === shades) c.lineTo(this.camera.sx(interpolate(x, this.sample)), this.camera.sy(interpolate(y, this.sample)));
      c.globalAlpha = (shade + 1) / shades;
      c.stroke();
    }
    c.globalAlpha = 1;
  }

  /** On the screen; a new one where the camera has moved. */
  private trailPath(pen: Pen, name: string, most: number): Path2D | undefined {
    const key = `${name} ${most}`;
    const known = this.paths.get(key);
    if (known) return known;
    const x = this.report.column(`${name}.x`);
    const y = this.report.column(`${name}.y`);
    if (!x || !y) return undefined;
    const path = pen.path();
    const stride = Math.max(1, Math.ceil(x.length / most));
    for (let k = 0; k < x.length; k += stride) path.lineTo(this.camera.sx(x[k] ?? 0), this.camera.sy(y[k] ?? 0));
    this.paths.set(key, path);
    return path;
  }

  /** The traced points themselves. */
  private drawTips(): void {
    this.trails.forEach((name, index) => {
      const info = this.report.info(`${name}.x`);
      if (!info || (this.held && !info.from)) return;
      if (this.held && info.from) this.camera.project(this.poses.place(info.from.body, info.from.p, tip));
      else Object.assign(tip, { x: this.camera.sx(this.report.at(`${name}.x`, this.sample)), y: this.camera.sy(this.report.at(`${name}.y`, this.sample)) });
      this.front.pen.circle(tip.x, tip.y, 4.5, this.trailColour(index), this.front.pen.colours.background, 1.5);
    });
  }

  setLayers(layers: Layers): void {
    const other = arrowLayers.some((layer) => layers[layer] !== this.layers[layer]);
    this.layers = { ...layers };
    this.writeLegend();
    // What fits goes on to fit where arrows come and go.
    if (other && this.fitted && this.steering) this.fit();
    else this.draw(this.sample);
  }

  setTrails(points: string[], seconds: number): void {
    this.trails = [...points];
    this.reach = seconds;
    this.stale = true;
    this.draw(this.sample);
  }

  setTheme(theme: Theme): void {
    this.front.pen.colours = palette(theme);
    this.back.pen.colours = palette(theme);
    this.writeLegend();
    this.stale = true;
    this.draw(this.sample);
  }

  picture(sample: number): HTMLCanvasElement {
    this.draw(sample);
    const c = context(this.stacked);
    this.stacked.width = this.canvas.width;
    this.stacked.height = this.canvas.height;
    c.drawImage(this.still, 0, 0);
    c.drawImage(this.canvas, 0, 0);
    return this.stacked;
  }

  /** By the same strokes: only what they are put on is another. */
  svg(sample: number): string {
    const { width, height } = this.camera;
    const layers = [this.back.pen, this.front.pen].map((pen) => ({ pen, before: pen.context, ink: new SvgInk(width, height) }));
    const { ratio } = this;
    this.ratio = 1;
    this.stale = true;
    for (const { pen, ink } of layers) pen.context = ink;
    try {
      this.draw(sample);
    } finally {
      for (const { pen, before } of layers) pen.context = before;
      this.ratio = ratio;
      this.stale = true;
      this.draw(sample);
    }
    const [still, moving] = layers.map(({ ink }) => ink);
    return still && moving ? still.finish(this.report.document.model.name, moving) : "";
  }

  dispose(): void {
    this.element.remove();
  }
}

export const makeView: MakeView = (report, host) => new PlaneView(report, host);
