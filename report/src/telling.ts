// Which columns say something in a run, and which of them fit into one plot.

import type { Column, Report } from "./report";

/** Of two curves with one unit on one axis, how much smaller than what both take up one may be before it is flat. */
const unlike = 12;
/** Curves that are never farther apart than this part of what they take up are one to the eye. */
const asOne = 0.01;
/** A change is no rounding where it is larger than this part of such quantities. */
const rounding = 1e-9;
/** How many times its tolerance an integration may be off at its end, and the most that is taken for that. */
const errors = 100;
const mostError = 1e-4;

/** Least and largest number of a column; none of a column that the run has not. */
export function limits(report: Report, name: string): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of report.column(name) ?? []) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return least <= most ? [least, most] : [0, 0];
}

/** How far a column moves, and its largest size. */
export const spread = (report: Report, name: string): number => limits(report, name)[1] - limits(report, name)[0];
export const peak = (report: Report, name: string): number => Math.max(...limits(report, name).map(Math.abs));

/** Whether a column changes by more than the rounding of what it is computed from, and by more than an integration is off. */
export function tells(report: Report, name: string): boolean {
  const column = report.info(name);
  if (!column || column.nothing) return false;
  const { analysis, tolerance } = report.document.run;
  const least = analysis === "dynamics" ? Math.max(rounding, Math.min(mostError, errors * (tolerance ?? 0))) : rounding;
  return report.samples < 2 || spread(report, name) > least * scale(report, column);
}

const scales = new WeakMap<Report, Map<string, number>>();

/** How large quantities of the kind of a column are in this run: the largest of some of them. */
function scale(report: Report, column: Column): number {
  const known = scales.get(report) ?? new Map<string, number>();
  scales.set(report, known);
  const kind = `${column.group} ${column.unit}`;
  const found = known.get(kind);
  if (found !== undefined) return found;
  const alike = report.document.columns.filter((other) => other.group === column.group && other.unit === column.unit && !other.owner?.includes("."));
  const most = Math.max(0, ...alike.slice(0, 200).map((other) => peak(report, other.name)), column.unit === "m" ? report.scene.size : 0);
  known.set(kind, most);
  return most;
}

/** Whether two columns are one to the eye: the same curve, or with `mirrored` one that only begins elsewhere or goes the other way. */
export function alike(report: Report, one: string, two: string, mirrored = false): boolean {
  const [a, b] = [report.column(one), report.column(two)];
  if (!a || !b || report.unit(one) !== report.unit(two)) return false;
  const [[low, high], [least, most]] = [limits(report, one), limits(report, two)];
  const range = mirrored ? Math.max(high - low, most - least) : Math.max(high, most) - Math.min(low, least);
  const near = (sign: number): boolean => {
    const from = mirrored ? (b[0] ?? 0) - sign * (a[0] ?? 0) : 0;
    return a.every((value, k) => Math.abs((b[k] ?? 0) - sign * value - from) <= (mirrored ? 1e-6 : asOne) * range);
  };
  return near(1) || (mirrored && near(-1));
}

/** What can be told from one another: a curve that lies on one before it is left out. */
function distinct(report: Report, names: string[]): string[] {
  const kept: string[] = [];
  for (const name of names) if (!kept.some((other) => alike(report, other, name))) kept.push(name);
  return kept;
}

/** Curves of one unit share a plot where none of them is flat in it; two units share one where each has its axis. */
export function apart(report: Report, names: string[]): string[][] {
  const groups: { unit: string; low: number; high: number; least: number; names: string[] }[] = [];
  const sized = distinct(report, names).map((name) => {
    const [low, high] = limits(report, name);
    return { name, unit: report.unit(name), low, high, least: high - low };
  });
  for (const { name, ...one } of [...sized].sort((a, b) => b.least - a.least)) {
    const both = (group: typeof one): typeof one =>
      ({ unit: one.unit, low: Math.min(one.low, group.low), high: Math.max(one.high, group.high), least: Math.min(one.least, group.least) });
    const home = groups.find((group) => group.unit === one.unit && both(group).least * unlike > both(group).high - both(group).low);
    if (home) Object.assign(home, both(home)).names.push(name);
    else groups.push({ ...one, names: [name] });
  }
  const inOrder = (group: string[]): string[] => names.filter((name) => group.includes(name));
  if (groups.length === 2 && groups[0]?.unit !== groups[1]?.unit) return [inOrder(groups.flatMap((group) => group.names))];
  return groups.map((group) => inOrder(group.names)).sort((a, b) => names.indexOf(a[0] ?? "") - names.indexOf(b[0] ?? ""));
}
