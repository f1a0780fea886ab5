// What scales a plot has, and how a curve goes through its points.

import uPlot from "uplot";
import { sixDigits } from "./format";

/** Least and largest of some columns. */
export function limits(columns: Float64Array[]): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const column of columns)
    for (const value of column) {
      if (value < least) least = value;
      if (value > most) most = value;
    }
  return least <= most ? [least, most] : [0, 1];
}

/** Both ranges with one scale; `ratio`: of the drawing's width to its height. */
export function oneScale(x: [number, number], y: [number, number], ratio: number): { x: [number, number]; y: [number, number][] } {
  const across = Math.max(x[1] - x[0], ratio * (y[1] - y[0]), 1e-12) * 1.12;
  const around = (range: [number, number], size: number): [number, number] => [(range[0] + range[1] - size) / 2, (range[0] + range[1] + size) / 2];
  return { x: around(x, across), y: [around(y, across / ratio)] };
}

/** A line through all points in their order; uPlot's own expects them from left to right. */
export const throughAll: uPlot.Series.PathBuilder = (plot, index) => {
  const line = new Path2D();
  uPlot.orient(plot, index, (_series, xs, ys, scaleX, scaleY, placeX, placeY, left, top, width, height, moveTo, lineTo) => {
    let drawing = false;
    for (let k = 0; k < xs.length; k += 1) {
      const [x, y] = [xs[k], ys[k]];
      if (x === undefined || typeof y !== "number" || !Number.isFinite(y) || !Number.isFinite(x)) {
        drawing = false;
        continue;
      }
      (drawing ? lineTo : moveTo)(line, placeX(x, scaleX, width, left), placeY(y, scaleY, height, top));
      drawing = true;
    }
  });
  return { stroke: line };
};

/** With as many digits as it takes to tell one from the next. */
export function ticks(_plot: uPlot, splits: number[]): string[] {
  const step = Math.abs((splits[1] ?? 0) - (splits[0] ?? 0));
  const largest = Math.max(...splits.map(Math.abs));
  const digits = step > 0 ? Math.min(15, 2 + Math.floor(Math.log10(largest / step))) : 6;
  // A tick that should be zero may be a rounding error away from it.
  return splits.map((value) => {
    const near = Math.abs(value) < 1e-9 * step ? 0 : value;
    return digits > 6 ? String(Number(near.toPrecision(digits))) : sixDigits(Number(near.toPrecision(8)));
  });
}

/** Room for the values of an axis. */
export function room(least: number, values: string[] | null): number {
  return Math.max(least, 30 + 7 * Math.max(0, ...(values ?? []).map((value) => value.length)));
}

/** A range with room above and below; a curve that is flat to rounding looks flat. */
export function padded(least: number | null, most: number | null): [number, number] {
  if (least === null || most === null || !Number.isFinite(least) || !Number.isFinite(most)) return [0, 1];
  const size = Math.max(Math.abs(least), Math.abs(most));
  const room = most - least > 1e-9 * size ? 0.06 * (most - least) : 0.1 * size || 1;
  return [least - room, most + room];
}
