// Arrows of velocity, acceleration, reaction and applied force to scale, and what the legend says of their scale.

import { arrowLayers, type Key } from "../arrow-legend";
import { interpolate, type Report } from "../report";
import type { SceneElement } from "../scene";
import { shortNumber } from "../format";
import type { Layers } from "../view";
import type { Box as Frame, Camera } from "./camera";
import type { Box } from "./labels";
import { depth, type Capsule, type Obstacles } from "./obstacles";
import type { Pen } from "./pen";
import { sweep, type Poses, type Spot } from "./pose";

export interface Arrow {
  body: number;
  p: number[];
  x: Float64Array;
  y: Float64Array;
  /** The end that a spring pulls towards: x is then the pull and y is not used. */
  towards?: { body: number; p: number[] };
  /** The size is written beside the arrow. */
  written?: boolean;
  /** The force that it is. */
  name?: string;
}

interface Kind {
  layer: "velocity" | "acceleration" | "reactions" | "forces";
  colour: "velocity" | "acceleration" | "reaction" | "force";
  words: string;
  /** SI. */
  unit: string;
  arrows: Arrow[];
  largest: number;
}

const spot: Spot = { x: 0, y: 0 };
const other: Spot = { x: 0, y: 0 };

/** Half of a line of text. */
const tall = 7;
/** So many values keep off what is drawn; of more, each keeps off the others and off names. */
const mostPlaced = 40;
/** Values may touch what is drawn. */
const touching = 2;
/** Places looked at for how far arrows reach. */
const sweepSamples = 200;
/** Where a value is looked for, seen from the tip of its arrow: along it and beside it. */
const places = [
  [1, 0], [0, 1], [0, -1], [1, 0.9], [1, -0.9], [-1, 1.2], [-1, -1.2], [-0.5, 1.8], [-0.5, -1.8], [0, 1.6], [0, -1.6], [1.6, 0], [-1.6, 1.6], [-1.6, -1.6],
] as const;
const valueFont = "600 11px system-ui, sans-serif";

/** A number to be written beside the tip of its arrow. */
interface Value {
  size: number;
  text: string;
  x: number;
  y: number;
  dx: number;
  dy: number;
  colour: string;
}

/** The longest arrow as a part of the drawing's extent. */
const reach = 0.28;

export class ArrowPainter {
  private readonly kinds: Kind[] = [];

  constructor(
    private readonly report: Report, private readonly extent: number, private readonly poses: Poses,
    private readonly camera: Camera, private readonly pen: Pen, private readonly obstacles: Obstacles,
  ) {}

  /** A frame and with it all arrows that these layers show, of the whole run, and whether values stand at them; leaves the bodies elsewhere. */
  around(frame: Frame, layers: Layers): { box: Frame; written: boolean } {
    const box = { ...frame };
    const shown = this.shown(layers);
    const { scale } = this.camera;
    if (shown.length > 0)
      sweep(this.report, this.poses, sweepSamples, (sample) => {
        for (const { kind, pixels } of shown)
          for (const arrow of kind.arrows) {
            const [x, y] = this.vector(arrow, sample);
            const [tipX, tipY] = [spot.x + (x * pixels) / scale, spot.y + (y * pixels) / scale];
            box.left = Math.min(box.left, tipX);
            box.right = Math.max(box.right, tipX);
            box.bottom = Math.min(box.bottom, tipY);
            box.top = Math.max(box.top, tipY);
          }
      });
    return { box, written: shown.some(({ kind }) => kind.arrows.some((arrow) => arrow.written)) };
  }

  /** An arrow in its own unit; the place that it begins at is left in `spot`. */
  private vector(arrow: Arrow, sample: number): [number, number] {
    this.poses.place(arrow.body, arrow.p, spot);
    const [x, y] = [interpolate(arrow.x, sample), interpolate(arrow.y, sample)];
    if (!arrow.towards) return [x, y];
    this.poses.place(arrow.towards.body, arrow.towards.p, other);
    const length = Math.hypot(other.x - spot.x, other.y - spot.y) || 1;
    return [(x * (other.x - spot.x)) / length, (x * (other.y - spot.y)) / length];
  }

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
        const x = this.report.clean(`${owner}.${letter}x`);
        const y = this.report.clean(`${owner}.${letter}y`);
        if (x && y) arrows.push({ body: index, p, x, y });
      }
    });
    return arrows;
  }

  private ofJoints(): Arrow[] {
    const arrows: Arrow[] = [];
    for (const e of this.report.scene.elements) {
      const x = this.report.clean(`${e.name}.fx`);
      const y = this.report.clean(`${e.name}.fy`);
      const p = e.pj ?? e.line_j?.[0] ?? e.centre_j ?? e.at_j ?? [0, 0];
      if (x && y && e.group !== "force") arrows.push({ body: e.j ?? 0, p, x, y, written: true });
    }
    return arrows;
  }

  /** Forces whose arrows are drawn to scale with these layers. */
  scaled(layers: Layers): Set<string> {
    if (layers.forces !== true || !(this.kind("forces").largest > 0)) return new Set();
    return new Set(this.kind("forces").arrows.flatMap((arrow) => (arrow.name === undefined ? [] : [arrow.name])));
  }

  /** `written`: where names stand, which values keep off. */
  draw(sample: number, layers: Layers, written: readonly Box[]): void {
    const values: Value[] = [];
    const shafts: Capsule[] = [];
    for (const { kind, pixels } of this.shown(layers))
      for (const arrow of kind.arrows) this.one(arrow, sample, pixels, this.pen.colours[kind.colour], kind.unit, values, shafts);
    if (values.length > 0) this.write(values, written, values.length > mostPlaced ? [] : [...this.obstacles.now(this.pen.unit), ...shafts]);
  }

  /** What the arrows that are shown mean: an arrow of a round value each. */
  legend(layers: Layers): Key[] {
    return this.shown(layers).map(({ kind, pixels }) => {
      const value = this.report.roundBelow(90 / pixels, kind.unit);
      return { words: `${this.report.told(value, kind.unit, shortNumber)} ${kind.words}`, pixels: value * pixels, colour: this.pen.colours[kind.colour] };
    });
  }

  private shown(layers: Layers): { kind: Kind; pixels: number }[] {
    return arrowLayers.filter((layer) => layers[layer]).map((layer) => this.kind(layer))
      .filter((kind) => kind.largest > 0)
      .map((kind) => ({ kind, pixels: (reach * this.extent * this.camera.scale * layers.arrowScale) / kind.largest }));
  }

  private one(arrow: Arrow, sample: number, pixels: number, colour: string, unit: string, values: Value[], shafts: Capsule[]): void {
    const [x, y] = this.vector(arrow, sample);
    this.camera.project(spot);
    this.pen.arrow(spot.x, spot.y, x * pixels, -y * pixels, colour, 2.25);
    const size = Math.hypot(x, y);
    if (!(size * pixels > 1.5)) return;
    const [tipX, tipY] = [spot.x + x * pixels, spot.y - y * pixels];
    shafts.push({ x0: spot.x, y0: spot.y, x1: tipX, y1: tipY, radius: 3 });
    if (arrow.written) values.push({ size: size * pixels, text: this.report.told(size, unit, shortNumber), x: tipX, y: tipY, dx: x / size, dy: -y / size, colour });
  }

  /** The largest first, each beyond the tip of its arrow or beside it, where it lies least on what is drawn; what would lie on others is left out. */
  private write(values: Value[], written: readonly Box[], drawn: readonly Capsule[]): void {
    const c = this.pen.context;
    c.font = valueFont;
    const taken = written.map(({ left, right, top, bottom }) => ({ x: (left + right) / 2, y: (top + bottom) / 2, half: (right - left) / 2, tall: (bottom - top) / 2 }));
    for (const { text, x, y, dx, dy, colour } of values.sort((p, q) => q.size - p.size)) {
      const half = c.measureText(text).width / 2 + 3;
      let [best, least] = [null as Spot | null, Infinity];
      for (const [along, beside] of places) {
        const away = 5 + Math.abs(dx * along - dy * beside) * half + 8;
        const [mx, my] = [x + (dx * along - dy * beside) * away, y + (dy * along + dx * beside) * away];
        const free = taken.every((other) => Math.abs(other.x - mx) > other.half + half || Math.abs(other.y - my) > other.tall + tall);
        if (!free || mx < half || my < 8 || mx > this.camera.width - half || my > this.camera.height - 8) continue;
        const words = { x0: mx - half + tall, y0: my, x1: mx + half - tall, y1: my, radius: tall };
        const covered = drawn.reduce((sum, one) => sum + Math.max(0, depth(words, one, 1) - touching), 0);
        if (covered >= least) continue;
        [best, least] = [{ x: mx, y: my }, covered];
        if (covered === 0) break;
      }
      if (!best) continue;
      taken.push({ ...best, half, tall });
      this.pen.text(text, best.x, best.y, colour, valueFont);
    }
  }
}

/** The arrows of the forces of which the run has columns: both ends of a spring, and forces with two components. */
export function forceArrows(report: Report): Arrow[] {
  const arrows: Arrow[] = [];
  const newtons = (names: string[]): Float64Array[] =>
    names.filter((name) => report.info(name)?.unit === "N").map((name) => report.clean(name)).filter((column) => column !== undefined);
  for (const e of report.scene.elements) {
    if (e.group !== "force") continue;
    const columns = newtons(columnsOf(e));
    const [x, y] = columns;
    if (e.symbol === "spring" && x && e.pi && e.pj) {
      const ends = [{ body: e.j ?? 0, p: e.pj }, { body: e.i ?? 0, p: e.pi }] as const;
      arrows.push({ ...ends[0], x, y: x, towards: ends[1], written: true, name: e.name }, { ...ends[1], x, y: x, towards: ends[0] });
    } else if (x && y && e.pj) arrows.push({ body: e.j ?? 0, p: e.pj, x, y, written: true, name: e.name });
  }
  return arrows;
}

function columnsOf(e: SceneElement): string[] {
  return e.symbol === "spring" ? [`${e.name}.f`] : [`${e.name}.fx`, `${e.name}.fy`];
}
