// Values as they are written in a model file.

/** A number in as few digits as it needs: rounded to a multiple of `quantum`, a power of ten. */
export function numberText(value: number, quantum = 0): string {
  if (!Number.isFinite(value)) throw new Error("a model file has no infinite numbers");
  let rounded = value;
  if (quantum > 0) {
    const places = Math.round(-Math.log10(quantum));
    rounded = places >= 0 ? Number(value.toFixed(Math.min(20, places))) : Math.round(value * 10 ** places) * 10 ** -places;
  } else rounded = Number(value.toPrecision(12));
  if (rounded === 0) return "0";
  return exponentText(String(rounded));
}

/** TOML wants digits before the e, and takes no plus that says nothing. */
function exponentText(text: string): string {
  return text.replace("e+", "e");
}

/** A power of ten at most as large as a length. */
export function quantumOf(length: number): number {
  return length > 0 ? 10 ** Math.floor(Math.log10(length) + 1e-9) : 0;
}

export function stringText(value: string): string {
  let out = '"';
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    if (character === '"' || character === "\\") out += `\\${character}`;
    else if (character === "\n") out += "\\n";
    else if (character === "\t") out += "\\t";
    else if (code < 0x20 || code === 0x7f) out += `\\u${code.toString(16).padStart(4, "0")}`;
    else out += character;
  }
  return `${out}"`;
}

export function keyText(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : stringText(key);
}

/** A value that is already as it is written. */
export class Written {
  constructor(readonly text: string) {}
}

export type Literal = string | number | boolean | Written | readonly Literal[] | { readonly [key: string]: Literal };

/** Any value on one line, tables in braces. */
export function literalText(value: Literal): string {
  if (value instanceof Written) return value.text;
  if (typeof value === "string") return stringText(value);
  if (typeof value === "number") return numberText(value);
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[${(value as readonly Literal[]).map(literalText).join(", ")}]`;
  const parts = Object.entries(value as Record<string, Literal>).map(([key, part]) => `${keyText(key)} = ${literalText(part)}`);
  return parts.length > 0 ? `{ ${parts.join(", ")} }` : "{}";
}
