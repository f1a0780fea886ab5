// Joints, drivers and forces: what stands still is drawn once below the bodies, the rest above or below them each frame.

import type { Report } from "../report";
import type { SceneElement, SymbolName } from "../scene";
import type { BodyPainter } from "./bodies";
import type { Camera } from "./camera";
import type { Layout } from "./layout";
import type { Pen } from "./pen";
import type { Poses, Spot } from "./pose";
import { pullColours } from "./tension";

const a: Spot = { x: 0, y: 0 };
const b: Spot = { x: 0, y: 0 };
const origin = [0, 0];

/** What stands on a foot where it is held by the ground. */
export const footed = new Set<SymbolName>(["pin", "weld", "rod", "cylinder", "spring"]);

export class ElementPainter {
  constructor(
    private readonly report: Report, private readonly layout: Layout, private readonly poses: Poses,
    private readonly camera: Camera, private readonly pen: Pen, private readonly bodies: BodyPainter,
  ) {}

  private screen(body: number | undefined, p: number[] | undefined, out: Spot): Spot {
    return this.camera.project(this.poses.place(body ?? 0, p ?? origin, out));
  }

  private get elements(): SceneElement[] {
    return this.report.scene.elements;
  }

  /** The ground's side of joints, which never moves. */
  ground(): void {
    for (const e of this.elements) {
      if (e.symbol === "slider" && e.i === 0) this.guide(e, -0.8);
      else if (e.symbol === "slot" && e.i === 0 && !this.rolls(e)) this.groundSlot(e);
      else if (e.symbol === "wheel" && e.i === 0) this.track(e);
      else if (e.symbol === "guide" && e.i === undefined && e.what !== "phi") this.rail(e);
      else if (e.symbol === "parallel") this.groundLine(e);
    }
    for (const e of this.elements) {
      const onGround = e.i === 0 ? e.pi : e.j === 0 ? e.pj : undefined;
      if (!onGround) continue;
      this.screen(0, onGround, a);
      if (footed.has(e.symbol)) this.pen.pedestal(a.x, a.y);
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

  /** True for a slot that only keeps a wheel on its track. */
  private rolls(slot: SceneElement): boolean {
    return this.elements.some((e) => e.symbol === "wheel" && e.i === slot.i && e.j === slot.j
      && e.centre_j?.[0] === slot.pj?.[0] && e.centre_j?.[1] === slot.pj?.[1]);
  }

  /** What lies under the bodies: guides on moving bodies and links that are no bodies. */
  below(sample: number): void {
    for (const e of this.elements) {
      if (e.symbol === "slider" && e.i !== 0) this.movingGuide(e);
      else if (e.symbol === "rod") {
        this.screen(e.i, e.pi, a);
        this.screen(e.j, e.pj, b);
        const { fill, edge } = pullColours(this.report, e.name, sample, this.pen.colours) ?? { fill: this.pen.colours.grid, edge: this.pen.colours.ink };
        this.pen.capsule(a.x, a.y, b.x, b.y, this.pen.unit * 0.5, fill, edge);
      }
    }
    for (const e of this.layout.gearing.unsized) this.dashed(e);
  }

  /** Wheels that roll, and their tracks on moving bodies: over plates, which would hide them. */
  wheels(): void {
    for (const e of this.elements) if (e.symbol === "wheel") this.wheel(e);
  }

  /** Slots in moving bodies. */
  slots(): void {
    for (const e of this.elements) if (e.symbol === "slot" && e.i !== 0 && !this.rolls(e)) this.slot(e);
  }

  /** What lies on the bodies. */
  above(sample: number): void {
    for (const e of this.elements) if (e.symbol === "slider") this.slider(e);
    for (const e of this.elements) this.fittings(e, sample);
    for (const e of this.elements) this.pins(e);
  }

  private fittings(e: SceneElement, sample: number): void {
    const { pen } = this;
    const elastic = e.symbol === "spring" && (e.stiffness ?? 0) > 0;
    const cylinder = e.symbol === "cylinder" || (e.symbol === "spring" && (!elastic || e.damping !== undefined));
    if (cylinder || e.symbol === "spring") {
      this.screen(e.i, e.pi, a);
      this.screen(e.j, e.pj, b);
      const barrel = 0.82 * (this.layout.ranges.get(e)?.least ?? 0) * this.camera.scale;
      if (cylinder) pen.telescope(a.x, a.y, b.x, b.y, barrel, pen.colours.bodies[0]?.fill ?? pen.colours.pin);
      if (elastic) pen.spring(a.x, a.y, b.x, b.y, (e.free_length || (this.layout.ranges.get(e)?.most ?? 0)) * this.camera.scale);
    } else if (e.symbol === "spiral") {
      this.screen(e.j, e.at_j, a);
      pen.spiral(a.x, a.y, this.poses.angle(e.i ?? 0), this.poses.angle(e.j ?? 0) - this.poses.angle(e.i ?? 0));
    } else if (e.symbol === "turn") {
      this.screen(e.j, e.at_j, a);
      pen.turn(a.x, a.y, pen.unit * 1.25, pen.colours.motor);
    } else if (e.symbol === "push") this.push(e);
    else if (e.symbol === "moment") {
      this.screen(e.j, this.report.scene.bodies[e.j ?? 0]?.com ?? origin, a);
      const clockwise = this.report.info(`${e.name}.torque`) !== undefined && this.report.at(`${e.name}.torque`, sample) < 0;
      pen.turn(a.x, a.y, pen.unit * 1.25, pen.colours.force, clockwise);
    } else if (e.symbol === "force") this.force(e, sample);
    else if (e.symbol === "weld") {
      this.screen(e.j, e.pj, a);
      const s = Math.max(7, pen.unit * 0.55);
      pen.block(a.x, a.y, Math.SQRT1_2, Math.SQRT1_2, s, s, pen.colours.ink, pen.colours.ink);
    } else if (e.symbol === "parallel") {
      this.parallelMark(e.i, e.line_i);
      this.parallelMark(e.j, e.line_j);
    } else if (e.symbol === "mark") {
      this.screen(e.j, e.pj, a);
      const s = Math.max(7, pen.unit * 0.6);
      pen.block(a.x, a.y, Math.SQRT1_2, Math.SQRT1_2, s, s, pen.colours.background, pen.colours.ink);
    }
  }

  private pins(e: SceneElement): void {
    if (e.symbol === "pin" || e.symbol === "slot") {
      this.screen(e.j, e.pj, a);
      this.pen.pin(a.x, a.y);
    } else if (e.pi && e.pj && e.symbol !== "weld") {
      this.screen(e.i, e.pi, a);
      this.screen(e.j, e.pj, b);
      this.pen.pin(a.x, a.y);
      this.pen.pin(b.x, b.y);
    }
  }

  /** Ends on the screen of the stretch of a line that is used, in a and b; false where there is no line. */
  private stretch(e: SceneElement, margin: number, shift: number): boolean {
    const range = this.layout.ranges.get(e);
    const line = e.line_i;
    if (!range || !line) return false;
    this.screen(e.i, line[0], a);
    this.screen(e.i, line[1], b);
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const ux = (b.x - a.x) / length;
    const uy = (b.y - a.y) / length;
    const from = range.least * this.camera.scale - margin;
    const to = range.most * this.camera.scale + margin;
    const x = a.x - uy * shift;
    const y = a.y + ux * shift;
    a.x = x + ux * from;
    a.y = y + uy * from;
    b.x = x + ux * to;
    b.y = y + uy * to;
    return true;
  }

  /** A hatched line beside a slider's path, `side` link widths below it (or left of an upright one). */
  private guide(e: SceneElement, side: number): void {
    if (!this.stretch(e, this.pen.unit * 2.4, 0)) return;
    const forwards = Math.abs(b.x - a.x) > 1e-6 * Math.abs(b.y - a.y) ? b.x > a.x : b.y < a.y;
    const sign = forwards ? 1 : -1;
    this.stretch(e, this.pen.unit * 2.4, -side * sign * this.pen.unit);
    this.pen.hatch(a.x, a.y, b.x, b.y, sign * this.pen.unit * 0.5);
  }

  private groundSlot(e: SceneElement): void {
    if (!this.stretch(e, this.pen.unit * 0.2, 0)) return;
    this.pen.capsule(a.x, a.y, b.x, b.y, this.pen.unit * 1.05, this.pen.colours.background, this.pen.colours.ground);
    this.guide(e, -0.52);
  }

  private track(e: SceneElement): void {
    const shift = -(e.radius ?? 0) * this.camera.scale;
    if (!this.stretch(e, Math.abs(e.radius ?? 0) * this.camera.scale * 1.3, shift)) return;
    this.pen.hatch(a.x, a.y, b.x, b.y, shift > 0 ? this.pen.unit * 0.5 : -this.pen.unit * 0.5);
  }

  /** The straight line along which a coordinate lets a body's origin move, as the line that rollers stand on. */
  private rail(e: SceneElement): void {
    const range = this.layout.ranges.get(e);
    if (!range) return;
    this.screen(e.j, origin, a);
    const { unit } = this.pen;
    if (e.what === "x") {
      const x = a.x - unit * 0.6;
      this.pen.hatch(x, this.camera.sy(range.most) - unit * 1.5, x, this.camera.sy(range.least) + unit * 1.5, unit * 0.5);
    } else {
      const y = a.y + unit * 0.6;
      this.pen.hatch(this.camera.sx(range.least) - unit * 1.5, y, this.camera.sx(range.most) + unit * 1.5, y, unit * 0.5);
    }
  }

  private movingGuide(e: SceneElement): void {
    if (!this.stretch(e, this.pen.unit * 1.6, 0)) return;
    const { fill, edge } = this.bodies.colours(e.i ?? 1);
    this.pen.capsule(a.x, a.y, b.x, b.y, this.pen.unit * 0.6, fill, edge);
  }

  private slot(e: SceneElement): void {
    if (!this.stretch(e, this.pen.unit * 0.15, 0)) return;
    const { edge } = this.bodies.colours(e.i ?? 1);
    this.pen.capsule(a.x, a.y, b.x, b.y, this.pen.unit * 0.86, this.pen.colours.background, edge);
  }

  private slider(e: SceneElement): void {
    if (!e.line_i || !e.line_j) return;
    this.screen(e.i, e.line_i[0], a);
    this.screen(e.i, e.line_i[1], b);
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const ux = (b.x - a.x) / length;
    const uy = (b.y - a.y) / length;
    this.screen(e.j, e.line_j[0], a);
    const { fill, edge } = this.bodies.colours(e.j ?? 1);
    this.pen.block(a.x, a.y, ux, uy, this.pen.unit * 2.9, this.pen.unit * 1.6, fill, edge);
  }

  private wheel(e: SceneElement): void {
    if (e.i !== 0) {
      const shift = -(e.radius ?? 0) * this.camera.scale;
      if (this.stretch(e, Math.abs(shift), shift)) this.pen.line(a.x, a.y, b.x, b.y, this.bodies.colours(e.i ?? 1).edge, 3);
    }
    this.screen(e.j, e.centre_j, a);
    const radius = Math.abs(e.radius ?? 0) * this.camera.scale;
    const { fill, edge } = this.bodies.colours(e.j ?? 1);
    this.pen.circle(a.x, a.y, radius, fill, edge, 2);
    this.pen.circle(a.x, a.y, radius * 0.84, null, edge, 1);
    this.bodies.spoke(a.x, a.y, -this.poses.angle(e.j ?? 1), radius, edge);
  }

  private dashed(e: SceneElement): void {
    this.screen(e.i, e.centre_i, a);
    this.screen(e.j, e.centre_j, b);
    const c = this.pen.context;
    c.setLineDash([3, 5]);
    this.pen.line(a.x, a.y, b.x, b.y, this.pen.colours.faint, 1.25);
    c.setLineDash([]);
  }

  /** A driver along a line: two heads beside the driven point. */
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
      this.pen.turn(a.x, a.y, this.pen.unit * 1.25, this.pen.colours.motor);
      return;
    }
    // So short that the arrows of two drivers of one point do not cross.
    const reach = this.pen.unit * 1.35;
    const x = a.x - uy * -this.pen.unit * 1.5;
    const y = a.y + ux * -this.pen.unit * 1.5;
    this.pen.arrow(x, y, ux * reach, uy * reach, this.pen.colours.motor);
    this.pen.arrow(x, y, -ux * reach, -uy * reach, this.pen.colours.motor);
  }

  /** A force as an arrow along its components where the run has them, else as a marked point. */
  private force(e: SceneElement, sample: number): void {
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
