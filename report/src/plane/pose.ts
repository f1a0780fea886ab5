// Where the bodies are at an instant, and how fast they move.

import { interpolate, type Report } from "../report";

interface BodyColumns {
  x?: Float64Array;
  y?: Float64Array;
  phi?: Float64Array;
}

/** A point in ground axes, filled in by the functions below so that drawing a frame makes no garbage. */
export interface Spot {
  x: number;
  y: number;
}

export class Poses {
  readonly count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly phi: Float64Array;
  private readonly cos: Float64Array;
  private readonly sin: Float64Array;
  private readonly columns: BodyColumns[];

  constructor(report: Report) {
    this.columns = report.scene.bodies.map((body, index) => index === 0 ? {} : {
      x: report.column(`${body.name}.x`), y: report.column(`${body.name}.y`), phi: report.column(`${body.name}.phi`),
    });
    this.count = this.columns.length;
    this.x = new Float64Array(this.count);
    this.y = new Float64Array(this.count);
    this.phi = new Float64Array(this.count);
    this.cos = new Float64Array(this.count).fill(1);
    this.sin = new Float64Array(this.count);
  }

  /** Places all bodies at a sample, which may lie between two. */
  update(sample: number): void {
    for (let body = 0; body < this.count; body += 1) {
      const { x, y, phi } = this.columns[body] ?? {};
      const angle = phi ? interpolate(phi, sample) : 0;
      this.x[body] = x ? interpolate(x, sample) : 0;
      this.y[body] = y ? interpolate(y, sample) : 0;
      this.phi[body] = angle;
      this.cos[body] = Math.cos(angle);
      this.sin[body] = Math.sin(angle);
    }
  }

  /** Places all bodies where a list says: x, y and angle of each. */
  set(bodies: ArrayLike<number>): void {
    for (let body = 0; body < this.count; body += 1) {
      this.x[body] = bodies[3 * body] ?? 0;
      this.y[body] = bodies[3 * body + 1] ?? 0;
      const angle = bodies[3 * body + 2] ?? 0;
      this.phi[body] = angle;
      this.cos[body] = Math.cos(angle);
      this.sin[body] = Math.sin(angle);
    }
  }

  angle(body: number): number {
    return this.phi[body] ?? 0;
  }

  cosine(body: number): number {
    return this.cos[body] ?? 1;
  }

  sine(body: number): number {
    return this.sin[body] ?? 0;
  }

  /** The place in ground axes of a point of a body. */
  place(body: number, p: readonly number[], out: Spot): Spot {
    const px = p[0] ?? 0;
    const py = p[1] ?? 0;
    const c = this.cosine(body);
    const s = this.sine(body);
    out.x = (this.x[body] ?? 0) + c * px - s * py;
    out.y = (this.y[body] ?? 0) + s * px + c * py;
    return out;
  }

  /** How far along a line of body i (from its first point) a point of body j lies. */
  along(i: number, line: readonly number[][], j: number, p: readonly number[]): number {
    const a = this.place(i, line[0] ?? [0, 0], { x: 0, y: 0 });
    const b = this.place(i, line[1] ?? [1, 0], { x: 0, y: 0 });
    const q = this.place(j, p, { x: 0, y: 0 });
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    return ((q.x - a.x) * (b.x - a.x) + (q.y - a.y) * (b.y - a.y)) / length;
  }
}

/** Calls a function at up to `most` samples spread over the run, with the bodies placed. */
export function sweep(report: Report, poses: Poses, most: number, visit: (sample: number) => void): void {
  const last = Math.max(0, report.samples - 1);
  const stride = Math.max(1, Math.ceil(last / most));
  for (let sample = 0; ; sample += stride) {
    const here = Math.min(sample, last);
    poses.update(here);
    visit(here);
    if (here === last) return;
  }
}
