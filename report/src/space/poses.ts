// Where the bodies are at a sample: positions linear between samples, orientations on the shortest arc (slerp).

import { Quaternion, Vector3 } from "three";
import { interpolate, type Report } from "../report";
import type { Frame, Scene } from "../scene";

export interface Pose {
  readonly p: Vector3;
  readonly q: Quaternion;
}

/** From ground axes to those of the drawing, whose z is up. */
export function upright({ up = [0, 0, 1] }: Scene): Quaternion {
  const [x = 0, y = 0, z = 1] = up;
  const turn = new Quaternion();
  if (z === 1) return turn;
  // A quarter of a turn about an axis keeps the others easy to read.
  if (z === -1) return turn.setFromAxisAngle(new Vector3(1, 0, 0), Math.PI);
  return turn.setFromUnitVectors(new Vector3(x, y, z), new Vector3(0, 0, 1));
}

/** Three columns that form a vector, in the axes of the drawing. */
export class VectorColumns {
  private constructor(private readonly x: Float64Array, private readonly y: Float64Array, private readonly z: Float64Array,
                      private readonly turn: Quaternion) {}

  /** Nothing where the run has not all three. */
  static of(report: Report, names: readonly string[]): VectorColumns | undefined {
    const [x, y, z] = names.slice(0, 3).map((name) => report.clean(name));
    return x && y && z ? new VectorColumns(x, y, z, upright(report.scene)) : undefined;
  }

  /** The largest of all samples. */
  largest(): number {
    let most = 0;
    for (let k = 0; k < this.x.length; k += 1) {
      const size = Math.hypot(this.x[k] ?? 0, this.y[k] ?? 0, this.z[k] ?? 0);
      if (size > most && Number.isFinite(size)) most = size;
    }
    return most;
  }

  at(sample: number, into: Vector3): Vector3 {
    return into.set(interpolate(this.x, sample), interpolate(this.y, sample), interpolate(this.z, sample)).applyQuaternion(this.turn);
  }
}

export function names(owner: string, letters: string): string[] {
  return ["x", "y", "z"].map((axis) => `${owner}.${letters}${axis}`);
}

export function vector(numbers: readonly number[] | null | undefined): Vector3 {
  return new Vector3(numbers?.[0] ?? 0, numbers?.[1] ?? 0, numbers?.[2] ?? 0);
}

/** A point of a body in the axes of the drawing. */
export function place(pose: Pose, point: Vector3, into: Vector3): Vector3 {
  return into.copy(point).applyQuaternion(pose.q).add(pose.p);
}

export function framePose(frame: Frame | undefined): Pose {
  const [w = 1, x = 0, y = 0, z = 0] = frame?.q ?? [];
  return { p: vector(frame?.p), q: new Quaternion(x, y, z, w).normalize() };
}

/** Which whole samples to look at when the whole motion matters: at most this many, the first and the last among them. */
export function spreadSamples(samples: number, most: number): number[] {
  const count = Math.max(1, Math.min(samples, most));
  if (count === 1) return [0];
  return Array.from({ length: count }, (_, k) => Math.round((k * (samples - 1)) / (count - 1)));
}

type Track = { position: VectorColumns; quaternion: [Float64Array, Float64Array, Float64Array, Float64Array] } | undefined;

/** The poses of all bodies in the axes of the drawing, the ground among them. */
export class Poses {
  readonly samples: number;
  private readonly tracks: Track[];
  private readonly turn: Quaternion;
  private readonly before = new Quaternion();
  private readonly after = new Quaternion();

  constructor(report: Report) {
    this.samples = report.samples;
    this.turn = upright(report.scene);
    this.tracks = report.scene.bodies.map((body, index) => {
      const position = VectorColumns.of(report, names(body.name, ""));
      const [w, x, y, z] = ["qw", "qx", "qy", "qz"].map((part) => report.column(`${body.name}.${part}`));
      return index > 0 && position && w && x && y && z ? { position, quaternion: [w, x, y, z] } : undefined;
    });
  }

  /** The pose of a body; the ground, and a body without results, stand at the origin. */
  at(body: number, sample: number, into: Pose = { p: new Vector3(), q: new Quaternion() }): Pose {
    const track = this.tracks[body];
    if (!track) {
      into.p.set(0, 0, 0);
      into.q.copy(this.turn);
      return into;
    }
    track.position.at(sample, into.p);
    const low = Math.max(0, Math.min(this.samples - 1, Math.floor(sample)));
    this.read(track.quaternion, low, this.before);
    if (sample > low && low + 1 < this.samples) {
      this.read(track.quaternion, low + 1, this.after);
      into.q.slerpQuaternions(this.before, this.after, sample - low);
    } else {
      into.q.copy(this.before);
    }
    into.q.premultiply(this.turn);
    return into;
  }

  private read([w, x, y, z]: [Float64Array, Float64Array, Float64Array, Float64Array], k: number, into: Quaternion): void {
    into.set(x[k] ?? 0, y[k] ?? 0, z[k] ?? 0, w[k] ?? 1).normalize();
  }
}
