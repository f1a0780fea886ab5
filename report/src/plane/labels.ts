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

/** A name short enough for the drawing. */
function short(name: string): string {
  return name.length > longest ? `${name.slice(0, longest - 1)}…` : name;
}

export class LabelPainter {
  private readonly placing: Placing;
  private places: (Place | null)[] | null = null;

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

  draw(sample: number, layers: Layers): void {
    if (layers.centres) this.centres();
    if (layers.points) this.points(layers.names);
    if (layers.names) this.names(sample);
  }

  private centres(): void {
    this.report.scene.bodies.forEach((body, index) => {
      if (index === 0 || !body.com || body.mass === null) return;
      this.camera.project(this.poses.place(index, body.com, spot));
      this.pen.centre(spot.x, spot.y, this.poses.angle(index));
    });
  }

  /** Points that lie on one another are marked once, with all their names. */
  private points(named: boolean): void {
    const { colours, unit } = this.pen;
    const marks = new Map<string, { x: number; y: number; names: Set<string> }>();
    this.report.scene.bodies.forEach((body, index) => {
      for (const point of body.points) {
        this.camera.project(this.poses.place(index, point.p, spot));
        const key = `${Math.round(spot.x / 2)} ${Math.round(spot.y / 2)}`;
        const mark = marks.get(key) ?? { x: spot.x, y: spot.y, names: new Set() };
        mark.names.add(short(point.name));
        marks.set(key, mark);
      }
    });
    for (const { x, y, names } of marks.values()) {
      this.pen.circle(x, y, Math.max(2, unit * 0.16), colours.ink, colours.background, 1);
      if (named) this.pen.text([...names].join(", "), x + unit * 0.7, y - unit * 0.75, colours.faint, pointFont, "left");
    }
  }

  /** Chooses the places, which moves the bodies, and puts them back. */
  private choose(sample: number): (Place | null)[] {
    const c = this.pen.context;
    c.font = nameFont;
    const texts = this.layout.outlines.map(({ body }) => short(this.report.scene.bodies[body]?.name ?? ""));
    const chosen = this.placing.choose(this.pen.unit, texts, texts.map((text) => c.measureText(text).width + 4));
    this.poses.update(sample);
    return chosen;
  }

  private names(sample: number): void {
    this.places ??= this.choose(sample);
    const { colours, context, unit } = this.pen;
    const places = this.places;
    this.placing.visible(places, unit).forEach(({ name, opacity }, index) => {
      const place = places[index];
      if (!place || opacity <= 0) return;
      const colour = colours.bodies[(place.seat.body - 1) % colours.bodies.length]?.name ?? colours.ink;
      context.globalAlpha = opacity;
      this.pen.text(place.text, (name.x0 + name.x1) / 2, name.y0, colour, nameFont);
    });
    context.globalAlpha = 1;
  }
}
