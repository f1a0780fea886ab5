// The mechanism as its text draws it: bodies with points and where they stand, joints, drivers and forces with what they refer to. It is there
// at once, before the engine has looked at the text.

import { evaluate, Parameters } from "./expression";
import { ModelText } from "./model_text";
import { plain, type ArrayNode, type Node, type TableNode } from "./toml";

export type Spot = readonly [number, number];

/** A number in the file: what it is, how it is written, and the parameters that it follows from. */
export interface Quantity {
  value: number;
  /** As it is written: 0.05, or the expression without its quotes. */
  written: string;
  /** Parameters with numbers of their own; none: the number may be written over. */
  parameters: readonly string[];
  node: Node;
}

export interface SketchPoint {
  name: string;
  x: Quantity;
  y: Quantity;
  node: ArrayNode;
}

export interface SketchBody {
  name: string;
  points: Map<string, SketchPoint>;
  /** Left out in the file: null, and zero. */
  position: { x: Quantity; y: Quantity; node: ArrayNode } | null;
  angle: Quantity | null;
  table: TableNode;
}

export type ElementGroup = "joint" | "driver" | "force";

export interface SketchElement {
  group: ElementGroup;
  name: string;
  type: string;
  /** "body.point" of each point that it names, by its key. */
  points: { key: string; body: string; point: string }[];
  /** All bodies that it names. */
  bodies: string[];
  table: TableNode;
}

export const sectionOf: Record<ElementGroup, string> = { joint: "joints", driver: "drivers", force: "forces" };

/** Other names of the same keys. */
const pairs: [string, string][] = [["i", "parent"], ["j", "child"]];

export function field(element: SketchElement, key: string): unknown {
  const also = pairs.flatMap(([one, other]) => (one === key ? [other] : []));
  for (const name of [key, ...also]) {
    const entry = element.table.entries.get(name);
    if (entry) return plain(entry.value);
  }
  return undefined;
}

export interface Pose {
  x: number;
  y: number;
  phi: number;
}

export class Sketch {
  readonly model: ModelText;
  readonly parameters: Parameters;
  /** The ground first, whether the file has it or not. */
  readonly bodies = new Map<string, SketchBody>();
  readonly elements: SketchElement[] = [];
  readonly plane: boolean;

  /** Throws a TomlError where the text is no TOML. */
  constructor(readonly text: string, overrides: Readonly<Record<string, number>> = {}) {
    this.model = new ModelText(text);
    this.plane = plain(this.model.find("space") ?? { kind: "value", range: [0, 0], value: "plane" }) !== "3d";
    this.parameters = new Parameters(this.parameterTexts(), overrides);
    this.addBody("ground", this.model.table("ground"));
    for (const [name, entry] of this.model.table("bodies")?.entries ?? []) if (entry.value.kind === "table") this.addBody(name, entry.value);
    for (const group of ["joint", "driver", "force"] as const)
      for (const [name, entry] of this.model.table(sectionOf[group])?.entries ?? []) if (entry.value.kind === "table") this.addElement(group, name, entry.value);
  }

  private parameterTexts(): Map<string, string | number> {
    const texts = new Map<string, string | number>();
    for (const [name, { value }] of this.model.table("parameters")?.entries ?? [])
      if (value.kind === "value" && typeof value.value !== "boolean") texts.set(name, value.value);
    return texts;
  }

  /** The number that a node is; null where it is none. */
  quantity(node: Node | undefined): Quantity | null {
    if (node?.kind !== "value" || typeof node.value === "boolean") return null;
    const { value: written } = node;
    if (typeof written === "number") return { value: written, written: this.text.slice(...node.range), parameters: [], node };
    return { value: evaluate(written, this.parameters.value), written, parameters: this.parameters.behind(written), node };
  }

  private pair(node: Node | undefined): { x: Quantity; y: Quantity; node: ArrayNode } | null {
    if (node?.kind !== "array" || node.items.length !== 2) return null;
    const [x, y] = [this.quantity(node.items[0]), this.quantity(node.items[1])];
    return x && y ? { x, y, node } : null;
  }

  private addBody(name: string, table: TableNode | undefined): void {
    const points = new Map<string, SketchPoint>();
    const listed = table?.entries.get("points")?.value;
    if (listed?.kind === "table")
      for (const [point, entry] of listed.entries) {
        const pair = this.pair(entry.value);
        if (pair) points.set(point, { name: point, ...pair });
      }
    this.bodies.set(name, {
      name, points, position: this.pair(table?.entries.get("position")?.value), angle: this.quantity(table?.entries.get("angle")?.value),
      table: table ?? { kind: "table", writing: "implied", range: [0, 0], entries: new Map(), lines: [] },
    });
  }

  private addElement(group: ElementGroup, name: string, table: TableNode): void {
    const points: SketchElement["points"] = [];
    const bodies = new Set<string>();
    const look = (key: string, value: unknown): void => {
      if (Array.isArray(value)) for (const one of value) look(key, one);
      if (typeof value !== "string" || key === "type") return;
      const [body = "", point = "", ...more] = value.split(".");
      if (!this.bodies.has(body) || more.length > 0) return;
      bodies.add(body);
      if (point !== "" && this.local(body, point)) points.push({ key, body, point });
    };
    for (const [key, entry] of table.entries) look(key, plain(entry.value));
    this.elements.push({ group, name, type: String(plain(table.entries.get("type")?.value ?? { kind: "value", range: [0, 0], value: "" })), points, bodies: [...bodies], table });
  }

  body(name: string): SketchBody | undefined {
    return this.bodies.get(name);
  }

  element(name: string): SketchElement | undefined {
    return this.elements.find((element) => element.name === name);
  }

  point(reference: string): SketchPoint | undefined {
    const [body = "", point = ""] = split(reference);
    return this.bodies.get(body)?.points.get(point);
  }

  /** A point in its body's axes; every body has an origin. */
  local(body: string, point: string): Spot | null {
    const known = this.bodies.get(body)?.points.get(point);
    if (known) return [known.x.value, known.y.value];
    return point === "origin" && this.bodies.has(body) ? [0, 0] : null;
  }

  /** Where a body is drawn. */
  pose(body: string): Pose {
    const known = this.bodies.get(body);
    return { x: known?.position?.x.value ?? 0, y: known?.position?.y.value ?? 0, phi: known?.angle?.value ?? 0 };
  }

  /** Where a point is drawn; null where the file has none of that name. */
  spot(reference: string): Spot | null {
    const [body, point] = split(reference);
    const local = this.local(body, point);
    return local && toWorld(this.pose(body), local);
  }

  /** All points that a pin (or a weld) holds at the same place as this one, itself first. */
  together(reference: string): string[] {
    this.joined ??= this.join();
    const group = this.joined.get(reference);
    return group ? [reference, ...group.filter((one) => one !== reference)] : [reference];
  }

  /** Whether a pin (or a weld) holds a point to another. */
  isPinned(reference: string): boolean {
    this.joined ??= this.join();
    return this.joined.has(reference);
  }

  private joined: Map<string, string[]> | null = null;

  private join(): Map<string, string[]> {
    const groups = new Map<string, string[]>();
    for (const { type, points } of this.elements) {
      if (!isPin(type)) continue;
      const names = points.map(({ body, point }) => `${body}.${point}`);
      const all = [...new Set(names.flatMap((name) => groups.get(name) ?? [name]))];
      for (const name of all) groups.set(name, all);
    }
    return groups;
  }

  /** Points of a body that something refers to. */
  usedPoints(body: string): Set<string> {
    return new Set(this.elements.flatMap(({ points }) => points.filter((one) => one.body === body).map(({ point }) => point)));
  }

  get hasDriver(): boolean {
    return this.elements.some(({ group }) => group === "driver");
  }
}

export const isPin = (type: string): boolean => ["revolute", "weld", "fixed"].includes(type);

/** "crank.A" as body and point. */
export function split(reference: string): [string, string] {
  const dot = reference.indexOf(".");
  return dot < 0 ? [reference, ""] : [reference.slice(0, dot), reference.slice(dot + 1)];
}

export function toWorld({ x, y, phi }: Pose, [px, py]: Spot): Spot {
  const [c, s] = [Math.cos(phi), Math.sin(phi)];
  return [x + c * px - s * py, y + s * px + c * py];
}

export function toLocal({ x, y, phi }: Pose, [wx, wy]: Spot): Spot {
  const [c, s] = [Math.cos(phi), Math.sin(phi)];
  return [c * (wx - x) + s * (wy - y), -s * (wx - x) + c * (wy - y)];
}
