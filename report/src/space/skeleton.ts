// What is known about the mechanism before anything is drawn: its connections (joints and loops), and for each body the places
// where something happens and the lines between them.

import { Box3, Euler, Matrix4, Quaternion, Vector3 } from "three";
import type { Report } from "../report";
import type { Scene, SceneBody, SceneSolid, Shape, SymbolName } from "../scene";
import { framePose, names, place, spreadSamples, vector, VectorColumns, type Pose, type Poses } from "./poses";

/** A joint or a loop: the same joint frame seen from the two bodies. */
export interface Connection {
  name: string;
  symbol: SymbolName;
  loop: boolean;
  parent: number;
  child: number;
  parentFrame: Pose;
  childFrame: Pose;
  axis: Vector3;
  /** What a screw gains in a radian, in metres; 0 for other joints. */
  advance: number;
}

export interface Skeleton {
  /** Where the body hangs: the frame of the joint to its parent, or its origin. */
  hub: Vector3;
  /** All places of the body that are joints, loops or named points, each once. */
  nodes: Vector3[];
  com: Vector3 | null;
  /** Corners around the given shape. */
  outline: Box3 | null;
}

export function connections(scene: Scene): Connection[] {
  const found: Connection[] = [];
  for (const element of scene.elements) {
    const loop = element.group === "loop";
    if (!loop && element.group !== "joint") continue;
    const axis = element.axis ? vector(element.axis) : new Vector3(0, 0, 1);
    found.push({
      name: element.name,
      symbol: element.symbol,
      loop,
      parent: (loop ? element.i : element.parent) ?? element.i ?? 0,
      child: (loop ? element.j : element.child) ?? element.j ?? 0,
      parentFrame: framePose(loop ? element.frame_i : element.frame_parent),
      childFrame: framePose(loop ? element.frame_j : element.frame_child),
      axis: axis.lengthSq() > 0 ? axis.normalize() : axis.set(0, 0, 1),
      advance: element.pitch ?? 0,
    });
  }
  return found.filter((one) => scene.bodies[one.parent] && scene.bodies[one.child]);
}

/** Turns the box of a shape as its roll, pitch and yaw say (Rz Ry Rx). */
export function boxTurn(rpy: readonly number[] | undefined): Quaternion {
  return new Quaternion().setFromEuler(new Euler(rpy?.[0] ?? 0, rpy?.[1] ?? 0, rpy?.[2] ?? 0, "ZYX"));
}

function outlineOf(shape: Shape): Box3 {
  const box = new Box3();
  const radius = shape.radius ?? 0;
  if (shape.from && shape.to) {
    const [from, to] = [vector(shape.from), vector(shape.to)];
    const axis = to.clone().sub(from).normalize();
    // The discs at the ends reach this far along each coordinate axis.
    const wide = (part: number): number => radius * Math.sqrt(Math.max(0, 1 - part * part));
    return box.expandByPoint(from).expandByPoint(to).expandByVector(new Vector3(wide(axis.x), wide(axis.y), wide(axis.z)));
  }
  if (shape.type === "box") {
    const half = vector(shape.size).multiplyScalar(0.5);
    box.set(half.clone().negate(), half);
    return box.applyMatrix4(new Matrix4().compose(vector(shape.centre), boxTurn(shape.rpy), new Vector3(1, 1, 1)));
  }
  return box.expandByPoint(vector(shape.centre)).expandByScalar(radius);
}

function skeleton(body: SceneBody, index: number, all: Connection[]): Skeleton {
  const inboard = all.find((one) => !one.loop && one.child === index);
  const hub = inboard ? inboard.childFrame.p.clone() : new Vector3();
  const places = index > 0 || inboard ? [hub] : [];
  for (const one of all) {
    if (one.parent === index) places.push(one.parentFrame.p);
    if (one.child === index) places.push(one.childFrame.p);
  }
  for (const point of body.points) places.push(vector(point.p));
  const size = Math.max(...places.map((p) => p.distanceTo(hub)), 0);
  const nodes: Vector3[] = [];
  for (const p of places) if (!nodes.some((node) => node.distanceTo(p) <= 1e-6 * size)) nodes.push(p);
  return { hub, nodes, com: body.com ? vector(body.com) : null, outline: body.shape ? outlineOf(body.shape) : null };
}

export function skeletons(scene: Scene, all: Connection[]): Skeleton[] {
  return scene.bodies.map((body, index) => skeleton(body, index, all));
}

export function corners(box: Box3): Vector3[] {
  const { min, max } = box;
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z));
}

/** Sizes of the drawing, in metres. */
export interface Measures {
  /** Points that the mechanism reaches during the motion, in ground axes. */
  cloud: Vector3[];
  /** Around the cloud. */
  reach: Box3;
  /** Diagonal of the mechanism at the start. */
  mechanism: number;
  /** The radius of a rod; joint symbols are a little larger. */
  unit: number;
}

/** What the view goes along with: how far it has come since the start. */
export type Follow = (sample: number, into: Vector3) => Vector3;

/** What flies much farther than it is large is followed by the view: from so far away that all of its way is seen, it would be a dot. */
const farFlight = 6;

export function following(report: Report, all: Connection[], measures: Measures): Follow | undefined {
  const flight = all.find((one) => one.symbol === "afloat" && one.parent === 0 && !one.loop);
  const body = report.scene.bodies[flight?.child ?? 0];
  const way = flight && (VectorColumns.of(report, names("com", "")) ?? (body ? VectorColumns.of(report, names(body.name, "")) : undefined));
  if (!way || measures.reach.min.distanceTo(measures.reach.max) < farFlight * measures.mechanism) return undefined;
  const start = way.at(0, new Vector3());
  return (sample, into) => way.at(sample, into).sub(start);
}

const mostSamples = 240;
const mostPoints = 20000;

/** Corners around a solid, in the axes of its body. */
function cornersOf({ low, high, points = [], size, q, radius = 0 }: SceneSolid): Vector3[] {
  if (low && high) return corners(new Box3(vector(low), vector(high)));
  if (size) {
    const half = vector(size).multiplyScalar(0.5);
    const turn = q ? new Quaternion(q[1], q[2], q[3], q[0]) : new Quaternion();
    return corners(new Box3(half.clone().negate(), half)).map((corner) => corner.applyQuaternion(turn).add(vector(points)));
  }
  const box = new Box3();
  for (let k = 0; k + 2 < points.length; k += 3) box.expandByPoint(vector(points.slice(k, k + 3)));
  return box.isEmpty() ? [] : corners(box.expandByScalar(radius));
}

/** With `follow`, as they are seen by one who goes along. */
export function measure(scene: Scene, bones: Skeleton[], poses: Poses, follow?: Follow): Measures {
  const solids = (scene.solids ?? []).filter((solid) => solid.role === "body");
  const marks = bones.map((bone, body) => [...solids.filter((solid) => solid.body === body).flatMap(cornersOf), ...bone.nodes, ...(bone.com ? [bone.com] : []), ...(bone.outline ? corners(bone.outline) : [])]);
  const perSample = Math.max(1, marks.reduce((sum, list) => sum + list.length, 0));
  const cloud: Vector3[] = [];
  const start = new Box3();
  const gone = new Vector3();
  for (const sample of spreadSamples(poses.samples, Math.min(mostSamples, Math.ceil(mostPoints / perSample)))) {
    follow?.(sample, gone);
    marks.forEach((list, body) => {
      // The ground does not come along.
      if (follow && body === 0) return;
      const pose = poses.at(body, sample);
      for (const mark of list) {
        const point = place(pose, mark, new Vector3()).sub(gone);
        if (!Number.isFinite(point.lengthSq())) continue;
        cloud.push(point);
        if (sample === 0) start.expandByPoint(point);
      }
    });
  }
  if (cloud.length === 0) cloud.push(new Vector3());
  const reach = new Box3().setFromPoints(cloud);
  const size = scene.size > 0 ? scene.size : 1;
  const diagonal = start.isEmpty() ? 0 : start.min.distanceTo(start.max);
  const mechanism = diagonal > 0 ? diagonal : size;
  return { cloud, reach, mechanism, unit: scene.unit && scene.unit > 0 ? scene.unit : 0.01 * mechanism };
}
