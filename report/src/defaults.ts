// What is plotted and traced before anybody chooses: what one looks at first in each analysis.

import type { Column, Report } from "./report";
import type { SceneElement } from "./scene";
import { spacePlots, spaceTraces, spaceTrails } from "./space/choices";

const inSpace = (report: Report): boolean => report.document.model.space === "3d";

/** A set of columns for each plot. */
export function defaultPlots(report: Report): string[][] {
  const plots = (inSpace(report) ? spacePlots(report) : choose(report))
    .map((names) => withoutNoise(report, names.filter((name) => report.info(name)))).filter((names) => names.length > 0);
  if (plots.length > 0) return plots;
  return [report.document.columns.filter((column) => column.group !== "time").slice(0, 3).map((column) => column.name)];
}

/** Those that are more than the rounding of what else is plotted in the same unit; all where all are nothing. */
function withoutNoise(report: Report, names: string[]): string[] {
  const peaks = names.map((name) => ({ name, unit: report.unit(name), peak: peak(report.column(name)) }));
  const kept = peaks.filter((one) => !(one.peak < 1e-9 * Math.max(...peaks.filter((other) => other.unit === one.unit).map((other) => other.peak))));
  return kept.map((one) => one.name);
}

function peak(numbers: Float64Array | undefined): number {
  let most = 0;
  for (const value of numbers ?? []) most = Math.max(most, Math.abs(value));
  return most;
}

function choose(report: Report): string[][] {
  const fast = fastest(report, 2);
  switch (report.document.run.analysis) {
    case "inverse":
      return [names(report, "effort"), reactions(report, 2), driven(report)];
    case "dynamics":
      return [coordinates(report), names(report, "energy")];
    default:
      return [driven(report), fast.flatMap((owner) => [`${owner}.vx`, `${owner}.vy`]), fast.flatMap((owner) => [`${owner}.ax`, `${owner}.ay`])];
  }
}

function names(report: Report, group: Column["group"], most = 6): string[] {
  return report.document.columns.filter((column) => column.group === group).slice(0, most).map((column) => column.name);
}

/** The coordinates that the drivers move. */
function driven(report: Report): string[] {
  const found: string[] = [];
  for (const e of report.scene.elements) {
    if (e.group !== "driver") continue;
    const body = report.scene.bodies[e.j ?? 0]?.name ?? "";
    if (e.symbol === "turn") found.push(`${body}.phi`);
    else if (e.what) found.push(`${body}.${e.what}`);
    else found.push(`${body}.x`, `${body}.y`);
  }
  if (found.length === 0) found.push(...coordinates(report));
  return [...new Set(found)].slice(0, 4);
}

/** Largest length of the vector with the columns OWNER.(prefix)x and y. */
function largest(report: Report, owner: string, prefix: string): number {
  const x = report.column(`${owner}.${prefix}x`);
  const y = report.column(`${owner}.${prefix}y`);
  if (!x || !y) return 0;
  const stride = Math.max(1, Math.floor(x.length / 500));
  let most = 0;
  for (let k = 0; k < x.length; k += stride) most = Math.max(most, Math.hypot(x[k] ?? 0, y[k] ?? 0));
  return most;
}

/** Owners in the order of a size, without those that tie: two points on one pin are one place. */
function ranked(owners: string[], size: (owner: string) => number, most: number): string[] {
  const sized = owners.map((owner) => ({ owner, size: size(owner) })).filter((one) => one.size > 0);
  sized.sort((a, b) => b.size - a.size);
  const kept: { owner: string; size: number }[] = [];
  for (const one of sized)
    if (!kept.some((other) => Math.abs(other.size - one.size) < 1e-6 * other.size)) kept.push(one);
  return kept.slice(0, most).map((one) => one.owner);
}

function owners(report: Report, group: Column["group"]): string[] {
  const found = report.document.columns.filter((column) => column.group === group).map((column) => column.owner ?? "");
  return [...new Set(found)].filter((owner) => owner !== "");
}

function fastest(report: Report, most: number): string[] {
  const all = owners(report, "velocity");
  const points = all.filter((owner) => owner.includes("."));
  return ranked((points.length > 0 ? points : all).slice(0, 200), (owner) => largest(report, owner, "v"), most);
}

function reactions(report: Report, most: number): string[] {
  return ranked(owners(report, "reaction").slice(0, 200), (owner) => largest(report, owner, "f"), most)
    .flatMap((owner) => [`${owner}.fx`, `${owner}.fy`]);
}

/** Angles of the bodies that turn, else the positions that change. */
function coordinates(report: Report): string[] {
  const positions = report.document.columns.filter((column) => column.group === "position" && !column.owner?.includes("."));
  const moving = (column: Column): boolean => {
    const numbers = report.column(column.name);
    return numbers !== undefined && spread(numbers) > 1e-9;
  };
  const angles = positions.filter((column) => column.name.endsWith(".phi")).slice(0, 24).filter(moving);
  const chosen = angles.length > 0 ? angles : positions.slice(0, 48).filter(moving);
  return chosen.slice(0, 6).map((column) => column.name);
}

function spread(numbers: Float64Array): number {
  let least = Infinity;
  let most = -Infinity;
  for (const value of numbers) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return most - least;
}

/** The places whose paths can be drawn: points, and the origins of bodies that have none. */
export function tracePoints(report: Report): string[] {
  if (inSpace(report)) return spaceTraces(report);
  return report.scene.bodies.slice(1)
    .flatMap((body) => (body.points.length > 0 ? body.points.map((point) => `${body.name}.${point.name}`) : [body.name]))
    .filter((name) => report.info(`${name}.x`));
}

/**
 * The point with the widest path among those that the ground does not hold on a circle; a point that no joint uses goes
 * first, because it was put there to be looked at.
 */
export function defaultTrails(report: Report): string[] {
  if (inSpace(report)) return spaceTrails(report);
  const { bodies, elements } = report.scene;
  const pivoted = new Set(elements.filter((e) => e.symbol === "pin" && (e.i === 0 || e.j === 0)).map((e) => (e.i === 0 ? e.j : e.i)));
  const find = (owner: string): [number, number[]] => {
    const body = bodies.findIndex((one) => owner.startsWith(`${one.name}.`));
    return [body, bodies[body]?.points.find((point) => owner === `${bodies[body]?.name}.${point.name}`)?.p ?? []];
  };
  const free = (owner: string): boolean => {
    const [body, p] = find(owner);
    return !elements.some((e) => (e.j === body && (near(e.pj, p) || near(e.centre_j, p))) || (e.i === body && near(e.pi, p)));
  };
  const circling = (owner: string): boolean => {
    const [body, p] = find(owner);
    return pivoted.has(body) || elements.some((e) => e.symbol === "pin"
      && ((e.j === body && near(e.pj, p) && pivoted.has(e.i ?? 0)) || (e.i === body && near(e.pi, p) && pivoted.has(e.j ?? 0))));
  };
  const slides = (e: SceneElement): boolean => ["slider", "slot", "wheel", "guide"].includes(e.symbol);
  const guided = new Set(elements.filter((e) => slides(e) && (e.i ?? 0) === 0).map((e) => e.j));
  const onGuide = (owner: string): boolean => {
    const [body, p] = find(owner);
    return guided.has(body) || elements.some((e) => e.symbol === "pin"
      && ((e.j === body && near(e.pj, p) && guided.has(e.i ?? 0)) || (e.i === body && near(e.pi, p) && guided.has(e.j ?? 0))));
  };
  const wide = (owner: string): [number, number] => {
    const x = report.column(`${owner}.x`);
    const y = report.column(`${owner}.y`);
    return x && y ? [spread(x), spread(y)] : [0, 0];
  };
  const area = (owner: string): number => wide(owner)[0] * wide(owner)[1];
  const all = tracePoints(report).slice(0, 60).filter((owner) => !circling(owner));
  const curved = all.filter((owner) => area(owner) > 1e-4 * report.scene.size ** 2);
  // A straight path that no guide makes is worth looking at; it has no area.
  if (curved.length === 0)
    return ranked(all.filter((owner) => !onGuide(owner) && Math.max(...wide(owner)) > 0.05 * report.scene.size), (owner) => Math.hypot(...wide(owner)), 1);
  const points = curved.filter((owner) => find(owner)[0] >= 0);
  const candidates = points.length > 0 ? points : curved;
  const unused = candidates.filter(free);
  return ranked(unused.length > 0 ? unused : candidates, area, 1);
}

function near(a: number[] | undefined, b: number[]): boolean {
  return a !== undefined && a.every((value, k) => Math.abs(value - (b[k] ?? 0)) < 1e-9);
}
