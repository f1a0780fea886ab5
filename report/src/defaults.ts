// What is plotted and traced before anybody chooses: what one looks at first in each analysis.

import type { Column, Report } from "./report";
import type { SceneElement } from "./scene";
import { spacePlots, spaceTraces, spaceTrails } from "./space/choices";
import { apart, peak, spread, tells } from "./telling";

const inSpace = (report: Report): boolean => report.document.model.space === "3d";

/** Curves over time, or over another column. */
export interface PlotChoice {
  x?: string;
  columns: string[];
}

const mostPlots = 6;

export function defaultPlots(report: Report): PlotChoice[] {
  const sets = chosen(report).map((names) => apart(report, names.filter((name) => tells(report, name)))).filter((plots) => plots.length > 0);
  // Where there are too many, what has been parted most gives way, so that each quantity is seen.
  const count = (): number => sets.reduce((sum, plots) => sum + plots.length, 0);
  const longest = (): string[][] => sets.reduce((most, plots) => (plots.length >= most.length ? plots : most), []);
  while (count() > mostPlots && longest().length > 1) longest().pop();
  const plots: PlotChoice[] = sets.flat().slice(0, mostPlots).map((columns) => ({ columns }));
  if (!inSpace(report) && report.document.run.analysis === "kinematics") plots.splice(1, 0, ...paths(report));
  if (plots.length > 0) return plots;
  const rest = report.document.columns.filter((column) => column.group !== "time").map((column) => column.name).filter((name) => name !== report.along);
  const changing = rest.filter((name) => spread(report, name) > 0);
  return [{ columns: (changing.length > 0 ? changing : rest).slice(0, 3) }];
}

/** The sets of columns that are looked at first, without what the samples are along. */
function chosen(report: Report): string[][] {
  return (inSpace(report) ? spacePlots(report) : choose(report)).map((names) => [...new Set(names)].filter((name) => name !== report.along && report.info(name)));
}

/** Efforts and reactions of which none changes: they make no curves, but are what was asked for. */
export function steady(report: Report): string[] {
  const asked = (name: string): boolean => ["effort", "reaction"].includes(report.info(name)?.group ?? "");
  return chosen(report).filter((names) => names.length > 0 && names.every((name) => asked(name) && !tells(report, name)))
    .flatMap((names) => names.filter((name) => !report.info(name)?.nothing && peak(report, name) > 0));
}

/** The path of the point that is traced, where it is a curve. */
function paths(report: Report): PlotChoice[] {
  return defaultTrails(report).slice(0, 1).filter((point) => [`${point}.x`, `${point}.y`].every((name) => tells(report, name)))
    .map((point) => ({ x: `${point}.x`, columns: [`${point}.y`] }));
}

function choose(report: Report): string[][] {
  const fast = fastest(report, 2);
  switch (report.document.run.analysis) {
    case "inverse":
      return [names(report, "effort"), reactions(report, 4), outputs(report)];
    case "dynamics":
      return [coordinates(report), names(report, "energy")];
    case "equilibrium":
      return [...held(report), names(report, "effort").filter((name) => name !== report.document.run.effort), reactions(report, 4), outputs(report)];
    default:
      return [names(report, "measure"), outputs(report), fast.flatMap((owner) => [`${owner}.vx`, `${owner}.vy`]), fast.flatMap((owner) => [`${owner}.ax`, `${owner}.ay`])];
  }
}

/** What it takes to hold the coordinate that the samples are along. */
function held(report: Report): string[][] {
  const { effort } = report.document.run;
  return effort ? [[effort]] : [];
}

function names(report: Report, group: Column["group"], most = 6): string[] {
  return report.document.columns.filter((column) => column.group === group).slice(0, most).map((column) => column.name);
}

/**
 * What the mechanism does with what goes in: travels of what slides on the ground, angles of what turns about it, and only where there is neither, all
 * that moves. What a driver moves goes in.
 */
function outputs(report: Report): string[] {
  const input = new Set(driven(report));
  const { bodies } = report.scene;
  const found: string[] = [];
  for (const e of report.scene.elements) {
    if (e.group !== "joint" || (e.i !== 0 && e.j !== 0)) continue;
    const body = bodies[(e.i === 0 ? e.j : e.i) ?? 0]?.name ?? "";
    if (e.symbol === "pin") found.push(`${body}.phi`);
    else if (["slider", "guide", "wheel", "slot"].includes(e.symbol)) found.push(...wider(report, body));
  }
  const chosen = [...new Set(found)].filter((name) => !input.has(name) && tells(report, name));
  return (chosen.length > 0 ? chosen : coordinates(report)).slice(0, 6);
}

/** The coordinate along which a body moves most. */
function wider(report: Report, body: string): string[] {
  const ways = [`${body}.x`, `${body}.y`].map((name) => ({ name, size: spread(report, name) }));
  const most = Math.max(...ways.map((way) => way.size));
  return ways.filter((way) => way.size > 0.05 * most).map((way) => way.name);
}

/** The coordinates that go in: those that the drivers move, and what the samples are along. */
function driven(report: Report): string[] {
  const found: string[] = [report.along];
  for (const e of report.scene.elements) {
    if (e.group !== "driver") continue;
    const body = report.scene.bodies[e.j ?? 0]?.name ?? "";
    if (e.symbol === "turn") found.push(`${body}.phi`);
    else if (e.what) found.push(`${body}.${e.what}`);
    else found.push(`${body}.x`, `${body}.y`);
  }
  return [...new Set(found)];
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
  const motors = new Set(owners(report, "effort"));  // the effort says the same
  return ranked(owners(report, "reaction").filter((owner) => !motors.has(owner)).slice(0, 200), (owner) => largest(report, owner, "f"), most).map((owner) => `${owner}.f`);
}

/** Angles of the bodies that turn, else the positions that change; those that drivers move where nothing else does. */
function coordinates(report: Report): string[] {
  const input = new Set(driven(report));
  const moving = report.document.columns.filter((column) => column.group === "position" && !column.owner?.includes(".")).slice(0, 96)
    .map((column) => column.name).filter((name) => tells(report, name));
  const free = moving.filter((name) => !input.has(name));
  const of = free.length > 0 ? free : moving;
  const angles = of.filter((name) => name.endsWith(".phi"));
  return (angles.length > 0 ? angles : of).slice(0, 6);
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
  const wide = (owner: string): [number, number] => [spread(report, `${owner}.x`), spread(report, `${owner}.y`)];
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
