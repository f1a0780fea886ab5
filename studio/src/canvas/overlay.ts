// What lies over the drawing while a hand works: handles, what is selected or under the pointer, previews of what a click would make.

import { palette } from "../../../report/src/plane/palette";
import type { Palette } from "../../../report/src/plane/palette";
import type { Theme } from "../../../report/src/view";
import { isPin, type Spot } from "../text/sketch";
import { arrowOf, lineOf, motorPlace, pointsOf, type Hit } from "./hit";
import type { Stage } from "./stage";

export interface Colours {
  accent: string;
  soft: string;
  problem: string;
  paper: string;
  ink: string;
  chip: string;
  chipText: string;
}

const colours: Record<Theme, Colours> = {
  light: { accent: "#0b62c4", soft: "rgba(11, 98, 196, 0.20)", problem: "#c4311d", paper: "#ffffff", ink: "#1b2430", chip: "rgba(27, 36, 48, 0.92)", chipText: "#ffffff" },
  dark: { accent: "#6cb2ff", soft: "rgba(108, 178, 255, 0.24)", problem: "#ff8370", paper: "#151a21", ink: "#e8edf3", chip: "rgba(232, 237, 243, 0.94)", chipText: "#151a21" },
};

const font = "12px system-ui, sans-serif";

export class Overlay {
  readonly canvas = document.createElement("canvas");
  private readonly c: CanvasRenderingContext2D;
  private ratio = 1;
  theme: Theme = "light";
  /** Under the pointer. */
  hovered: Hit = {};
  /** Joints that keep a hand from going on. */
  held: readonly string[] = [];
  /** A point that is held by a spring, and the hand, in metres. */
  tug: [Spot, Spot] | null = null;
  /** Corners of a rubber band. */
  band: [Spot, Spot] | null = null;
  /** Whether a tool that draws is at work, so that the grid is of use. */
  gridded = false;
  /** What the tool at work shows. */
  preview: ((overlay: Overlay) => void) | null = null;
  /** Words at a place on the screen. */
  chip: { at: Spot; text: string } | null = null;
  focused = false;
  /** Points that draw their curves. */
  traced: () => readonly string[] = () => [];

  constructor(private readonly stage: Stage) {
    const made = this.canvas.getContext("2d");
    if (!made) throw new Error("this browser gives no 2-D canvas to draw on");
    this.c = made;
    this.canvas.className = "canvas-overlay";
    this.canvas.setAttribute("aria-hidden", "true");
  }

  get colours(): Colours { return colours[this.theme]; }
  get palette(): Palette { return palette(this.theme); }

  resize(): void {
    const { width, height } = this.stage.camera;
    this.ratio = Math.max(1, window.devicePixelRatio || 1);
    this.canvas.width = Math.round(width * this.ratio);
    this.canvas.height = Math.round(height * this.ratio);
  }

  draw(): void {
    const { c, stage } = this;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, stage.camera.width, stage.camera.height);
    if (!stage.sketch?.plane) return;
    this.hover();
    this.selection();
    if (this.gridded) this.dots();
    this.unknown();
    this.forces();
    this.deadPoints();
    this.handles();
    this.holding();
    if (this.tug) this.line(stage.screen(this.tug[0]), stage.screen(this.tug[1]), this.colours.accent, 2, [4, 3]);
    this.preview?.(this);
    if (this.band) this.rubber(...this.band);
    if (this.chip) this.words(this.chip.at, this.chip.text);
  }

  /** What a hand snaps to. */
  private dots(): void {
    const { c, stage } = this;
    const { step } = stage;
    const { left, right, bottom, top } = stage.box;
    if ((right - left) / step > 600) return;
    c.fillStyle = this.palette.faint;
    c.globalAlpha = 0.4;
    for (let x = Math.ceil(left / step); x * step < right; x += 1)
      for (let y = Math.ceil(bottom / step); y * step < top; y += 1) {
        const [sx, sy] = stage.screen([x * step, y * step]);
        c.fillRect(sx - 0.5, sy - 0.5, 1, 1);
      }
    c.globalAlpha = 1;
  }

  /** Bodies and points that the engine has not drawn (yet). */
  private unknown(): void {
    const { c, stage } = this;
    for (const body of stage.sketch?.bodies.values() ?? []) {
      if (body.name === "ground" || stage.shown(body.name)) continue;
      const corners = stage.outline(body.name);
      c.beginPath();
      for (const [x, y] of corners) c.lineTo(x, y);
      c.closePath();
      c.lineJoin = c.lineCap = "round";
      c.strokeStyle = this.colours.soft;
      c.lineWidth = 2 * stage.linkHalf;
      c.stroke();
      c.fillStyle = this.colours.soft;
      c.fill();
    }
  }

  /** Where on its curve a point is when the mechanism comes to a dead point or could go on in another way. */
  private deadPoints(): void {
    const { c, stage } = this;
    const { shownReport: report } = stage;
    for (const { kind, t } of report.document.events) {
      if (kind !== "dead-point" && kind !== "change-point") continue;
      const sample = report.sampleAt(t);
      for (const name of this.traced()) {
        const [x, y] = stage.screen([report.at(`${name}.x`, sample), report.at(`${name}.y`, sample)]);
        if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
        c.beginPath();
        for (const [dx, dy] of [[0, -6], [6, 0], [0, 6], [-6, 0]] as const) c.lineTo(x + dx, y + dy);
        c.closePath();
        c.fillStyle = kind === "dead-point" ? this.colours.problem : this.palette.force;
        c.fill();
        c.strokeStyle = this.colours.paper;
        c.lineWidth = 1.5;
        c.stroke();
      }
    }
  }

  /** Forces of which the results say nothing: their arrows as the text has them. */
  private forces(): void {
    const { stage } = this;
    for (const element of stage.sketch?.elements ?? []) {
      if (element.type !== "force" || stage.shownReport.info(`${element.name}.fx`)) continue;
      const [at, tail] = lineOf(stage, element);
      if (at && tail) this.arrow(tail, at, this.palette.force);
    }
  }

  /** A rim around a body. */
  private outline(body: string, colour: string, wide: number): void {
    const { c, stage } = this;
    const corners = stage.outline(body);
    if (corners.length === 0) return;
    const path = new Path2D();
    for (const [x, y] of corners) path.lineTo(x, y);
    if (corners.length === 1) path.lineTo((corners[0]?.[0] ?? 0) + 0.01, corners[0]?.[1] ?? 0);
    path.closePath();
    c.save();
    c.lineJoin = c.lineCap = "round";
    c.strokeStyle = colour;
    c.lineWidth = 2 * (stage.linkHalf + wide + 1);
    c.stroke(path);
    // what lies on the body itself stays as it is
    c.globalCompositeOperation = "destination-out";
    c.fillStyle = c.strokeStyle = "#000";
    c.lineWidth = 2 * (stage.linkHalf + 1);
    c.stroke(path);
    c.fill(path);
    c.restore();
  }

  ring([x, y]: Spot, radius: number, colour: string, width = 2, fill: string | null = null): void {
    const { c } = this;
    c.beginPath();
    c.arc(x, y, radius, 0, 2 * Math.PI);
    if (fill) {
      c.fillStyle = fill;
      c.fill();
    }
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.stroke();
  }

  line(from: Spot, to: Spot, colour: string, width = 2, dash: number[] = []): void {
    const { c } = this;
    c.beginPath();
    c.moveTo(...from);
    c.lineTo(...to);
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.setLineDash(dash);
    c.stroke();
    c.setLineDash([]);
  }

  /** A link that is being drawn. */
  bar(from: Spot, to: Spot): void {
    const { c } = this;
    c.lineCap = "round";
    this.line(from, to, this.colours.soft, 2 * this.stage.linkHalf);
    c.lineCap = "butt";
    this.line(from, to, this.colours.accent, 1.25, [5, 4]);
  }

  arrow(from: Spot, to: Spot, colour: string): void {
    const { c } = this;
    const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (long < 4) return;
    const [ux, uy] = [(to[0] - from[0]) / long, (to[1] - from[1]) / long];
    this.line(from, [to[0] - ux * 8, to[1] - uy * 8], colour, 2.5);
    c.beginPath();
    c.moveTo(...to);
    c.lineTo(to[0] - ux * 11 - uy * 5, to[1] - uy * 11 + ux * 5);
    c.lineTo(to[0] - ux * 11 + uy * 5, to[1] - uy * 11 - ux * 5);
    c.closePath();
    c.fillStyle = colour;
    c.fill();
  }

  /** Where a click would set something: a ring on what is there, else a cross. */
  target(at: Spot, existing: boolean): void {
    if (existing) this.ring(at, this.stage.linkHalf + 5, this.colours.accent, 2.5);
    else {
      this.line([at[0] - 7, at[1]], [at[0] + 7, at[1]], this.colours.accent, 1.5);
      this.line([at[0], at[1] - 7], [at[0], at[1] + 7], this.colours.accent, 1.5);
      this.ring(at, 3, this.colours.accent, 1.5, this.colours.paper);
    }
  }

  words([x, y]: Spot, text: string): void {
    const { c, stage } = this;
    c.font = font;
    const lines = text.split("\n");
    const width = Math.max(...lines.map((line) => c.measureText(line).width)) + 16;
    const height = 17 * lines.length + 8;
    const left = Math.max(4, Math.min(stage.camera.width - width - 4, x + 16));
    const top = y - height - 12 < 4 ? y + 20 : y - height - 12;
    c.beginPath();
    c.roundRect(left, top, width, height, 6);
    c.fillStyle = this.colours.chip;
    c.fill();
    c.fillStyle = this.colours.chipText;
    c.textAlign = "left";
    c.textBaseline = "middle";
    lines.forEach((line, k) => { c.fillText(line, left + 8, top + 12.5 + 17 * k); });
  }

  private hover(): void {
    const { stage, hovered } = this;
    const { accent, soft } = this.colours;
    if (hovered.place) this.ring(stage.screen(hovered.place.at), stage.linkHalf + 4, accent, 2);
    else if (hovered.element) this.mark(hovered.element.name, soft, 9);
    else if (hovered.body) this.outline(hovered.body, soft, 4);
  }

  /** A joint, driver or force, wherever it is drawn. */
  private mark(name: string, colour: string, width: number): void {
    const { stage } = this;
    const element = stage.sketch?.element(name);
    if (!element) return;
    const motor = motorPlace(stage, element);
    const [from, to] = lineOf(stage, element);
    if (motor) this.ring(stage.screen(motor), (4.3 / 3.6) * 2 * stage.linkHalf, colour, Math.max(3, width));
    else if (from && to) this.line(from, to, colour, Math.max(4, width));
    else if (isPin(element.type)) {
      const [point] = element.points;
      const at = point && stage.spot(`${point.body}.${point.point}`);
      if (at) this.ring(stage.screen(at), stage.linkHalf + 4, colour, Math.max(3, width / 2));
    } else
      for (const { body, point } of element.points) {
        const at = stage.spot(`${body}.${point}`);
        if (at) this.ring(stage.screen(at), stage.linkHalf + 3, colour, 2.5);
      }
  }

  private selection(): void {
    const { stage } = this;
    const { accent } = this.colours;
    for (const { kind, name } of stage.session.selection) {
      if (kind === "body") this.outline(name, accent, 3);
      else if (kind === "point") {
        const at = stage.spot(name);
        if (at) this.ring(stage.screen(at), stage.linkHalf + 4, accent, 3);
      } else this.mark(name, accent, 3);
    }
  }

  /** Points that no pin shows, and the points of what is selected. */
  private handles(): void {
    const { stage } = this;
    const { accent, paper } = this.colours;
    const { sketch } = stage;
    if (!sketch) return;
    const chosen = new Set(stage.session.selection.flatMap((one) => pointsOf(stage, one)));
    for (const { at, references } of stage.places()) {
      const spot = stage.screen(at);
      const pinned = references.some((one) => sketch.isPinned(one));
      if (references.some((one) => chosen.has(one))) this.ring(spot, 4.5, accent, 2, paper);
      else if (!pinned) this.ring(spot, 3, this.palette.ink, 1.25, paper);
    }
  }

  private holding(): void {
    for (const name of this.held) this.mark(name, this.colours.problem, 5);
  }

  private rubber([x0, y0]: Spot, [x1, y1]: Spot): void {
    const { c } = this;
    c.fillStyle = this.colours.soft;
    c.fillRect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
    c.strokeStyle = this.colours.accent;
    c.lineWidth = 1;
    c.strokeRect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
  }

  /** Where the arrow of a force begins on the screen. */
  tailOf(name: string): Spot | null {
    const element = this.stage.sketch?.element(name);
    const on = element?.points[0];
    const at = on && this.stage.spot(`${on.body}.${on.point}`);
    if (!element || !at) return null;
    const [sx, sy] = this.stage.screen(at);
    const [x, y] = arrowOf(this.stage, element);
    return [sx - x, sy - y];
  }
}
