// What bodies slide and roll on: guides, slots, tracks, racks and rails. They reach as far as the motion does, which the program has put into the scene.

import type { Report } from "../report";
import type { SceneElement } from "../scene";
import type { BodyPainter } from "./bodies";
import type { Camera } from "./camera";
import { onLine } from "./layout";
import type { Pen } from "./pen";
import type { Poses, Spot } from "./pose";

const a: Spot = { x: 0, y: 0 };
const b: Spot = { x: 0, y: 0 };
const origin = [0, 0];

export class TrackPainter {
  constructor(
    private readonly report: Report, private readonly poses: Poses, private readonly camera: Camera, private readonly pen: Pen,
    private readonly bodies: BodyPainter,
  ) {}

  private screen(body: number | undefined, p: number[] | undefined, out: Spot): Spot {
    return this.camera.project(this.poses.place(body ?? 0, p ?? origin, out));
  }

  private get pin(): number {
    return this.pen.unit / 3.6;
  }

  /** What the ground has of an element. */
  ground(e: SceneElement): void {
    if (e.symbol === "slider" && e.i === 0) this.guide(e);
    else if (e.symbol === "slot" && e.i === 0 && !this.rolls(e)) this.groundSlot(e);
    else if (e.symbol === "wheel" && e.i === 0) {
      if (e.rack) this.rack(e);
      else this.track(e);
    } else if (e.symbol === "guide" && e.i === undefined && e.what !== "phi") this.rail(e);
  }

  /** What points come against; the ground is behind it. */
  stops(): void {
    const more = 5 * this.pin;
    for (const { upright, at, side, span } of this.report.scene.walls ?? []) {
      const depth = side * Math.min(9, this.pen.unit * 0.5);
      const { camera } = this;
      if (upright) this.pen.hatch(camera.sx(at), camera.sy(span[0]) + more, camera.sx(at), camera.sy(span[1]) - more, -depth);
      else this.pen.hatch(camera.sx(span[0]) - more, camera.sy(at), camera.sx(span[1]) + more, camera.sy(at), depth);
    }
  }

  /** A slot in a moving body. */
  slot(e: SceneElement): void {
    if (this.rolls(e) || !this.stretch(e, 0.4 * this.pin, 0)) return;
    const { edge } = this.bodies.colours(e.i ?? 1);
    this.pen.capsule(a.x, a.y, b.x, b.y, 2.6 * this.pin, this.pen.colours.background, edge, 1.25);
  }

  /** True for a slot that only keeps a wheel on its track. */
  private rolls(slot: SceneElement): boolean {
    return this.report.scene.elements.some((e) => e.symbol === "wheel" && e.i === slot.i && e.j === slot.j
      && e.centre_j?.[0] === slot.pj?.[0] && e.centre_j?.[1] === slot.pj?.[1]);
  }

  /** Ends on the screen of the stretch of a line that is used, in a and b; false where there is no line. */
  private stretch(e: SceneElement, margin: number, shift: number): boolean {
    if (!e.span || !e.line_i) return false;
    const more = margin / this.camera.scale;
    const left = shift / this.camera.scale;
    this.screen(e.i, onLine(e, e.span[0] - more, left), a);
    this.screen(e.i, onLine(e, e.span[1] + more, left), b);
    return true;
  }

  /** A hatched line; the strokes are on the side of the line's left (1) or right. */
  private wall(side: number): void {
    this.pen.hatch(a.x, a.y, b.x, b.y, -side * Math.min(9, this.pen.unit * 0.5));
  }

  /** The ground beside a slider: on both sides of a body that is the block itself. */
  private guide(e: SceneElement): void {
    const { block } = e;
    const { unit } = this.pen;
    if (!block || !e.span) return;
    if (!block.along || !block.beside) {
      this.stretch(e, 7.5 * this.pin, block.side * 2.1 * this.pin);
      this.wall(block.side);
      return;
    }
    const same = this.alike(e) ? 1 : -1;
    const [low, high] = same > 0 ? block.along : [-block.along[1], -block.along[0]];
    const more = (0.55 * unit) / this.camera.scale;
    const ends = block.both === false ? [block.side * same > 0 ? Math.max(...block.beside) : Math.min(...block.beside)] : block.beside;
    for (const end of ends) {
      const beside = same * end + (Math.sign(same * end) * 1.5) / this.camera.scale;
      this.screen(e.i, onLine(e, e.span[0] + low - more, beside), a);
      this.screen(e.i, onLine(e, e.span[1] + high + more, beside), b);
      this.wall(Math.sign(beside));
    }
  }

  /** Whether the block's line runs the way of its guide. */
  private alike(e: SceneElement): boolean {
    const along = (body: number | undefined, line: number[][] | undefined): number[] => {
      const from = this.poses.place(body ?? 0, line?.[0] ?? origin, { x: 0, y: 0 });
      const to = this.poses.place(body ?? 0, line?.[1] ?? origin, { x: 0, y: 0 });
      return [to.x - from.x, to.y - from.y];
    };
    const [x = 0, y = 0] = along(e.i, e.line_i);
    const [u = 0, v = 0] = along(e.j, e.line_j);
    return x * u + y * v >= 0;
  }

  private groundSlot(e: SceneElement): void {
    if (!this.stretch(e, 0.4 * this.pin, 0)) return;
    const below = b.x - a.x >= 0 ? -1 : 1;
    const half = 1.3 * this.pin;
    this.pen.capsule(a.x, a.y, b.x, b.y, 2 * half, this.pen.colours.background, this.pen.colours.ground);
    this.stretch(e, 1.6 * this.pin, below * 1.6 * this.pin);
    this.wall(below);
  }

  private track(e: SceneElement): void {
    const radius = (e.radius ?? 0) * this.camera.scale;
    if (this.stretch(e, 1.3 * Math.abs(radius), radius)) this.wall(Math.sign(radius));
  }

  /** A toothed bar along a line, on the side of its wheel. */
  rack(e: SceneElement): void {
    const { rack, span, radius = 0 } = e;
    if (!rack || !span) return;
    const c = this.pen.context;
    const [reach, sign] = [Math.abs(radius), Math.sign(radius)];
    const to = (along: number, height: number): Spot => this.screen(e.i, onLine(e, along, sign * (reach - height)), a);
    const first = Math.ceil((span[0] - 0.75 * reach - rack.phase) / rack.pitch);
    const last = Math.min(first + 2000, Math.floor((span[1] + 0.75 * reach - rack.phase) / rack.pitch));
    const [back, foot] = [-0.9 * rack.pitch, rack.tooth[0]?.[0] ?? 0];
    c.beginPath();
    const next = (along: number, height: number): void => {
      const at = to(along, height);
      c.lineTo(at.x, at.y);
    };
    const [low, high] = [rack.phase + (first - 0.5) * rack.pitch, rack.phase + (last + 0.5) * rack.pitch];
    next(low, back);
    next(low, foot);
    for (let k = first; k <= last; k += 1) {
      for (const [height, half] of rack.tooth) next(rack.phase + k * rack.pitch - half, height);
      for (const [height, half] of [...rack.tooth].reverse()) next(rack.phase + k * rack.pitch + half, height);
    }
    next(high, foot);
    next(high, back);
    c.closePath();
    const { fill, edge } = this.bodies.colours(e.i ?? 1);
    c.fillStyle = fill;
    c.fill();
    c.lineJoin = "round";
    c.strokeStyle = edge;
    c.lineWidth = 1.5;
    c.stroke();
    if (e.i !== 0) return;
    this.screen(0, onLine(e, low, sign * (reach - back)), a);
    this.screen(0, onLine(e, high, sign * (reach - back)), b);
    this.wall(sign);
  }

  /** The straight line along which a coordinate lets a body's origin move, as the line that rollers stand on. */
  private rail(e: SceneElement): void {
    if (!e.span) return;
    this.screen(e.j, origin, a);
    const beside = e.block?.beside ? 1.5 - e.block.beside[0] * this.camera.scale : 2.1 * this.pin;
    const more = 5 * this.pin;
    const depth = Math.min(9, this.pen.unit * 0.5);
    if (e.what === "x") this.pen.hatch(a.x - beside, this.camera.sy(e.span[1]) - more, a.x - beside, this.camera.sy(e.span[0]) + more, depth);
    else this.pen.hatch(this.camera.sx(e.span[0]) - more, a.y + beside, this.camera.sx(e.span[1]) + more, a.y + beside, depth);
  }
}
