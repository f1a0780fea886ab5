// Everything that carries a name or a flat sign in the 3-D drawing.

import { Vector3 } from "three";
import type { Scene } from "../scene";
import type { Mark } from "./overlay";
import { vector } from "./poses";
import type { Connection, Skeleton } from "./skeleton";

/** Where a body's name stands: at its centre of mass, in its shape, or in the middle of its points. */
function middle(bone: Skeleton): Vector3 {
  if (bone.com) return bone.com;
  if (bone.outline) return bone.outline.getCenter(new Vector3());
  const sum = new Vector3();
  for (const node of bone.nodes) sum.add(node);
  return sum.divideScalar(Math.max(1, bone.nodes.length));
}

function farthest({ hub, nodes, com }: Skeleton): Vector3 {
  return [...nodes, ...(com ? [com] : [])].reduce((far, p) => (p.distanceTo(hub) > far.distanceTo(hub) ? p : far), hub);
}

/** The marks in the order of their importance: where names would cover each other, the first one stays. */
export function makeMarks(scene: Scene, all: Connection[], bones: Skeleton[]): Mark[] {
  const marks: Mark[] = [];
  scene.bodies.forEach((body, index) => {
    const bone = bones[index];
    if (index > 0 && bone) marks.push({ kind: "body", text: body.name, body: index, p: middle(bone), centre: bone.com !== null, span: [bone.hub, farthest(bone)] });
  });
  for (const one of all) marks.push({ kind: "joint", text: one.name, body: one.child, p: one.childFrame.p });
  scene.bodies.forEach((body, index) => {
    for (const point of body.points) marks.push({ kind: "point", text: point.name, body: index, p: vector(point.p) });
  });
  for (const element of scene.elements) {
    if (element.group !== "force") continue;
    const body = element.j ?? 0;
    marks.push({ kind: "joint", text: element.name, body, p: element.pj ? vector(element.pj) : bones[body]?.com ?? new Vector3() });
  }
  return marks;
}
