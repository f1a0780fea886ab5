// Places at which the name of a body may stand: beside a bar, in a plate, in or beside a wheel. A seat goes with its body, so
// that a name never jumps.

import type { Report } from "../report";
import type { Camera } from "./camera";
import { onLine, type Layout, type Outline } from "./layout";
import type { Capsule } from "./obstacles";
import type { Poses, Spot } from "./pose";

export interface Seat {
  body: number;
  /** The point of the body that the name keeps beside. */
  p: number[];
  /** Where from it, in the body's axes or on the screen (y downwards); both zero for a name on the point itself. */
  dx: number;
  dy: number;
  turning: boolean;
  /** How far: in metres, and in widths of a link. */
  metres: number;
  units: number;
  /** Cost of the seat itself, so that of two good ones the more usual is taken. */
  dislike: number;
}

const gap = 4;
const spot: Spot = { x: 0, y: 0 };

/** The capsule that a name of some width and height covers in a seat, with the bodies as they are placed now. */
export function cover(seat: Seat, width: number, height: number, unit: number, poses: Poses, camera: Camera, out: Capsule): Capsule {
  camera.project(poses.place(seat.body, seat.p, spot));
  let { dx, dy } = seat;
  if (seat.turning) {
    const c = poses.cosine(seat.body);
    const s = poses.sine(seat.body);
    [dx, dy] = [c * dx - s * dy, -(s * dx + c * dy)];
  }
  const half = Math.max(0, (width - height) / 2);
  const away = dx === 0 && dy === 0 ? 0 : seat.metres * camera.scale + seat.units * unit + gap + Math.abs(dx) * half + height / 2;
  const x = spot.x + dx * away;
  const y = spot.y + dy * away;
  out.x0 = x - half;
  out.x1 = x + half;
  out.y0 = y;
  out.y1 = y;
  out.radius = height / 2;
  return out;
}

const compass: [number, number][] = [[0, 1], [0, -1], [1, 0], [-1, 0], [0.7071, 0.7071], [-0.7071, 0.7071], [0.7071, -0.7071], [-0.7071, -0.7071]];

function distance(a: number[], b: number[]): number {
  return Math.hypot((a[0] ?? 0) - (b[0] ?? 0), (a[1] ?? 0) - (b[1] ?? 0));
}

function between(a: number[], b: number[], part: number): number[] {
  return [0, 1].map((k) => (a[k] ?? 0) + part * ((b[k] ?? 0) - (a[k] ?? 0)));
}

export class Seats {
  constructor(private readonly report: Report, private readonly layout: Layout) {}

  of(outline: Outline): Seat[] {
    const { corners, body } = outline;
    const round = this.wheel(body);
    const found: Seat[] = round ? this.aroundWheel(body, round.centre, round.radius, round.ring) : [];
    const shape = this.report.scene.bodies[body]?.shape;
    if (shape?.type === "box") found.push(...this.inBox(body, shape.centre ?? [0, 0], shape.size ?? []));
    if (corners.length > 2) found.push(...this.inPlate(outline));
    else if (corners.length === 2) found.push(...this.alongBar(outline, found.length > 0 ? 0.3 : 0));
    else if (corners.length === 1) found.push(...this.around(body, corners[0] ?? [0, 0], 0.7, 0, 0));
    if (found.length === 0) found.push(...this.around(body, this.middle(body), 0.9, 0, 0));
    return found;
  }

  /** Of a body that is a rack or a block: the middle of its teeth, or where it slides. */
  private middle(body: number): number[] {
    const { bodies, elements } = this.report.scene;
    const rack = elements.find((e) => e.i === body && e.rack && e.span);
    if (rack?.rack && rack.span) return onLine(rack, (rack.span[0] + rack.span[1]) / 2, (rack.radius ?? 0) + Math.sign(rack.radius ?? 0) * rack.rack.pitch);
    return elements.find((e) => e.j === body && e.block)?.block?.at ?? bodies[body]?.com ?? [0, 0];
  }

  private wheel(body: number): { centre: number[]; radius: number; ring: boolean } | null {
    const wheel = this.layout.gearing.gears.find((one) => one.body === body);
    return wheel ? { centre: wheel.centre, radius: wheel.radius, ring: wheel.ring === true } : null;
  }

  /** Around a point, in directions that do not turn with the body. */
  private around(body: number, p: number[], units: number, metres: number, dislike: number): Seat[] {
    return compass.map(([dx, dy], k) => ({ body, p, dx, dy, turning: false, metres, units, dislike: dislike + 0.01 * k + (k > 3 ? 0.05 : 0) }));
  }

  private aroundWheel(body: number, centre: number[], radius: number, ring: boolean): Seat[] {
    const outside = this.around(body, centre, 0, radius * (ring ? 1.26 : 1.06), 0.15);
    if (ring) return [...outside, ...this.around(body, centre, 0, radius * 0.62, 0.6)];
    const inside = [0.45, 0.62].flatMap((part) => this.around(body, centre, 0, radius * part, 0).map((seat) => ({ ...seat, units: -0.6 })));
    return [...this.around(body, centre, 0.9, 0, 0.02), ...inside, ...outside];
  }

  private inBox(body: number, centre: number[], size: number[]): Seat[] {
    const [w = 0, h = 0] = size;
    const outside = this.around(body, centre, 0.2, Math.max(w, h) / 2, 0.15);
    return [{ body, p: centre, dx: 0, dy: 0, turning: false, metres: 0, units: 0, dislike: 0 }, ...this.around(body, centre, 0.9, 0, 0.02), ...outside];
  }

  /** Inside a plate near its middle, or outside along its edges. */
  private inPlate({ body, corners, wide }: Outline): Seat[] {
    const middle = [0, 1].map((k) => corners.reduce((sum, corner) => sum + (corner[k] ?? 0), 0) / corners.length);
    const inside = (p: number[], dislike: number): Seat => ({ body, p, dx: 0, dy: 0, turning: false, metres: 0, units: 0, dislike });
    const found = [inside(middle, 0)];
    for (const corner of corners) found.push(inside(between(middle, corner, 0.25), 0.03), inside(between(middle, corner, 0.45), 0.06));
    corners.forEach((corner, k) => {
      const next = corners[(k + 1) % corners.length] ?? corner;
      found.push(inside(between(middle, between(corner, next, 0.5), 0.35), 0.04));
      const length = distance(corner, next) || 1;
      // The corners go round counter-clockwise.
      const dx = ((next[1] ?? 0) - (corner[1] ?? 0)) / length;
      const dy = -((next[0] ?? 0) - (corner[0] ?? 0)) / length;
      for (const part of [0.5, 0.3, 0.7])
        found.push({ body, p: between(corner, next, part), dx, dy, turning: true, metres: 0, units: 0.5 * wide, dislike: part === 0.5 ? 0.45 : 0.5 });
    });
    return found;
  }

  /** On both sides of a bar and beyond its ends; a short one that turns about the ground may have its name beside the bearing. */
  private alongBar({ body, corners, wide }: Outline, dislike: number): Seat[] {
    const [a = [0, 0], b = [0, 0]] = corners;
    const length = distance(a, b) || 1;
    const ux = ((b[0] ?? 0) - (a[0] ?? 0)) / length;
    const uy = ((b[1] ?? 0) - (a[1] ?? 0)) / length;
    const found: Seat[] = [];
    for (const [k, part] of [0.5, 0.38, 0.62, 0.25, 0.75, 0.12, 0.88].entries())
      for (const side of [1, -1])
        found.push({ body, p: between(a, b, part), dx: -uy * side, dy: ux * side, turning: true, metres: 0, units: 0.5 * wide, dislike: dislike + 0.015 * k });
    found.push({ body, p: b, dx: ux, dy: uy, turning: true, metres: 0, units: 0.6 * wide, dislike: dislike + 0.3 });
    found.push({ body, p: a, dx: -ux, dy: -uy, turning: true, metres: 0, units: 0.6 * wide, dislike: dislike + 0.3 });
    if (length < 0.2 * this.layout.extent)
      for (const e of this.report.scene.elements) {
        if (e.symbol !== "pin" || (e.i !== 0 && e.j !== 0)) continue;
        const other = e.i === 0 ? e.j : e.i;
        const p = e.i === 0 ? e.pj : e.pi;
        if (other !== body || !p) continue;
        found.push(...this.around(body, p, 1.6, 0, dislike + 0.1));
        // Out of reach of the crank, unless that is too far to belong to it.
        if (length < 0.07 * this.layout.extent) found.push(...this.around(body, p, 0.6, Math.max(distance(p, a), distance(p, b)), dislike + 0.15));
      }
    return found;
  }
}
