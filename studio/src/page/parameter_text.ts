// Parameters as the text writes them: a plain number, a number in a unit ("60*rpm"), or an expression of others, which stays what it is.

import { numberText } from "../text/literals";
import { ModelText } from "../text/model_text";

/** Units that a number is multiplied by in the text. */
const units: Record<string, number> = {
  deg: Math.PI / 180, rpm: (2 * Math.PI) / 60, mm: 1e-3, cm: 1e-2, inch: 0.0254, km: 1e3, um: 1e-6, ms: 1e-3, kN: 1e3, MPa: 1e6, bar: 1e5, kW: 1e3, pi: Math.PI,
};

export interface WrittenParameter {
  unit: { name: string; factor: number };
  /** Where it is neither a number nor one in a unit: what is written. */
  formula?: string;
  comment: string;
}

const inUnit = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*\*\s*([A-Za-z]+)\s*$/;
const number = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/;

let last: { text: string; found: Map<string, WrittenParameter> } | null = null;

/** Of a text that is no TOML there are none. */
export function parametersOf(text: string): Map<string, WrittenParameter> {
  if (last?.text !== text) last = { text, found: read(text) };
  return last.found;
}

function read(text: string): Map<string, WrittenParameter> {
  const found = new Map<string, WrittenParameter>();
  let model: ModelText;
  try {
    model = new ModelText(text);
    for (const [name, { value: node }] of model.table("parameters")?.entries ?? []) {
      const after = model.text.slice(node.range[1], model.text.indexOf("\n", node.range[1]) >>> 0);
      const comment = /^\s*#\s*(.*)$/.exec(after)?.[1] ?? "";
      const plain = { name: "", factor: 1 };
      if (node.kind !== "value") found.set(name, { unit: plain, comment, formula: "" });
      else if (typeof node.value === "number" || (typeof node.value === "string" && number.test(node.value))) found.set(name, { unit: plain, comment });
      else {
        const unit = inUnit.exec(String(node.value))?.[2] ?? "";
        const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
        found.set(name, factor === undefined ? { unit: plain, comment, formula: String(node.value) } : { unit: { name: unit, factor }, comment });
      }
    }
  } catch {
    return found;
  }
  return found;
}

/** The text with another number in place of a parameter's; null where the text has none that can be written. */
export function writeParameter(text: string, name: string, value: number, unit: WrittenParameter["unit"]): string | null {
  try {
    const model = new ModelText(text);
    if (!model.has("parameters", name)) return null;
    model.set(["parameters", name], unit.name === "" ? Number(numberText(value)) : `${numberText(value)}*${unit.name}`);
    return model.text;
  } catch {
    return null;
  }
}
