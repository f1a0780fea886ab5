// Joints, drivers and forces: what stands still is drawn once below the bodies, the rest above or below them each frame.

import type { Report } from "../report";
import type { SceneElement, SymbolName } from "../scene";
import { bodyAlpha, type BodyPainter } from "./bodies";
import type { Camera } from "./camera";
import type { Layout } from "./layout";
import type { Pen } from "./pen";
import type { Poses, Spot } from "./pose";
import { Symbols } from "./symbols";
import { pullColours } from "./tension";
import { TrackPainter } from "./tracks";

const a: Spot = { x: 0, y: 0 };
const b: Spot = { x: 0, y: 0 };
const origin = [0, 0];

/** What stands on a foot where it is held by the ground. */
export const footed = new Set<SymbolName>(["pin", "weld", "rod", "cylinder", "spring"]);

export class ElementPainter {
  private readonly symbols: Symbols;
  private readonly tracks: TrackPainter;
  /** Forces whose arrows are drawn to scale: their symbols are not drawn. */
  scaled = new Set<string>();

  constructor(
    private readonly report: Report, private readonly layout: Layout, private readonly poses: Poses,
    private readonly camera: Camera, private readonly pen: Pen, private readonly bodies: BodyPainter,
  ) {
    this.symbols = new Symbols(pen);
    this.tracks = new TrackPainter(report, poses, camera, pen, bodies);
  }

  private screen(body: number | undefined, p: number[] | undefined, out: Spot): Spot {
    return this.camera.project(this.poses.place(body ?? 0, p ?? origin, out));
  }

  private get elements(): SceneElement[] {
    return this.report.scene.elements;
  }

  private get pin(): number {
    return this.pen.unit / 3.6;
  }

  /** The ground's side of joints, which never moves. */
  ground(): void {
    this.tracks.stops();
    for (const e of this.elements) {
      this.tracks.ground(e);
      if (e.symbol === "parallel") this.groundLine(e);
      if (e.curve && e.i === 0) this.curve(e);
    }
  }

  /** The line of the ground that another keeps parallel to, which no body shows. */
  private groundLine(e: SceneElement): void {
    const line = e.i === 0 ? e.line_i : e.j === 0 ? e.line_j : undefined;
    if (!line) return;
    this.screen(0, line[0], a);
    this.screen(0, line[1], b);
    const c = this.pen.context;
    c.setLineDash([10, 4, 2, 4]);
    this.pen.line(a.x, a.y, b.x, b.y, this.pen.colours.ground, 1.25);
    c.setLineDash([]);
  }

  /** What lies on the wheels, and under the bars and plates. */
  below(): void {
    for (const e of this.elements) this.foot(e);
    for (const e of this.layout.gearing.unsized) this.dashed(e);
  }

  /** Slots and racks of a moving body. */
  cut(body: number): void {
    for (const e of this.elements) {
      if (e.i !== body) continue;
      if (e.symbol === "slot") this.tracks.slot(e);
      if (e.rack) this.tracks.rack(e);
    }
  }

  /** What lies on the bodies, nearly in the order of `jounce draw` (draw_plane.cpp), where feet are on top as well. */
  above(sample: number): void {
    for (const e of this.elements) if (e.curve && e.i !== 0) this.curve(e);
    for (const e of this.elements) if (e.symbol === "slider") this.slider(e);
    for (const e of this.elements) this.roller(e);
    for (const e of this.elements) this.between(e, sample);
    // Where parts turn about a place at which others are welded the pin is seen.
    for (const e of this.elements) if (e.symbol === "weld") this.weld(e);
    for (const e of this.elements) this.pins(e);
    for (const e of this.elements) this.drive(e, sample);
    for (const e of this.elements) if (e.symbol === "mark" && !e.curve) this.marks(e);
  }

  /** What connects two places. */
  private between(e: SceneElement, sample: number): void {
    const { pen, symbols } = this;
    if (e.symbol === "spring" || e.symbol === "cylinder") this.strut(e);
    else if (e.symbol === "bushing") symbols.bushing(this.screen(e.i, e.pi, a));
    else if (e.symbol === "parallel") {
      this.parallelMark(e.i, e.line_i);
      this.parallelMark(e.j, e.line_j);
    } else if (e.symbol === "rod") {
      this.screen(e.i, e.pi, a);
      this.screen(e.j, e.pj, b);
      const { fill, edge } = pullColours(this.report, e.name, sample, pen.colours) ?? { fill: pen.colours.grid, edge: pen.colours.ink };
      pen.capsule(a.x, a.y, b.x, b.y, pen.unit * 0.5, fill, edge);
    }
  }

  /** Of what the ground holds. */
  private foot(e: SceneElement): void {
    const onGround = e.i === 0 ? e.pi : e.j === 0 ? e.pj : undefined;
    if (!onGround || !footed.has(e.symbol)) return;
    this.screen(0, onGround, a);
    this.pen.pedestal(a.x, a.y, e.hangs === true);
  }

  /** What moves it. */
  private drive(e: SceneElement, sample: number): void {
    const { pen, symbols } = this;
    if (e.symbol === "spiral") {
      this.screen(e.j, e.at_j, a);
      const from = this.poses.angle(e.i ?? 0);
      symbols.rotary(a, -from, this.poses.angle(e.j ?? 0) - from, this.parts(e), e.around ?? 0);
    } else if (e.symbol === "turn" || e.symbol === "motor") {
      this.screen(e.j, e.at_j, a);
      if (e.symbol === "motor") symbols.motor(a, 4.3 * this.pin);
      else pen.turn(a.x, a.y, 4.3 * this.pin, pen.colours.motor);
    } else if (e.symbol === "push") this.push(e);
    else if (e.symbol === "moment") {
      this.screen(e.j, this.report.scene.bodies[e.j ?? 0]?.com ?? origin, a);
      const clockwise = this.report.info(`${e.name}.torque`) !== undefined && this.report.at(`${e.name}.torque`, sample) < 0;
      pen.turn(a.x, a.y, pen.unit * 1.25, pen.colours.force, clockwise);
    } else if (e.symbol === "force") this.force(e, sample);
  }

  private weld(e: SceneElement): void {
    this.screen(e.j, e.pj, a);
    const { ink } = this.pen.colours;
    const s = Math.max(7, this.pen.unit * 0.55);
    this.pen.block(a.x, a.y, Math.SQRT1_2, Math.SQRT1_2, s, s, ink, ink);
  }

  /** The places that an equation is about, and its ropes. */
  private marks(e: SceneElement): void {
    for (const [from, to] of e.distances ?? []) {
      this.screen(from?.body, from?.p, a);
      this.screen(to?.body, to?.p, b);
      this.pen.line(a.x, a.y, b.x, b.y, this.pen.colours.ink, 2);
    }
    this.mark(e.j, e.pj);
    for (const { body, p } of e.marks ?? []) this.mark(body, p);
  }

  private parts(e: SceneElement): { elastic: boolean; damped: boolean; friction: boolean; actuated: boolean } {
    return { elastic: (e.stiffness ?? 0) > 0, damped: e.damping !== undefined, friction: e.friction === true, actuated: e.actuated === true };
  }

  private strut(e: SceneElement): void {
    this.screen(e.i, e.pi, a);
    this.screen(e.j, e.pj, b);
    const [least, most] = (e.span ?? [0, 0]).map((length) => length * this.camera.scale);
    const parts = { ...this.parts(e), least: least ?? 0, most: most ?? 0 };
    if (e.symbol === "cylinder") this.symbols.cylinder(a, b, parts);
    else this.symbols.strut(a, b, parts);
  }

  private mark(body: number | undefined, p: number[] | undefined): void {
    this.screen(body, p, a);
    const s = Math.max(7, this.pen.unit * 0.6);
    this.pen.block(a.x, a.y, Math.SQRT1_2, Math.SQRT1_2, s, s, this.pen.colours.background, this.pen.colours.ink);
  }

  private pins(e: SceneElement): void {
    if (e.symbol === "pin" || e.symbol === "slot" || e.symbol === "wheel") {
      this.screen(e.j, e.symbol === "wheel" ? e.centre_j : e.pj, a);
      if (e.symbol === "pin" && e.friction) this.symbols.brake(a, -this.poses.angle(e.i ?? 0), 1.5 * this.pin);
      this.pen.pin(a.x, a.y);
    } else if (e.pi && e.pj && e.symbol !== "weld" && e.symbol !== "bushing") {
      this.screen(e.i, e.pi, a);
      this.screen(e.j, e.pj, b);
      this.pen.pin(a.x, a.y);
      this.pen.pin(b.x, b.y);
    }
  }

  /** The outline of a cam, or the middle of a slot. */
  private curve(e: SceneElement): void {
    const c = this.pen.context;
    c.beginPath();
    for (const p of e.curve ?? []) {
      this.screen(e.i, p, a);
      c.lineTo(a.x, a.y);
    }
    const { fill, edge } = this.bodies.colours(e.i ?? 1);
    if (e.round) {
      c.closePath();
      c.globalAlpha = 0.7;
      c.fillStyle = fill;
      c.fill();
      c.globalAlpha = 1;
    }
    c.lineJoin = "round";
    c.strokeStyle = edge;
    c.lineWidth = 1.75;
    c.stroke();
  }

  /** What rolls on a curve. */
  private roller(e: SceneElement): void {
    if (e.roller === undefined || !e.pj) return;
    this.screen(e.j, e.pj, a);
    const { fill, edge } = this.bodies.colours(e.j ?? 1);
    const c = this.pen.context;
    c.globalAlpha = bodyAlpha;
    this.pen.circle(a.x, a.y, e.roller * this.camera.scale, fill, null);
    c.globalAlpha = 1;
    this.pen.circle(a.x, a.y, e.roller * this.camera.scale, null, edge);
    this.pen.pin(a.x, a.y);
  }

  private slider(e: SceneElement): void {
    if (!e.line_i || !e.block || e.block.along) return;
    this.screen(e.i, e.line_i[0], a);
    this.screen(e.i, e.line_i[1], b);
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const d = { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
    this.screen(e.j, e.block.at, a);
    const { fill, edge } = this.bodies.colours(e.j ?? 1);
    this.pen.block(a.x, a.y, d.x, d.y, 10.4 * this.pin, 4.2 * this.pin, fill, edge);
    // On the screen the left of a line is the other side.
    const face = { x: a.x + d.y * e.block.side * 2.1 * this.pin, y: a.y - d.x * e.block.side * 2.1 * this.pin };
    if (e.friction) this.symbols.rubbing(face, d, -e.block.side);
    if (e.j !== 0) return;
    const reach = 5.2 * this.pin;
    this.pen.hatch(face.x - d.x * reach, face.y - d.y * reach, face.x + d.x * reach, face.y + d.y * reach, -e.block.side * 0.5 * this.pen.unit);
  }

  private dashed(e: SceneElement): void {
    this.screen(e.i, e.centre_i, a);
    this.screen(e.j, e.centre_j, b);
    const c = this.pen.context;
    c.setLineDash([3, 5]);
    this.pen.line(a.x, a.y, b.x, b.y, this.pen.colours.faint, 1.25);
    c.setLineDash([]);
  }

  /** A driver along a line: an arrow beside the driven point. */
  private push(e: SceneElement): void {
    let ux = e.what === "y" ? 0 : 1;
    let uy = e.what === "y" ? -1 : 0;
    if (e.line_i) {
      this.screen(e.i, e.line_i[0], a);
      this.screen(e.i, e.line_i[1], b);
      const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
      ux = (b.x - a.x) / length;
      uy = (b.y - a.y) / length;
    }
    this.screen(e.j, e.pj, a);
    if (e.what === "phi") {
      this.pen.turn(a.x, a.y, 4.3 * this.pin, this.pen.colours.motor);
      return;
    }
    // Above what it moves, or on its right.
    const side = ux > 0 ? -1 : 1;
    const [x, y] = [-uy, ux].map((across) => across * side * (2.1 * this.pin + 5));
    const [back, ahead] = [1.8 * this.pin, 5 * this.pin];
    this.pen.arrow(a.x + (x ?? 0) - ux * back, a.y + (y ?? 0) - uy * back, ux * (back + ahead), uy * (back + ahead), this.pen.colours.motor);
  }

  /** A force as an arrow along its components where the run has them, else as a marked point. */
  private force(e: SceneElement, sample: number): void {
    if (this.scaled.has(e.name)) return;
    this.screen(e.j, e.pj, a);
    if (!this.report.info(`${e.name}.fx`)) {
      this.pen.circle(a.x, a.y, this.pen.unit * 0.75, null, this.pen.colours.force, 2);
      return;
    }
    const fx = this.report.at(`${e.name}.fx`, sample);
    const fy = this.report.at(`${e.name}.fy`, sample);
    const size = Math.hypot(fx, fy);
    if (!(size > 0)) return;
    const reach = this.pen.unit * 3.5;
    this.pen.arrow(a.x - (fx / size) * reach, a.y + (fy / size) * reach, (fx / size) * reach, (-fy / size) * reach, this.pen.colours.force, 2.5);
  }

  private parallelMark(body: number | undefined, line: number[][] | undefined): void {
    if (!line) return;
    this.screen(body, line[0], a);
    this.screen(body, line[1], b);
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const ux = (b.x - a.x) / length;
    const uy = (b.y - a.y) / length;
    const half = this.pen.unit * 0.5;
    for (const at of [-0.22, 0.22]) {
      const x = (a.x + b.x) / 2 + ux * at * this.pen.unit;
      const y = (a.y + b.y) / 2 + uy * at * this.pen.unit;
      this.pen.line(x - (ux - uy) * half, y - (uy + ux) * half, x + (ux - uy) * half, y + (uy + ux) * half, this.pen.colours.ink, 1.5);
    }
  }
}
