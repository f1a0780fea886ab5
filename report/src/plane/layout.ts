// What is drawn of a planar model, worked out once: outlines of the bodies and the box of the motion. What the motion decides (how far slots reach, how
// teeth mesh, what lies on what) the program has put into the scene.

import type { Report } from "../report";
import type { SceneElement } from "../scene";
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

export interface Layout {
  /** Of the bodies that move, the lowest first. */
  outlines: Outline[];
  gearing: Gearing;
  box: Box;
  /** Mean size of the box, for arrows. */
  extent: number;
}

const sweepSamples = 400;

/** A place on the line of an element, in the axes of the body that has it: so far along, and so far to the left. */
export function onLine(e: SceneElement, along: number, left: number): number[] {
  const [[x = 0, y = 0], [tx = 0, ty = 0]] = e.line_i ?? [[0, 0], [1, 0]];
  const length = Math.hypot(tx - x, ty - y) || 1;
  const [dx, dy] = [(tx - x) / length, (ty - y) / length];
  return [x + dx * along - dy * left, y + dy * along + dx * left];
}

/** How far what lies along a line reaches: its span, with the teeth of a rack or the block. */
function reachOf(e: SceneElement): number[] {
  if (!e.span) return [];
  const more = e.rack ? 0.75 * Math.abs(e.radius ?? 0) : Math.max(0, ...(e.block?.along ?? []).map(Math.abs));
  return [e.span[0] - more, e.span[1] + more];
}

export function layout(report: Report, poses: Poses): Layout {
  const { bodies, elements, size, order = [] } = report.scene;
  poses.update(0);
  const gears = gearing(report.scene);
  const outlines = order.map((body): Outline => ({
    body, corners: bodies[body]?.outline ?? [], wide: elements.some((e) => e.i === body && e.symbol === "slot") ? 1.4 : 1,
  }));
  const box: Box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  const spot: Spot = { x: 0, y: 0 };
  const include = (body: number, p: number[], radius: number): void => {
    poses.place(body, p, spot);
    box.left = Math.min(box.left, spot.x - radius);
    box.right = Math.max(box.right, spot.x + radius);
    box.bottom = Math.min(box.bottom, spot.y - radius);
    box.top = Math.max(box.top, spot.y + radius);
  };
  const still = (e: SceneElement): boolean => e.i === 0;
  sweep(report, poses, sweepSamples, () => {
    for (const o of outlines) for (const p of o.corners) include(o.body, p, 0);
    for (const wheel of report.scene.wheels ?? []) include(wheel.body, wheel.centre, wheel.radius * (wheel.ring ? 1.2 : 1.05));
    bodies.forEach((body, index) => {
      const shape = body.shape;
      if (shape?.centre && index > 0)
        include(index, shape.centre, shape.radius ?? Math.hypot(shape.size?.[0] ?? 0, shape.size?.[1] ?? 0) / 2);
    });
    for (const e of elements) {
      if (e.rack && e.span && !still(e)) for (const s of reachOf(e)) include(e.i ?? 0, onLine(e, s, (e.radius ?? 0) * 1.05), 0);
      if (e.block) include(e.j ?? 0, e.block.at, 0);
      if (e.pj && e.j !== undefined) include(e.j, e.pj, e.roller ?? 0);
      if (!still(e)) for (const p of e.curve ?? []) include(e.i ?? 0, p, 0);
      for (const { body, p } of [...(e.marks ?? []), ...(e.distances ?? []).flat()]) include(body, p, 0);
    }
  });
  for (const e of elements) {
    if (!still(e)) continue;
    for (const p of [e.pi, e.at_i]) if (p) include(0, p, 0);
    for (const p of e.curve ?? []) include(0, p, 0);
    if (e.line_i) for (const s of reachOf(e)) include(0, onLine(e, s, e.symbol === "wheel" ? e.radius ?? 0 : 0), 0);
  }
  if (!(box.right >= box.left)) Object.assign(box, { left: -size, right: size, bottom: -size, top: size });
  const extent = Math.max(box.right - box.left, box.top - box.bottom) || size || 1;
  const least = 0.02 * extent;
  box.left -= least;
  box.right += least;
  box.bottom -= least;
  box.top += least;
  poses.update(0);
  return { outlines, gearing: gears, box, extent };
}
