// What lies under a finger.

import type { Selected } from "../session";
import { field, isPin, type SketchElement, type Spot } from "../text/sketch";
import type { Place, Stage } from "./stage";

export interface Hit {
  place?: Place;
  body?: string;
  element?: SketchElement;
}

/** How far from a thing a press may be, in pixels; a finger covers 44. */
export const reachOf = (touch: boolean): number => (touch ? 22 : 11);

export function toSegment([x, y]: Spot, [ax, ay]: Spot, [bx, by]: Spot): number {
  const [dx, dy] = [bx - ax, by - ay];
  const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}

/** Inside of a convex outline, or how far from its rim. */
function toOutline(at: Spot, corners: readonly Spot[]): number {
  const [first] = corners;
  if (!first) return Infinity;
  if (corners.length === 1) return Math.hypot(at[0] - first[0], at[1] - first[1]);
  let least = Infinity;
  let [left, right] = [false, false];
  corners.forEach((corner, k) => {
    const next = corners[(k + 1) % corners.length] ?? first;
    least = Math.min(least, toSegment(at, corner, next));
    const side = (next[0] - corner[0]) * (at[1] - corner[1]) - (next[1] - corner[1]) * (at[0] - corner[0]);
    left ||= side > 0;
    right ||= side < 0;
  });
  return corners.length > 2 && !(left && right) ? 0 : least;
}

/** The nearest place of points within reach. */
export function placeAt(stage: Stage, at: Spot, reach: number, except: readonly string[] = []): Place | undefined {
  let best: Place | undefined;
  let least = reach;
  for (const place of stage.places()) {
    if (except.length > 0 && place.references.every((one) => except.includes(one))) continue;
    const [x, y] = stage.screen(place.at);
    const far = Math.hypot(x - at[0], y - at[1]);
    if (far <= least) [best, least] = [place, far];
  }
  return best;
}

/** The body on top, or one that is asked for; discs count as far as they reach. */
export function bodyAt(stage: Stage, at: Spot, reach: number, only?: string): string | undefined {
  const { scene } = stage.shownReport;
  const shown = [...(scene.order ?? [])].reverse().flatMap((index) => scene.bodies[index]?.name ?? []);
  const drawn = [...(stage.sketch?.bodies.keys() ?? [])];
  const known = only ? [only] : [...shown.filter((name) => drawn.includes(name)), ...drawn.filter((name) => !shown.includes(name) && name !== "ground")];
  let best: string | undefined;
  let least = reach * 0.5;
  for (const name of known) {
    const far = toOutline(at, stage.outline(name)) - stage.linkHalf;
    if (far <= 0) return name;
    if (far < least) [best, least] = [name, far];
  }
  if (best) return best;
  for (const wheel of [...(scene.wheels ?? [])].reverse()) {
    const name = scene.bodies[wheel.body]?.name;
    if (!name || name === "ground" || !drawn.includes(name) || (only && only !== name)) continue;
    const { x, y, phi } = stage.pose(name);
    const [px = 0, py = 0] = wheel.centre;
    const [sx, sy] = stage.screen([x + Math.cos(phi) * px - Math.sin(phi) * py, y + Math.sin(phi) * px + Math.cos(phi) * py]);
    const away = Math.hypot(at[0] - sx, at[1] - sy);
    const radius = wheel.radius * stage.camera.scale;
    if (wheel.ring ? Math.abs(away - radius) < reach : away <= radius) return name;
  }
  return undefined;
}

/** Ends on the screen of what is drawn as a line between two points, or where a mark is. */
export function lineOf(stage: Stage, element: SketchElement): Spot[] {
  const at = (key: string): Spot | null => {
    const value = field(element, key);
    const spot = typeof value === "string" ? stage.spot(value) : null;
    return spot && stage.screen(spot);
  };
  const both = [at("i"), at("j")].filter((spot) => spot !== null);
  if (both.length === 2 && !isPin(element.type) && element.points.length === 2) return both;
  if (element.type === "force") {
    const on = at("on");
    const [x, y] = arrowOf(stage, element);
    if (on && Number.isFinite(x)) return [on, [on[0] - x, on[1] - y]];
  }
  return [];
}

/** A force's arrow on the screen, as long as it is drawn. */
export function arrowOf(stage: Stage, element: SketchElement): Spot {
  const { shownReport: report, session } = stage;
  const [fx, fy] = ["fx", "fy"].map((part) => (report.info(`${element.name}.${part}`) ? report.at(`${element.name}.${part}`, session.sample) : Number.NaN));
  const value = field(element, "value");
  const [x, y] = Number.isFinite(fx) ? [fx ?? 0, fy ?? 0] : Array.isArray(value) && value.every((one) => typeof one === "number") ? (value as number[]) : [0, 0];
  const size = Math.hypot(x ?? 0, y ?? 0) || 1;
  const long = stage.linkHalf * 7;
  return [((x ?? 0) / size) * long, (-(y ?? 0) / size) * long];
}

/** The pin at which a motor sits: where the two bodies are joined. */
export function motorPlace(stage: Stage, element: SketchElement): Spot | null {
  const { sketch } = stage;
  if (!sketch || element.type !== "angle") return null;
  const [i, j] = [field(element, "i"), field(element, "j")];
  const pin = sketch.elements.find(({ type, bodies }) => isPin(type) && typeof i === "string" && typeof j === "string" && bodies.includes(i) && bodies.includes(j));
  const [point] = pin?.points ?? [];
  return point ? stage.spot(`${point.body}.${point.point}`) : typeof j === "string" ? stage.spot(j) : null;
}

/** Points go before elements that are drawn upon bodies, and these before bodies. */
export function hit(stage: Stage, at: Spot, reach: number): Hit {
  const place = placeAt(stage, at, reach);
  if (place) return { place };
  for (const element of [...(stage.sketch?.elements ?? [])].reverse()) {
    const motor = motorPlace(stage, element);
    if (motor) {
      const [x, y] = stage.screen(motor);
      const ring = (4.3 / 3.6) * 2 * stage.linkHalf;
      if (Math.abs(Math.hypot(at[0] - x, at[1] - y) - ring) < reach * 0.6) return { element };
    }
    const [from, to] = lineOf(stage, element);
    if (from && to && toSegment(at, from, to) < reach) return { element };
  }
  const body = bodyAt(stage, at, reach);
  return body ? { body } : {};
}

/** What a click on something selects. */
export function selected(stage: Stage, found: Hit): Selected | null {
  if (found.place) {
    const [first = ""] = found.place.references;
    // what a pin joins is known by the pin; a point alone by its name
    const pin = stage.sketch?.elements.find(({ type, points }) => isPin(type) && points.some(({ body, point }) => found.place?.references.includes(`${body}.${point}`)));
    return pin ? { kind: "joint", name: pin.name } : { kind: "point", name: first };
  }
  if (found.element) return { kind: found.element.group, name: found.element.name };
  return found.body ? { kind: "body", name: found.body } : null;
}

/** The points that something selected moves by. */
export function pointsOf(stage: Stage, { kind, name }: Selected): string[] {
  const { sketch } = stage;
  if (!sketch) return [];
  if (kind === "point") return [name];
  if (kind === "body") return [...(sketch.body(name)?.points.keys() ?? [])].map((point) => `${name}.${point}`);
  const element = sketch.element(name);
  return element && isPin(element.type) ? element.points.slice(0, 1).map(({ body, point }) => `${body}.${point}`) : [];
}
