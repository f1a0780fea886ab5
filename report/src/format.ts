// Numbers as they are shown.

/** Six significant digits, without padding; the exponent form for the very large and the very small. */
export function sixDigits(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = value.toPrecision(6);
  if (size >= 1e-4 && size < 1e6) return trim(Number(text).toString());
  const [lead = "0", exponent = "0"] = value.toExponential(5).split("e");
  return `${trim(lead)}e${exponent.replace("+", "")}`;
}

/** As few digits as a round number needs. */
export function shortNumber(value: number): string {
  return sixDigits(Number(value.toPrecision(3)));
}

function trim(text: string): string {
  return text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text;
}

export function withUnit(value: number, unit: string): string {
  return unit ? `${sixDigits(value)} ${unit}` : sixDigits(value);
}
