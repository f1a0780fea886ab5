// Expressions of the model file as far as a drawing needs them: numbers, parameters, constants, operators and functions, evaluated as the
// engine does. What the engine alone knows (names of the mechanism, tables) is no number here.

const constants: Record<string, number> = {
  pi: Math.PI, deg: Math.PI / 180, rpm: (2 * Math.PI) / 60, mm: 1e-3, cm: 1e-2, inch: 0.0254,
  km: 1e3, um: 1e-6, ms: 1e-3, kN: 1e3, MPa: 1e6, bar: 1e5, kW: 1e3,
};
/** A parameter of the same name hides them. */
const weak = new Set(["km", "um", "ms", "kN", "MPa", "bar", "kW"]);

/** The blend of degree 9 from 0 at a to 1 at b. */
function step(x: number, a: number, b: number): number {
  const s = Math.max(0, Math.min(1, (x - a) / (b - a)));
  return s ** 5 * (126 + s * (-420 + s * (540 + s * (-315 + s * 70))));
}

const functions: Record<string, { count: number; call: (...values: number[]) => number }> = {
  sin: { count: 1, call: Math.sin }, cos: { count: 1, call: Math.cos }, tan: { count: 1, call: Math.tan },
  asin: { count: 1, call: Math.asin }, acos: { count: 1, call: Math.acos }, atan: { count: 1, call: Math.atan }, atan2: { count: 2, call: Math.atan2 },
  sinh: { count: 1, call: Math.sinh }, cosh: { count: 1, call: Math.cosh }, tanh: { count: 1, call: Math.tanh },
  exp: { count: 1, call: Math.exp }, log: { count: 1, call: Math.log }, sqrt: { count: 1, call: Math.sqrt }, pow: { count: 2, call: (x, y) => x ** y },
  abs: { count: 1, call: Math.abs }, sign: { count: 1, call: Math.sign },
  min: { count: -2, call: Math.min }, max: { count: -2, call: Math.max }, step: { count: 3, call: step },
};

export const isFunction = (name: string): boolean => Object.hasOwn(functions, name);
export const isConstant = (name: string): boolean => Object.hasOwn(constants, name);

const token = /\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][\w-]*)*)|(.))/y;

const mostNesting = 256;

class Parser {
  private at = 0;
  private number: number | null = null;
  private name: string | null = null;
  private sign: string | null = null;
  private depth = 0;

  constructor(private readonly text: string, private readonly value: (name: string) => number | undefined) {
    this.next();
  }

  whole(): number {
    const value = this.sum();
    return this.number === null && this.name === null && this.sign === null ? value : Number.NaN;
  }

  private next(): void {
    token.lastIndex = this.at;
    const match = token.exec(this.text);
    this.at = match ? token.lastIndex : this.text.length;
    this.number = match?.[1] !== undefined ? Number(match[1]) : null;
    this.name = match?.[2] ?? null;
    this.sign = match?.[3] ?? null;
  }

  private take(sign: string): boolean {
    if (this.sign !== sign) return false;
    this.next();
    return true;
  }

  private sum(): number {
    let left = this.product();
    for (;;) {
      if (this.take("+")) left += this.product();
      else if (this.take("-")) left -= this.product();
      else return left;
    }
  }

  private product(): number {
    let left = this.signed();
    for (;;) {
      if (this.take("*")) left *= this.signed();
      else if (this.take("/")) left /= this.signed();
      else return left;
    }
  }

  /** A minus before a power is of the power, one behind the ^ of the exponent. */
  private signed(): number {
    let minus = false;
    for (;;) {
      if (this.take("-")) minus = !minus;
      else if (!this.take("+")) break;
    }
    const base = this.primary();
    const value = this.take("^") ? this.nested(() => base ** this.signed()) : base;
    return minus ? -value : value;
  }

  private nested(inside: () => number): number {
    this.depth += 1;
    const value = this.depth > mostNesting ? Number.NaN : inside();
    this.depth -= 1;
    return value;
  }

  private primary(): number {
    const { number, name } = this;
    if (number !== null) return this.next(), number;
    if (name !== null) {
      this.next();
      if (this.sign === "(") return this.call(name);
      return (weak.has(name) ? this.value(name) : undefined) ?? (isConstant(name) ? constants[name] : undefined) ?? this.value(name) ?? Number.NaN;
    }
    if (!this.take("(")) return Number.NaN;
    const value = this.nested(() => this.sum());
    return this.take(")") ? value : Number.NaN;
  }

  private call(name: string): number {
    this.next();
    const values: number[] = [];
    if (this.sign !== ")") do values.push(this.nested(() => this.sum())); while (this.take(",") && values.length < 100);
    const known = isFunction(name) ? functions[name] : undefined;
    if (!this.take(")") || !known) return Number.NaN;
    return (known.count < 0 ? values.length >= -known.count : values.length === known.count) ? known.call(...values) : Number.NaN;
  }
}

/** The number that an expression has; NaN where it has none that is known here. */
export function evaluate(text: string, value: (name: string) => number | undefined = () => undefined): number {
  return new Parser(text, value).whole();
}

/** Names that stand in an expression and are neither functions nor constants, each once. */
export function namesIn(text: string): string[] {
  const names = new Set<string>();
  for (const match of text.matchAll(/'[^']*'|(?<![\w.])[A-Za-z_][A-Za-z0-9_]*(?![\w.]*\()(?:\.[A-Za-z_][\w-]*)*/g)) {
    const [name] = match;
    if (!name.startsWith("'") && !isFunction(name) && (!isConstant(name) || weak.has(name))) names.add(name);
  }
  return [...names];
}

/** Parameters with their values, each evaluated when it is first asked for; a circle has none. */
export class Parameters {
  private readonly known = new Map<string, number>();
  private readonly busy = new Set<string>();

  constructor(readonly texts: ReadonlyMap<string, string | number>, private readonly overrides: Readonly<Record<string, number>> = {}) {}

  readonly value = (name: string): number | undefined => {
    const known = this.known.get(name) ?? (Object.hasOwn(this.overrides, name) ? this.overrides[name] : undefined);
    if (known !== undefined) return known;
    const text = this.texts.get(name);
    if (text === undefined) return undefined;
    if (this.busy.has(name)) return Number.NaN;
    this.busy.add(name);
    const value = typeof text === "number" ? text : evaluate(text, this.value);
    this.busy.delete(name);
    this.known.set(name, value);
    return value;
  };

  /** The parameters with a number of their own that an expression depends on, also through others. */
  behind(text: string | number, seen = new Set<string>()): string[] {
    if (typeof text === "number") return [];
    const found = new Set<string>();
    for (const name of namesIn(text)) {
      const own = this.texts.get(name);
      if (own === undefined || seen.has(name)) continue;
      seen.add(name);
      if (typeof own === "number" || !namesIn(own).some((one) => this.texts.has(one))) found.add(name);
      else for (const one of this.behind(own, seen)) found.add(one);
    }
    return [...found];
  }
}
