// The painters of one layer of the drawing, all with one pen.

import type { Report } from "../report";
import { ArrowPainter } from "./arrows";
import { BodyPainter } from "./bodies";
import type { Camera } from "./camera";
import { ElementPainter } from "./elements";
import { LabelPainter } from "./labels";
import type { Layout } from "./layout";
import { Obstacles } from "./obstacles";
import type { Pen } from "./pen";
import type { Poses } from "./pose";

export function context(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const made = canvas.getContext("2d");
  if (!made) throw new Error("this browser gives no 2-D canvas to draw on");
  return made;
}

/** What paints one layer of the drawing. */
export class Painters {
  readonly bodies: BodyPainter;
  readonly elements: ElementPainter;
  readonly arrows: ArrowPainter;
  readonly labels: LabelPainter;

  constructor(report: Report, plan: Layout, poses: Poses, camera: Camera, readonly pen: Pen) {
    this.bodies = new BodyPainter(report, plan, poses, camera, pen);
    this.elements = new ElementPainter(report, plan, poses, camera, pen, this.bodies);
    this.arrows = new ArrowPainter(report, plan.extent, poses, camera, pen, new Obstacles(report, plan, poses, camera));
    this.labels = new LabelPainter(report, plan, poses, camera, pen);
  }
}
