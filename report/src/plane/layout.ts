// What is drawn of a planar model, worked out once: outlines of the bodies, ranges of slots and guides, the box of the motion.

import type { Report } from "../report";
import type { SceneBody, SceneElement } from "../scene";
import type { Box } from "./camera";
import { gearing, type Gearing } from "./gears";
import { sweep, type Poses, type Spot } from "./pose";

export interface Outline {
  body: number;
  /** Corners of the convex outline in body axes; two of them make a bar, one a knob. */
  corners: number[][];
  /** How much wider than a plain bar, so that a slot fits in. */
  wide: number;
}

/** Least and greatest distance of the sliding point along a line, or of the ends of a cylinder. */
export interface Range {
  least: number;
  most: number;
}

export interface Layout {
  outlines: Outline[];
  gearing: Gearing;
  ranges: Map<SceneElement, Range>;
  box: Box;
  /** Mean size of the box, for arrows. */
  extent: number;
}

const sweepSamples = 400;

function cross(o: number[], a: number[], b: number[]): number {
  return ((a[0] ?? 0) - (o[0] ?? 0)) * ((b[1] ?? 0) - (o[1] ?? 0)) - ((a[1] ?? 0) - (o[1] ?? 0)) * ((b[0] ?? 0) - (o[0] ?? 0));
}

/** The convex hull, counter-clockwise, without points on its edges. */
export function hull(points: number[][]): number[][] {
  const sorted = [...points].sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0));
  if (sorted.length < 3) return sorted;
  const first = sorted[0] ?? [0, 0];
  const last = sorted[sorted.length - 1] ?? [0, 0];
  const size = Math.hypot((last[0] ?? 0) - (first[0] ?? 0), (last[1] ?? 0) - (first[1] ?? 0)) || 1;
  const half = (list: number[][]): number[][] => {
    const chain: number[][] = [];
    for (const p of list) {
      while (chain.length > 1 && cross(chain[chain.length - 2] ?? p, chain[chain.length - 1] ?? p, p) <= 1e-6 * size * size) chain.pop();
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function distinct(points: number[][], size: number): number[][] {
  const kept: number[][] = [];
  for (const p of points)
    if (!kept.some((q) => Math.hypot((p[0] ?? 0) - (q[0] ?? 0), (p[1] ?? 0) - (q[1] ?? 0)) < 1e-6 * size)) kept.push(p);
  return kept;
}

/** The points at which elements take hold of a body, besides those that the model names. */
function grips(body: number, elements: SceneElement[]): number[][] {
  const found: number[][] = [];
  for (const e of elements) {
    if (e.i === body) found.push(...[e.pi, e.at_i].filter((p) => p !== undefined));
    if (e.j === body) found.push(...[e.pj, e.centre_j].filter((p) => p !== undefined));
  }
  return found;
}

function outline(index: number, body: SceneBody, report: Report, gears: Gearing): Outline {
  const { elements, size } = report.scene;
  let points = [...body.points.map((point) => point.p), ...grips(index, elements)];
  const shape = body.shape;
  if (shape?.from && shape.to) points.push(shape.from, shape.to);
  const discs = gears.gears.filter((gear) => gear.body === index).map((gear) => ({ centre: gear.centre, radius: gear.radius }));
  if (shape?.type === "disc") discs.push({ centre: shape.centre ?? [0, 0], radius: shape.radius ?? 0 });
  for (const e of elements)
    if (e.symbol === "wheel" && e.j === index) discs.push({ centre: e.centre_j ?? [0, 0], radius: Math.abs(e.radius ?? 0) });
  // Wheels carry their points: only what lies outside needs an arm.
  for (const { centre, radius } of discs) {
    const outside = points.filter((p) => Math.hypot((p[0] ?? 0) - (centre[0] ?? 0), (p[1] ?? 0) - (centre[1] ?? 0)) > 1.001 * radius);
    points = outside.length > 0 ? [centre, ...outside] : [];
  }
  if (points.length === 0 && discs.length === 0 && !shape) points.push(body.com ?? [0, 0]);
  const slotted = elements.some((e) => e.i === index && e.symbol === "slot");
  return { body: index, corners: hull(distinct(points, size)), wide: slotted ? 1.5 : 1 };
}

function slidingPoint(e: SceneElement): number[] | undefined {
  return e.pj ?? e.line_j?.[0] ?? e.centre_j;
}

/** Widens the range of an element by where it is now. */
function measure(e: SceneElement, poses: Poses, ranges: Map<SceneElement, Range>): void {
  let value: number | undefined;
  const point = slidingPoint(e);
  if (e.line_i && point && e.j !== undefined) value = poses.along(e.i ?? 0, e.line_i, e.j, point);
  else if (e.pi && e.pj && e.j !== undefined) {
    const a = poses.place(e.i ?? 0, e.pi, { x: 0, y: 0 });
    const b = poses.place(e.j, e.pj, { x: 0, y: 0 });
    value = Math.hypot(b.x - a.x, b.y - a.y);
  }
  else if (e.symbol === "guide" && e.i === undefined) {
    // The coordinate that stays free.
    const place = poses.place(e.j ?? 0, [0, 0], { x: 0, y: 0 });
    value = e.what === "x" ? place.y : place.x;
  }
  if (value === undefined) return;
  const range = ranges.get(e);
  if (!range) ranges.set(e, { least: value, most: value });
  else {
    range.least = Math.min(range.least, value);
    range.most = Math.max(range.most, value);
  }
}

export function layout(report: Report, poses: Poses): Layout {
  const { bodies, elements, size } = report.scene;
  poses.update(0);
  const gears = gearing(elements, poses);
  const outlines = bodies.map((body, index) => outline(index, body, report, gears)).filter((o) => o.body > 0);
  const ranges = new Map<SceneElement, Range>();
  const box: Box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  const spot: Spot = { x: 0, y: 0 };
  const include = (body: number, p: number[], radius: number): void => {
    poses.place(body, p, spot);
    box.left = Math.min(box.left, spot.x - radius);
    box.right = Math.max(box.right, spot.x + radius);
    box.bottom = Math.min(box.bottom, spot.y - radius);
    box.top = Math.max(box.top, spot.y + radius);
  };
  const fixed = elements.flatMap((e) => e.i === 0 && (e.pi ?? e.at_i) ? [e.pi ?? e.at_i ?? [0, 0]] : []);
  sweep(report, poses, sweepSamples, () => {
    for (const o of outlines) for (const p of o.corners) include(o.body, p, 0);
    for (const gear of gears.gears) include(gear.body, gear.centre, gear.radius * (gear.ring ? 1.25 : 1.05));
    bodies.forEach((body, index) => {
      const shape = body.shape;
      if (shape?.centre && index > 0)
        include(index, shape.centre, shape.radius ?? Math.hypot(shape.size?.[0] ?? 0, shape.size?.[1] ?? 0) / 2);
    });
    for (const e of elements) {
      if (e.symbol === "wheel" && e.centre_j) include(e.j ?? 0, e.centre_j, Math.abs(e.radius ?? 0));
      measure(e, poses, ranges);
    }
  });
  for (const p of fixed) include(0, p, 0);
  if (!(box.right >= box.left)) Object.assign(box, { left: -size, right: size, bottom: -size, top: size });
  const extent = Math.max(box.right - box.left, box.top - box.bottom) || size || 1;
  const least = 0.02 * extent;
  box.left -= least;
  box.right += least;
  box.bottom -= least;
  box.top += least;
  poses.update(0);
  return { outlines, gearing: gears, ranges, box, extent };
}
