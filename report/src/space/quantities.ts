// Arrows of velocity, acceleration, reactions and applied forces: where they start and what they show at a sample.

import { Vector3 } from "three";
import { arrowLayers } from "../arrow-legend";
import { shortNumber } from "../format";
import { interpolate, type Report } from "../report";
import type { Layers } from "../view";
import { Arrows } from "./arrows";
import type { Palette } from "./palette";
import { names, place, spreadSamples, vector, VectorColumns, type Pose, type Poses } from "./poses";
import type { Connection, Measures, Skeleton } from "./skeleton";

/** Writes where an arrow starts and its vector in the quantity's own unit. */
type Source = (sample: number, poses: readonly Pose[], from: Vector3, value: Vector3) => void;

interface Motion {
  v: VectorColumns;
  w: VectorColumns;
  a: VectorColumns | undefined;
  alpha: VectorColumns | undefined;
}

/** Velocity of a point of a body: v + w × r; acceleration: a + alpha × r + w × (w × r). */
function pointSource(body: number, point: Vector3, motion: Motion, order: 1 | 2): Source {
  const arm = new Vector3();
  const spin = new Vector3();
  const turn = new Vector3();
  return (sample, poses, from, value) => {
    const pose = poses[body];
    if (!pose) return;
    arm.copy(point).applyQuaternion(pose.q);
    from.copy(arm).add(pose.p);
    motion.w.at(sample, spin);
    turn.crossVectors(spin, arm);
    if (order === 1) {
      motion.v.at(sample, value).add(turn);
      return;
    }
    motion.a?.at(sample, value).add(spin.cross(turn));
    if (motion.alpha) value.add(motion.alpha.at(sample, spin).cross(arm));
  };
}

/** Of what moves points at all: less is rounding, of points on an axis. */
const rounding = 1e-12;

/** Arrows of all points, and how large the smallest is that says anything. */
function motionSources(report: Report, bones: Skeleton[], order: 1 | 2, size: number): { sources: Source[]; least: number } {
  const sources: Source[] = [];
  let usual = 0;
  report.scene.bodies.forEach((body, index) => {
    const v = VectorColumns.of(report, names(body.name, "v"));
    const w = VectorColumns.of(report, names(body.name, "w"));
    const a = VectorColumns.of(report, names(body.name, "a"));
    if (index === 0 || !v || !w || (order === 2 && !a)) return;
    const motion = { v, w, a, alpha: VectorColumns.of(report, names(body.name, "al")) };
    const [turning, bending] = [w.largest(), motion.alpha?.largest() ?? 0];
    usual = Math.max(usual, order === 1 ? v.largest() + turning * size : (a?.largest() ?? 0) + (bending + turning ** 2) * size);
    const centre = bones[index]?.com ?? bones[index]?.hub ?? new Vector3();
    for (const point of [centre, ...body.points.map((named) => vector(named.p))])
      sources.push(pointSource(index, point, motion, order));
  });
  return { sources, least: rounding * usual };
}

/** The force of a joint on its child, at the joint. */
function reactionSources(report: Report, all: Connection[]): Source[] {
  const sources: Source[] = [];
  for (const one of all) {
    const force = VectorColumns.of(report, names(one.name, "f"));
    if (!force || one.symbol === "afloat") continue;
    sources.push((sample, poses, from, value) => {
      const pose = poses[one.child];
      if (pose) place(pose, one.childFrame.p, from);
      force.at(sample, value);
    });
  }
  return sources;
}

/** Forces that the model gives, where they act, and springs pulling at both ends. */
function forceSources(report: Report): Source[] {
  const sources: Source[] = [];
  const other = new Vector3();
  for (const e of report.scene.elements) {
    if (e.group !== "force") continue;
    const tension = e.symbol === "spring" ? report.clean(`${e.name}.f`) : undefined;
    const given = e.symbol === "spring" ? undefined : VectorColumns.of(report, names(e.name, "f"));
    const ends = [{ body: e.j ?? 0, p: vector(e.pj) }, { body: e.i ?? 0, p: vector(e.pi) }] as const;
    // A wrench about the ground's origin has its place there.
    const at = e.pj ? ends[0] : ends[1];
    if (given)
      sources.push((sample, poses, from, value) => {
        const pose = poses[at.body];
        if (pose) place(pose, at.p, from);
        given.at(sample, value);
      });
    if (!tension) continue;
    for (const [here, there] of [[ends[0], ends[1]], [ends[1], ends[0]]] as const)
      sources.push((sample, poses, from, value) => {
        const [one, two] = [poses[here.body], poses[there.body]];
        if (!one || !two) return;
        place(one, here.p, from);
        value.subVectors(place(two, there.p, other), from);
        if (value.lengthSq() > 0) value.setLength(1).multiplyScalar(interpolate(tension, sample));
      });
  }
  return sources;
}

export type Quantity = "velocity" | "acceleration" | "reactions" | "forces";

export const quantityColour = { velocity: "velocity", acceleration: "acceleration", reactions: "reaction", forces: "force" } as const;
export const quantityWords: Record<Quantity, string> = {
  velocity: "velocity", acceleration: "acceleration", reactions: "reaction", forces: "applied force",
};
const units: Record<Quantity, string> = { velocity: "m/s", acceleration: "m/s²", reactions: "N", forces: "N" };

/** How long arrows are: metres of the drawing for one unit of a quantity. */
export interface Scale {
  quantity: Quantity;
  metres: number;
  /** SI. */
  unit: string;
}

/** The value of an arrow, at its end in ground axes. */
export interface Reading {
  /** Which arrow, the same from picture to picture. */
  arrow: number;
  from: Vector3;
  tip: Vector3;
  text: string;
  colour: "velocity" | "acceleration" | "reaction" | "force";
}

/** The arrows of one quantity, all to one scale. */
class QuantityArrows {
  readonly arrows: Arrows;
  /** Of the drawing's metres; 0 where there is nothing to draw. */
  private chosen: number | undefined;
  private readonly from = new Vector3();
  private readonly value = new Vector3();

  constructor(private readonly sources: Source[], private readonly least: number, private readonly size: number, arrows: Arrows) {
    this.arrows = arrows;
  }

  get scale(): number {
    return this.chosen ?? 0;
  }

  /**
   * The largest value of the motion is 0.3 of the mechanism long; more where it is a short peak, so that the largest value of
   * a usual sample (the median) can still be seen, but never more than the mechanism itself.
   */
  private chooseScale(all: Poses, bodies: number): number {
    const largest = spreadSamples(all.samples, 400).map((sample) => {
      const poses: Pose[] = Array.from({ length: bodies }, (_, body) => all.at(body, sample));
      return Math.max(0, ...this.sources.map((source) => {
        source(sample, poses, this.from, this.value);
        const length = this.value.length();
        return Number.isFinite(length) ? length : 0;
      }));
    }).sort((a, b) => a - b);
    const most = largest[largest.length - 1] ?? 0;
    const usual = largest[largest.length >> 1] ?? 0;
    if (!(most > this.least)) return 0;
    return this.size * Math.max(0.3 / most, Math.min(usual > 0 ? 0.15 / usual : Infinity, 1 / most));
  }

  /** Where the arrows end at a sample. */
  tips(sample: number, now: readonly Pose[], all: Poses, factor: number): Vector3[] {
    this.chosen ??= this.chooseScale(all, now.length);
    return this.sources.map((source) => {
      source(sample, now, this.from.set(0, 0, 0), this.value.set(0, 0, 0));
      return this.from.clone().addScaledVector(this.value, this.scale * factor);
    });
  }

  /** Places the arrows; with `read`, tells the size and the tip of each one that can be seen. */
  draw(sample: number, now: readonly Pose[], all: Poses, factor: number, read?: (arrow: number, size: number, from: Vector3, tip: Vector3) => void): void {
    this.chosen ??= this.chooseScale(all, now.length);
    this.sources.forEach((source, k) => {
      source(sample, now, this.from.set(0, 0, 0), this.value.set(0, 0, 0));
      const size = this.value.length();
      this.arrows.set(k, this.from, this.value.multiplyScalar(this.scale * factor));
      if (read && this.value.length() > 0.02 * this.size) read(k, size, this.from.clone(), this.from.clone().add(this.value));
    });
    this.arrows.done();
  }
}

export class Quantities {
  /** What the picture shows now. */
  scales: Scale[] = [];
  readings: Reading[] = [];
  private readonly sets: Record<Quantity, QuantityArrows>;

  constructor(private readonly report: Report, all: Connection[], bones: Skeleton[], measures: Measures, palette: Palette) {
    const make = (sources: Source[], quantity: Reading["colour"], least = 0): QuantityArrows =>
      new QuantityArrows(sources, least, measures.mechanism, new Arrows(sources.length, 0.42 * measures.unit, palette.last((colours) => colours[quantity])));
    const [velocity, acceleration] = [motionSources(report, bones, 1, measures.mechanism), motionSources(report, bones, 2, measures.mechanism)];
    this.sets = {
      velocity: make(velocity.sources, "velocity", velocity.least),
      acceleration: make(acceleration.sources, "acceleration", acceleration.least),
      reactions: make(reactionSources(report, all), "reaction"),
      forces: make(forceSources(report), "force"),
    };
  }

  get groups(): Arrows["group"][] {
    return Object.values(this.sets).map((set) => set.arrows.group);
  }

  /** Where the arrows that these layers show end at a sample. */
  tips(sample: number, now: readonly Pose[], all: Poses, layers: Layers): Vector3[] {
    return arrowLayers.filter((layer) => layers[layer]).flatMap((layer) => this.sets[layer].tips(sample, now, all, layers.arrowScale));
  }

  draw(sample: number, now: readonly Pose[], all: Poses, layers: Layers): void {
    this.scales = [];
    this.readings = [];
    for (const quantity of arrowLayers) {
      const set = this.sets[quantity];
      set.arrows.group.visible = (layers[quantity] ?? false) && set.arrows.count > 0;
      if (!set.arrows.group.visible) continue;
      const read = (arrow: number, size: number, from: Vector3, tip: Vector3): void => {
        this.readings.push({ arrow, from, tip, text: this.report.told(size, units[quantity], shortNumber), colour: quantityColour[quantity] });
      };
      set.draw(sample, now, all, layers.arrowScale, quantity === "reactions" || quantity === "forces" ? read : undefined);
      this.scales.push({ quantity, metres: set.scale * layers.arrowScale, unit: units[quantity] });
    }
  }

  dispose(): void {
    for (const set of Object.values(this.sets)) set.arrows.dispose();
  }
}
