// What comes and goes in a model file: bodies with their points, joints, drivers, forces; what refers to something goes and is renamed with it.

import { isConstant, isFunction } from "./expression";
import { numberText, stringText, Written, type Literal } from "./literals";
import { ModelText } from "./model_text";
import { Sketch, split, type Spot } from "./sketch";
import { plain, type Node } from "./toml";

/** Groups whose elements share one space of names. */
const groups = ["bodies", "joints", "loops", "couplings", "drivers", "forces", "measures", "stops", "events"] as const;
const taken = new Set(["ground", "origin", "com", "energy", "momentum", "constraint", "t"]);

export const blank = `jounce  = 1
name    = "Untitled"
gravity = [0, -9.81]

[ground]
points = {}

[run]
analysis = "kinematics"
to       = 1
steps    = 360
`;

/** All names that elements of a model have. */
export function namesOf(model: ModelText): Set<string> {
  return new Set([...taken, ...groups.flatMap((group) => [...(model.table(group)?.entries.keys() ?? [])])]);
}

/** "link1", "link2", ... */
export function newName(model: ModelText, stem: string, plainFirst = false): string {
  const names = namesOf(model);
  if (plainFirst && !names.has(stem)) return stem;
  for (let k = plainFirst ? 2 : 1; ; k += 1) if (!names.has(`${stem}${k}`)) return `${stem}${k}`;
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The k-th name of a point: A to Z, then A2 to Z2 ... */
const letter = (k: number): string => `${letters[k % letters.length] ?? "A"}${k < letters.length ? "" : String(Math.floor(k / letters.length) + 1)}`;

/** Names of new points that no body has: what a pin joins is called the same in all of them. */
export function newPoints(sketch: Sketch, count: number, also: Iterable<string> = []): string[] {
  const used = new Set([...also, ...[...sketch.bodies.values()].flatMap((body) => [...body.points.keys()])]);
  const made: string[] = [];
  for (let k = 0; made.length < count; k += 1) {
    const name = letter(k);
    if (!used.has(name)) made.push(name);
  }
  return made;
}

/** Whether something can be called so: words about it, or null. */
export function refuseName(name: string, others: Iterable<string>): string | null {
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return "A name is of letters, digits, _ and -.";
  if (taken.has(name)) return `'${name}' means something else.`;
  if (new Set(others).has(name)) return `There is a '${name}' already.`;
  return null;
}

export function refuseParameterName(name: string, others: Iterable<string>): string | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return "A parameter is of letters, digits and _, a letter first.";
  if (name === "t" || isConstant(name) || isFunction(name)) return `'${name}' means something else.`;
  return new Set(others).has(name) ? `There is a parameter '${name}' already.` : null;
}

/** Coordinates as they are written in a file. */
export const spotText = ([x, y]: Spot, quantum: number): Written => new Written(`[${numberText(x, quantum)}, ${numberText(y, quantum)}]`);

/** An angle as it is written: in degrees. */
export function angleText(phi: number, quantum: number): Literal {
  const degrees = Math.atan2(Math.sin(phi), Math.cos(phi)) * (180 / Math.PI);
  const written = numberText(degrees, quantum * (180 / Math.PI));
  return written === "0" ? 0 : `${written}*deg`;
}

/** A body whose points are placed in the plane: its origin is the first of them, its x axis goes through the second. */
export function addBody(model: ModelText, name: string, points: readonly { name: string; at: Spot }[], quantum: number, more: Record<string, Literal> = {}): void {
  const [first, second] = points;
  if (!first) return;
  const [x, y] = first.at;
  const phi = second ? Math.atan2(second.at[1] - y, second.at[0] - x) : 0;
  const reach = Math.max(quantum, ...points.map(({ at }) => Math.hypot(at[0] - x, at[1] - y)));
  const [c, s] = [Math.cos(phi), Math.sin(phi)];
  const local = ({ at }: { at: Spot }): Spot => [c * (at[0] - x) + s * (at[1] - y), -s * (at[0] - x) + c * (at[1] - y)];
  const turned = angleText(phi, angleQuantum(quantum, reach));
  model.addElement("bodies", name, {
    ...more,
    position: spotText(first.at, quantum),
    ...(turned === 0 ? {} : { angle: turned }),
    points: Object.fromEntries(points.map((point) => [point.name, spotText(local(point), quantum)])),
  });
}

/** A power of ten of degrees, in radians, that moves what is so far away by no more than a length. */
export function angleQuantum(quantum: number, reach: number): number {
  return 10 ** Math.floor(Math.log10(((quantum / reach) * 180) / Math.PI)) * (Math.PI / 180);
}

/** A point more in a body, or in the ground. */
export function addPoint(model: ModelText, body: string, name: string, local: Spot, quantum: number): void {
  model.set(body === "ground" ? ["ground", "points", name] : ["bodies", body, "points", name], spotText(local, quantum));
}

/** A model that says how far it goes; a new one goes one turn of its motor. */
export function ensureRun(model: ModelText, fields: Record<string, Literal>): void {
  if (!model.has("jounce")) model.set(["jounce"], 1);
  if (!model.table("run")) model.addSection(["run"], fields);
}

// What refers to what

/** Words of a text that could be names: "crank", "crank.A", "slot-1.fx". */
const words = /[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_][A-Za-z0-9_-]*)*/g;

/** Whether a text names an element, or a point of it. In expressions a word without a dot may be a parameter, unless it is `bare`. */
function mentions(text: string, name: string, bare: boolean): boolean {
  if (text === name) return true;
  for (const [word] of text.matchAll(words)) if (word.startsWith(`${name}.`) || (bare && word === name)) return true;
  return false;
}

function anyString(node: Node, test: (text: string) => boolean): boolean {
  if (node.kind === "value") return typeof node.value === "string" && test(node.value);
  if (node.kind === "array") return node.items.some((item) => anyString(item, test));
  return [...node.entries].some(([key, entry]) => key !== "type" && anyString(entry.value, test));
}

export interface Gone {
  /** Names of the elements that went, in their order, those asked for first. */
  names: string[];
}

/** Takes away elements ("crank", "pin1") and points ("crank.A") with everything that refers to them. */
export function remove(model: ModelText, names: readonly string[]): Gone {
  const gone: string[] = [];
  const waiting = [...names];
  for (const name of waiting) {
    if (gone.includes(name)) continue;
    const [body, point] = split(name);
    const path = point === "" ? pathOf(model, name) : pointPath(model, body, point);
    if (!path) continue;
    gone.push(name);
    for (const other of referringTo(model, name)) if (!waiting.includes(other)) waiting.push(other);
    if (point !== "") freeShape(model, body, point);
    model.remove(path);
    const [group] = path;
    if (path.length === 2 && typeof group === "string" && model.table(group)?.entries.size === 0) model.remove([group]);
  }
  return { names: gone };
}

/** A shape that goes by a point goes with it. */
function freeShape(model: ModelText, body: string, point: string): void {
  const shape = model.find("bodies", body, "shape");
  if (shape && anyString(shape, (text) => text === point)) model.remove(["bodies", body, "shape"]);
}

function pointPath(model: ModelText, body: string, point: string): string[] | null {
  const path = body === "ground" ? ["ground", "points", point] : ["bodies", body, "points", point];
  return model.has(...path) ? path : null;
}

/** Where an element is written. */
export function pathOf(model: ModelText, name: string): string[] | null {
  for (const group of groups) if (model.has(group, name)) return [group, name];
  return null;
}

function referringTo(model: ModelText, name: string): string[] {
  const found: string[] = [];
  // of measures alone, and of points, the name is used as it is
  const bare = name.includes(".") || model.has("measures", name);
  for (const group of groups) {
    if (group === "bodies") continue;
    for (const [other, { value }] of model.table(group)?.entries ?? [])
      if (other !== name && anyString(value, (text) => mentions(text, name, bare))) found.push(other);
  }
  return found;
}

/** Gives an element or a point another name, wherever it stands. */
export function rename(model: ModelText, from: string, to: string): void {
  const [body, point] = split(from);
  const path = point === "" ? pathOf(model, from) : pointPath(model, body, point);
  if (!path) return;
  const changes: { node: Node; text: string }[] = [];
  const visit = (node: Node, key: string): void => {
    if (node.kind === "array") for (const item of node.items) visit(item, key);
    else if (node.kind === "table") for (const [name, entry] of node.entries) visit(entry.value, name);
    else if (typeof node.value === "string" && key !== "type" && key !== "name") {
      const text = renamed(node.value, from, to);
      if (text !== node.value) changes.push({ node, text: stringText(text) });
    }
  };
  for (const [section, { value }] of model.root.entries) if (section !== "parameters" && section !== "bodies") visit(value, section);
  // a body names its own points without itself
  if (point !== "") {
    const shape = model.find("bodies", body, "shape");
    const own = (node: Node): void => {
      if (node.kind === "table") for (const [key, entry] of node.entries) if (key !== "type") own(entry.value);
      if (node.kind === "value" && node.value === point) changes.push({ node, text: stringText(to) });
    };
    if (shape) own(shape);
  }
  model.replace(changes);
  model.renameKey(path, to);
}

/** A text of the model, or a goal, with the new name. Parameters have names of their own: a bare word in an expression is not this element, a text that is
 * only it is. */
export function renamed(text: string, from: string, to: string): string {
  const [body, point] = split(from);
  const full = point === "" ? to : `${body}.${to}`;
  if (text === from) return full;
  return text.replace(words, (word) => (word.startsWith(`${from}.`) ? full + word.slice(from.length) : word === from && point !== "" ? full : word));
}

/** What a text of the model says, for the inspector: words without their quotes. */
export function fieldText(model: ModelText, path: readonly (string | number)[]): string {
  const node = model.find(...path);
  if (!node) return "";
  if (node.kind === "value") return typeof node.value === "string" ? node.value : model.text.slice(...node.range);
  return node.kind === "table" && node.writing !== "inline" ? JSON.stringify(plain(node)) : model.text.slice(...node.range);
}
