// Columns as a table for other programs: the file that the program itself writes, with the digits that a page carries.

import type { Report } from "../report";

/** A page carries numbers to 4.5e-13 of their size: further digits would be noise. */
const digits = 13;

const cell = (name: string): string => (/[",\r\n]|^ | $/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

export function csv(report: Report, names: string[]): string {
  const columns = names.map((name) => report.column(name) ?? new Float64Array(report.samples));
  const lines = [names.map(cell).join(",")];
  for (let k = 0; k < report.samples; k += 1) lines.push(columns.map((column) => String(Number((column[k] ?? 0).toPrecision(digits)))).join(","));
  return `${lines.join("\n")}\n`;
}
