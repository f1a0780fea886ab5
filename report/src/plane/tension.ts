// Rods and bars by what they are pulled or pressed with.

import type { Report } from "../report";
import type { Palette } from "./palette";

const scales = new WeakMap<Report, number>();

/** The largest tension or compression of the run. */
function largest(report: Report): number {
  const known = scales.get(report);
  if (known !== undefined) return known;
  let most = 0;
  for (const column of report.document.columns)
    if (column.group === "tension") for (const value of report.column(column.name) ?? []) most = Math.max(most, Math.abs(value));
  scales.set(report, most);
  return most;
}

/** Fill and edge of what has a tension; nothing where it has none, or where it is no more than a millionth of what others carry. */
export function pullColours(report: Report, name: string, sample: number, colours: Palette): { fill: string; edge: string } | null {
  const column = `${name}.tension`;
  if (!report.info(column)) return null;
  const pull = report.at(column, sample);
  if (!(Math.abs(pull) > 1e-6 * largest(report))) return null;
  return pull > 0 ? colours.pulled : colours.pressed;
}
