// Names, points and centres of mass over the drawing.

import type { Report } from "../report";
import type { Layers } from "../view";
import type { Camera } from "./camera";
import type { Layout } from "./layout";
import type { Pen } from "./pen";
import { Placing, type Place } from "./placing";
import type { Poses, Spot } from "./pose";

const spot: Spot = { x: 0, y: 0 };
const longest = 28;
const nameFont = "600 12px system-ui, sans-serif";
const pointFont = "11px system-ui, sans-serif";

/** Points so near on the screen are marked as one, with as many names. */
const oneMark = 7;
const mostNames = 3;
/** A name that would lie on others with more of its area than this is left out. */
const roomWanted = 0.25;
const sides = [[1, -1], [-1, -1], [1, 1], [-1, 1], [1, 0], [-1, 0], [0, -1.4], [0, 1.4]] as const;

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function shared(a: Box, b: Box): number {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/** A name short enough for the drawing. */
function short(name: string): string {
  return name.length > longest ? `${name.slice(0, longest - 1)}…` : name;
}

export class LabelPainter {
  private readonly placing: Placing;
  private places: (Place | null)[] | null = null;
  /** Where the names of points stood last. */
  private readonly sides = new Map<string, number>();

  constructor(
    private readonly report: Report, private readonly layout: Layout, private readonly poses: Poses,
    private readonly camera: Camera, private readonly pen: Pen,
  ) {
    this.placing = new Placing(report, layout, poses, camera);
  }

  /** Lets the names choose their places anew: the whole motion is shown in another size. */
  replace(): void {
    this.places = null;
  }

  /** Takes over where names stand, where they are of the same bodies. */
  keep({ places, layout, report, sides: points }: LabelPainter): void {
    const bodies = (of: Report, plan: Layout): string => plan.outlines.map(({ body }) => of.scene.bodies[body]?.name).join(" ");
    if (bodies(report, layout) === bodies(this.report, this.layout)) this.places = places;
    for (const [text, side] of points) this.sides.set(text, side);
  }

  /** `place` puts the bodies where they are drawn. Gives back where something is written. */
  draw(place: () => void, layers: Layers): Box[] {
    if (layers.centres) this.centres();
    const taken = layers.names ? this.names(place) : [];
    if (layers.points) this.points(taken);
    return taken;
  }

  private centres(): void {
    this.report.scene.bodies.forEach((body, index) => {
      if (index === 0 || !body.com || body.mass === null) return;
      this.camera.project(this.poses.place(index, body.com, spot));
      this.pen.centre(spot.x, spot.y, this.poses.angle(index));
    });
  }

  /** Points that lie on one another are marked once, with all their names; a name that finds no room is left out. */
  private points(taken: Box[]): void {
    const { colours, context: c, unit } = this.pen;
    const marks = this.marks();
    for (const { x, y } of marks) this.pen.circle(x, y, Math.max(2, unit * 0.16), colours.ink, colours.background, 1);
    c.font = pointFont;
    for (const { x, y } of marks) taken.push({ left: x - 4, right: x + 4, top: y - 4, bottom: y + 4 });
    for (const { x, y, names } of marks) {
      const text = names.length > mostNames ? `${names.slice(0, mostNames).join(", ")}, …` : names.join(", ");
      const half = c.measureText(text).width / 2 + 2;
      const last = this.sides.get(text) ?? 0;
      let [best, least, side] = [null as Box | null, roomWanted, last];
      // The side that it had before goes first, so that names do not jump.
      for (const k of [last, ...sides.keys()]) {
        const [dx, dy] = sides[k] ?? [1, -1];
        const [mx, my] = [x + dx * (0.45 * unit + 4 + half), y + dy * (0.45 * unit + 9)];
        const box = { left: mx - half, right: mx + half, top: my - 7, bottom: my + 7 };
        const outside = box.left < 0 || box.top < 0 || box.right > this.camera.width || box.bottom > this.camera.height;
        const covered = outside ? Infinity : taken.reduce((sum, other) => sum + shared(box, other), 0) / (28 * half);
        if (covered >= least) continue;
        [best, least, side] = [box, covered, k];
        if (covered === 0) break;
      }
      if (!best) continue;
      this.sides.set(text, side);
      taken.push(best);
      this.pen.text(text, (best.left + best.right) / 2, (best.top + best.bottom) / 2, colours.faint, pointFont);
    }
  }

  /** Where points are on the screen; those that nearly coincide are one. */
  private marks(): { x: number; y: number; names: string[] }[] {
    const marks: { x: number; y: number; names: string[] }[] = [];
    this.report.scene.bodies.forEach((body, index) => {
      for (const point of body.points) {
        this.camera.project(this.poses.place(index, point.p, spot));
        const known = marks.find((mark) => Math.hypot(mark.x - spot.x, mark.y - spot.y) < oneMark);
        const name = short(point.name);
        if (!known) marks.push({ x: spot.x, y: spot.y, names: [name] });
        else if (!known.names.includes(name)) known.names.push(name);
      }
    });
    return marks;
  }

  /** Chooses the places, which moves the bodies, and puts them back. */
  private choose(place: () => void): (Place | null)[] {
    const c = this.pen.context;
    c.font = nameFont;
    const texts = this.layout.outlines.map(({ body }) => short(this.report.scene.bodies[body]?.name ?? ""));
    const chosen = this.placing.choose(this.pen.unit, texts, texts.map((text) => c.measureText(text).width + 4));
    place();
    return chosen;
  }

  /** Gives back where they are. */
  private names(place: () => void): Box[] {
    this.places ??= this.choose(place);
    const taken: Box[] = [];
    const { colours, context, unit } = this.pen;
    const places = this.places;
    this.placing.visible(places, unit).forEach(({ name, opacity }, index) => {
      const chosen = places[index];
      if (!chosen || opacity <= 0) return;
      const colour = colours.bodies[(chosen.seat.body - 1) % colours.bodies.length]?.name ?? colours.ink;
      taken.push({ left: name.x0 - name.radius, right: name.x1 + name.radius, top: name.y0 - name.radius, bottom: name.y0 + name.radius });
      context.globalAlpha = opacity;
      this.pen.text(chosen.text, (name.x0 + name.x1) / 2, name.y0, colour, nameFont);
    });
    context.globalAlpha = 1;
    return taken;
  }
}
