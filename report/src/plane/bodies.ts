// Bodies: bars and plates with round corners, boxes, gears, discs and belts. They are half transparent, so that nothing is hidden.

import type { Report } from "../report";
import type { Shape } from "../scene";
import type { Camera } from "./camera";
import { wheelPath, type Belt, type Gear } from "./gears";
import type { Layout, Outline } from "./layout";
import type { Pen } from "./pen";
import type { Poses, Spot } from "./pose";
import { pullColours } from "./tension";

const spot: Spot = { x: 0, y: 0 };
const other: Spot = { x: 0, y: 0 };
/** What lies under a body is seen through it. */
export const bodyAlpha = 0.76;

export class BodyPainter {
  private paths = new Map<Outline, Path2D>();
  private pathsFor = "";

  constructor(
    private readonly report: Report, private readonly layout: Layout, private readonly poses: Poses,
    private readonly camera: Camera, private readonly pen: Pen,
  ) {}

  /** What lies lowest: wheels, gears and belts. */
  drawWheels(): void {
    for (const gear of this.layout.gearing.gears) this.gear(gear);
    for (const belt of this.layout.gearing.belts) this.belt(belt);
  }

  /** A body without its wheels. */
  draw(outline: Outline): void {
    const shape = this.report.scene.bodies[outline.body]?.shape;
    if (shape?.type === "box") this.box(outline.body, shape);
    if (outline.corners.length === 0) return;
    const { context: c } = this.pen;
    const { fill, edge } = this.colours(outline.body);
    this.camera.project(this.poses.place(outline.body, [0, 0], spot));
    const [cos, sin] = [this.poses.cosine(outline.body), this.poses.sine(outline.body)];
    c.save();
    c.transform(cos, -sin, -sin, -cos, spot.x, spot.y);
    const path = this.pen.keepsPaths ? this.keptPath(outline) : this.path(outline);
    c.globalAlpha = bodyAlpha;
    c.fillStyle = fill;
    c.fill(path);
    c.globalAlpha = 1;
    c.lineJoin = "round";
    c.strokeStyle = edge;
    c.lineWidth = 1.5;
    c.stroke(path);
    c.restore();
  }

  /** Fill and edge of a body; where it rests, a bar is shown by what it carries. What is fixed to the ground looks like it. */
  colours(body: number): { fill: string; edge: string } {
    if (body === 0) return { fill: this.pen.colours.grid, edge: this.pen.colours.ground };
    const pull = this.report.samples === 1 ? pullColours(this.report, this.report.scene.bodies[body]?.name ?? "", 0, this.pen.colours) : null;
    if (pull) return pull;
    const list = this.pen.colours.bodies;
    return list[(body - 1) % list.length] ?? { fill: "#ccc", edge: "#444" };
  }

  /** A new one where the camera has zoomed. */
  private keptPath(outline: Outline): Path2D {
    const key = `${this.pen.unit} ${this.camera.scale}`;
    if (key !== this.pathsFor) {
      this.paths = new Map();
      this.pathsFor = key;
    }
    const path = this.paths.get(outline) ?? this.path(outline);
    this.paths.set(outline, path);
    return path;
  }

  /** In pixels and in the body's axes, rounded about its corners. */
  private path(outline: Outline): Path2D {
    const path = this.pen.path();
    const { scale } = this.camera;
    const corners = outline.corners.map(([x = 0, y = 0]) => ({ x: x * scale, y: y * scale }));
    const radius = (this.pen.unit * outline.wide) / 2;
    const normal = (k: number): number => {
      const [a, b] = [corners[k % corners.length] ?? spot, corners[(k + 1) % corners.length] ?? spot];
      return Math.atan2(b.y - a.y, b.x - a.x) - Math.PI / 2;
    };
    corners.forEach((corner, k) => {
      if (corners.length === 1) path.arc(corner.x, corner.y, radius, 0, 2 * Math.PI);
      else path.arc(corner.x, corner.y, radius, normal(k + corners.length - 1), normal(k));
    });
    path.closePath();
    return path;
  }

  private box(body: number, shape: Shape): void {
    const { fill, edge } = this.colours(body);
    this.camera.project(this.poses.place(body, shape.centre ?? [0, 0], spot));
    const turned = -this.poses.angle(body) - (shape.angle ?? 0);
    const [w = 0, h = 0] = shape.size ?? [];
    this.pen.block(spot.x, spot.y, Math.cos(turned), Math.sin(turned), w * this.camera.scale, h * this.camera.scale, fill, edge, bodyAlpha);
  }

  /** A radius that shows how far a wheel has turned. */
  private spoke(x: number, y: number, angle: number, radius: number, colour: string): void {
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
    const path = this.pen.keepsPaths ? gear.path : wheelPath(gear, this.pen.path());
    c.fillStyle = fill;
    c.globalAlpha = gear.ring ? 1 : bodyAlpha;
    c.fill(path, "evenodd");
    c.globalAlpha = 1;
    c.strokeStyle = edge;
    c.lineWidth = 1.25 / scale;
    c.lineJoin = "round";
    c.stroke(path);
    c.restore();
    const radius = gear.radius * scale;
    if (gear.teeth !== undefined) {
      c.setLineDash([8, 3, 2, 3]);
      this.pen.circle(spot.x, spot.y, radius, null, edge, 0.8);
      c.setLineDash([]);
    }
    if (gear.ring) return;
    const { x, y } = spot;
    for (const point of this.report.scene.bodies[gear.body]?.points ?? []) {
      const far = Math.hypot((point.p[0] ?? 0) - (gear.centre[0] ?? 0), (point.p[1] ?? 0) - (gear.centre[1] ?? 0)) * scale;
      if (far < 0.7 * this.pen.unit || far > 1.001 * radius) continue;
      this.camera.project(this.poses.place(gear.body, point.p, spot));
      this.pen.circle(spot.x, spot.y, 0.13 * this.pen.unit, edge, null);
    }
    this.spoke(x, y, -this.poses.angle(gear.body), (gear.teeth === undefined ? 1 : 0.84) * radius, edge);
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
