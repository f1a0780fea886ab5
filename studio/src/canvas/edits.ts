// What the tools do to a model: each is one step that can be undone.

import { ModelText } from "../text/model_text";
import { addBody, addPoint, newName, newPoints, spotText } from "../text/elements";
import { numberText, Written, type Literal } from "../text/literals";
import { field, isPin, Sketch, split, toLocal, type SketchElement, type SketchPoint, type Spot } from "../text/sketch";
import { plain } from "../text/toml";
import type { Stage } from "./stage";

/** Where something begins or ends: an existing point, a place on a body, or the plane. */
export interface Anchor {
  at: Spot;
  /** Existing points there that a pin joins, the ground's first. */
  references: readonly string[];
  /** Others that only lie there. */
  loose?: readonly string[];
  /** The body under it. */
  body?: string;
}

const groundNames = ["O", "Q", "S", "U", "W"];

/** One edit that is being made: the model changes, and the sketch of it follows. */
export class Draft {
  readonly model: ModelText;
  private made: Sketch | null = null;

  constructor(readonly stage: Stage) {
    this.model = new ModelText(stage.session.text);
  }

  get sketch(): Sketch {
    if (this.made?.text !== this.model.text) this.made = new Sketch(this.model.text, this.stage.session.parameters);
    return this.made;
  }

  get quantum(): number { return this.stage.quantum; }

  newPoint(): string {
    return newPoints(this.sketch, 1, groundNames)[0] ?? "P";
  }

  /** A point of the ground at a place. */
  ground(at: Spot, name = ""): string {
    if (!this.model.has("jounce")) this.model.set(["jounce"], 1);
    const used = new Set([...this.sketch.bodies.values()].flatMap((body) => [...body.points.keys()]));
    const chosen = name || (groundNames.find((one) => !used.has(one)) ?? this.newPoint());
    addPoint(this.model, "ground", chosen, at, this.quantum);
    return `ground.${chosen}`;
  }

  /** A point of a body where it is drawn now. */
  pointOn(body: string, at: Spot, name = ""): string {
    const known = this.sketch.body(body)?.points;
    const chosen = name && !known?.has(name) ? name : this.newPoint();
    addPoint(this.model, body, chosen, body === "ground" ? at : toLocal(this.stage.pose(body), at), this.quantum);
    return `${body}.${chosen}`;
  }

  /** The point that stands at an anchor; on a body, and in the plane on the ground, a new one. */
  pointAt(anchor: Anchor, without?: string): string {
    const known = anchor.references.find((one) => split(one)[0] !== without);
    if (known) return known;
    return anchor.body && anchor.body !== without ? this.pointOn(anchor.body, anchor.at) : this.ground(anchor.at);
  }

  pin(i: string, j: string): string {
    const name = newName(this.model, "pin");
    this.model.addElement("joints", name, { type: "revolute", i, j });
    return name;
  }

  /** A body through places; it is pinned to what is at each of them. */
  link(anchors: readonly Anchor[], stem = "link", more: Record<string, Literal> = {}): { name: string; points: string[] } {
    const name = newName(this.model, stem);
    const held = anchors.map((anchor) => anchor.references[0] ?? (anchor.body ? this.pointOn(anchor.body, anchor.at) : null));
    const used: string[] = [];
    const points = anchors.map(({ at }, k) => {
      const [, same = ""] = held[k] ? split(held[k]) : [];
      const free = same && !used.includes(same) ? same : newPoints(this.sketch, 1, [...groundNames, ...used])[0] ?? "P";
      used.push(free);
      return { name: free, at };
    });
    addBody(this.model, name, points, this.quantum, more);
    held.forEach((other, k) => {
      if (other) this.pin(other, `${name}.${points[k]?.name ?? ""}`);
    });
    this.weigh();
    return { name, points: points.map((point) => `${name}.${point.name}`) };
  }

  /** What turns about a place, seen from what holds it: the ground, or the first of the bodies there. */
  turning(references: readonly string[]): { i: string; j: string } | null {
    const pins = this.sketch.elements.filter(({ type, points }) => isPin(type) && type === "revolute" && points.some(({ body, point }) => references.includes(`${body}.${point}`)));
    const pin = pins.find(({ bodies }) => bodies.includes("ground")) ?? pins[0];
    const [i, j] = pin?.points.map(({ body }) => body) ?? [];
    if (!i || !j) return null;
    return j === "ground" ? { i: j, j: i } : { i, j };
  }

  driver(stem: string, fields: Record<string, Literal>): string {
    const name = newName(this.model, stem, true);
    this.model.addElement("drivers", name, fields);
    this.run();
    return name;
  }

  force(stem: string, fields: Record<string, Literal>): string {
    const name = newName(this.model, stem);
    this.model.addElement("forces", name, fields);
    this.run();
    return name;
  }

  /** The text says what is run, and that is what is drawn: what is driven goes once round, with its forces where there are any; what is not moves by its masses. */
  run(): void {
    const { model, sketch } = this;
    const written = model.find("run", "analysis");
    const now = written ? plain(written) : null;
    if (now === "equilibrium") return;
    const masses = [...sketch.bodies.values()].some(({ table }) => ["mass", "inertia"].some((key) => table.entries.has(key)));
    const drivers = sketch.elements.filter(({ group }) => group === "driver").length;
    const driven = drivers > 0 && drivers >= (this.stage.session.study?.model?.freedom ?? 1);
    const loaded = masses || sketch.elements.some(({ group }) => group === "force");
    const analysis = driven ? (loaded ? "inverse" : "kinematics") : masses ? "dynamics" : null;
    if (!model.table("run")) {
      if (analysis) model.addSection(["run"], { analysis, to: 1, steps: 360 });
    } else if (analysis && analysis !== (now ?? "kinematics")) model.set(["run", "analysis"], analysis);
    this.weigh();
  }

  /** Where forces are computed every body says what it weighs: those that were drawn without a mass have none. */
  weigh(): void {
    const { model } = this;
    const analysis = model.find("run", "analysis");
    if (!analysis || !["inverse", "dynamics"].includes(String(plain(analysis)))) return;
    for (const { name, table } of this.sketch.bodies.values()) {
      if (name === "ground") continue;
      if (!table.entries.has("mass")) model.set(["bodies", name, "mass"], 0);
      if (!table.entries.has("inertia") && !table.entries.has("shape")) model.set(["bodies", name, "inertia"], 0);
    }
  }
}

/** Whether one body has points at both places: a second link between them would hold nothing more. */
export function linked(from: Anchor, to: Anchor): string | null {
  const bodies = (anchor: Anchor): string[] => anchor.references.map((one) => split(one)[0]);
  return bodies(from).find((body) => bodies(to).includes(body)) ?? null;
}

export function driverOf(sketch: Sketch, i: string, j: string): SketchElement | undefined {
  return sketch.elements.find((element) => element.group === "driver" && element.type === "angle" && [field(element, "i"), field(element, "j")].every((one) => one === i || one === j));
}

/** A motor that goes round once a second. */
export function motor(draft: Draft, i: string, j: string): string {
  const name = draft.driver("motor", { type: "angle", i, j, motion: "60*rpm*t" });
  const to = draft.model.find("run", "to");
  if (to && plain(to) === 0) draft.model.set(["run", "to"], 1);
  return name;
}

/** A block on a guide of the ground, pinned to what is at a place. */
export function slider(draft: Draft, anchor: Anchor, direction: Spot, reach: number): string {
  const name = newName(draft.model, "slider");
  const [x, y] = anchor.at;
  const [dx, dy] = direction;
  const held = anchor.references[0] ?? (anchor.body ? draft.pointOn(anchor.body, anchor.at) : null);
  const from = draft.ground(anchor.at);
  const to = draft.ground([x + dx * reach, y + dy * reach]);
  const at = held ? split(held)[1] : draft.newPoint();
  addBody(draft.model, name, [{ name: at, at: anchor.at }, { name: at === "F" ? "G" : "F", at: [x + (dx * reach) / 4, y + (dy * reach) / 4] }], draft.quantum);
  if (held && split(held)[0] !== "ground") draft.pin(held, `${name}.${at}`);
  draft.model.addElement("joints", newName(draft.model, "guide"), { type: "translational", slot: [from, to], slider: [`${name}.${at}`, `${name}.${at === "F" ? "G" : "F"}`] });
  draft.weigh();
  return name;
}

/** A pin of one body in a slot along another, between two of its points. */
export function slot(draft: Draft, pin: Anchor, body: string): string | null {
  const local = draft.sketch.body(body);
  const points = [...(local?.points.values() ?? [])];
  let ends: [string, string] | null = null;
  let least = Infinity;
  const at = body === "ground" ? pin.at : toLocal(draft.stage.pose(body), pin.at);
  points.forEach((a, k) => points.slice(k + 1).forEach((b) => {
    const [dx, dy] = [b.x.value - a.x.value, b.y.value - a.y.value];
    const long = Math.hypot(dx, dy);
    if (long === 0) return;
    const away = Math.abs((at[0] - a.x.value) * dy - (at[1] - a.y.value) * dx) / long;
    if (away < least) [ends, least] = [[a.name, b.name], away];
  }));
  if (!ends) return null;
  const [from, to] = ends as [string, string];
  const pinned = draft.pointAt(pin, body);
  const name = newName(draft.model, "slot");
  draft.model.addElement("joints", name, { type: "pin-in-slot", slot: [`${body}.${from}`, `${body}.${to}`], pin: pinned });
  return name;
}

const distance = (a: Spot, b: Spot): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** What a thing that begins there would hold: the bodies of what is there, else the ground. */
export function bodiesAt({ references, body }: Anchor): string[] {
  const there = references.map((one) => split(one)[0]);
  return there.length > 0 ? there : [body ?? "ground"];
}

/** Two points that are not of one body. */
function ends(draft: Draft, from: Anchor, to: Anchor): [string, string] {
  const i = draft.pointAt(from);
  return [i, draft.pointAt(to, split(i)[0])];
}

export function spring(draft: Draft, from: Anchor, to: Anchor): string {
  const [i, j] = ends(draft, from, to);
  return draft.force("spring", { type: "spring", i, j, stiffness: 100, free_length: written(draft, distance(from.at, to.at)) });
}

/** A cylinder goes out and in again, by a third of its length. */
export function cylinder(draft: Draft, from: Anchor, to: Anchor): string {
  const [i, j] = ends(draft, from, to);
  const long = distance(from.at, to.at);
  return draft.driver("cylinder", { type: "distance", i, j, motion: `${numberText(long, draft.quantum)} + ${numberText(long / 6, draft.quantum)}*(1 - cos(2*pi*t))` });
}

/** A force as long as it was drawn: `value` in newtons. */
export function force(draft: Draft, at: Anchor, value: Spot): string {
  const on = at.references.find((one) => !one.startsWith("ground.")) ?? (at.body ? draft.pointOn(at.body, at.at) : null);
  return on ? draft.force("force", { type: "force", on, value: [numeral(value[0]), numeral(value[1])] }) : "";
}

const numeral = (value: number): Written => new Written(numberText(value, 1e-6));
const written = (draft: Draft, value: number): Written => new Written(numberText(value, draft.quantum));

/** A wheel at a place of the gear tool: what turns there, or a new wheel on the ground or on the body. */
export function wheel(draft: Draft, anchor: Anchor, radius: number): string {
  const there = anchor.references.map((one) => split(one)[0]).filter((body) => body !== "ground");
  const known = there.at(-1);
  if (known && (anchor.references.some((one) => one.startsWith("ground.")) || there.length > 1)) return known;
  const held = anchor.references[0] ?? (anchor.body ? draft.pointOn(anchor.body, anchor.at) : draft.ground(anchor.at));
  const name = newName(draft.model, "wheel");
  const centre = split(held)[1];
  const rim = centre === "R" ? "M" : "R";
  draft.model.addElement("bodies", name, {
    position: spotText(anchor.at, draft.quantum),
    points: { [centre]: [0, 0], [rim]: spotText([radius, 0], draft.quantum) },
  });
  draft.pin(held, `${name}.${centre}`);
  draft.weigh();
  return name;
}

/** A pair of wheels that mesh: on the ground, or on the body that carries both. */
export function gear(draft: Draft, i: string, j: string, radii: Spot): string {
  const carriers = (wheelName: string): string[] => draft.sketch.elements.filter(({ type, bodies }) => isPin(type) && bodies.includes(wheelName)).flatMap(({ bodies }) => bodies.filter((body) => body !== wheelName));
  const common = carriers(i).filter((body) => carriers(j).includes(body) && body !== i && body !== j);
  const arm = common.includes("ground") ? null : common[0] ?? null;
  const name = newName(draft.model, "gear");
  const fields = { i, j, ...(arm ? { arm } : {}), radii: [written(draft, radii[0]), written(draft, radii[1])] };
  draft.model.addElement("joints", name, { type: arm ? "gear-on-arm" : "gear", ...fields });
  return name;
}

/** A mass, with the inertia of a bar, a disc or points of the body; the first one brings gravity along. */
export function mass(draft: Draft, body: string, kilograms = 1): void {
  const { model, sketch } = draft;
  const path = ["bodies", body];
  const points = [...(sketch.body(body)?.points.values() ?? [])];
  if (!model.has("gravity") && [...sketch.bodies.values()].every(({ table }) => !table.entries.has("mass"))) model.set(["gravity"], new Written("[0, -9.81]"));
  model.set([...path, "mass"], kilograms);
  const inertia = model.find(...path, "inertia");
  if (inertia && plain(inertia) === 0) model.remove([...path, "inertia"]);
  if (!model.has(...path, "shape") && !model.has(...path, "inertia")) spread(model, body, points, kilograms, draft.quantum);
  draft.run();
}

/** The inertia of a bar between two points, or of what lies at all of them. */
function spread(model: ModelText, body: string, points: readonly SketchPoint[], kilograms: number, quantum: number): void {
  const path = ["bodies", body];
  const [first, second] = points;
  if (points.length === 2 && first && second) {
    model.set([...path, "shape"], { type: "bar", from: first.name, to: second.name });
    return;
  }
  const count = Math.max(1, points.length);
  const centre: Spot = [points.reduce((sum, { x }) => sum + x.value, 0) / count, points.reduce((sum, { y }) => sum + y.value, 0) / count];
  const square = points.reduce((sum, { x, y }) => sum + (x.value - centre[0]) ** 2 + (y.value - centre[1]) ** 2, 0) / count;
  if (!model.has(...path, "com")) model.set([...path, "com"], spotText(centre, quantum));
  model.set([...path, "inertia"], Number((kilograms * Math.max(square, 1e-4)).toPrecision(3)));
}
