// How far back a trail reaches when nobody has said: the whole run where its paths stay lines, its last part where they would cover the drawing.

import type { Report } from "./report";

const cells = 40;
/** Cells that a path may cross, in parts of the way around its box: a curve that comes back to itself crosses fewer. */
const mostCrowded = 1.5;
/** How long the part is that is shown of a path which would cover the drawing, in ways around its box. */
const shownWays = 1.1;

interface Path {
  /** Distinct cells that it crosses, and those around its box. */
  crossed: number;
  around: number;
  length: number;
  /** The way around its box. */
  way: number;
}

function measure(x: Float64Array, y: Float64Array): Path {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let k = 0; k < x.length; k += 1) {
    left = Math.min(left, x[k] ?? 0);
    right = Math.max(right, x[k] ?? 0);
    low = Math.min(low, y[k] ?? 0);
    high = Math.max(high, y[k] ?? 0);
  }
  const way = 2 * (right - left + high - low);
  const size = Math.max(right - left, high - low) / cells;
  if (!(size > 0)) return { crossed: 0, around: 1, length: 0, way };
  const seen = new Set<number>();
  let length = 0;
  for (let k = 1; k < x.length; k += 1) {
    const [dx, dy] = [(x[k] ?? 0) - (x[k - 1] ?? 0), (y[k] ?? 0) - (y[k - 1] ?? 0)];
    const far = Math.hypot(dx, dy);
    if (!Number.isFinite(far)) continue;
    length += far;
    const pieces = Math.ceil(far / size) || 1;
    for (let piece = 0; piece < pieces; piece += 1)
      seen.add(Math.floor(((x[k - 1] ?? 0) + (dx * piece) / pieces - left) / size) + 2 * cells * Math.floor(((y[k - 1] ?? 0) + (dy * piece) / pieces - low) / size));
  }
  return { crossed: seen.size, around: way / size + 4, length, way };
}

/** Seconds; Infinity is the whole run. */
export function trailSeconds(report: Report, points: string[]): number {
  const run = (report.time.at(-1) ?? 0) - (report.time[0] ?? 0);
  let seconds = Infinity;
  for (const name of points) {
    const [x, y] = [report.column(`${name}.x`), report.column(`${name}.y`)];
    if (!x || !y) continue;
    const path = measure(x, y);
    if (path.crossed > mostCrowded * path.around && path.length > 0) seconds = Math.min(seconds, (run * shownWays * path.way) / path.length);
  }
  return seconds < run ? seconds : Infinity;
}
