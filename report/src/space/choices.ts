// What is plotted and traced of a mechanism in space before anybody chooses. Needs nothing of the 3-D drawing itself.

import type { Column, Report } from "../report";
import type { SceneElement } from "../scene";
import { alike, peak, tells } from "../telling";

const mostCurves = 7;

function joints(report: Report): SceneElement[] {
  return report.scene.elements.filter((element) => element.group === "joint");
}

/** The body that swims or flies: the child of a joint that lets it go anywhere, or anywhere in a plane. */
function floating(report: Report): number | undefined {
  return joints(report).find((joint) => joint.parent === 0 && (joint.symbol === "afloat" || joint.symbol === "table"))?.child;
}

function ofGroup(report: Report, group: Column["group"]): Column[] {
  return report.document.columns.filter((column) => column.group === group);
}

/** The coordinates of joints that go in: those whose motion the model gives, and what the samples are along. */
function driven(report: Report): string[] {
  return [...joints(report).flatMap((joint) => (joint.driven ?? []).map((dof) => `${joint.name}.q${dof}`)), report.along];
}

/**
 * Hinges, slides and screws that move by themselves: they say more than the quaternion of a ball joint or of a body that floats. One that only
 * follows what goes in says nothing.
 */
function freeJoints(report: Report): string[] {
  const many = new Set(joints(report).filter((joint) => ["afloat", "table", "ball"].includes(joint.symbol)).map((joint) => joint.name));
  const input = driven(report);
  return ofGroup(report, "joint-position").filter((column) => !many.has(column.owner ?? "")).map(({ name }) => name)
    .filter((name) => !input.includes(name) && tells(report, name) && !input.some((other) => alike(report, other, name, true)));
}

/** What comes out: free joints where they can be told, else where the traced body goes; what goes in where nothing else moves. */
function outputs(report: Report): string[] {
  const free = freeJoints(report);
  if (free.length > 0 && free.length <= mostCurves) return free;
  const traced = spaceTrails(report)[0]?.replace(/\.[^.]*$/, "");
  const way = traced === undefined ? [] : changing(report, traced, "");
  return way.length > 0 ? way : (free.length > 0 ? free : driven(report)).slice(0, mostCurves);
}

/** The efforts that are not just nothing, the largest ones where there are many, in the order of the model. */
function efforts(report: Report): string[] {
  const free = new Set(joints(report).filter((joint) => joint.symbol === "afloat").map((joint) => joint.name));
  const sized = ofGroup(report, "effort").filter((column) => !free.has(column.owner ?? "")).slice(0, 200)
    .map(({ name }) => ({ name, size: peak(report, name) }));
  const most = Math.max(0, ...sized.map(({ size }) => size));
  if (!(most > 1e-9)) return [];
  const kept = sized.filter(({ size }) => size > 1e-6 * most).sort((a, b) => b.size - a.size).slice(0, mostCurves).map(({ name }) => name);
  return sized.map(({ name }) => name).filter((name) => kept.includes(name));
}

/** Three columns with a common beginning, those that change. */
function changing(report: Report, owner: string, letters: string): string[] {
  const three = ["x", "y", "z"].map((axis) => `${owner}.${letters}${axis}`).filter((name) => report.info(name));
  return three.filter((name) => tells(report, name));
}

/** The body, or the two, with the largest vector of a kind. */
function largest(report: Report, owners: string[], letters: string, most: number): string[] {
  const size = (owner: string): number => Math.max(...["x", "y", "z"].map((axis) => peak(report, `${owner}.${letters}${axis}`)));
  return owners.slice(0, 60).map((owner) => ({ owner, size: size(owner) })).filter((one) => one.size > 1e-9)
    .sort((a, b) => b.size - a.size).slice(0, most).map(({ owner }) => owner);
}

function bodyNames(report: Report): string[] {
  return report.scene.bodies.slice(1).map((body) => body.name);
}

function dynamics(report: Report): string[][] {
  const angles = freeJoints(report).slice(0, mostCurves);
  const base = report.scene.bodies[floating(report) ?? 0]?.name ?? "";
  const path = floating(report) === undefined ? [] : changing(report, base, "");
  // A single body says little by its coordinates: where it is and how it turns.
  const turning = angles.length > 0 ? [] : largest(report, bodyNames(report), "w", 1).flatMap((owner) => changing(report, owner, "w"));
  const centre = angles.length > 0 || path.length > 0 ? [] : changing(report, "com", "");
  const moving = [angles, path, centre, turning].some((names) => names.length > 0) ? [] : outputs(report);
  return [angles, path, centre, turning, moving, ofGroup(report, "energy").map(({ name }) => name), efforts(report)];
}

/** A set of columns for each plot; empty ones are left out by the caller. */
export function spacePlots(report: Report): string[][] {
  const vectors = (owners: string[], letters: string): string[] => owners.flatMap((owner) => changing(report, owner, letters));
  switch (report.document.run.analysis) {
    case "inverse": {
      const free = new Set(joints(report).filter((joint) => joint.symbol === "afloat").map((joint) => joint.name));
      const owners = [...new Set(ofGroup(report, "reaction").map((column) => column.owner ?? ""))].filter((owner) => !free.has(owner));
      return [efforts(report), largest(report, owners, "f", 4).map((owner) => `${owner}.f`), outputs(report), vectors(largest(report, owners, "m", 1), "m")];
    }
    case "dynamics":
      return dynamics(report);
    case "equilibrium": {
      const { effort } = report.document.run;
      const owners = [...new Set(ofGroup(report, "reaction").map((column) => column.owner ?? ""))];
      return [effort ? [effort] : [], efforts(report).filter((name) => name !== effort), largest(report, owners, "f", 4).map((owner) => `${owner}.f`), outputs(report)];
    }
    default: {
      const fast = largest(report, bodyNames(report), "v", 1);
      const joints = freeJoints(report).slice(0, mostCurves);
      return [joints, vectors(fast, ""), vectors(fast, "v"), vectors(fast, "a")];
    }
  }
}

/** The places of a body that can be traced: its points, its centre of mass, and its origin where that is another place. */
export function spaceTraces(report: Report): string[] {
  return report.scene.bodies.slice(1).filter((body) => report.info(`${body.name}.x`)).flatMap((body) => {
    const own = body.points.map((point) => point.name);
    const apart = body.com === null || Math.hypot(...body.com) > 1e-12;
    const others = [...(body.com ? ["com"] : []), ...(apart ? ["origin"] : [])].filter((name) => !own.includes(name));
    return [...own, ...others].map((name) => `${body.name}.${name}`);
  });
}

/** How wide the path of a place of a body is: an area, and a little for a straight line. */
function extent(report: Report, body: string, p: readonly number[]): number {
  const [x, y, z, qw, qx, qy, qz] = ["x", "y", "z", "qw", "qx", "qy", "qz"].map((part) => report.column(`${body}.${part}`));
  if (!x || !y || !z || !qw || !qx || !qy || !qz) return 0;
  const [px = 0, py = 0, pz = 0] = p;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const stride = Math.max(1, Math.floor(report.samples / 300));
  for (let k = 0; k < report.samples; k += stride) {
    const [w, i, j, l] = [qw[k] ?? 1, qx[k] ?? 0, qy[k] ?? 0, qz[k] ?? 0];
    // p + 2 w (v × p) + 2 v × (v × p), with v the vector part of the quaternion
    const [cx, cy, cz] = [j * pz - l * py, l * px - i * pz, i * py - j * px];
    const place = [
      (x[k] ?? 0) + px + 2 * (w * cx + j * cz - l * cy),
      (y[k] ?? 0) + py + 2 * (w * cy + l * cx - i * cz),
      (z[k] ?? 0) + pz + 2 * (w * cz + i * cy - j * cx),
    ];
    place.forEach((value, axis) => {
      low[axis] = Math.min(low[axis] ?? value, value);
      high[axis] = Math.max(high[axis] ?? value, value);
    });
  }
  const [dx = 0, dy = 0, dz = 0] = high.map((value, axis) => value - (low[axis] ?? 0));
  const least = 1e-2 * report.scene.size;
  return Math.hypot(dx, dy, dz) < least ? 0 : dx * dy + dy * dz + dz * dx + 1e-3 * (dx * dx + dy * dy + dz * dz);
}

/** The body from which the way to the farthest other one is shortest. */
function middleBody(report: Report, base: number): number {
  const count = report.scene.bodies.length;
  const links = joints(report).filter((joint) => (joint.parent ?? 0) > 0);
  const farthest = (from: number): number => {
    const steps = new Map([[from, 0]]);
    for (const [body, far] of steps)
      for (const { parent = 0, child = 0 } of links) {
        const next = parent === body ? child : child === body ? parent : undefined;
        if (next !== undefined && !steps.has(next)) steps.set(next, far + 1);
      }
    return Math.max(...steps.values());
  };
  let best = base;
  let least = farthest(base);
  for (let body = 1; body < count && count <= 80; body += 1) {
    const far = farthest(body);
    if (far < least) [best, least] = [body, far];
  }
  return best;
}

/** One path to look at: of a point that was put there for it, of the middle of what floats, or the widest of all. */
export function spaceTrails(report: Report): string[] {
  const { bodies, elements } = report.scene;
  const near = (frame: { p: number[] } | undefined, p: number[]): boolean =>
    frame !== undefined && frame.p.every((value, axis) => Math.abs(value - (p[axis] ?? 0)) < 1e-9);
  const closes = (body: number, p: number[]): boolean =>
    elements.some((e) => e.group === "loop" && ((e.i === body && near(e.frame_i, p)) || (e.j === body && near(e.frame_j, p))));
  const widest = (places: { name: string; width: number }[]): string[] =>
    places.filter(({ width }) => width > 0).sort((a, b) => b.width - a.width).slice(0, 1).map(({ name }) => name);

  const points = bodies.slice(1, 60).flatMap((body, k) => body.points.filter((point) => !closes(k + 1, point.p))
    .map((point) => ({ name: `${body.name}.${point.name}`, width: extent(report, body.name, point.p) })));
  if (points.some(({ width }) => width > 0)) return widest(points);
  const base = floating(report);
  if (base !== undefined) {
    const middle = bodies[middleBody(report, base)];
    return middle ? [`${middle.name}.${middle.com ? "com" : "origin"}`] : [];
  }
  const centres = bodies.slice(1, 60).map((body) =>
    ({ name: `${body.name}.${body.com ? "com" : "origin"}`, width: extent(report, body.name, body.com ?? [0, 0, 0]) }));
  return widest(centres);
}
