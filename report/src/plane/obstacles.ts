// What a name should not lie on, as capsules on the screen: pins, bars and plates, wheels, springs, feet and motors.

import type { Report } from "../report";
import type { SceneElement } from "../scene";
import type { Camera } from "./camera";
import { footed } from "./elements";
import type { Layout } from "./layout";
import type { Poses, Spot } from "./pose";

/** A stroke with round ends in pixels. */
export interface Capsule {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  radius: number;
}

export interface Obstacle extends Capsule {
  /** How bad it is to lie on it. */
  weight: number;
  /** The body whose own part this is, 0 for all others. */
  body: number;
}

function toSegment(x: number, y: number, s: Capsule): number {
  const dx = s.x1 - s.x0;
  const dy = s.y1 - s.y0;
  const square = dx * dx + dy * dy;
  const part = square > 0 ? Math.max(0, Math.min(1, ((x - s.x0) * dx + (y - s.y0) * dy) / square)) : 0;
  return Math.hypot(x - s.x0 - part * dx, y - s.y0 - part * dy);
}

function sideOf(s: Capsule, x: number, y: number): number {
  return (s.x1 - s.x0) * (y - s.y0) - (s.y1 - s.y0) * (x - s.x0);
}

/** How deep two capsules lie in each other; below zero it is the room between them, at least as far as `enough`. */
export function depth(a: Capsule, b: Capsule, enough = 12): number {
  const reach = a.radius + b.radius;
  const apart = reach + enough;
  if (Math.max(a.x0, a.x1) + apart < Math.min(b.x0, b.x1) || Math.max(b.x0, b.x1) + apart < Math.min(a.x0, a.x1)) return -enough;
  if (Math.max(a.y0, a.y1) + apart < Math.min(b.y0, b.y1) || Math.max(b.y0, b.y1) + apart < Math.min(a.y0, a.y1)) return -enough;
  if (sideOf(a, b.x0, b.y0) * sideOf(a, b.x1, b.y1) < 0 && sideOf(b, a.x0, a.y0) * sideOf(b, a.x1, a.y1) < 0) return reach;
  return reach - Math.min(toSegment(a.x0, a.y0, b), toSegment(a.x1, a.y1, b), toSegment(b.x0, b.y0, a), toSegment(b.x1, b.y1, a));
}

export class Obstacles {
  private readonly a: Spot = { x: 0, y: 0 };
  private readonly b: Spot = { x: 0, y: 0 };

  constructor(
    private readonly report: Report, private readonly layout: Layout, private readonly poses: Poses, private readonly camera: Camera,
  ) {}

  /** All of them with the bodies as they are placed now. */
  now(unit: number): Obstacle[] {
    const found: Obstacle[] = [];
    for (const e of this.report.scene.elements) this.ofElement(e, unit, found);
    this.ofBodies(unit, found);
    return found;
  }

  /** Pins only, which are looked at in every frame. */
  pins(unit: number): Obstacle[] {
    const found: Obstacle[] = [];
    for (const e of this.report.scene.elements) this.pinsOf(e, unit, found);
    return found;
  }

  private screen(body: number | undefined, p: number[] | undefined, out: Spot): Spot {
    return this.camera.project(this.poses.place(body ?? 0, p ?? [0, 0], out));
  }

  private round(at: Spot, radius: number, weight: number, body = 0): Obstacle {
    return { x0: at.x, y0: at.y, x1: at.x, y1: at.y, radius, weight, body };
  }

  private pinsOf(e: SceneElement, unit: number, found: Obstacle[]): void {
    const pinned = e.symbol === "pin" || e.symbol === "slot" || e.symbol === "mark" || (e.pi !== undefined && e.pj !== undefined);
    if (!pinned) return;
    found.push(this.round(this.screen(e.j, e.pj, this.a), 0.36 * unit, 4));
    if (e.pi && e.symbol !== "pin") found.push(this.round(this.screen(e.i, e.pi, this.a), 0.36 * unit, 4));
  }

  private ofElement(e: SceneElement, unit: number, found: Obstacle[]): void {
    this.pinsOf(e, unit, found);
    const { a, b } = this;
    if (e.pi && e.pj && ["spring", "rod", "cylinder"].includes(e.symbol)) {
      this.screen(e.i, e.pi, a);
      this.screen(e.j, e.pj, b);
      found.push({ x0: a.x, y0: a.y, x1: b.x, y1: b.y, radius: 0.5 * unit, weight: 1.2, body: 0 });
    }
    const foot = e.i === 0 ? e.pi : e.j === 0 ? e.pj : undefined;
    if (foot && footed.has(e.symbol)) {
      this.screen(0, foot, a);
      const low = a.y + (e.hangs === true ? -0.95 : 0.95) * unit;
      found.push({ x0: a.x - unit * 0.6, y0: low, x1: a.x + unit * 0.6, y1: low, radius: 0.6 * unit, weight: 1, body: 0 });
    }
    const turns = e.symbol === "turn" || e.symbol === "motor" || e.symbol === "spiral" || (e.symbol === "push" && e.what === "phi");
    if (turns) found.push(this.round(this.screen(e.j, e.at_j, a), 1.4 * unit, 1.5));
    else if (e.symbol === "moment") found.push(this.round(this.screen(e.j, this.report.scene.bodies[e.j ?? 0]?.com ?? [0, 0], a), 1.4 * unit, 1.5));
    else if (e.symbol === "slider") {
      if (!e.block?.along) found.push(this.round(this.screen(e.j, e.block?.at, a), 1.1 * unit, 1.2));
      this.guide(e, unit, 0, 0.4, found);
    } else if (e.symbol === "wheel" && e.i === 0) this.guide(e, 0.5 * unit, (e.radius ?? 0) * this.camera.scale, 1, found);
    else if (e.symbol === "push" && e.line_i) found.push(this.round(this.screen(e.j, e.pj, a), 1.8 * unit, 1));
  }

  /** The stretch of a guide that a slider uses, or of a track, which lies beside the line. */
  private guide(e: SceneElement, radius: number, aside: number, weight: number, found: Obstacle[]): void {
    const range = e.span;
    if (!range || !e.line_i) return;
    const { a, b } = this;
    this.screen(e.i, e.line_i[0], a);
    this.screen(e.i, e.line_i[1], b);
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
    const [from, to] = [range[0] * this.camera.scale - 2.4 * radius, range[1] * this.camera.scale + 2.4 * radius];
    const [x, y] = [a.x + uy * aside, a.y - ux * aside];
    found.push({ x0: x + ux * from, y0: y + uy * from, x1: x + ux * to, y1: y + uy * to, radius, weight, body: 0 });
  }

  private ofBodies(unit: number, found: Obstacle[]): void {
    const { a, b } = this;
    for (const { body, corners, wide } of this.layout.outlines) {
      const edges = corners.length > 2 ? corners.length : corners.length - 1;
      for (let k = 0; k < edges; k += 1) {
        this.screen(body, corners[k], a);
        this.screen(body, corners[(k + 1) % corners.length], b);
        // A name may cross the edge of its own plate sooner than a bar.
        found.push({ x0: a.x, y0: a.y, x1: b.x, y1: b.y, radius: 0.5 * unit * wide, weight: corners.length > 2 ? 0.5 : 1, body });
      }
    }
    for (const gear of this.layout.gearing.gears) {
      if (gear.ring) continue;
      found.push(this.round(this.screen(gear.body, gear.centre, a), gear.radius * this.camera.scale, 0.5, gear.body));
    }
    this.report.scene.bodies.forEach((body, index) => {
      const { shape } = body;
      if (index === 0) return;
      if (body.com && body.mass !== null) found.push(this.round(this.screen(index, body.com, a), 6, 0.3));
      if (shape?.radius === undefined) return;
      found.push(this.round(this.screen(index, shape.centre, a), shape.radius * this.camera.scale, 0.5, index));
    });
  }
}
