// Solids as triangles: what the program says about a mechanism becomes one mesh a body, whatever it has in parts.

import { BufferAttribute, BufferGeometry, Color, Quaternion, Vector3 } from "three";
import type { SceneSolid } from "../scene";
import { bodyColour, type Choice, type Colours } from "./palette";

const zAxis = new Vector3(0, 0, 1);

/** A place on the outline of a solid of revolution: how far along and beside the axis, and the normal there. */
type Station = readonly [along: number, beside: number, normalAlong: number, normalBeside: number];

const capRings = 4;

/** Collects triangles of many solids, with the colour of each, and the sharp edges. */
export class SolidBuilder {
  private readonly positions: number[] = [];
  private readonly normals: number[] = [];
  private readonly index: number[] = [];
  private readonly edges: number[] = [];
  /** Radii beyond this are drawn with more sides. */
  constructor(private readonly unit = Infinity) {}

  private readonly painted: { from: number; choice: Choice }[] = [];

  get empty(): boolean {
    return this.index.length === 0;
  }

  /** What is added from now on has this colour. */
  paint(choice: Choice): void {
    this.painted.push({ from: this.positions.length / 3, choice });
  }

  add(solid: SceneSolid): void {
    const points = vectors(solid.points);
    const [a = new Vector3(), b = new Vector3()] = points;
    const radius = solid.radius ?? 0;
    switch (solid.kind) {
      case "rod": this.rod(a, b, radius, solid.end ?? radius); break;
      case "tube": this.tube(a, b, radius, solid.end ?? 0); break;
      case "capsule": this.capsule(a, b, radius, solid.end ?? radius); break;
      case "ball": this.ball(a, radius); break;
      case "socket": this.socket(a, radius, three(solid.axis)); break;
      case "wire": this.wire(points, radius, solid.closed ?? false); break;
      case "plate": this.prism(points, three(solid.axis), radius); break;
      case "block": this.block(a, three(solid.size), turn(solid.q)); break;
      case "mesh": this.mesh(solid); break;
    }
  }

  /** A cylinder between two points; with a second radius, a cone. */
  rod(a: Vector3, b: Vector3, radius: number, end = radius, sides = this.sides(radius)): void {
    const length = a.distanceTo(b);
    const slope = Math.atan2(radius - end, length);
    const [up, out] = [Math.sin(slope), Math.cos(slope)];
    this.revolve(a, b, [[0, 0, -1, 0], [0, radius, -1, 0]], sides);
    this.revolve(a, b, [[0, radius, up, out], [length, end, up, out]], sides);
    if (end > 0) this.revolve(a, b, [[length, end, 1, 0], [length, 0, 1, 0]], sides);
  }

  /** A hollow cylinder. */
  tube(a: Vector3, b: Vector3, radius: number, inside: number): void {
    const length = a.distanceTo(b);
    const sides = this.sides(radius);
    this.revolve(a, b, [[0, inside, -1, 0], [0, radius, -1, 0]], sides);
    this.revolve(a, b, [[0, radius, 0, 1], [length, radius, 0, 1]], sides);
    this.revolve(a, b, [[length, radius, 1, 0], [length, inside, 1, 0]], sides);
    this.revolve(a, b, [[length, inside, 0, -1], [0, inside, 0, -1]], sides);
  }

  capsule(a: Vector3, b: Vector3, radius: number, end: number): void {
    const length = a.distanceTo(b);
    const slope = Math.asin(Math.max(-1, Math.min(1, (radius - end) / Math.max(length, 1e-300))));
    const stations: Station[] = [];
    const cap = (centre: number, r: number, from: number, to: number): void => {
      for (let k = 0; k <= capRings; k += 1) {
        const angle = from + ((to - from) * k) / capRings;
        const [s, c] = [Math.sin(angle), Math.cos(angle)];
        stations.push([centre + r * s, r * c, s, c]);
      }
    };
    cap(0, radius, -Math.PI / 2, slope);
    cap(length, end, slope, Math.PI / 2);
    this.revolve(a, b, stations, 14);
  }

  ball(centre: Vector3, radius: number): void {
    const sides = Math.min(28, this.sides(radius) + 2);
    const rings = sides >> 1;
    const stations = Array.from({ length: rings + 1 }, (_, k): Station => {
      const angle = Math.PI * (k / rings - 0.5);
      return [radius * Math.sin(angle), radius * Math.cos(angle), Math.sin(angle), Math.cos(angle)];
    });
    this.revolve(centre, centre.clone().add(zAxis), stations, sides);
  }

  /** The half of a hollow ball on the far side of a direction: its outside, its rim and its inside. */
  socket(centre: Vector3, radius: number, opening: Vector3): void {
    const tip = centre.clone().add(opening);
    const shell = (r: number, side: 1 | -1): Station[] => Array.from({ length: 6 }, (_, k): Station => {
      const angle = -Math.PI / 2 + (0.47 * Math.PI * k) / 5;
      return [r * Math.sin(angle), r * Math.cos(angle), side * Math.sin(angle), side * Math.cos(angle)];
    });
    const [outer, inner] = [shell(radius, 1), shell(0.86 * radius, -1)];
    const [rimOut, rimIn] = [outer.at(-1), inner.at(-1)];
    this.revolve(centre, tip, outer, 18);
    this.revolve(centre, tip, inner.reverse(), 18);
    if (rimOut && rimIn) this.revolve(centre, tip, [[rimOut[0], rimOut[1], 1, 0], [rimIn[0], rimIn[1], 1, 0]], 18);
  }

  block(centre: Vector3, size: Vector3, q: Quaternion): void {
    const x = new Vector3(size.x / 2, 0, 0).applyQuaternion(q);
    const y = new Vector3(0, size.y / 2, 0).applyQuaternion(q);
    const corner = (s: number, t: number): Vector3 => centre.clone().addScaledVector(x, s).addScaledVector(y, t);
    this.prism([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], zAxis.clone().applyQuaternion(q), size.z / 2);
  }

  /** A convex polygon, `half` thick to either side of its plane. */
  prism(corners: Vector3[], normal: Vector3, half: number): void {
    const count = corners.length;
    if (count < 3) return;
    const [first = new Vector3(), second = new Vector3(), third = new Vector3()] = corners;
    const round = second.clone().sub(first).cross(third.clone().sub(second));
    if (round.dot(normal) < 0) corners = [...corners].reverse();
    const low = corners.map((p) => p.clone().addScaledVector(normal, -half));
    const high = corners.map((p) => p.clone().addScaledVector(normal, half));
    const down = normal.clone().negate();
    const base = this.corners(low, () => down);
    const top = this.corners(high, () => normal);
    for (let k = 1; k + 1 < count; k += 1) this.index.push(base, base + k + 1, base + k, top, top + k, top + k + 1);
    low.forEach((p, k) => {
      const next = (k + 1) % count;
      const quad = [p, low[next], high[next], high[k]].map((corner) => corner ?? p);
      const out = new Vector3().subVectors(quad[1] ?? p, p).cross(normal).normalize();
      const at = this.corners(quad, () => out);
      this.index.push(at, at + 1, at + 2, at, at + 2, at + 3);
      for (const [from, to] of [[quad[0], quad[1]], [quad[3], quad[2]]]) if (from && to) this.edges.push(...from.toArray(), ...to.toArray());
      // Corners of a rounded plate are no edges.
      if (count <= 8) this.edges.push(...p.toArray(), ...(high[k] ?? p).toArray());
    });
  }

  /** A round wire through points. */
  wire(points: Vector3[], radius: number, closed: boolean): void {
    const sides = 6;
    const rows = closed ? points.length + 1 : points.length;
    const along = new Vector3();
    let side = new Vector3();
    const start = this.positions.length / 3;
    for (let k = 0; k < rows; k += 1) {
      const at = (place: number): Vector3 => points[closed ? (place + points.length) % points.length : Math.max(0, Math.min(points.length - 1, place))] ?? zAxis;
      along.subVectors(at(k + 1), at(k - 1)).normalize();
      side = k === 0 ? square(along) : side.addScaledVector(along, -side.dot(along)).normalize();
      const other = new Vector3().crossVectors(along, side);
      for (let s = 0; s < sides; s += 1) {
        const angle = (2 * Math.PI * s) / sides;
        const normal = side.clone().multiplyScalar(Math.cos(angle)).addScaledVector(other, Math.sin(angle));
        this.normals.push(...normal.toArray());
        this.positions.push(...normal.multiplyScalar(radius).add(at(k)).toArray());
      }
    }
    for (let k = 0; k + 1 < rows; k += 1)
      for (let s = 0; s < sides; s += 1) {
        const [i, j] = [start + k * sides + s, start + k * sides + ((s + 1) % sides)];
        this.index.push(i, j, i + sides, j, j + sides, i + sides);
      }
  }

  /** Triangles of a file: smooth where neighbours hardly differ, sharp elsewhere. */
  private mesh({ low = [], high = [], corners = "", triangles = "" }: SceneSolid): void {
    const whole = new DataView(bytes(corners).buffer);
    const list = new DataView(bytes(triangles).buffer);
    const places = Array.from({ length: whole.byteLength / 6 }, (_, k) => new Vector3(...[0, 1, 2].map((axis) => {
      const from = low[axis] ?? 0;
      return from + (((high[axis] ?? 0) - from) * whole.getUint16(6 * k + 2 * axis, true)) / 65535;
    })));
    const count = Math.floor(list.byteLength / 12);
    const corner = (t: number, k: number): number => list.getUint32(12 * t + 4 * k, true);
    const faces = Array.from({ length: count }, (_, t) => {
      const [a, b, c] = [0, 1, 2].map((k) => places[corner(t, k)] ?? zAxis);
      return new Vector3().subVectors(b ?? zAxis, a ?? zAxis).cross(new Vector3().subVectors(c ?? zAxis, a ?? zAxis));
    });
    const around: number[][] = places.map(() => []);
    for (let t = 0; t < count; t += 1) for (let k = 0; k < 3; k += 1) around[corner(t, k)]?.push(t);
    const normal = new Vector3();
    for (let t = 0; t < count; t += 1) {
      const face = faces[t] ?? zAxis;
      const start = this.positions.length / 3;
      for (let k = 0; k < 3; k += 1) {
        normal.set(0, 0, 0);
        for (const other of around[corner(t, k)] ?? []) {
          const next = faces[other] ?? face;
          if (next.dot(face) > crease * next.length() * face.length()) normal.add(next);
        }
        this.normals.push(...normal.normalize().toArray());
        this.positions.push(...(places[corner(t, k)] ?? zAxis).toArray());
      }
      this.index.push(start, start + 1, start + 2);
    }
  }

  private sides(radius: number): number {
    return Math.max(14, Math.min(48, 2 * Math.round((4 * radius) / this.unit)));
  }

  private corners(places: Vector3[], normal: (k: number) => Vector3): number {
    const start = this.positions.length / 3;
    places.forEach((p, k) => {
      this.positions.push(...p.toArray());
      this.normals.push(...normal(k).toArray());
    });
    return start;
  }

  private revolve(a: Vector3, b: Vector3, stations: readonly Station[], sides: number): void {
    const axis = b.clone().sub(a).normalize();
    const u = square(axis);
    const v = new Vector3().crossVectors(axis, u);
    const start = this.positions.length / 3;
    const out = new Vector3();
    const at = new Vector3();
    for (const [along, beside, normalAlong, normalBeside] of stations)
      for (let s = 0; s <= sides; s += 1) {
        const angle = (2 * Math.PI * s) / sides;
        out.copy(u).multiplyScalar(Math.cos(angle)).addScaledVector(v, Math.sin(angle));
        at.copy(a).addScaledVector(axis, along).addScaledVector(out, beside);
        this.positions.push(at.x, at.y, at.z);
        at.copy(axis).multiplyScalar(normalAlong).addScaledVector(out, normalBeside);
        this.normals.push(at.x, at.y, at.z);
      }
    for (let k = 0; k + 1 < stations.length; k += 1)
      for (let s = 0; s < sides; s += 1) {
        const i = start + k * (sides + 1) + s;
        const j = i + sides + 1;
        if ((stations[k]?.[1] ?? 0) > 0) this.index.push(i, i + 1, j);
        if ((stations[k + 1]?.[1] ?? 0) > 0) this.index.push(i + 1, j + 1, j);
      }
  }

  /** The triangles; with `colours`, each part painted. */
  geometry(colours?: Colours): BufferGeometry {
    const made = new BufferGeometry();
    made.setAttribute("position", new BufferAttribute(new Float32Array(this.positions), 3));
    made.setAttribute("normal", new BufferAttribute(new Float32Array(this.normals), 3));
    made.setIndex(new BufferAttribute(this.positions.length / 3 > 65535 ? new Uint32Array(this.index) : new Uint16Array(this.index), 1));
    if (colours) {
      made.setAttribute("color", new BufferAttribute(new Float32Array(this.positions.length), 3));
      this.colour(made, colours);
    }
    return made;
  }

  /** Paints what has been made again, in the colours of another theme. */
  colour(made: BufferGeometry, colours: Colours): void {
    const attribute = made.getAttribute("color") as BufferAttribute;
    const colour = new Color();
    this.painted.forEach(({ from, choice }, k) => {
      colour.set(choice(colours));
      const until = this.painted[k + 1]?.from ?? attribute.count;
      for (let at = from; at < until; at += 1) attribute.setXYZ(at, colour.r, colour.g, colour.b);
    });
    attribute.needsUpdate = true;
  }

  edgeGeometry(): BufferGeometry | null {
    return this.edges.length > 0 ? new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(this.edges), 3)) : null;
  }
}

const crease = Math.cos((38 * Math.PI) / 180);

function square(axis: Vector3): Vector3 {
  const other = Math.abs(axis.x) < 0.6 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  return other.cross(axis).normalize();
}

function vectors(numbers: readonly number[] = []): Vector3[] {
  return Array.from({ length: Math.floor(numbers.length / 3) }, (_, k) => new Vector3().fromArray(numbers, 3 * k));
}

function three(numbers: readonly number[] = [0, 0, 1]): Vector3 {
  return new Vector3().fromArray(numbers);
}

function turn([w = 1, x = 0, y = 0, z = 0]: readonly number[] = []): Quaternion {
  return new Quaternion(x, y, z, w).normalize();
}

function bytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** Which colour a solid has. */
export function solidColour({ role, body, colour }: SceneSolid): Choice {
  if (colour) return () => colour;
  if (role === "joint") return (colours) => colours.joint;
  if (role === "bright") return (colours) => colours.bright;
  return role === "ground" ? (colours): string => colours.ground : bodyColour(body);
}

/** A cylinder or a cone by itself. */
export function rod(from: Vector3, to: Vector3, radius: number, endRadius = radius, sides = 14): BufferGeometry {
  const builder = new SolidBuilder();
  builder.rod(from, to, radius, endRadius, sides);
  return builder.geometry();
}
