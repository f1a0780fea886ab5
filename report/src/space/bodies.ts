// The bodies and their joints as meshes: one group per body, moved as a whole.

import { BufferGeometry, EdgesGeometry, Group, LineSegments, Mesh, type Material, Quaternion, Vector3 } from "three";
import type { Scene, SceneBody, Shape } from "../scene";
import { alongAxis, jointSymbol, sliding, travel } from "./joints";
import { bodyColour, type Palette } from "./palette";
import { place, vector, type Pose, type Poses } from "./poses";
import { boxTurn, corners, type Connection, type Measures, type Skeleton } from "./skeleton";
import { ball, block, cap, merge, put, rod } from "./solids";

interface Parts {
  solid: BufferGeometry[];
  joint: BufferGeometry[];
  loop: BufferGeometry[];
  edges: BufferGeometry[];
}

const sharp = 30;

function shapeParts(shape: Shape, unit: number): BufferGeometry[] {
  if (shape.from && shape.to) {
    const from = vector(shape.from);
    const to = vector(shape.to);
    const radius = shape.radius ?? unit;
    if (shape.type === "cylinder") return [rod(from, to, radius, radius, 40)];
    return [rod(from, to, radius), cap(from, radius), cap(to, radius)];
  }
  if (shape.type === "box") {
    // A plate without thickness still needs a body to be seen from its edge.
    const size = vector(shape.size).max(new Vector3(1, 1, 1).multiplyScalar(0.2 * unit));
    return put([block(size)], vector(shape.centre), boxTurn(shape.rpy));
  }
  return [ball(vector(shape.centre), shape.radius ?? 2 * unit)];
}

/** Thin rods to the joints and points that lie outside the shape. */
function stalks(bone: Skeleton, unit: number): BufferGeometry[] {
  const { outline } = bone;
  if (!outline) return [];
  const parts: BufferGeometry[] = [];
  for (const node of bone.nodes) {
    const nearest = outline.clampPoint(node, new Vector3());
    if (nearest.distanceTo(node) > unit) parts.push(rod(nearest, node, 0.6 * unit));
  }
  return parts;
}

/** Rods from the hub to every other node, and a lump at the centre of mass; in the middle of a single rod the rod says it all. */
function sticks(body: SceneBody, bone: Skeleton, unit: number, heaviest: number): BufferGeometry[] {
  const parts: BufferGeometry[] = [];
  const ends = bone.nodes.filter((node) => node.distanceTo(bone.hub) > 0.01 * unit);
  for (const end of ends) parts.push(rod(bone.hub, end, unit), cap(end, unit));
  if (ends.length > 0) parts.push(cap(bone.hub, unit));
  if (!bone.com || !body.mass || body.mass <= 0) return parts;
  const [only] = ends;
  if (only && ends.length === 1 && only.clone().add(bone.hub).multiplyScalar(0.5).distanceTo(bone.com) < 0.02 * only.distanceTo(bone.hub)) return parts;
  const radius = unit * Math.max(1.3, 3 * Math.cbrt(body.mass / heaviest));
  parts.push(ball(bone.com, radius));
  const foot = nearestOnSticks(bone, ends);
  if (foot.distanceTo(bone.com) > radius) parts.push(rod(foot, bone.com, ends.length > 0 ? 0.5 * unit : unit));
  return parts;
}

function nearestOnSticks(bone: Skeleton, ends: Vector3[]): Vector3 {
  const com = bone.com ?? bone.hub;
  let best = bone.hub;
  for (const end of ends) {
    const along = end.clone().sub(bone.hub);
    const part = Math.min(1, Math.max(0, com.clone().sub(bone.hub).dot(along) / along.lengthSq()));
    const foot = along.multiplyScalar(part).add(bone.hub);
    if (foot.distanceTo(com) < best.distanceTo(com)) best = foot;
  }
  return best;
}

/** Where a socket opens: away from the parent's body; on the ground, towards the child. */
function opening(one: Connection, bones: Skeleton[], poses: Poses): Vector3 {
  const child = bones[one.child];
  const away = new Vector3();
  if (one.parent > 0) {
    away.copy(one.parentFrame.p).sub(bones[one.parent]?.com ?? bones[one.parent]?.hub ?? new Vector3());
  } else {
    place(poses.at(one.child, 0), child?.com ?? child?.nodes[1] ?? new Vector3(0, 0, 1), away).sub(one.parentFrame.p);
  }
  if (!(away.lengthSq() > 0)) away.set(0, 0, 1);
  return away.normalize().applyQuaternion(one.parentFrame.q.clone().invert());
}

/** Where both bodies of a hinge reach along its axis, seen from the joint: a hinge of plates is as long as they are wide. */
function hingeLine(one: Connection, bones: Skeleton[]): [number, number] {
  const reach = (body: number, frame: Pose): [number, number] => {
    const outline = bones[body]?.outline;
    if (!outline) return [0, 0];
    const axis = one.axis.clone().applyQuaternion(frame.q);
    const seen = corners(outline).map((corner) => corner.sub(frame.p).dot(axis));
    return [Math.min(...seen), Math.max(...seen)];
  };
  const [low, high] = reach(one.parent, one.parentFrame);
  const [otherLow, otherHigh] = reach(one.child, one.childFrame);
  return [Math.max(low, otherLow), Math.min(high, otherHigh)];
}

function addJoint(one: Connection, parts: Parts[], bones: Skeleton[], poses: Poses, unit: number): void {
  const range: [number, number] = sliding.has(one.symbol) ? travel(one, poses) : [0, 0];
  const symbol = jointSymbol(one, unit, range, opening(one, bones, poses));
  const [low, high] = one.symbol === "hinge" ? hingeLine(one, bones) : [0, 0];
  if (high - low > 8 * unit) symbol.child.push(rod(new Vector3(0, 0, low), new Vector3(0, 0, high), 0.5 * unit));
  const axis = alongAxis.has(one.symbol) ? one.axis : undefined;
  const kind = one.loop ? "loop" : "joint";
  const onParent = put(symbol.parent, one.parentFrame.p, one.parentFrame.q, axis);
  const onChild = put(symbol.child, one.childFrame.p, one.childFrame.q, axis);
  parts[one.parent]?.[kind].push(...onParent);
  parts[one.child]?.[kind].push(...onChild);
}

/** A plate that holds a joint on the ground, on the side away from the child; a column to the floor where that is near. */
function stand(one: Connection, bones: Skeleton[], poses: Poses, unit: number, floor: number, reach: number): BufferGeometry[] {
  const child = bones[one.child];
  const ends = [...(child?.nodes ?? []), ...(child?.com ? [child.com] : [])];
  const pose = poses.at(one.child, 0);
  const p = one.parentFrame.p;
  let height = 0;
  let size = 0;
  for (const end of ends) {
    const arm = place(pose, end, new Vector3()).sub(p);
    height += arm.z;
    size += arm.length();
  }
  const toFloor = p.z - floor;
  const hangs = height < -0.5 * size;
  const side = hangs ? 1 : -1;
  const far = !hangs && toFloor > 3 * unit && toFloor < reach ? toFloor : 3 * unit;
  const top = p.clone().add(new Vector3(0, 0, side * far));
  const plate = block(new Vector3(9 * unit, 9 * unit, unit), top.clone().add(new Vector3(0, 0, (side * unit) / 2)));
  return [rod(top, p, 2.2 * unit, 1.3 * unit), plate];
}

function groundParts(all: Connection[], bones: Skeleton[], poses: Poses, unit: number, floor: number, reach: number): BufferGeometry[] {
  const parts: BufferGeometry[] = [];
  for (const one of all) {
    if (one.symbol === "afloat" || one.loop || one.parent !== 0) continue;
    parts.push(...stand(one, bones, poses, unit, floor, reach));
  }
  // The ground as the bar of a closed linkage.
  const held = all.filter((one) => one.symbol !== "afloat" && (one.parent === 0 || (one.loop && one.child === 0)));
  const places = held.map((one) => (one.parent === 0 ? one.parentFrame.p : one.childFrame.p));
  if (!all.some((one) => one.loop) || places.length > 6) return parts;
  for (let k = 1; k < places.length; k += 1) {
    const from = places[k - 1];
    const to = places[k];
    if (from && to && from.distanceTo(to) > unit) parts.push(rod(from, to, 0.7 * unit));
  }
  return parts;
}

/** All bodies: `groups[k]` is to be placed at the pose of body k. */
export interface BodyMeshes {
  groups: Group[];
  move(poses: readonly Pose[]): void;
  dispose(): void;
}

export function makeBodies(
  scene: Scene, all: Connection[], bones: Skeleton[], poses: Poses, measures: Measures, floor: number, palette: Palette,
): BodyMeshes {
  const { unit } = measures;
  const heaviest = Math.max(...scene.bodies.map((body) => body.mass ?? 0), Number.MIN_VALUE);
  const parts: Parts[] = scene.bodies.map(() => ({ solid: [], joint: [], loop: [], edges: [] }));
  scene.bodies.forEach((body, index) => {
    const bone = bones[index];
    const mine = parts[index];
    if (!bone || !mine) return;
    if (body.shape) {
      mine.solid.push(...shapeParts(body.shape, unit));
      if (body.shape.type !== "rod") mine.edges.push(...mine.solid.map((part) => new EdgesGeometry(part, sharp)));
      mine.solid.push(...stalks(bone, unit));
    } else if (index > 0) {
      mine.solid.push(...sticks(body, bone, unit, heaviest));
    }
  });
  for (const one of all) addJoint(one, parts, bones, poses, unit);
  parts[0]?.solid.push(...groundParts(all, bones, poses, unit, floor, 0.5 * measures.mechanism));

  const joint = palette.surface((colours) => colours.joint);
  const loop = palette.surface((colours) => colours.loop);
  const edge = palette.line((colours) => colours.edge, 0.55);
  const geometries: BufferGeometry[] = [];
  const groups = parts.map((mine, index) => {
    const group = new Group();
    const add = (list: BufferGeometry[], make: (geometry: BufferGeometry) => Mesh | LineSegments): void => {
      const merged = merge(list);
      if (!merged) return;
      geometries.push(merged);
      group.add(make(merged));
    };
    const mesh = (material: Material) => (geometry: BufferGeometry): Mesh => new Mesh(geometry, material);
    add(mine.solid, mesh(palette.surface(bodyColour(index))));
    add(mine.joint, mesh(joint));
    add(mine.loop, mesh(loop));
    add(mine.edges, (geometry) => new LineSegments(geometry, edge));
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
    dispose(): void {
      for (const geometry of geometries) geometry.dispose();
    },
  };
}
