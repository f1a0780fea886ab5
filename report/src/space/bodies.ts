// The bodies and their joints: one mesh for each body, moved as a whole.

import { BufferGeometry, Group, LineSegments, Mesh, type Quaternion } from "three";
import type { Scene } from "../scene";
import type { Palette } from "./palette";
import type { Pose } from "./poses";
import { solidColour, SolidBuilder } from "./solids";

/** All bodies: `groups[k]` is to be placed at the pose of body k. */
export interface BodyMeshes {
  groups: Group[];
  move(poses: readonly Pose[]): void;
  /** The theme has changed. */
  colour(): void;
  dispose(): void;
}

export function makeBodies(scene: Scene, palette: Palette): BodyMeshes {
  const builders = scene.bodies.map(() => new SolidBuilder(scene.unit));
  for (const solid of scene.solids ?? []) {
    const builder = builders[solid.body];
    builder?.paint(solidColour(solid));
    builder?.add(solid);
  }
  const surface = palette.painted();
  const edge = palette.line((colours) => colours.edge, 0.4);
  const made: { geometry: BufferGeometry; builder: SolidBuilder }[] = [];
  const owned: BufferGeometry[] = [];
  const groups = builders.map((builder) => {
    const group = new Group();
    if (builder.empty) return group;
    const geometry = builder.geometry(palette.colours);
    made.push({ geometry, builder });
    owned.push(geometry);
    group.add(new Mesh(geometry, surface));
    const lines = builder.edgeGeometry();
    if (lines) {
      owned.push(lines);
      group.add(new LineSegments(lines, edge));
    }
    return group;
  });
  return {
    groups,
    move(now): void {
      now.forEach((pose, index) => {
        groups[index]?.position.copy(pose.p);
        groups[index]?.quaternion.copy(pose.q as Quaternion);
      });
    },
    colour(): void {
      for (const { geometry, builder } of made) builder.colour(geometry, palette.colours);
    },
    dispose(): void {
      for (const geometry of owned) geometry.dispose();
    },
  };
}
