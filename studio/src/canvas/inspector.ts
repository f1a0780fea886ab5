// What is selected, with its name and its numbers as the text has them: every field of every type that the engine knows.

import { button, check, h } from "../../../report/src/dom";
import { sixDigits } from "../../../report/src/format";
import type { DrawingArea } from "../area";
import type { Selected, Session } from "../session";
import { fieldText, namesOf, newPoints, pathOf, refuseName, remove, rename, renamed, spotText } from "../text/elements";
import { evaluate } from "../text/expression";
import { literalText, Written, type Literal } from "../text/literals";
import { ModelText } from "../text/model_text";
import { isPin, sectionOf, Sketch, split, type SketchElement } from "../text/sketch";
import { plain, readToml } from "../text/toml";

/** As `jounce types --json` has it. */
interface FieldType {
  key: string;
  required: boolean;
  expected: string;
  doc: string;
  also?: string;
}

interface ElementType {
  group: "joint" | "driver" | "force" | "shape";
  type: string;
  summary: string;
  fields: FieldType[];
  also?: string[];
  space: string;
}

/** A drawing in which points draw their curves. */
type Tracing = DrawingArea & { isTraced?(point: string): boolean; trace?(point: string, on: boolean): void };

const bodyFields: FieldType[] = [
  { key: "position", required: false, expected: "a pair of numbers [x, y]", doc: "where the origin is drawn, in metres" },
  { key: "angle", required: false, expected: "a number, or an expression in quotes", doc: "how the body is drawn, counter-clockwise" },
  { key: "mass", required: false, expected: "a number, or an expression in quotes", doc: "kg" },
  { key: "inertia", required: false, expected: "a number, or an expression in quotes", doc: "about the centre of mass, kg m²; left out: from the shape" },
  { key: "com", required: false, expected: "a pair of numbers [x, y]", doc: "the centre of mass in the body's axes; left out: from the shape" },
];

/** Of the model itself. */
const modelFields: [string[], FieldType][] = [
  [[], { key: "name", required: false, expected: "a text", doc: "what the model is called" }],
  [[], { key: "gravity", required: false, expected: "a list of numbers, [0, -9.81]", doc: "m/s²" }],
  [["run"], { key: "analysis", required: false, expected: '"kinematics", "inverse", "dynamics" or "equilibrium"', doc: "follow the drivers; with the forces that it takes; let it move by itself; let it rest" }],
  [["run"], { key: "to", required: false, expected: "a number, or an expression in quotes", doc: "where the run ends, in seconds" }],
  [["run"], { key: "steps", required: false, expected: "a number", doc: "rows of the results" }],
];

const isNumber = /^[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

/** What a field holds after something was typed: numbers and lists as they are, anything else as a text. Null: it cannot be read. */
export function typed(text: string): Literal | null {
  const given = text.trim();
  if (isNumber.test(given)) {
    const value = Number(given.replaceAll("_", ""));
    return Number.isFinite(value) ? new Written(literalText(value)) : null;
  }
  if (given === "true" || given === "false") return given === "true";
  if (!/^[[{]/.test(given)) return given.replace(/^"(.*)"$/s, "$1");
  try {
    readToml(`x = ${given}`);
    return new Written(given);
  } catch {
    return null;
  }
}

export function makeInspector(session: Session, area: () => Tracing): HTMLElement {
  const group = h("div", { class: "inspector", role: "group", "aria-label": "Selection" });
  let types: ElementType[] = [];
  let waiting = false;
  const later = (): void => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      new Panel(session, area, types, group).write();
    });
  };
  session.engine.types().then((answer) => {
    types = ((answer as { types?: ElementType[] } | null)?.types ?? []).filter(({ space }) => space === "plane");
    later();
  }, () => undefined);
  session.on("selection", later);
  session.on("text", later);
  session.on("report", later);
  later();
  return group;
}

let lists = 0;

class Panel {
  private readonly sketch: Sketch | null;
  private readonly points: string;
  private readonly bodies: string;

  constructor(private readonly session: Session, private readonly area: () => Tracing, private readonly types: readonly ElementType[], private readonly group: HTMLElement) {
    this.sketch = this.read();
    lists += 1;
    this.points = `points-${lists}`;
    this.bodies = `bodies-${lists}`;
  }

  private read(): Sketch | null {
    try {
      return new Sketch(this.session.text, this.session.parameters);
    } catch {
      return null;
    }
  }

  /** Writes the panel anew; a field that has the focus keeps it. */
  write(): void {
    const focused = document.activeElement instanceof HTMLElement && this.group.contains(document.activeElement) ? document.activeElement.dataset["key"] : undefined;
    const content = this.content();
    this.group.replaceChildren(...content);
    if (focused) this.group.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  private content(): HTMLElement[] {
    const { session, sketch } = this;
    const [only, ...more] = session.selection;
    this.group.setAttribute("aria-label", only ? (more.length > 0 ? `${more.length + 1} elements` : only.name) : "Selection");
    if (!sketch) return [this.note("The text has an error; what is selected can be changed when it is mended.")];
    if (!only) return [this.note(sketch.plane ? "Click something in the drawing for its numbers. Those of the model:" : "Those of the model; all others are in its text."), ...modelFields.map(([path, type]) => this.field(path, type))];
    const lists = [this.list(this.points, [...sketch.bodies.values()].flatMap((body) => [...body.points.keys()].map((point) => `${body.name}.${point}`))), this.list(this.bodies, [...sketch.bodies.keys()])];
    if (more.length > 0) return [this.title(`${more.length + 1} elements`, ""), this.note(session.selection.map(({ name }) => name).join(", ")), this.remover(session.selection)];
    const parts = only.kind === "body" ? this.body(only.name) : only.kind === "point" ? this.point(only.name) : only.kind === "parameter" ? null : this.element(only.name);
    return parts ? [...lists, ...parts, ...(only.name.startsWith("ground") && !only.name.includes(".") ? [] : [this.remover([only])])] : [this.note(`There is no ${only.name} any more.`)];
  }

  private note(text: string): HTMLElement { return h("p", { class: "note" }, text); }
  private title(name: string, what: string): HTMLElement { return h("p", { class: "inspector-title" }, h("strong", {}, name), h("span", { class: "note" }, what)); }

  private list(id: string, names: string[]): HTMLElement {
    return h("datalist", { id }, ...names.map((name) => h("option", { value: name })));
  }

  private edit(label: string, change: (model: ModelText) => void, goals = this.session.goals): void {
    const { session } = this;
    try {
      const model = new ModelText(session.text);
      change(model);
      session.edit(model.text, { label, from: "inspector", goals });
    } catch (error) {
      session.say(error instanceof Error ? error.message : String(error), "problem");
    }
  }

  private remover(chosen: readonly Selected[]): HTMLElement {
    return button("Delete", "Delete what is selected, with all that refers to it", () => {
      this.edit(`Delete ${chosen.map(({ name }) => name).join(", ")}`, (model) => { remove(model, chosen.map(({ name }) => name)); });
      this.session.select();
    }, { class: "inspector-delete", "data-key": "delete" });
  }

  /** A line with a field; `set` gives back what is wrong with what was typed. */
  private line(label: string, value: string, set: (text: string) => string | null, { doc = "", list = "", key = label, choices = [] as string[], placeholder = "" } = {}): HTMLElement {
    const put = (input: HTMLInputElement | HTMLSelectElement): void => {
      if (input.value === value) return;
      const trouble = set(input.value);
      if (trouble === null) return;
      this.session.say(trouble, "problem");
      input.value = value;
    };
    let input: HTMLInputElement | HTMLSelectElement;
    if (choices.length > 0) {
      input = h("select", { "aria-label": label, title: doc, "data-key": key }, ...["", ...choices].map((one) => h("option", { value: one }, one === "" ? "–" : one)));
      input.value = value;
    } else {
      input = h("input", { type: "text", class: "wide", "aria-label": label, title: doc, spellcheck: "false", autocomplete: "off", "data-key": key, placeholder, ...(list ? { list } : {}) });
      input.value = value;
    }
    input.addEventListener("change", () => { put(input); });
    input.addEventListener("keydown", (event) => {
      const pressed = (event as KeyboardEvent).key;
      if (pressed === "Enter") put(input);
      if (pressed === "Escape") input.value = value;
      event.stopPropagation();
    });
    const number = this.meaning(value);
    return h("label", { class: "inspector-line", title: doc }, h("span", { class: "name" }, label), input, h("span", { class: "meaning" }, number));
  }

  /** The number that an expression of parameters is. */
  private meaning(text: string): string {
    if (text === "" || isNumber.test(text.trim()) || !this.sketch || this.sketch.parameters.behind(text).length === 0) return "";
    const value = evaluate(text, this.sketch.parameters.value);
    return Number.isFinite(value) ? `= ${sixDigits(value)}` : "";
  }

  private field(path: readonly string[], type: FieldType): HTMLElement {
    const model = new ModelText(this.session.text);
    const key = type.also && model.has(...path, type.also) ? type.also : type.key;
    const value = fieldText(model, [...path, key]);
    const quoted = [...type.expected.matchAll(/"([\w-]+)"/g)].map(([, one = ""]) => one);
    const choices = /^"|true or false/.test(type.expected) ? (type.expected.startsWith("true") ? ["true", "false"] : quoted) : [];
    const list = type.expected.startsWith("a point such") ? this.points : type.expected.startsWith("the name of a body") ? this.bodies : "";
    return this.line(type.key.replaceAll("_", " "), value, (text) => {
      const given = typed(text);
      if (given === null) return `'${text}' cannot be read: expected ${type.expected}.`;
      if (text.trim() === "" && type.required) return `${type.key} is needed: ${type.expected}.`;
      this.edit(`Set ${[...path.slice(-1), type.key].join(".")}`, (changed) => {
        if (text.trim() === "") changed.remove([...path, key]);
        else changed.set([...path, key], given);
      });
      return null;
    }, { doc: `${type.doc}${type.doc ? ": " : ""}${type.expected}`, list, choices, key: [...path, type.key].join("."), placeholder: type.required ? "" : "left out" });
  }

  private name(current: string, others: Iterable<string>, selected: (to: string) => Selected): HTMLElement {
    return this.line("name", split(current)[1] || current, (text) => {
      const trouble = refuseName(text.trim(), others);
      if (trouble) return trouble;
      const to = text.trim();
      this.edit(`Rename ${current}`, (model) => { rename(model, current, to); }, this.session.goals.map((goal) => ({ ...goal, text: renamed(goal.text, current, to) })));
      this.session.select(selected(to));
      return null;
    }, { key: "name" });
  }

  private body(name: string): HTMLElement[] | null {
    const { sketch } = this;
    const body = sketch?.body(name);
    if (!sketch || !body) return null;
    const ground = name === "ground";
    const shapes = this.types.filter(({ group }) => group === "shape");
    const shape = plain(body.table.entries.get("shape")?.value ?? { kind: "value", range: [0, 0], value: "" }) as { type?: string } | "";
    const kind = shapes.find(({ type, also }) => shape !== "" && (type === shape.type || also?.includes(shape.type ?? "")));
    const points = [...body.points.keys()].map((point) => this.pointRow(name, point));
    return [
      this.title(name, ground ? "the ground" : "link"),
      ...(ground ? [] : [this.name(name, namesOf(sketch.model), (to) => ({ kind: "body", name: to })), ...bodyFields.map((type) => this.field(["bodies", name], type))]),
      h("div", { class: "inspector-points", role: "group", "aria-label": "Points" }, h("p", { class: "inspector-part" }, "Points"), ...points,
        button("Add point", `Another point of ${name}`, () => {
          this.edit(`Point of ${name}`, (model) => { model.set([...(ground ? ["ground"] : ["bodies", name]), "points", newPoints(sketch, 1)[0] ?? "P"], spotText([0, 0], 0)); });
        }, { class: "inspector-add", "data-key": "add" })),
      ...(ground ? [] : [
        h("p", { class: "inspector-part" }, "Shape"),
        this.line("type", shape === "" ? "" : shape.type ?? "", (text) => {
          this.edit(`Shape of ${name}`, (model) => {
            if (text === "") model.remove(["bodies", name, "shape"]);
            else model.set(["bodies", name, "shape"], this.firstShape(text, [...body.points.keys()]));
          });
          return null;
        }, { choices: shapes.map(({ type }) => type), key: "shape" }),
        ...(kind?.fields.map((type) => this.field(["bodies", name, "shape"], type)) ?? []),
      ]),
    ];
  }

  private firstShape(type: string, points: readonly string[]): Record<string, Literal> {
    const [a, b] = points;
    if (type === "bar" || type === "rod") return { type, from: a ?? [0, 0], to: b ?? [0.1, 0] };
    if (type === "disc") return { type, centre: a ?? [0, 0], radius: 0.05 };
    return { type, centre: a ?? [0, 0], size: [0.1, 0.05] };
  }

  private pointPath(body: string, point: string): string[] {
    return body === "ground" ? ["ground", "points", point] : ["bodies", body, "points", point];
  }

  /** The coordinates of a point, each with what it is where parameters make it. */
  private coordinates(body: string, point: string): HTMLElement[] {
    const path = this.pointPath(body, point);
    const model = new ModelText(this.session.text);
    return ["x", "y"].map((axis, k) => this.line(axis, fieldText(model, [...path, k]), (text) => {
      const given = typed(text);
      if (given === null || text.trim() === "") return `${axis} of ${body}.${point} is a number, or an expression.`;
      this.edit(`Set ${body}.${point}.${axis}`, (changed) => { changed.set([...path, k], given); });
      return null;
    }, { doc: `in the axes of ${body}, m`, key: `${body}.${point}.${axis}` }));
  }

  private pointRow(body: string, point: string): HTMLElement {
    const [x, y] = this.coordinates(body, point);
    const pick = button(point, `Select ${body}.${point}`, () => { this.session.select({ kind: "point", name: `${body}.${point}` }); }, { class: "inspector-point", "data-key": `pick ${point}` });
    const row = h("div", { class: "inspector-row" }, pick);
    for (const line of [x, y]) if (line) row.append(line);
    return row;
  }

  private tracer(reference: string): HTMLElement | null {
    const area = this.area();
    if (!area.trace || !area.isTraced || reference.startsWith("ground.")) return null;
    return check("Draws its curve", area.isTraced(reference), (on) => { area.trace?.(reference, on); });
  }

  private point(reference: string): HTMLElement[] | null {
    const { sketch, session } = this;
    const [body, point] = split(reference);
    if (!sketch?.point(reference)) return null;
    const users = sketch.elements.filter(({ points }) => points.some((one) => one.body === body && one.point === point));
    const picker = ({ group, name }: SketchElement): HTMLElement => button(name, `Select ${name}`, () => { session.select({ kind: group, name }); }, { "data-key": `pick ${name}` });
    const traced = this.tracer(reference);
    return [
      this.title(reference, `point of ${body}`),
      this.name(reference, sketch.body(body)?.points.keys() ?? [], (to) => ({ kind: "point", name: `${body}.${to}` })),
      ...this.coordinates(body, point),
      ...(traced ? [traced] : []),
      ...(users.length > 0 ? [h("p", { class: "inspector-part" }, "Used by"), h("div", { class: "inspector-picks" }, ...users.map(picker))] : []),
    ];
  }

  private element(name: string): HTMLElement[] | null {
    const { sketch } = this;
    const element = sketch?.element(name);
    if (!sketch || !element) return null;
    const { group, type } = element;
    const known = this.types.find((one) => one.group === group && (one.type === type || one.also?.includes(type)));
    const path = pathOf(sketch.model, name) ?? [sectionOf[group], name];
    const pins = isPin(type) ? element.points.map(({ body, point }) => `${body}.${point}`) : [];
    return [
      this.title(name, known ? known.summary : `${type}, a ${group}`),
      this.name(name, namesOf(sketch.model), (to) => ({ kind: group, name: to })),
      ...(known?.fields.map((one) => this.field(path, one)) ?? []),
      ...pins.map((reference) => this.pointRow(...split(reference))),
      ...pins.slice(-1).flatMap((reference) => this.tracer(reference) ?? []),
    ];
  }
}
