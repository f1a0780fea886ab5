// Wheels as paths: gears with the teeth that the program has cut, pulleys and discs.

import type { Scene, SceneElement, Wheel } from "../scene";

export interface Gear extends Wheel {
  path: Path2D;
}

export interface Belt {
  crossed: boolean;
  from: Wheel;
  to: Wheel;
}

export interface Gearing {
  gears: Gear[];
  belts: Belt[];
  /** Pairs of which only the ratio is known. */
  unsized: SceneElement[];
}

/** The outline of a wheel in its body's axes, about its centre. */
export function wheelPath(wheel: Wheel, path: Path2D): Path2D {
  const { radius, teeth = 0, phase = 0, tooth = [] } = wheel;
  const step = (2 * Math.PI) / teeth;
  const at = ([r, half]: [number, number], middle: number, side: number): void => path.lineTo(r * Math.cos(middle + side * half), r * Math.sin(middle + side * half));
  if (teeth === 0) path.arc(0, 0, radius, 0, 2 * Math.PI);
  for (let k = 0; k < teeth; k += 1) {
    for (const point of tooth) at(point, phase + k * step, -1);
    for (const point of [...tooth].reverse()) at(point, phase + k * step, 1);
  }
  path.closePath();
  if (wheel.ring) {
    const rim = (tooth[0]?.[0] ?? radius) + 0.12 * radius;
    path.moveTo(rim, 0);
    path.arc(0, 0, rim, 0, 2 * Math.PI);
  }
  return path;
}

export function gearing(scene: Scene): Gearing {
  const gears = (scene.wheels ?? []).map((wheel): Gear => ({ ...wheel, path: wheelPath(wheel, new Path2D()) }));
  const belts: Belt[] = [];
  const unsized: SceneElement[] = [];
  for (const e of scene.elements) {
    if (e.symbol !== "gears") continue;
    const [from, to] = (e.wheels ?? []).map((index) => gears[index]);
    if (!from || !to) unsized.push(e);
    else if (e.mesh === "belt" || e.mesh === "crossed-belt") belts.push({ crossed: e.mesh === "crossed-belt", from, to });
  }
  return { gears, belts, unsized };
}
