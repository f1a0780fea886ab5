// Symbols of joints. Each has a part on the parent and a part on the child, both in the joint frame seen from that body.

import { type BufferGeometry, CylinderGeometry, Quaternion, Vector3 } from "three";
import type { SymbolName } from "../scene";
import { place, spreadSamples, type Poses } from "./poses";
import type { Connection } from "./skeleton";
import { ball, block, coil, put, ring, rod, sleeve, socket } from "./solids";

export interface Symbol3 {
  parent: BufferGeometry[];
  child: BufferGeometry[];
}

/** How far a sliding joint goes along its axis during the motion. */
export function travel(one: Connection, poses: Poses): [number, number] {
  const p = new Vector3();
  const c = new Vector3();
  const axis = new Vector3();
  let low = 0;
  let high = 0;
  for (const sample of spreadSamples(poses.samples, 200)) {
    const parent = poses.at(one.parent, sample);
    place(parent, one.parentFrame.p, p);
    place(poses.at(one.child, sample), one.childFrame.p, c);
    axis.copy(one.axis).applyQuaternion(one.parentFrame.q).applyQuaternion(parent.q);
    const along = c.sub(p).dot(axis);
    if (!Number.isFinite(along)) continue;
    low = Math.min(low, along);
    high = Math.max(high, along);
  }
  return [low, high];
}

const at = (z: number): Vector3 => new Vector3(0, 0, z);
const xTurn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(1, 0, 0));
const yTurn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(0, 1, 0));
const turned = (parts: BufferGeometry[], q: Quaternion): BufferGeometry[] => put(parts, new Vector3(), q);

/** A bar that ends on the axis' two sides, with an arc behind it: half of a universal joint. The bar is along x, the arc towards -z. */
function yoke(u: number): BufferGeometry[] {
  const arc = ring(2.4 * u, 0.5 * u, Math.PI).rotateX(-Math.PI / 2);
  return [arc, rod(new Vector3(-2.4 * u, 0, 0), new Vector3(2.4 * u, 0, 0), 0.6 * u)];
}

function hinge(u: number): Symbol3 {
  return { parent: [rod(at(-1.7 * u), at(1.7 * u), 1.9 * u, 1.9 * u, 24)], child: [rod(at(-2.6 * u), at(2.6 * u), 0.8 * u)] };
}

function slide(u: number, [low, high]: [number, number]): Symbol3 {
  const rail = block(new Vector3(1.5 * u, 1.5 * u, high - low + 8 * u), at((low + high) / 2));
  return { parent: [rail], child: sleeve(0.8 * u, 1.9 * u, 5 * u) };
}

function sleeveOnBar(u: number, [low, high]: [number, number]): Symbol3 {
  return {
    parent: [rod(at(low - 4 * u), at(high + 4 * u), 0.8 * u)],
    child: [rod(at(-2.5 * u), at(2.5 * u), 1.8 * u, 1.8 * u, 24), rod(at(-2.9 * u), at(2.9 * u), 1.3 * u)],
  };
}

/** A screw whose threads rise as its joint does: a steep one has several, so that it is seen to be one. */
function screw(u: number, [low, high]: [number, number], advance: number): Symbol3 {
  const [from, to] = [low - 4 * u, high + 4 * u];
  const length = to - from;
  const lead = advance !== 0 ? Math.min(Math.abs(2 * Math.PI * advance), 40 * length) : 1.6 * u;
  // A thread finer than can be seen is drawn coarser.
  const rise = Math.max(lead, 1.6 * u, length / 60);
  const starts = Math.max(1, Math.min(4, Math.round(rise / (3 * u))));
  const threads = Array.from({ length: starts }, (_, k) => {
    const thread = coil(1.1 * u, 0.32 * u, from, to, length / rise);
    if (advance < 0) mirror(thread);
    return thread.rotateZ((2 * Math.PI * k) / starts);
  });
  const nut = new CylinderGeometry(2.7 * u, 2.7 * u, 2.8 * u, 6).rotateX(Math.PI / 2);
  return { parent: [rod(at(from), at(to), 1.05 * u), ...threads], child: [nut] };
}

/** Makes a right-handed thread a left-handed one; the order of the corners is turned too, so that the outside stays outside. */
function mirror(geometry: BufferGeometry): void {
  geometry.scale(1, -1, 1);
  const index = geometry.getIndex();
  if (!index) return;
  for (let k = 0; k + 2 < index.count; k += 3) {
    const second = index.getX(k + 1);
    index.setX(k + 1, index.getX(k + 2));
    index.setX(k + 2, second);
  }
}

function universal(u: number): Symbol3 {
  return { parent: yoke(u), child: turned(yoke(u), new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), Math.PI).premultiply(
    new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), Math.PI / 2))) };
}

function gimbal(u: number): Symbol3 {
  return {
    parent: [...turned([ring(3 * u, 0.4 * u)], yTurn), rod(at(-3 * u), at(3 * u), 0.4 * u)],
    child: [...turned([ring(2 * u, 0.4 * u)], xTurn), ball(new Vector3(), 1.1 * u)],
  };
}

function table(u: number): Symbol3 {
  const side = 9 * u;
  return {
    parent: [block(new Vector3(side, side, 0.3 * u), at(-0.15 * u))],
    child: [rod(at(0), at(0.8 * u), 2 * u, 2 * u, 24), rod(at(0.8 * u), at(1.6 * u), 0.9 * u)],
  };
}

/** Three crossed bars, and a block that slides along them. */
function crossedSlides(u: number): Symbol3 {
  const bar = (): BufferGeometry => rod(at(-3.5 * u), at(3.5 * u), 0.45 * u);
  return { parent: [bar(), ...turned([bar()], xTurn), ...turned([bar()], yTurn)], child: [block(new Vector3(2.6 * u, 2.6 * u, 2.6 * u))] };
}

function triad(u: number): BufferGeometry[] {
  const arm = (): BufferGeometry[] => [rod(at(0), at(5 * u), 0.25 * u), rod(at(5 * u), at(6.5 * u), 0.6 * u, 0)];
  return [...arm(), ...turned(arm(), xTurn), ...turned(arm(), yTurn)];
}

/** The symbol of a joint; `opening` is where a socket opens, in the parent's joint frame. */
export function jointSymbol({ symbol, advance }: Connection, u: number, range: [number, number], opening: Vector3): Symbol3 {
  switch (symbol) {
    case "hinge": return hinge(u);
    case "slide": return slide(u, range);
    case "sleeve": return sleeveOnBar(u, range);
    case "screw": return screw(u, range, advance);
    case "universal": return universal(u);
    case "gimbal": return gimbal(u);
    case "table": return table(u);
    case "crossed-slides": return crossedSlides(u);
    case "ball": return { parent: [socket(2.1 * u, opening)], child: [ball(new Vector3(), 1.6 * u)] };
    case "rod": return { parent: [ball(new Vector3(), 1.6 * u)], child: [ball(new Vector3(), 1.6 * u)] };
    case "weld": return { parent: [block(new Vector3(2.6 * u, 2.6 * u, 2.6 * u))], child: [] };
    case "afloat": return { parent: [], child: triad(u) };
    default: return { parent: turned([ring(2.4 * u, 0.4 * u)], xTurn), child: [ball(new Vector3(), 1.4 * u)] };
  }
}

/** The symbols that are drawn along the joint's axis; the others keep to the axes of the joint frame. */
export const alongAxis = new Set<SymbolName>(["hinge", "slide", "sleeve", "screw"]);

/** The symbols whose two parts move along each other. */
export const sliding = new Set<SymbolName>(["slide", "sleeve", "screw"]);
