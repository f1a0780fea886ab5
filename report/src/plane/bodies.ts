// Bodies: bars and plates with round corners, discs and boxes, gears and belts.

import type { Report } from "../report";
import type { Shape } from "../scene";
import type { Camera } from "./camera";
import type { Belt, Gear } from "./gears";
import type { Layout, Outline } from "./layout";
import type { Pen } from "./pen";
import type { Poses, Spot } from "./pose";
import { pullColours } from "./tension";

const spot: Spot = { x: 0, y: 0 };
const other: Spot = { x: 0, y: 0 };

export class BodyPainter {
  constructor(
    private readonly report: Report, private readonly layout: Layout, private readonly poses: Poses,
    private readonly camera: Camera, private readonly pen: Pen,
  ) {}

  /** What lies lowest: rings, discs and boxes, gears and belts, and the bodies with a slot that others reach through. */
  drawLower(): void {
    for (const gear of this.layout.gearing.gears) if (gear.ring) this.gear(gear);
    for (const outline of this.layout.outlines) {
      const shape = this.report.scene.bodies[outline.body]?.shape;
      if (shape && (shape.type === "disc" || shape.type === "box")) this.shape(outline.body, shape);
    }
    for (const gear of this.layout.gearing.gears) if (!gear.ring) this.gear(gear);
    for (const belt of this.layout.gearing.belts) this.belt(belt);
    for (const outline of this.layout.outlines) if (outline.wide > 1) this.outline(outline);
  }

  drawPlates(): void {
    for (const outline of this.layout.outlines) if (outline.wide === 1 && outline.corners.length > 2) this.outline(outline);
  }

  /** Bars lie over plates, which would hide them. */
  drawBars(): void {
    for (const outline of this.layout.outlines) if (outline.wide === 1 && outline.corners.length <= 2) this.outline(outline);
  }

  /** Fill and edge of a body; where it rests, a bar is shown by what it carries. */
  colours(body: number): { fill: string; edge: string } {
    const pull = this.report.samples === 1 ? pullColours(this.report, this.report.scene.bodies[body]?.name ?? "", 0, this.pen.colours) : null;
    if (pull) return pull;
    const list = this.pen.colours.bodies;
    return list[(body - 1 + list.length) % list.length] ?? { fill: "#ccc", edge: "#444" };
  }

  private trace(outline: Outline): void {
    const c = this.pen.context;
    c.beginPath();
    for (const corner of outline.corners) {
      this.camera.project(this.poses.place(outline.body, corner, spot));
      c.lineTo(spot.x, spot.y);
    }
    if (outline.corners.length === 1) c.lineTo(spot.x + 0.01, spot.y);
    if (outline.corners.length > 2) c.closePath();
  }

  private outline(outline: Outline): void {
    if (outline.corners.length === 0) return;
    const c = this.pen.context;
    const width = this.pen.unit * outline.wide;
    const { fill, edge } = this.colours(outline.body);
    c.lineCap = "round";
    c.lineJoin = "round";
    this.trace(outline);
    c.strokeStyle = edge;
    c.lineWidth = width;
    c.stroke();
    c.strokeStyle = fill;
    c.lineWidth = width - 3;
    c.stroke();
    if (outline.corners.length > 2) {
      c.fillStyle = fill;
      c.fill();
    }
    c.lineCap = "butt";
  }

  private shape(body: number, shape: Shape): void {
    const { fill, edge } = this.colours(body);
    const toothed = this.layout.gearing.gears.some((gear) => gear.body === body);
    this.camera.project(this.poses.place(body, shape.centre ?? [0, 0], spot));
    const angle = -this.poses.angle(body);
    if (shape.type === "disc") {
      if (toothed) return;
      const radius = (shape.radius ?? 0) * this.camera.scale;
      this.pen.circle(spot.x, spot.y, radius, fill, edge, 1.75);
      this.spoke(spot.x, spot.y, angle, radius, edge);
      return;
    }
    const turned = angle - (shape.angle ?? 0);
    const [w = 0, h = 0] = shape.size ?? [];
    this.pen.block(spot.x, spot.y, Math.cos(turned), Math.sin(turned), w * this.camera.scale, h * this.camera.scale, fill, edge);
  }

  /** A radius that shows how far a wheel has turned. */
  spoke(x: number, y: number, angle: number, radius: number, colour: string): void {
    const c = Math.cos(angle);
    const s = Math.sin(angle);
    this.pen.line(x + 0.12 * radius * c, y + 0.12 * radius * s, x + 0.92 * radius * c, y + 0.92 * radius * s, colour, 1.5);
  }

  private gear(gear: Gear): void {
    const { context: c } = this.pen;
    const { fill, edge } = this.colours(gear.body);
    this.camera.project(this.poses.place(gear.body, gear.centre, spot));
    const scale = this.camera.scale;
    const cos = this.poses.cosine(gear.body);
    const sin = this.poses.sine(gear.body);
    c.save();
    c.transform(scale * cos, -scale * sin, -scale * sin, -scale * cos, spot.x, spot.y);
    c.fillStyle = fill;
    c.globalAlpha = gear.ring ? 1 : 0.88;
    c.fill(gear.path, "evenodd");
    c.globalAlpha = 1;
    c.strokeStyle = edge;
    c.lineWidth = 1.25 / scale;
    c.lineJoin = "round";
    c.stroke(gear.path);
    c.restore();
    const radius = gear.radius * scale;
    c.setLineDash(gear.toothed ? [8, 3, 2, 3] : []);
    this.pen.circle(spot.x, spot.y, radius, null, edge, 1);
    c.setLineDash([]);
    if (gear.ring) return;
    this.pen.circle(spot.x, spot.y, Math.min(0.3 * radius, this.pen.unit * 0.9), fill, edge, 1.25);
    this.spoke(spot.x, spot.y, -this.poses.angle(gear.body), 0.82 * radius, edge);
  }

  /** The belt round two pulleys; its dashes run with it. */
  private belt(belt: Belt): void {
    const { context: c } = this.pen;
    const scale = this.camera.scale;
    const a = this.camera.project(this.poses.place(belt.from.body, belt.from.centre, spot));
    const b = this.camera.project(this.poses.place(belt.to.body, belt.to.centre, other));
    const ra = belt.from.radius * scale + 2;
    const rb = belt.to.radius * scale + 2;
    const distance = Math.hypot(b.x - a.x, b.y - a.y);
    const reach = belt.crossed ? ra + rb : ra - rb;
    if (distance <= Math.abs(reach)) return;
    const direction = Math.atan2(b.y - a.y, b.x - a.x);
    const lean = Math.acos(reach / distance);
    const back = belt.crossed ? Math.PI : 0;
    c.beginPath();
    c.arc(a.x, a.y, ra, direction + lean, direction - lean + 2 * Math.PI);
    if (belt.crossed) c.arc(b.x, b.y, rb, direction - lean + back, direction + lean + back, true);
    else c.arc(b.x, b.y, rb, direction - lean, direction + lean);
    c.closePath();
    c.strokeStyle = this.pen.colours.ground;
    c.lineWidth = 4;
    c.stroke();
    c.setLineDash([10, 10]);
    c.lineDashOffset = this.poses.angle(belt.from.body) * ra;
    c.strokeStyle = this.pen.colours.background;
    c.lineWidth = 1.25;
    c.stroke();
    c.setLineDash([]);
    c.lineDashOffset = 0;
  }
}
