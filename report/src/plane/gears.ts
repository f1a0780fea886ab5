// Gears and pulleys: how many teeth each is drawn with, and how they are turned so that they mesh on the screen.

import type { Mesh, SceneElement } from "../scene";
import type { Poses, Spot } from "./pose";

export interface Gear {
  body: number;
  centre: number[];
  radius: number;
  ring: boolean;
  toothed: boolean;
  teeth: number;
  /** Angle of a tooth in the body's axes. */
  phase: number;
  path: Path2D;
}

export interface Belt {
  crossed: boolean;
  from: Gear;
  to: Gear;
}

export interface Gearing {
  gears: Gear[];
  belts: Belt[];
  /** Pairs of which only the ratio is known. */
  unsized: SceneElement[];
}

/** Teeth on the smallest gear for which all others have nearly whole numbers too. */
function smallestCount(radii: number[]): number {
  const least = Math.min(...radii);
  let best = 18;
  let bestMiss = Number.POSITIVE_INFINITY;
  for (let count = 14; count <= 30; count += 1) {
    const miss = radii.reduce((sum, radius) => {
      const teeth = (radius / least) * count;
      return sum + Math.abs(teeth - Math.round(teeth));
    }, 0.004 * Math.abs(count - 20));
    if (miss < bestMiss - 1e-9) {
      best = count;
      bestMiss = miss;
    }
  }
  return best;
}

function toothPath(gear: Gear, module: number): Path2D {
  const path = new Path2D();
  const out = gear.radius + (gear.ring ? 1 : 0.9) * module;
  const root = gear.radius - (gear.ring ? 0.9 : 1) * module;
  const step = (2 * Math.PI) / gear.teeth;
  const at = (radius: number, angle: number): void => path.lineTo(radius * Math.cos(angle), radius * Math.sin(angle));
  for (let k = 0; k < gear.teeth; k += 1) {
    const middle = gear.phase + k * step;
    // A tooth of a ring points inwards.
    const [tip, foot] = gear.ring ? [root, out] : [out, root];
    at(foot, middle - 0.31 * step);
    at(tip, middle - 0.15 * step);
    at(tip, middle + 0.15 * step);
    at(foot, middle + 0.31 * step);
  }
  path.closePath();
  if (gear.ring) {
    const rim = gear.radius + 4.5 * module;
    path.moveTo(rim, 0);
    path.arc(0, 0, rim, 0, 2 * Math.PI);
  }
  return path;
}

function roundPath(radius: number): Path2D {
  const path = new Path2D();
  path.arc(0, 0, radius, 0, 2 * Math.PI);
  return path;
}

/** Turns gear b so that its gap meets a's tooth where they touch, with the bodies as they are placed now. */
function align(a: Gear, b: Gear, poses: Poses): void {
  const here = poses.place(a.body, a.centre, { x: 0, y: 0 });
  const there: Spot = poses.place(b.body, b.centre, { x: 0, y: 0 });
  let direction = Math.atan2(there.y - here.y, there.x - here.x);
  if (b.ring) direction += Math.PI;
  const stepA = (2 * Math.PI) / a.teeth;
  const stepB = (2 * Math.PI) / b.teeth;
  const towards = direction - poses.angle(a.body) - a.phase;
  const part = towards / stepA - Math.floor(towards / stepA);
  const inner = a.ring || b.ring;
  const contact = inner ? direction : direction + Math.PI;
  const offset = inner ? -part : part;
  b.phase = contact - poses.angle(b.body) + (0.5 + offset) * stepB;
}

/**
 * Pitch radii that meet between centres so far apart. A model may write tooth numbers for radii, or no more than a ratio;
 * wheels that turn opposite ways then mesh outside. Undefined where nothing fits.
 */
export function pitchRadii(element: SceneElement, apart: number): { radii: [number, number]; mesh: Mesh } | undefined {
  const { radii, mesh, ratio = 0 } = element;
  if (!(apart > 0)) return undefined;
  if (!radii || !mesh) return ratio < 0 ? { radii: [(apart * -ratio) / (1 - ratio), apart / (1 - ratio)], mesh: "external" } : undefined;
  const [ri, rj] = radii;
  const between = mesh === "internal" ? Math.abs(ri - rj) : ri + rj;
  if (!(ri > 0) || !(rj > 0) || !(between > 0)) return undefined;
  const belt = mesh === "belt" || mesh === "crossed-belt";
  const fits = belt ? (between < apart ? 1 : (0.8 * apart) / between) : apart / between;
  return { radii: [ri * fits, rj * fits], mesh };
}

/** Reads the gears out of the elements; the bodies must be placed at the first sample. */
export function gearing(elements: SceneElement[], poses: Poses): Gearing {
  const gears: Gear[] = [];
  const belts: Belt[] = [];
  const unsized: SceneElement[] = [];
  const pairs: [Gear, Gear][] = [];
  const find = (body: number, centre: number[], radius: number, ring: boolean, toothed: boolean): Gear => {
    const known = gears.find((gear) => gear.body === body && Math.abs(gear.radius - radius) < 1e-6 * radius
      && gear.ring === ring && gear.toothed === toothed
      && Math.hypot((gear.centre[0] ?? 0) - (centre[0] ?? 0), (gear.centre[1] ?? 0) - (centre[1] ?? 0)) < 1e-6 * radius);
    if (known) return known;
    const gear = { body, centre, radius, ring, toothed, teeth: 0, phase: 0, path: new Path2D() };
    gears.push(gear);
    return gear;
  };
  for (const element of elements) {
    if (element.symbol !== "gears") continue;
    const { i = 0, j = 0, centre_i = [0, 0], centre_j = [0, 0] } = element;
    const here = poses.place(i, centre_i, { x: 0, y: 0 });
    const there = poses.place(j, centre_j, { x: 0, y: 0 });
    const drawn = pitchRadii(element, Math.hypot(there.x - here.x, there.y - here.y));
    if (!drawn) {
      unsized.push(element);
      continue;
    }
    const { radii, mesh } = drawn;
    const belt = mesh === "belt" || mesh === "crossed-belt";
    const a = find(i, centre_i, radii[0], mesh === "internal" && radii[0] > radii[1], !belt);
    const b = find(j, centre_j, radii[1], mesh === "internal" && radii[1] > radii[0], !belt);
    if (belt) belts.push({ crossed: mesh === "crossed-belt", from: a, to: b });
    else pairs.push([a, b]);
  }
  shape(gears, pairs, poses);
  return { gears, belts, unsized };
}

function shape(gears: Gear[], pairs: [Gear, Gear][], poses: Poses): void {
  const toothed = gears.filter((gear) => gear.toothed);
  const least = Math.min(...toothed.map((gear) => gear.radius));
  const count = toothed.length > 0 ? smallestCount(toothed.map((gear) => gear.radius)) : 0;
  for (const gear of toothed) gear.teeth = Math.min(400, Math.max(6, Math.round((gear.radius / least) * count)));
  const turned = new Set<Gear>();
  for (const [a, b] of pairs) {
    if (turned.has(b) && !turned.has(a)) align(b, a, poses);
    else align(a, b, poses);
    turned.add(a).add(b);
  }
  for (const gear of gears) gear.path = gear.toothed ? toothPath(gear, (2 * least) / count) : roundPath(gear.radius);
}
