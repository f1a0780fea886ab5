// Columns of points that are fixed in a planar body: position to snap from the body's position to snap.

export interface ColumnSource {
  readonly samples: number;
  column(name: string): Float64Array | undefined;
}

const letters = ["", "v", "a", "j", "s"];

/** The stored numbers are rounded to 40 bits: what is left when such terms cancel to less than this part of them is nothing. */
const storedPrecision = 4e-12;

/**
 * The column NAME (ending in x, vx, ax, jx, sx or the same with y) of the point p of a body. With the angle's rates
 * w, a, j, s the rotating vector A p has the derivatives
 *   1: w B    2: a B - w² A    3: (j - w³) B - 3 w a A    4: (s - 6 w² a) B + (w⁴ - 3 a² - 4 w j) A    (each times p),
 * where B = dA/dphi is A turned by a quarter.
 */
export function pointColumn(
  source: ColumnSource, name: string, body: string, from: { body: number; p: number[] },
): Float64Array | undefined {
  const kind = name.slice(name.lastIndexOf(".") + 1);
  const axis = kind.endsWith("x") ? "x" : "y";
  const order = letters.indexOf(kind.slice(0, -1));
  if (order < 0) return undefined;
  const [px = 0, py = 0] = from.p;
  const numbers = new Float64Array(source.samples);
  if (from.body === 0) return order === 0 ? numbers.fill(axis === "x" ? px : py) : numbers;

  const origin = source.column(`${body}.${letters[order] ?? ""}${axis}`);
  const rates: Float64Array[] = [];
  for (let k = 0; k <= order; k += 1) {
    const rate = source.column(`${body}.${letters[k] ?? ""}phi`);
    if (!rate) return undefined;
    rates.push(rate);
  }
  if (!origin) return undefined;
  for (let k = 0; k < numbers.length; k += 1) {
    const phi = rates[0]?.[k] ?? 0;
    const c = Math.cos(phi);
    const s = Math.sin(phi);
    const along = axis === "x" ? c * px - s * py : s * px + c * py;
    const across = axis === "x" ? -s * px - c * py : c * px - s * py;
    const [factorAlong, factorAcross] = factors(order, rates, k);
    const sum = (origin[k] ?? 0) + factorAlong * along + factorAcross * across;
    const size = Math.abs(origin[k] ?? 0) + Math.abs(factorAlong * along) + Math.abs(factorAcross * across);
    numbers[k] = Math.abs(sum) < storedPrecision * size ? 0 : sum;
  }
  return numbers;
}

/** What A p and B p are multiplied by in a derivative of A p. */
function factors(order: number, rates: Float64Array[], k: number): [number, number] {
  const w = rates[1]?.[k] ?? 0;
  const a = rates[2]?.[k] ?? 0;
  const j = rates[3]?.[k] ?? 0;
  const s = rates[4]?.[k] ?? 0;
  switch (order) {
    case 0: return [1, 0];
    case 1: return [0, w];
    case 2: return [-w * w, a];
    case 3: return [-3 * w * a, j - w * w * w];
    default: return [w ** 4 - 3 * a * a - 4 * w * j, s - 6 * w * w * a];
  }
}
