// The document that the program writes into the page: its types, its decoding, and the columns of results.

import type { Scene } from "./scene";
import { roundAbove, roundBelow, sixDigits } from "./format";
import { Pieces } from "./packed";
import { pointColumn, type ColumnSource } from "./points";

export type Group =
  | "time" | "position" | "velocity" | "acceleration" | "jerk" | "snap" | "reaction" | "tension" | "effort" | "multiplier" | "force"
  | "energy" | "momentum" | "com" | "error" | "joint-position" | "joint-velocity" | "joint-acceleration"
  | "joint-jerk" | "joint-snap" | "measure";

export interface Column {
  name: string;
  unit: string;
  group: Group;
  owner?: string;
  /** A point fixed in a planar body: the column has no data of its own and follows from the body's. */
  from?: { body: number; p: number[] };
  /** How large a force is: of how many components. The column has no data of its own. */
  parts?: number;
  /** No number of it is more than rounding. */
  nothing?: boolean;
}

/** Of a point of the ground: it says nothing that the model does not. */
export const standsStill = (column: Column): boolean => column.owner?.startsWith("ground.") ?? false;

export interface Happening {
  t: number;
  kind: string;
  sentence: string;
  elements: string[];
}

export type Outcome = Happening;

export interface Problem {
  severity: "warning" | "error";
  text: string;
}

export interface SummaryTable {
  title: string;
  /** What its columns are; none where each row says it. */
  head: string[];
  rows: string[][];
}

/** Where the modes of a rest take the bodies: `rows` samples of each, from its furthest on one side to that on the other. */
export interface ModesOfRest {
  rows: number;
  modes: {
    words: string;
    /** Its largest parts. */
    shape: string;
    /** What it does in place of swinging. */
    unstable?: string;
    /** 1/s, of one that leaves. */
    growth: number;
    /** Of its largest part, in radians or sizes of the mechanism. */
    reach: number;
  }[];
  columns: string[];
  data: string;
}

export interface ReportDocument {
  format: number;
  generator: string;
  model: { name: string; file: string; space: "plane" | "3d"; source: string; parameters: Record<string, number> };
  run: {
    analysis: "kinematics" | "inverse" | "dynamics" | "equilibrium";
    to: number;
    steps: number;
    tolerance: number | null;
    /** The column along which the samples are, where it is not the time, and where there are none of it: first and last values. */
    over?: string;
    missing?: [number, number][];
    /** The column of what it takes to hold that. */
    effort?: string;
    outcome: Outcome;
  };
  summary: SummaryTable[];
  events: Happening[];
  problems: Problem[];
  scene: Scene;
  samples: number;
  columns: Column[];
  /** By the SI unit of columns what is shown instead, and what numbers are multiplied by for it. */
  units?: Record<string, { unit: string; factor: number }>;
  encoding: string;
  data: string;
  /** Of a rest that something can leave or swing about. */
  modes?: ModesOfRest;
  thinned: null | { rows: number; every: number };
}

const onSample = 1e-7;

/** A decoded report: the document and its columns. Columns are unpacked when they are first asked for. */
export class Report implements ColumnSource {
  readonly document: ReportDocument;
  readonly scene: Scene;
  readonly samples: number;
  /** The column along which the samples are: "t", or the coordinate that a rest was found over. */
  readonly along: string;
  /** Its values; strictly rising where the run has more than one sample. */
  readonly time: Float64Array;
  private readonly pieces: { column(stored: number): Float64Array | undefined };
  private readonly places = new Map<string, { column: Column; stored: number }>();
  private readonly unpacked = new Map<string, Float64Array>();
  private readonly shown = new Map<string, Float64Array>();

  /** `columns`: the numbers themselves, of those that are stored, where they are at hand; otherwise the document carries them packed. */
  constructor(document: ReportDocument, columns?: readonly Float64Array[]) {
    if (document.format !== 1) throw new Error(`expected a report of format 1, found ${String(document.format)}`);
    this.document = document;
    this.scene = document.scene;
    this.samples = document.samples;
    let stored = 0;
    for (const column of document.columns) {
      this.places.set(column.name, { column, stored });
      if (!column.from && !column.parts) stored += 1;
    }
    this.pieces = columns
      ? { column: (index) => columns[index] }
      : new Pieces(document.encoding, document.data, stored, document.samples);
    this.along = document.run.over ?? "t";
    this.time = this.column(this.along) ?? new Float64Array(document.samples);
  }

  /** What is known of a column. */
  info(name: string): Column | undefined {
    return this.places.get(name)?.column;
  }

  /** The unit that a column is shown in. */
  unit(name: string): string {
    return this.unitOf(this.info(name)?.unit ?? "");
  }

  /** What is shown instead of an SI unit. */
  unitOf(si: string): string {
    return this.document.units?.[si]?.unit ?? si;
  }

  /** What numbers in an SI unit are multiplied by to be shown. */
  factorOf(si: string): number {
    return this.document.units?.[si]?.factor ?? 1;
  }

  /** The numbers of a column as they are shown: in the units that were chosen, and 0 where they are nothing but rounding. */
  shownColumn(name: string): Float64Array | undefined {
    const known = this.shown.get(name);
    if (known) return known;
    const numbers = this.column(name);
    const column = this.info(name);
    if (!numbers || !column) return undefined;
    const factor = this.factorOf(column.unit);
    const made = column.nothing ? new Float64Array(numbers.length) : factor === 1 ? numbers : numbers.map((value) => value * factor);
    this.shown.set(name, made);
    return made;
  }

  /** The value of a column between two samples, as it is shown. */
  shownAt(name: string, sample: number): number {
    const numbers = this.shownColumn(name);
    return numbers ? interpolate(numbers, sample) : Number.NaN;
  }

  /** A number in an SI unit as people read it: in the unit that is shown instead, with the digits that `form` gives it. */
  told(value: number, si: string, form: (shown: number) => string = sixDigits): string {
    const unit = this.unitOf(si);
    const digits = form(value * this.factorOf(si));
    return unit ? `${digits} ${unit}` : digits;
  }

  /** The largest of 1, 2 and 5 times a power of ten of the unit that is shown, not above a number in an SI unit; in the SI unit as well. */
  roundBelow(value: number, si: string): number {
    return roundBelow(value * this.factorOf(si)) / this.factorOf(si);
  }

  /** The smallest that is not below it. */
  roundAbove(value: number, si: string): number {
    return roundAbove(value * this.factorOf(si)) / this.factorOf(si);
  }

  /** The SI unit of `time`. */
  get alongUnit(): string {
    return this.info(this.along)?.unit ?? "";
  }

  /** A value of `time` as people read it. */
  when(value: number): string {
    return `${this.along} = ${this.told(value, this.alongUnit)}`;
  }

  /** All numbers of a column, or nothing where the run has no such column. */
  column(name: string): Float64Array | undefined {
    const known = this.unpacked.get(name);
    if (known) return known;
    const place = this.places.get(name);
    if (!place) return undefined;
    const { column, stored } = place;
    const numbers = column.parts
      ? this.lengths(["fx", "fy", "fz"].slice(0, column.parts).map((part) => `${column.owner ?? ""}.${part}`))
      : column.from
      ? pointColumn(this, column.name, this.scene.bodies[column.from.body]?.name ?? "", column.from)
      : this.pieces.column(stored);
    if (numbers) this.unpacked.set(name, numbers);
    return numbers;
  }

  /** The same, but 0 where they are nothing but rounding. */
  clean(name: string): Float64Array | undefined {
    const numbers = this.column(name);
    return numbers && this.info(name)?.nothing ? new Float64Array(numbers.length) : numbers;
  }

  private lengths(parts: string[]): Float64Array {
    const columns = parts.map((name) => this.column(name) ?? new Float64Array(this.samples));
    return Float64Array.from({ length: this.samples }, (_, k) => Math.hypot(...columns.map((column) => column[k] ?? 0)));
  }

  /** The value of a column between two samples. */
  at(name: string, sample: number): number {
    const numbers = this.column(name);
    return numbers ? interpolate(numbers, sample) : Number.NaN;
  }

  /** The sample, with a fraction, that belongs to a time. */
  sampleAt(t: number): number {
    const time = this.time;
    const last = time.length - 1;
    if (last < 1 || t <= (time[0] ?? 0)) return 0;
    if (t >= (time[last] ?? 0)) return last;
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((time[middle] ?? 0) <= t) low = middle;
      else high = middle;
    }
    const before = time[low] ?? 0;
    const after = time[high] ?? 0;
    const part = after > before ? (t - before) / (after - before) : 0;
    // The stored times are rounded: a time that names a sample to within that is the sample.
    return part < onSample ? low : part > 1 - onSample ? high : low + part;
  }
}

/** Linear between the two samples around a fractional one; exactly the sample's number at a whole one. */
export function interpolate(numbers: Float64Array, sample: number): number {
  const low = Math.max(0, Math.min(numbers.length - 1, Math.floor(sample)));
  const before = numbers[low] ?? Number.NaN;
  const part = sample - low;
  if (part <= 0 || low + 1 >= numbers.length) return before;
  return before + part * ((numbers[low + 1] ?? before) - before);
}

/** Reads the document out of the page. */
export function readDocument(): ReportDocument {
  const text = document.getElementById("jounce-data")?.textContent ?? "";
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null)
    throw new Error("this is the empty template of a report: the program has put no results into it");
  return value as ReportDocument;
}
