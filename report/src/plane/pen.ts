// Strokes and symbols in pixels, drawn on a canvas that already has the device's pixel ratio as its transform.

import { SvgInk, type Ink } from "../ink";
import type { Palette } from "./palette";

export class Pen {
  /** Width of a link in pixels: all symbols are sized by it. */
  unit = 14;

  constructor(public context: Ink, public colours: Palette) {}

  /** Whether a path can be kept, and drawn again under another transform: one of an SVG is where it was made. */
  get keepsPaths(): boolean {
    return !(this.context instanceof SvgInk);
  }

  /** A path to be drawn now or again. */
  path(): Path2D {
    return this.context instanceof SvgInk ? this.context.newPath() : new Path2D();
  }

  line(x0: number, y0: number, x1: number, y1: number, colour: string, width: number): void {
    const c = this.context;
    c.beginPath();
    c.moveTo(x0, y0);
    c.lineTo(x1, y1);
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.stroke();
  }

  circle(x: number, y: number, radius: number, fill: string | null, edge: string | null, width = 1.5): void {
    const c = this.context;
    c.beginPath();
    c.arc(x, y, Math.max(0.1, radius), 0, 2 * Math.PI);
    if (fill) {
      c.fillStyle = fill;
      c.fill();
    }
    if (edge) {
      c.strokeStyle = edge;
      c.lineWidth = width;
      c.stroke();
    }
  }

  /** Short strokes on the right of a line (looking from its first end on the screen): the sign of what stands still. */
  hatch(x0: number, y0: number, x1: number, y1: number, depth: number): void {
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (length < 2) return;
    const ux = (x1 - x0) / length;
    const uy = (y1 - y0) / length;
    const c = this.context;
    const pitch = Math.max(4, Math.abs(depth) * 0.8);
    const strokes = Math.min(400, Math.floor(length / pitch));
    c.beginPath();
    for (let k = 0; k <= strokes; k += 1) {
      const at = (k + 0.5) * (length / (strokes + 1));
      const x = x0 + ux * at;
      const y = y0 + uy * at;
      c.moveTo(x, y);
      c.lineTo(x - uy * depth - ux * depth * 0.7, y + ux * depth - uy * depth * 0.7);
    }
    c.strokeStyle = this.colours.ground;
    c.lineWidth = 1;
    c.stroke();
    this.line(x0, y0, x1, y1, this.colours.ground, 1.75);
  }

  /** The foot of a pin on the ground, above it where what it holds hangs. */
  pedestal(x: number, y: number, hangs = false): void {
    const p = this.unit / 3.6;
    const down = hangs ? -1 : 1;
    const c = this.context;
    const [top, high, half, ground] = [1.6 * p, 4.4 * p * down, 2.9 * p, 4.2 * p];
    c.beginPath();
    c.moveTo(x - top, y);
    c.lineTo(x - half, y + high);
    c.lineTo(x + half, y + high);
    c.lineTo(x + top, y);
    c.arc(x, y, top, 0, Math.PI, !hangs);
    c.closePath();
    c.fillStyle = this.colours.grid;
    c.fill();
    c.lineJoin = "round";
    c.strokeStyle = this.colours.ground;
    c.lineWidth = 1.5;
    c.stroke();
    this.hatch(x - ground, y + high, x + ground, y + high, down * this.unit * 0.45);
  }

  pin(x: number, y: number): void {
    this.circle(x, y, this.unit * 0.3, this.colours.pin, this.colours.ink, Math.max(1.25, this.unit * 0.11));
  }

  /** A bar with round ends. */
  capsule(x0: number, y0: number, x1: number, y1: number, width: number, fill: string, edge: string, rim = 1.5): void {
    const c = this.context;
    c.lineCap = "round";
    c.beginPath();
    c.moveTo(x0, y0);
    c.lineTo(x1 + (x0 === x1 && y0 === y1 ? 0.01 : 0), y1);
    c.strokeStyle = edge;
    c.lineWidth = width;
    c.stroke();
    c.strokeStyle = fill;
    c.lineWidth = Math.max(0.5, width - 2 * rim);
    c.stroke();
    c.lineCap = "butt";
  }

  /** A rectangle about a centre, turned to the direction (ux, uy). */
  block(x: number, y: number, ux: number, uy: number, length: number, height: number, fill: string, edge: string, alpha = 1): void {
    const c = this.context;
    const lx = (ux * length) / 2;
    const ly = (uy * length) / 2;
    const hx = (-uy * height) / 2;
    const hy = (ux * height) / 2;
    c.beginPath();
    c.moveTo(x - lx - hx, y - ly - hy);
    c.lineTo(x + lx - hx, y + ly - hy);
    c.lineTo(x + lx + hx, y + ly + hy);
    c.lineTo(x - lx + hx, y - ly + hy);
    c.closePath();
    c.globalAlpha = alpha;
    c.fillStyle = fill;
    c.fill();
    c.globalAlpha = 1;
    c.lineJoin = "round";
    c.strokeStyle = edge;
    c.lineWidth = 1.5;
    c.stroke();
  }

  /** A circular arrow, counter-clockwise. */
  turn(x: number, y: number, radius: number, colour: string, clockwise = false): void {
    const c = this.context;
    const start = (clockwise ? 1.05 : -0.35) * Math.PI;
    const end = (clockwise ? -0.35 : 1.05) * Math.PI;
    c.beginPath();
    c.arc(x, y, radius, -start, -end, !clockwise);
    c.strokeStyle = colour;
    c.lineWidth = Math.max(1.75, this.unit * 0.15);
    c.stroke();
    const tipX = x + radius * Math.cos(end);
    const tipY = y - radius * Math.sin(end);
    const way = clockwise ? -1 : 1;
    this.head(tipX, tipY, -way * Math.sin(end), -way * Math.cos(end), this.unit * 0.55, colour);
  }

  /** An arrow head with its tip a little beyond (x, y). */
  head(x: number, y: number, ux: number, uy: number, size: number, colour: string): void {
    const c = this.context;
    c.beginPath();
    c.moveTo(x + ux * size * 0.6, y + uy * size * 0.6);
    c.lineTo(x - ux * size * 0.5 - uy * size * 0.42, y - uy * size * 0.5 + ux * size * 0.42);
    c.lineTo(x - ux * size * 0.5 + uy * size * 0.42, y - uy * size * 0.5 - ux * size * 0.42);
    c.closePath();
    c.fillStyle = colour;
    c.fill();
  }

  arrow(x: number, y: number, dx: number, dy: number, colour: string, width = 2): void {
    const length = Math.hypot(dx, dy);
    if (length < 1.5) return;
    const size = Math.min(10, length * 0.6);
    const ux = dx / length;
    const uy = dy / length;
    this.line(x, y, x + dx - ux * size * 0.9, y + dy - uy * size * 0.9, colour, width);
    this.head(x + dx - ux * size * 0.6, y + dy - uy * size * 0.6, ux, uy, size, colour);
  }

  /** The quartered disc of a centre of mass, turned with its body. */
  centre(x: number, y: number, angle: number): void {
    const c = this.context;
    const radius = Math.max(5, this.unit * 0.42);
    this.circle(x, y, radius, this.colours.background, this.colours.ink, 1.25);
    c.fillStyle = this.colours.ink;
    for (let quarter = 0; quarter < 2; quarter += 1) {
      const from = -angle + quarter * Math.PI;
      c.beginPath();
      c.moveTo(x, y);
      c.arc(x, y, radius, from, from + Math.PI / 2);
      c.closePath();
      c.fill();
    }
  }

  /** Text with a halo that parts it from what lies under it. */
  text(words: string, x: number, y: number, colour: string, font: string, align: CanvasTextAlign = "center"): void {
    const c = this.context;
    c.font = font;
    c.textAlign = align;
    c.textBaseline = "middle";
    c.lineJoin = "round";
    c.strokeStyle = this.colours.background;
    c.lineWidth = 4;
    c.strokeText(words, x, y);
    c.fillStyle = colour;
    c.fillText(words, x, y);
  }
}
