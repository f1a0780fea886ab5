// Points of a mechanism are moved to other places, and the model file follows: the pivot moves in each body that it belongs to, so that the
// drawing stays assembled. What is a plain number is written anew; what follows from parameters moves them, and nothing that is written is lost.

import { angleQuantum, angleText } from "./elements";
import { evaluate, Parameters } from "./expression";
import { numberText, quantumOf } from "./literals";
import { ModelText } from "./model_text";
import { split, toLocal, toWorld, type Pose, type Quantity, type Sketch, type SketchBody, type SketchPoint, type Spot } from "./sketch";
import type { Node } from "./toml";

export interface Move {
  /** "crank.A" */
  reference: string;
  to: Spot;
}

export interface Reshaped {
  text: string;
  /** Parameters that moved, with their new values. */
  parameters: Record<string, number>;
  /** Coordinates that follow from parameters: as "crank.A.x is `2*length`". */
  expressions: { coordinate: string; written: string; parameters: readonly string[] }[];
  /** Bodies with another pose: where they are now, if they were where `poses` says. */
  poses: Map<string, Pose>;
}

/** What is moved along with what is asked for: all points that pins hold together. */
export function allMoves(sketch: Sketch, moves: readonly Move[]): Map<string, Spot> {
  const all = new Map<string, Spot>();
  for (const { reference, to } of moves) for (const one of sketch.together(reference)) if (!all.has(one)) all.set(one, to);
  return all;
}

class Writer {
  readonly changes = new Map<Node, string>();
  readonly moved: Record<string, number> = {};
  readonly expressions: Reshaped["expressions"] = [];
  readonly poses = new Map<string, Pose>();
  readonly added: { path: string[]; spot?: Spot; angle?: number; reach: number }[] = [];
  /** Poses wait until all lengths are known: these go before what is only drawn. */
  readonly later: (() => void)[] = [];

  constructor(readonly sketch: Sketch, readonly quantum: number) {}

  /** The parameters as they are after what has moved. */
  get parameters(): Parameters {
    return new Parameters(this.sketch.parameters.texts, this.moved);
  }

  /** A plain number, in the unit that it is written in. */
  plain({ node, written }: Quantity, value: number, quantum = this.quantum): void {
    this.changes.set(node, quantityText(node, written, value, quantum));
  }

  angle({ node, written }: Quantity, value: number, reach: number): void {
    const quantum = angleQuantum(this.quantum, reach);
    const text = /\*\s*deg\s*$/.test(written) ? quantityText(node, written, value, quantum) : angleText(value, quantum);
    this.changes.set(node, typeof text === "string" && !text.startsWith('"') && Number.isNaN(Number(text)) ? `"${text}"` : String(text));
  }

  /** Moves the parameters of coordinates so that these become what they should, as well as they can. */
  solve(wanted: readonly { quantity: Quantity; to: number }[]): void {
    const names = this.chosen(wanted.map(({ quantity }) => quantity));
    if (names.length === 0) return;
    const miss = (values: readonly number[]): number[] => {
      const parameters = new Parameters(this.sketch.parameters.texts, { ...this.moved, ...Object.fromEntries(names.map((name, k) => [name, values[k] ?? 0])) });
      return wanted.map(({ quantity, to }) => evaluate(quantity.written, parameters.value) - to);
    };
    const start = names.map((name) => this.parameters.value(name) ?? 0);
    const size = Math.max(this.quantum, ...wanted.map(({ to }) => Math.abs(to)));
    const { values, slopes } = leastMiss(miss, start, size);
    names.forEach((name, k) => {
      const value = values[k] ?? 0;
      const quantum = quantumOf(this.quantum / Math.max(1e-9, slopes[k] ?? 1));
      const node = this.sketch.model.find("parameters", name);
      const before = this.sketch.quantity(node);
      if (!node || !before) return;
      const text = quantityText(node, before.written, value, quantum);
      this.changes.set(node, text);
      this.moved[name] = evaluate(text.replace(/^"|"$/g, ""));
    });
  }

  /** As many parameters as there are coordinates: those that the least else follows from. */
  private chosen(quantities: readonly Quantity[]): string[] {
    const names = [...new Set(quantities.flatMap(({ parameters }) => parameters))].filter((name) => !(name in this.moved));
    const uses = (name: string): number => {
      let count = 0;
      for (const body of this.sketch.bodies.values())
        for (const { x, y } of body.points.values()) count += Number(x.parameters.includes(name)) + Number(y.parameters.includes(name));
      return count;
    };
    return names.map((name, k) => ({ name, k, uses: uses(name) })).sort((a, b) => a.uses - b.uses || b.k - a.k).slice(0, quantities.length).map(({ name }) => name);
  }

  /** Coordinates of a point in its body. */
  point(body: string, point: SketchPoint, [x, y]: Spot): void {
    const wanted: { quantity: Quantity; to: number }[] = [];
    for (const [axis, quantity, to] of [["x", point.x, x], ["y", point.y, y]] as const) {
      if (quantity.parameters.length === 0) {
        if (Math.abs(quantity.value - to) >= this.quantum / 2) this.plain(quantity, to);
      } else {
        this.expressions.push({ coordinate: `${body}.${point.name}.${axis}`, written: quantity.written, parameters: quantity.parameters });
        wanted.push({ quantity, to });
      }
    }
    if (wanted.length > 0) this.solve(wanted);
  }

  /** Where a body is drawn. `held`: a pin keeps its origin, and where its position follows from parameters that is left to assembly. */
  pose(body: SketchBody, pose: Pose, reach: number, held = true): void {
    this.poses.set(body.name, pose);
    const path = ["bodies", body.name];
    const drawn = this.sketch.pose(body.name);
    if (body.position) {
      const wanted: { quantity: Quantity; to: number }[] = [];
      for (const [quantity, to] of [[body.position.x, pose.x], [body.position.y, pose.y]] as const) {
        if (Math.abs(quantity.value - to) < this.quantum / 2) continue;
        if (quantity.parameters.length === 0) this.plain(quantity, to);
        else if (!held) wanted.push({ quantity, to });
      }
      if (wanted.length > 0) this.solve(wanted);
    } else if (Math.hypot(pose.x - drawn.x, pose.y - drawn.y) >= this.quantum) this.added.push({ path: [...path, "position"], spot: [pose.x, pose.y], reach });
    const turn = Math.atan2(Math.sin(pose.phi - drawn.phi), Math.cos(pose.phi - drawn.phi));
    if (Math.abs(turn) * reach < this.quantum / 2) return;
    if (!body.angle) this.added.push({ path: [...path, "angle"], angle: drawn.phi + turn, reach });
    else if (body.angle.parameters.length === 0) this.angle(body.angle, drawn.phi + turn, reach);
    else this.solve([{ quantity: body.angle, to: drawn.phi + turn }]);
  }

  finish(): Reshaped {
    for (const one of this.later) one();
    const model = new ModelText(this.sketch.text);
    model.replace([...this.changes].map(([node, text]) => ({ node, text })));
    for (const { path, spot, angle, reach } of this.added) {
      if (spot) model.set(path, spot.map((value) => Number(numberText(value, this.quantum))));
      else if (angle !== undefined) model.set(path, angleText(angle, angleQuantum(this.quantum, reach)));
    }
    return { text: model.text, parameters: this.moved, expressions: this.expressions, poses: this.poses };
  }
}

const unitForm = /^(\s*)[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(\s*\*\s*(mm|cm|inch|deg|km|um|rpm|ms|kN|MPa|bar|kW)\s*)$/;

/** A number in place of another, with the unit that this was written in. */
export function quantityText(node: Node, written: string, value: number, quantum: number): string {
  const form = node.kind === "value" && typeof node.value === "string" ? unitForm.exec(written) : null;
  const unit = form?.[3] === undefined ? Number.NaN : evaluate(form[3]);
  if (!form || !(unit > 0)) return numberText(value, quantum);
  return `"${form[1] ?? ""}${numberText(value / unit, quantum > 0 ? quantumOf(quantum / unit) : 0)}${form[2] ?? ""}"`;
}

/** Newton's method on few numbers with as many wishes or fewer, by differences; where it leads nowhere it stays at the best. */
function leastMiss(miss: (values: readonly number[]) => number[], start: readonly number[], size: number): { values: number[]; slopes: number[] } {
  const total = (errors: readonly number[]): number => Math.hypot(...errors);
  let values = [...start];
  let errors = miss(values);
  let slopes = values.map(() => 1);
  for (let round = 0; round < 20; round += 1) {
    const columns = values.map((value, k) => {
      const h = 1e-6 * Math.max(Math.abs(value), size);
      const there = miss(values.map((one, other) => (other === k ? one + h : one)));
      return there.map((error, row) => (error - (errors[row] ?? 0)) / h);
    });
    slopes = columns.map((column) => total(column));
    if (total(errors) < 1e-12 * size) break;
    const change = leastChange(columns, errors);
    if (!change.every(Number.isFinite)) break;
    let part = 1;
    for (; part > 1e-3; part /= 2) {
      const tried = values.map((value, k) => value - part * (change[k] ?? 0));
      const left = miss(tried);
      if (left.every(Number.isFinite) && total(left) < total(errors)) {
        values = tried;
        errors = left;
        break;
      }
    }
    if (part <= 1e-3) break;
  }
  return { values, slopes };
}

/** Least squares of one or two unknowns, with as little damping as keeps the matrix from being singular. */
function leastChange(columns: readonly number[][], errors: readonly number[]): number[] {
  const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, one, k) => sum + one * (b[k] ?? 0), 0);
  const [first = [], second] = columns;
  const aa = dot(first, first);
  if (!second) return [dot(first, errors) / (aa || 1)];
  const [ab, bb] = [dot(first, second), dot(second, second)];
  const damping = 1e-12 * (aa + bb) + 1e-300;
  const determinant = (aa + damping) * (bb + damping) - ab * ab;
  const [a, b] = [dot(first, errors), dot(second, errors)];
  return [((bb + damping) * a - ab * b) / determinant, ((aa + damping) * b - ab * a) / determinant];
}

const isZero = ({ value, parameters }: Quantity): boolean => value === 0 && parameters.length === 0;

const isOrigin = (point: SketchPoint | undefined): boolean => point !== undefined && isZero(point.x) && isZero(point.y);

/** The line along which a body is written: its origin and the point on its x axis, one of which moves, where no other point is held. */
function axisOf(body: SketchBody, moved: ReadonlySet<string>, held: ReadonlySet<string>): { origin: SketchPoint; tip: SketchPoint } | null {
  const points = [...body.points.values()];
  const origin = points.find(isOrigin);
  if (!origin) return null;
  const onAxis = points.filter((point) => point !== origin && isZero(point.y) && point.x.value !== 0);
  const tip = onAxis.find(({ name }) => moved.has(name)) ?? onAxis.find(({ name }) => held.has(name)) ?? onAxis[0];
  if (!tip || !(moved.has(origin.name) || moved.has(tip.name))) return null;
  const others = [...held, ...moved].filter((name) => name !== origin.name && name !== tip.name);
  return others.length === 0 ? { origin, tip } : null;
}

/**
 * Moves points of the mechanism, standing as `poseOf` says, and the text with them. `whole`: bodies that go along as they are.
 * `quantum`: numbers are written as multiples of it.
 */
export function reshape(sketch: Sketch, poseOf: (body: string) => Pose, moves: readonly Move[], quantum: number, whole: readonly string[] = []): Reshaped {
  const writer = new Writer(sketch, quantum);
  const all = allMoves(sketch, moves);
  const bodies = new Set([...[...all.keys()].map((reference) => split(reference)[0]), ...whole]);
  for (const name of bodies) {
    const body = sketch.body(name);
    if (!body) continue;
    const targets = new Map([...all].filter(([reference]) => split(reference)[0] === name).map(([reference, to]) => [split(reference)[1], to]));
    moveIn(writer, body, poseOf(name), targets, whole.includes(name));
  }
  return writer.finish();
}

function moveIn(writer: Writer, body: SketchBody, shown: Pose, targets: ReadonlyMap<string, Spot>, whole: boolean): void {
  const { sketch } = writer;
  const ground = body.name === "ground";
  const used = sketch.usedPoints(body.name);
  const moved = new Set(targets.keys());
  const held = new Set([...used].filter((name) => !moved.has(name)));
  const reach = Math.max(writer.quantum, ...[...body.points.values()].map(({ x, y }) => Math.hypot(x.value, y.value)));
  /** A change of what is shown is one of what is drawn. */
  const draw = (pose: Pose): void => {
    const drawn = sketch.pose(body.name);
    const kept = [...body.points.values()].some((point) => isOrigin(point) && sketch.together(`${body.name}.${point.name}`).length > 1);
    writer.later.push(() => { writer.pose(body, { x: drawn.x + pose.x - shown.x, y: drawn.y + pose.y - shown.y, phi: drawn.phi + pose.phi - shown.phi }, reach, kept); });
  };
  const [only] = moved;
  const alone = held.size === 0 && (moved.size > 1 || body.points.size === 1 || (isOrigin(body.points.get(only ?? "")) && !axisOf(body, moved, held)));
  if (!ground && (whole || alone) && targets.size > 0) {
    const shifts = [...targets].flatMap(([point, to]) => {
      const local = sketch.local(body.name, point);
      const from = local && toWorld(shown, local);
      return from ? [[to[0] - from[0], to[1] - from[1]] as const] : [];
    });
    const [shift = [0, 0]] = shifts;
    if (shifts.every(([x, y]) => Math.hypot(x - shift[0], y - shift[1]) < writer.quantum)) {
      draw({ ...shown, x: shown.x + shift[0], y: shown.y + shift[1] });
      return;
    }
  }
  const axis = ground ? null : axisOf(body, moved, held);
  // an origin whose place follows from parameters moves only where a pin takes it along
  const stuck = axis !== null && moved.has(axis.origin.name) && [body.position?.x, body.position?.y].some((one) => one && one.parameters.length > 0)
    && sketch.together(`${body.name}.${axis.origin.name}`).length === 1;
  if (axis && !stuck) {
    const { origin, tip } = axis;
    const place = ({ name, x, y }: SketchPoint): Spot => targets.get(name) ?? toWorld(shown, [x.value, y.value]);
    const [from, to] = [place(origin), place(tip)];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const sign = tip.x.value < 0 ? -1 : 1;
    const phi = Math.atan2(sign * (to[1] - from[1]), sign * (to[0] - from[0]));
    if (length > writer.quantum / 2) {
      writer.point(body.name, tip, [sign * length, 0]);
      draw({ x: from[0], y: from[1], phi: shown.phi + Math.atan2(Math.sin(phi - shown.phi), Math.cos(phi - shown.phi)) });
    }
    return;
  }
  for (const [name, to] of targets) {
    const point = body.points.get(name);
    if (point) writer.point(body.name, point, ground ? to : toLocal(shown, to));
  }
}

/** Writes where bodies stand, of those that are elsewhere by more than they may be: the text draws the mechanism as it is. */
export function writePoses(sketch: Sketch, poses: ReadonlyMap<string, Pose>, quantum: number, tolerance = 0): Reshaped {
  const writer = new Writer(sketch, quantum);
  for (const [name, pose] of poses) {
    const body = sketch.body(name);
    if (!body || name === "ground") continue;
    const drawn = sketch.pose(name);
    const reach = Math.max(quantum, ...[...body.points.values()].map(({ x, y }) => Math.hypot(x.value, y.value)));
    const turn = Math.atan2(Math.sin(pose.phi - drawn.phi), Math.cos(pose.phi - drawn.phi));
    if (Math.hypot(pose.x - drawn.x, pose.y - drawn.y) > tolerance || Math.abs(turn) * reach > tolerance) writer.pose(body, pose, reach);
  }
  return writer.finish();
}

/** Whether a point can be moved in its body, and what it follows from where it is not free. */
export function describePoint(sketch: Sketch, reference: string): string[] {
  return sketch.together(reference).flatMap((one) => {
    const point = sketch.point(one);
    if (!point) return [];
    return ([["x", point.x], ["y", point.y]] as const).flatMap(([axis, { parameters, written }]) => (parameters.length > 0 ? [`${one}.${axis} is ${written}`] : []));
  });
}

