// Names, points and centres of mass over the drawing.

import type { Report } from "../report";
import type { Layers } from "../view";
import type { Camera } from "./camera";
import type { Layout, Outline } from "./layout";
import type { Pen } from "./pen";
import { sweep, type Poses, type Spot } from "./pose";

const spot: Spot = { x: 0, y: 0 };
const end: Spot = { x: 0, y: 0 };
const longest = 28;

/** A name short enough for the drawing. */
function short(name: string): string {
  return name.length > longest ? `${name.slice(0, longest - 1)}…` : name;
}

/** Places along a bar at which its name may stand. */
const fractions = [0.5, 0.36, 0.64, 0.24, 0.76];
const mostPlaced = 40;

export class LabelPainter {
  private readonly fractions: number[];

  constructor(
    private readonly report: Report, private readonly layout: Layout, private readonly poses: Poses,
    private readonly camera: Camera, private readonly pen: Pen,
  ) {
    this.fractions = layout.outlines.length > mostPlaced ? [] : this.spread();
  }

  /** Chooses for each bar the place for its name that stays farthest from the names before it over the whole motion. */
  private spread(): number[] {
    const chosen: number[] = [];
    const nearest = this.layout.outlines.map(() => fractions.map(() => Infinity));
    this.layout.outlines.forEach((outline, index) => {
      sweep(this.report, this.poses, 24, () => {
        fractions.forEach((fraction, option) => {
          this.middle(outline, fraction, spot);
          for (let before = 0; before < index; before += 1) {
            const other = this.layout.outlines[before];
            if (!other) continue;
            this.middle(other, chosen[before] ?? 0.5, end);
            // Names are wide and low.
            const distance = Math.hypot((spot.x - end.x) / 2, spot.y - end.y);
            const row = nearest[index];
            if (row) row[option] = Math.min(row[option] ?? Infinity, distance);
          }
        });
      });
      const row = nearest[index] ?? [];
      const best = Math.max(...row.map((distance) => Math.min(distance, 0.1 * this.layout.extent)));
      chosen.push(fractions[row.findIndex((distance) => distance >= 0.98 * best)] ?? 0.5);
    });
    return chosen;
  }

  /** A place along a bar, or the middle of a plate, in ground axes. */
  private middle(outline: Outline, fraction: number, out: Spot): void {
    const { corners } = outline;
    let x = 0;
    let y = 0;
    corners.forEach((corner, index) => {
      const weight = corners.length === 2 ? (index === 0 ? 1 - fraction : fraction) : 1 / corners.length;
      x += weight * (corner[0] ?? 0);
      y += weight * (corner[1] ?? 0);
    });
    this.poses.place(outline.body, [x, y], out);
  }

  draw(layers: Layers): void {
    const { bodies } = this.report.scene;
    if (layers.centres)
      for (let index = 1; index < bodies.length; index += 1) {
        const com = bodies[index]?.com;
        if (!com || bodies[index]?.mass === null) continue;
        this.camera.project(this.poses.place(index, com, spot));
        this.pen.centre(spot.x, spot.y, this.poses.angle(index));
      }
    if (layers.points) this.points(layers.names);
    if (layers.names) this.names(layers.centres ? 17 : 0);
  }

  private points(named: boolean): void {
    const { colours, unit } = this.pen;
    this.report.scene.bodies.forEach((body, index) => {
      for (const point of body.points) {
        this.camera.project(this.poses.place(index, point.p, spot));
        this.pen.circle(spot.x, spot.y, Math.max(2, unit * 0.16), colours.ink, colours.background, 1);
        if (named)
          this.pen.text(short(point.name), spot.x + unit * 0.7, spot.y - unit * 0.75, colours.faint, "11px system-ui, sans-serif", "left");
      }
    });
  }

  /** The name of a body beside its bar or in the middle of its plate, there lower by the room that the centre of mass needs. */
  private names(lower: number): void {
    const { colours, unit } = this.pen;
    const { bodies } = this.report.scene;
    for (const [index, outline] of this.layout.outlines.entries()) {
      const name = bodies[outline.body]?.name ?? "";
      const { corners, body } = outline;
      if (corners.length === 2) {
        this.camera.project(this.poses.place(body, corners[0] ?? [0, 0], spot));
        this.camera.project(this.poses.place(body, corners[1] ?? [0, 0], end));
        const length = Math.hypot(end.x - spot.x, end.y - spot.y) || 1;
        // Always to the upper left, so that the name does not jump from side to side as the bar turns a little.
        const away = unit * outline.wide * 0.5 + 9;
        const nx = (end.y - spot.y) / length;
        const ny = -(end.x - spot.x) / length;
        const side = ny - 0.3 * nx > 0 ? -1 : 1;
        const part = this.fractions[index] ?? 0.5;
        const x = spot.x + (end.x - spot.x) * part + nx * side * away;
        const y = spot.y + (end.y - spot.y) * part + ny * side * away;
        this.pen.text(short(name), x, y, colours.ink, "600 12px system-ui, sans-serif", nx * side < -0.35 ? "right" : nx * side > 0.35 ? "left" : "center");
        continue;
      }
      this.anchor(body, corners);
      this.pen.text(short(name), spot.x, spot.y + (corners.length > 2 ? lower : 0), colours.ink, "600 12px system-ui, sans-serif");
    }
  }

  /** The middle of a plate, or a place beside a wheel's hub. */
  private anchor(body: number, corners: number[][]): void {
    let x = 0;
    let y = 0;
    for (const corner of corners) {
      x += (corner[0] ?? 0) / corners.length;
      y += (corner[1] ?? 0) / corners.length;
    }
    const gear = this.layout.gearing.gears.find((one) => one.body === body);
    const centre = gear?.centre ?? this.report.scene.bodies[body]?.shape?.centre;
    if (corners.length > 2) {
      this.camera.project(this.poses.place(body, [x, y], spot));
    } else {
      this.camera.project(this.poses.place(body, centre ?? [x, y], spot));
      spot.y += gear?.ring ? (gear.radius * 1.13) * this.camera.scale : this.pen.unit * 1.6;
    }
  }
}
