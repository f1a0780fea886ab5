// Columns as a table for other programs: the file that the program itself writes, with the digits that a page carries.

import type { Report } from "../report";

/** A page carries numbers to 4.5e-13 of their size: further digits would be noise. */
const digits = 13;

const cell = (name: string): string => (/[",\r\n]|^ | $/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

export function csv(report: Report, names: string[]): string {
  const columns = names.map((name) => ({ numbers: report.column(name) ?? new Float64Array(report.samples), factor: report.factorOf(report.info(name)?.unit ?? "") }));
  // as the program has it: where units were chosen they stand behind the names
  const heading = (name: string): string => (report.document.units && report.unit(name) ? `${name} [${report.unit(name)}]` : name);
  const lines = [names.map((name) => cell(heading(name))).join(",")];
  for (let k = 0; k < report.samples; k += 1)
    lines.push(columns.map(({ numbers, factor }) => String(Number(((numbers[k] ?? 0) * factor).toPrecision(digits)))).join(","));
  return `${lines.join("\n")}\n`;
}
