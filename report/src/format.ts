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

/** The largest of 1, 2, 5 times a power of ten that is not above a value. */
export function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

/** The smallest that is not below it. */
export function roundAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

function trim(text: string): string {
  return text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text;
}

/** Of a clock. */
export function fourDigits(value: number): string {
  return sixDigits(Number(value.toPrecision(4)));
}

export function withUnit(value: number, unit: string): string {
  return unit ? `${sixDigits(value)} ${unit}` : sixDigits(value);
}
