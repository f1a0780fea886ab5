// The floor: a grid with a round step, and the axes of the ground at its origin.

import {
  BufferGeometry, Float32BufferAttribute, Group, LineSegments, Mesh, Quaternion, Vector3, type Box3, type Material,
} from "three";
import type { Palette } from "./palette";
import { SolidBuilder } from "./solids";

export interface Floor {
  group: Group;
  /** Distance of the grid's lines, in metres. */
  step: number;
  dispose(): void;
}

function gridLines(xs: number[], ys: number[], z: number): BufferGeometry {
  const places: number[] = [];
  const [west = 0, east = 0, south = 0, north = 0] = [xs[0], xs[xs.length - 1], ys[0], ys[ys.length - 1]];
  for (const x of xs) places.push(x, south, z, x, north, z);
  for (const y of ys) places.push(west, y, z, east, y, z);
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(places, 3));
}

function marks(low: number, high: number, step: number): number[] {
  const first = Math.floor(low / step) - 1;
  const last = Math.ceil(high / step) + 1;
  return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
}

export function makeFloor(reach: Box3, step: number, size: number, height: number, unit: number, turn: Quaternion, palette: Palette): Floor {
  // A motion in a plane still gets a floor to stand on.
  const wide = (low: number, high: number): number[] => {
    const missing = Math.max(0, 0.6 * size - (high - low)) / 2;
    return marks(low - missing, high + missing, step);
  };
  const xs = wide(Math.min(0, reach.min.x), Math.max(0, reach.max.x));
  const ys = wide(Math.min(0, reach.min.y), Math.max(0, reach.max.y));
  const group = new Group();
  const geometries: BufferGeometry[] = [gridLines(xs, ys, height)];
  group.add(new LineSegments(geometries[0], palette.line((colours) => colours.grid)));

  // The two lines through the origin are stronger.
  const cross = new BufferGeometry().setAttribute("position", new Float32BufferAttribute([
    xs[0] ?? 0, 0, height, xs[xs.length - 1] ?? 0, 0, height, 0, ys[0] ?? 0, height, 0, ys[ys.length - 1] ?? 0, height,
  ], 3));
  geometries.push(cross);
  group.add(new LineSegments(cross, palette.line((colours) => colours.gridStrong)));

  const arm = 0.075 * size;
  const thick = Math.min(0.35 * unit, 0.03 * arm);
  const directions: [Vector3, Material][] = [
    [new Vector3(1, 0, 0), palette.surface((colours) => colours.x)],
    [new Vector3(0, 1, 0), palette.surface((colours) => colours.y)],
    [new Vector3(0, 0, 1), palette.surface((colours) => colours.z)],
  ];
  for (const [axis, material] of directions) {
    axis.applyQuaternion(turn);
    const [neck, tip] = [0.84, 1].map((part) => axis.clone().multiplyScalar(part * arm));
    if (!neck || !tip) continue;
    const builder = new SolidBuilder();
    builder.rod(new Vector3(), neck, thick);
    builder.rod(neck, tip, 2.8 * thick, 0);
    const geometry = builder.geometry();
    geometries.push(geometry);
    group.add(new Mesh(geometry, material));
  }
  return {
    group, step,
    dispose(): void {
      for (const geometry of geometries) geometry.dispose();
    },
  };
}
