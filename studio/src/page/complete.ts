// What can be written at a place of a model file: sections, types, their fields, and the names that the model has. The words come from the
// program's own registry of types.

import { autocompletion, snippetCompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import type { Extension, Text } from "@codemirror/state";
import type { Session } from "../session";

interface Field {
  key: string;
  required: boolean;
  expected: string;
  doc: string;
}

interface KnownType {
  group: string;
  type: string;
  summary: string;
  fields: Field[];
  space: "plane" | "3d";
}

const groups: Record<string, string> = { joints: "joint", loops: "loop", couplings: "coupling", drivers: "driver", actuators: "driver", forces: "force" };
const bodyKeys: [string, string][] = [
  ["points", "named points in the body's own axes"], ["position", "where the body's origin is drawn"], ["angle", "how the body is drawn, from the ground's x axis"], ["mass", "in kilograms"],
  ["inertia", "about the centre of mass"], ["com", "centre of mass in the body's axes"], ["velocity", "initial velocity of the origin"], ["spin", "initial angular velocity"], ["shape", "an outline: a bar, a disc, a box"],
];
const runKeys: [string, string][] = [["analysis", "kinematics, inverse, dynamics or equilibrium"], ["to", "end time in seconds"], ["steps", "equal intervals"], ["tolerance", "of dynamics"], ["method", "of dynamics"], ["formulation", "of dynamics"]];
const topKeys: [string, string][] = [["name", "for messages and file names"], ["gravity", "such as [0, -9.81]"], ["space", "\"plane\" or \"3d\""]];

/** Where the text is being written. */
interface Place {
  /** Words of the header above: ["bodies", "crank"]. */
  section: string[];
  /** In braces: of which entry, and what stands in them before the caret. */
  braces: { key: string; inside: string } | null;
  /** The key whose value is being written, if any. */
  key: string | null;
  /** In quotes: since where. */
  quoted: number | null;
}

function placeOf(text: Text, at: number): Place {
  const line = text.lineAt(at);
  const before = line.text.slice(0, at - line.from);
  let section: string[] = [];
  for (let k = line.number - 1; k >= 1; k -= 1) {
    const header = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(text.line(k).text);
    if (!header) continue;
    section = (header[1] ?? "").split(".").map((word) => word.trim().replace(/^["']|["']$/g, ""));
    break;
  }
  let quoted: number | null = null;
  const open: number[] = [];
  for (let k = 0; k < before.length; k += 1) {
    const letter = before[k];
    if (letter === '"') quoted = quoted === null ? k + 1 : null;
    else if (quoted === null && letter === "{") open.push(k);
    else if (quoted === null && letter === "}") open.pop();
    else if (quoted === null && letter === "#") break;
  }
  const brace = open.at(-1);
  const inside = brace === undefined ? before : before.slice(brace + 1);
  const key = /(?:^|,)\s*([\w-]+)\s*=\s*(?:\[[^\]]*)?("[^"]*)?$/.exec(inside)?.[1] ?? null;
  const braces = brace === undefined ? null : { key: /([\w.-]+)\s*=\s*$/.exec(before.slice(0, brace))?.[1] ?? "", inside };
  return { section, braces, key, quoted: quoted === null ? null : line.from + quoted };
}

export function completion(session: Session): Extension {
  let types: KnownType[] = [];
  void session.engine.ready.then(() => session.engine.types()).then((answer) => { types = (answer as { types?: KnownType[] }).types ?? []; }).catch(() => undefined);

  const scene = (): { bodies: string[]; points: string[] } => {
    const bodies = session.report?.scene.bodies ?? [];
    return { bodies: bodies.map((body) => body.name), points: bodies.flatMap((body) => [...body.points.map((point) => `${body.name}.${point.name}`), `${body.name}.origin`]) };
  };
  const here = (): KnownType[] => {
    const space = session.good?.model?.space ?? "plane";
    return types.filter((one) => one.space === space);
  };
  const values = (field: Field | undefined): Completion[] => {
    const { bodies, points } = scene();
    const expected = field?.expected ?? "";
    if (expected.startsWith("a point such") || expected.startsWith("a line such")) return points.map((label) => ({ label, type: "variable" }));
    if (expected.includes("name of a body")) return bodies.map((label) => ({ label, type: "class" }));
    if (expected.startsWith("a coordinate")) return bodies.slice(1).flatMap((body) => ["x", "y", "phi"].map((one) => ({ label: `${body}.${one}`, type: "property" })));
    if (/^"[\w-]+"(, | or )/.test(expected)) return [...expected.matchAll(/"([\w-]+)"/g)].map((found) => ({ label: found[1] ?? "", type: "enum" }));
    if (expected.includes("expression") || expected.includes("function")) return Object.keys(session.good?.model?.parameters ?? {}).map((label) => ({ label, type: "constant" }));
    return [];
  };

  const source = (context: CompletionContext): CompletionResult | null => {
    const { doc } = context.state;
    const line = doc.lineAt(context.pos);
    if (/^\s*#/.test(line.text.slice(0, context.pos - line.from))) return null;
    const place = placeOf(doc, context.pos);
    const header = /^\s*\[([\w.-]*)$/.exec(line.text.slice(0, context.pos - line.from));
    if (header) return { from: context.pos - (header[1] ?? "").length, options: ["parameters", "units", "ground", "bodies.", "joints", "drivers", "forces", "measures", "stops", "events", "run"].map((label) => ({ label, type: "namespace" })) };
    const group = groups[place.section[0] ?? ""];
    const own = place.section.length > 1;
    const element = group !== undefined && (own ? place.braces === null : place.braces !== null);
    const shape = place.section[0] === "bodies" && place.braces?.key === "shape";
    const body = element ? elementText(doc, context.pos, place) : shape ? (place.braces?.inside ?? "") : "";
    const candidates = here().filter((one) => one.group === (shape ? "shape" : group));
    const type = candidates.find((one) => one.type === /\btype\s*=\s*"([\w-]*)"/.exec(body)?.[1]);

    if (place.quoted !== null) {
      const from = Math.max(place.quoted, context.matchBefore(/[\w.-]*$/)?.from ?? place.quoted);
      if (place.key === "type" && (element || shape)) return { from: place.quoted, options: candidates.map((one) => ({ label: one.type, detail: one.summary, type: "type" })) };
      if (place.key === "analysis") return { from: place.quoted, options: ["kinematics", "inverse", "dynamics", "equilibrium"].map((label) => ({ label, type: "enum" })) };
      if (shape) return { from, options: (session.report?.scene.bodies.find((one) => one.name === place.section[1])?.points ?? []).map((point) => ({ label: point.name, type: "variable" })) };
      const options = values(type?.fields.find((field) => field.key === place.key));
      return options.length > 0 ? { from, options, validFor: /^[\w.-]*$/ } : null;
    }
    const word = context.matchBefore(/[\w-]+$/);
    if (!word && !context.explicit) return null;
    const inside = (place.braces?.inside ?? line.text.slice(0, context.pos - line.from)).replace(/[\w-]*$/, "");
    if (!/(^|,|\{)\s*$/.test(inside)) return null;
    const from = word?.from ?? context.pos;
    const keys = (all: [string, string][]): CompletionResult => ({ from, options: all.map(([label, detail]) => ({ label, detail, type: "property", apply: `${label} = ` })) });
    if (element || shape) {
      if (!type) return { from, options: [snippetCompletion('type = "${}"', { label: "type", detail: "what it is", type: "property" })] };
      const written = new Set([...body.matchAll(/([\w-]+)\s*=/g)].map((found) => found[1]));
      return { from, options: type.fields.filter((field) => !written.has(field.key)).map((field) => ({ label: field.key, detail: field.doc, type: "property", apply: `${field.key} = `, boost: field.required ? 1 : 0 })) };
    }
    if (place.braces) return null;
    if (place.section[0] === "bodies") return keys(bodyKeys);
    if (place.section[0] === "run") return keys(runKeys);
    return place.section.length === 0 ? keys(topKeys) : null;
  };
  return autocompletion({ override: [source], icons: false, activateOnTyping: true, maxRenderedOptions: 60 });
}

/** The text of the element that is being written: in its braces, or under its header. */
function elementText(doc: Text, at: number, place: Place): string {
  const line = doc.lineAt(at);
  if (place.braces) return line.text;
  const lines: string[] = [];
  const isHeader = (text: string): boolean => /^\s*\[/.test(text);
  for (let k = line.number; k >= 1 && !isHeader(doc.line(k).text); k -= 1) lines.push(doc.line(k).text);
  for (let k = line.number + 1; k <= doc.lines && !isHeader(doc.line(k).text); k += 1) lines.push(doc.line(k).text);
  return lines.join("\n");
}
