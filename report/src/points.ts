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
  const { cos, sin } = turn(rates[0] ?? numbers);
  // The rates that an order does not have are not used in it either.
  const [, ws = origin, as = origin, js = origin, ss = origin] = rates;
  // A p and B p in this axis are cos times one coordinate and sin times the other.
  const [alongCos, alongSin] = axis === "x" ? [px, -py] : [py, px];
  const [acrossCos, acrossSin] = axis === "x" ? [-py, -px] : [px, -py];
  for (let k = 0; k < numbers.length; k += 1) {
    const w = ws[k] ?? 0;
    const a = as[k] ?? 0;
    const j = js[k] ?? 0;
    let factorAlong = 1;
    let factorAcross = 0;
    switch (order) {
      case 0: break;
      case 1: factorAlong = 0; factorAcross = w; break;
      case 2: factorAlong = -w * w; factorAcross = a; break;
      case 3: factorAlong = -3 * w * a; factorAcross = j - w * w * w; break;
      default: factorAlong = w * w * w * w - 3 * a * a - 4 * w * j; factorAcross = (ss[k] ?? 0) - 6 * w * w * a;
    }
    const c = cos[k] ?? 1;
    const s = sin[k] ?? 0;
    const o = origin[k] ?? 0;
    const along = factorAlong * (c * alongCos + s * alongSin);
    const across = factorAcross * (c * acrossCos + s * acrossSin);
    const sum = o + along + across;
    numbers[k] = Math.abs(sum) < storedPrecision * (Math.abs(o) + Math.abs(along) + Math.abs(across)) ? 0 : sum;
  }
  return numbers;
}

interface Turn {
  cos: Float64Array;
  sin: Float64Array;
}

const turns = new WeakMap<Float64Array, Turn>();

/** Cosines and sines of the angles of a body, which all its points share. */
function turn(angles: Float64Array): Turn {
  const known = turns.get(angles);
  if (known) return known;
  const made = { cos: angles.map(Math.cos), sin: angles.map(Math.sin) };
  turns.set(angles, made);
  return made;
}
