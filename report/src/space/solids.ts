// Simple solids in a body's axes, and putting many of them into one mesh: a body costs a few draw calls, however many parts it has.

import {
  BoxGeometry, type BufferGeometry, Curve, CylinderGeometry, Matrix4, Quaternion, SphereGeometry, TorusGeometry, TubeGeometry, Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

const up = new Vector3(0, 1, 0);
const one = new Vector3(1, 1, 1);
const zAxis = new Vector3(0, 0, 1);

/** A cylinder between two points; with a second radius, a cone. */
export function rod(from: Vector3, to: Vector3, radius: number, endRadius = radius, sides = 14): BufferGeometry {
  const along = to.clone().sub(from);
  const length = along.length();
  const geometry = new CylinderGeometry(endRadius, radius, length, sides);
  const turn = new Quaternion().setFromUnitVectors(up, along.divideScalar(length > 0 ? length : 1));
  return geometry.applyMatrix4(new Matrix4().compose(from.clone().add(to).multiplyScalar(0.5), turn, one));
}

export function ball(centre: Vector3, radius: number): BufferGeometry {
  return new SphereGeometry(radius, 20, 12).translate(centre.x, centre.y, centre.z);
}

/** The round end of a rod: hardly seen, so with few faces. */
export function cap(centre: Vector3, radius: number): BufferGeometry {
  return new SphereGeometry(radius, 12, 6).translate(centre.x, centre.y, centre.z);
}

/** The half of a hollow sphere on the far side of a direction. */
export function socket(radius: number, opening: Vector3): BufferGeometry {
  const geometry = new SphereGeometry(radius, 20, 8, 0, 2 * Math.PI, 0.52 * Math.PI, 0.48 * Math.PI);
  return geometry.applyQuaternion(new Quaternion().setFromUnitVectors(up, opening));
}

export function block(size: Vector3, centre = new Vector3()): BufferGeometry {
  return new BoxGeometry(size.x, size.y, size.z).translate(centre.x, centre.y, centre.z);
}

/** A ring around z, or a part of it that begins at x. */
export function ring(radius: number, thickness: number, arc = 2 * Math.PI): BufferGeometry {
  return new TorusGeometry(radius, thickness, 8, Math.ceil((24 * arc) / (2 * Math.PI)), arc);
}

/** A square tube along z. */
export function sleeve(inner: number, outer: number, length: number): BufferGeometry[] {
  const wall = outer - inner;
  const middle = (outer + inner) / 2;
  return [
    block(new Vector3(wall, 2 * outer, length), new Vector3(middle, 0, 0)),
    block(new Vector3(wall, 2 * outer, length), new Vector3(-middle, 0, 0)),
    block(new Vector3(2 * inner, wall, length), new Vector3(0, middle, 0)),
    block(new Vector3(2 * inner, wall, length), new Vector3(0, -middle, 0)),
  ];
}

class Helix extends Curve<Vector3> {
  constructor(private readonly radius: number, private readonly from: number, private readonly to: number,
              private readonly turns: number, private readonly ends: number) {
    super();
  }

  /** Straight ends on the axis, a fraction of the length each, and the coil between them. */
  override getPoint(t: number, into = new Vector3()): Vector3 {
    const inside = Math.min(1, Math.max(0, (t - this.ends) / (1 - 2 * this.ends)));
    const swell = this.ends > 0 ? Math.min(1, 20 * Math.min(inside, 1 - inside)) : 1;
    const angle = 2 * Math.PI * this.turns * inside;
    const radius = this.radius * swell;
    return into.set(radius * Math.cos(angle), radius * Math.sin(angle), this.from + (this.to - this.from) * t);
  }
}

/** A wire wound around z. */
export function coil(radius: number, wire: number, from: number, to: number, turns: number, ends = 0): BufferGeometry {
  return new TubeGeometry(new Helix(radius, from, to, turns, ends), Math.ceil(turns * 16), wire, 6);
}

/** Turns solids made around z to another axis and moves them to a frame. */
export function put(parts: BufferGeometry[], p: Vector3, q: Quaternion, axis: Vector3 = zAxis): BufferGeometry[] {
  const turn = q.clone().multiply(new Quaternion().setFromUnitVectors(zAxis, axis));
  const matrix = new Matrix4().compose(p, turn, one);
  return parts.map((part) => part.applyMatrix4(matrix));
}

/** One geometry of many; nothing of none. The parts are used up. */
export function merge(parts: BufferGeometry[]): BufferGeometry | null {
  if (parts.length === 0) return null;
  for (const part of parts) part.deleteAttribute("uv");
  const merged: BufferGeometry | null = mergeGeometries(parts);
  for (const part of parts) part.dispose();
  return merged;
}
