// Arrows of velocity, acceleration, reaction and applied force to scale, with a legend that tells the scale.

import { interpolate, type Report } from "../report";
import type { SceneElement } from "../scene";
import { shortNumber } from "../format";
import type { Layers } from "../view";
import type { Camera } from "./camera";
import type { Pen } from "./pen";
import type { Poses, Spot } from "./pose";

export interface Arrow {
  body: number;
  p: number[];
  x: Float64Array;
  y: Float64Array;
  /** The end that a spring pulls towards: x is then the pull and y is not used. */
  towards?: { body: number; p: number[] };
  /** The size is written beside the arrow. */
  written?: boolean;
}

interface Kind {
  layer: "velocity" | "acceleration" | "reactions" | "forces";
  colour: "velocity" | "acceleration" | "reaction" | "force";
  words: string;
  unit: string;
  arrows: Arrow[];
  largest: number;
}

const spot: Spot = { x: 0, y: 0 };
const other: Spot = { x: 0, y: 0 };

/** The longest arrow as a part of the drawing's extent. */
const reach = 0.28;

export class ArrowPainter {
  private readonly kinds: Kind[] = [];

  constructor(
    private readonly report: Report, private readonly extent: number, private readonly poses: Poses,
    private readonly camera: Camera, private readonly pen: Pen,
  ) {}

  /** The arrows of a kind, gathered when they are first wanted. */
  private kind(layer: Kind["layer"]): Kind {
    const known = this.kinds.find((kind) => kind.layer === layer);
    if (known) return known;
    const made: Kind =
      layer === "velocity" ? { layer, colour: "velocity", words: "velocity", unit: "m/s", arrows: this.ofPoints("v"), largest: 0 }
      : layer === "acceleration"
        ? { layer, colour: "acceleration", words: "acceleration", unit: "m/s²", arrows: this.ofPoints("a"), largest: 0 }
      : layer === "forces" ? { layer, colour: "force", words: "applied force", unit: "N", arrows: forceArrows(this.report), largest: 0 }
        : { layer, colour: "reaction", words: "reaction", unit: "N", arrows: this.ofJoints(), largest: 0 };
    for (const arrow of made.arrows)
      for (let k = 0; k < arrow.x.length; k += 1)
        made.largest = Math.max(made.largest, arrow.towards ? Math.abs(arrow.x[k] ?? 0) : Math.hypot(arrow.x[k] ?? 0, arrow.y[k] ?? 0));
    this.kinds.push(made);
    return made;
  }

  private ofPoints(letter: "v" | "a"): Arrow[] {
    const arrows: Arrow[] = [];
    this.report.scene.bodies.forEach((body, index) => {
      if (index === 0) return;
      const places = body.points.map((point) => ({ owner: `${body.name}.${point.name}`, p: point.p }));
      if (places.length === 0) places.push({ owner: body.name, p: [0, 0] });
      for (const { owner, p } of places) {
        const x = this.report.column(`${owner}.${letter}x`);
        const y = this.report.column(`${owner}.${letter}y`);
        if (x && y) arrows.push({ body: index, p, x, y });
      }
    });
    return arrows;
  }

  private ofJoints(): Arrow[] {
    const arrows: Arrow[] = [];
    for (const e of this.report.scene.elements) {
      const x = this.report.column(`${e.name}.fx`);
      const y = this.report.column(`${e.name}.fy`);
      const p = e.pj ?? e.line_j?.[0] ?? e.centre_j ?? e.at_j ?? [0, 0];
      if (x && y && e.group !== "force") arrows.push({ body: e.j ?? 0, p, x, y });
    }
    return arrows;
  }

  draw(sample: number, layers: Layers): void {
    let row = 0;
    for (const layer of ["velocity", "acceleration", "reactions", "forces"] as const) {
      if (!layers[layer]) continue;
      const kind = this.kind(layer);
      if (!(kind.largest > 0)) continue;
      const pixels = (reach * this.extent * this.camera.scale * layers.arrowScale) / kind.largest;
      const colour = this.pen.colours[kind.colour];
      for (const arrow of kind.arrows) this.one(arrow, sample, pixels, colour, kind.unit);
      this.legend(kind, pixels, row, colour);
      row += 1;
    }
  }

  private one(arrow: Arrow, sample: number, pixels: number, colour: string, unit: string): void {
    this.camera.project(this.poses.place(arrow.body, arrow.p, spot));
    let x = interpolate(arrow.x, sample);
    let y = interpolate(arrow.y, sample);
    if (arrow.towards) {
      this.camera.project(this.poses.place(arrow.towards.body, arrow.towards.p, other));
      const length = Math.hypot(other.x - spot.x, other.y - spot.y) || 1;
      [x, y] = [(x * (other.x - spot.x)) / length, (-x * (other.y - spot.y)) / length];
    }
    this.pen.arrow(spot.x, spot.y, x * pixels, -y * pixels, colour, 2.25);
    const size = Math.hypot(x, y);
    if (!arrow.written || !(size * pixels > 1.5)) return;
    const aside = 26 / size;
    this.pen.text(`${shortNumber(size)} ${unit}`, spot.x + x * (pixels + aside), spot.y - y * (pixels + 0.5 * aside), colour, "600 11px system-ui, sans-serif");
  }

  /** A bar of a round value in the corner. */
  private legend(kind: Kind, pixels: number, row: number, colour: string): void {
    const value = roundValue(90 / pixels);
    const x = 16;
    const y = this.camera.height - 22 - 26 * row;
    this.pen.arrow(x, y, value * pixels, 0, colour, 2.25);
    this.pen.text(`${shortNumber(value)} ${kind.unit} ${kind.words}`, x + value * pixels + 8, y, this.pen.colours.ink, "12px system-ui, sans-serif", "left");
  }
}

/** The arrows of the forces of which the run has columns: both ends of a spring, and forces with two components. */
export function forceArrows(report: Report): Arrow[] {
  const arrows: Arrow[] = [];
  const newtons = (names: string[]): Float64Array[] =>
    names.filter((name) => report.info(name)?.unit === "N").map((name) => report.column(name)).filter((column) => column !== undefined);
  for (const e of report.scene.elements) {
    if (e.group !== "force") continue;
    const columns = newtons(columnsOf(e));
    const [x, y] = columns;
    if (e.symbol === "spring" && x && e.pi && e.pj) {
      const ends = [{ body: e.j ?? 0, p: e.pj }, { body: e.i ?? 0, p: e.pi }] as const;
      arrows.push({ ...ends[0], x, y: x, towards: ends[1], written: true }, { ...ends[1], x, y: x, towards: ends[0] });
    } else if (x && y && e.pj) arrows.push({ body: e.j ?? 0, p: e.pj, x, y, written: true });
  }
  return arrows;
}

function columnsOf(e: SceneElement): string[] {
  return e.symbol === "spring" ? [`${e.name}.f`] : [`${e.name}.fx`, `${e.name}.fy`];
}

/** The largest of 1, 2, 5 times a power of ten that is not above a value. */
export function roundValue(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}
