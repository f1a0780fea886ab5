// What has the same size at every zoom, drawn flat over the picture: named points, centres of mass, and names with a halo.

import { Vector3, type Camera, type Quaternion } from "three";
import type { Key } from "../arrow-legend";
import { shortNumber } from "../format";
import type { Report } from "../report";
import type { Layers } from "../view";
import { LabelLayout, type Box, type Label, type Spot } from "./labels";
import { nameColour, type Colours } from "./palette";
import { place, type Pose } from "./poses";
import { quantityColour, quantityWords, type Reading, type Scale } from "./quantities";

export interface Mark {
  kind: "body" | "joint" | "point";
  text: string;
  body: number;
  p: Vector3;
  /** From where to where a body reaches: its name stands beside that. */
  span?: readonly [Vector3, Vector3];
  /** Drawn as the sign of a centre of mass where that layer is shown. */
  centre?: boolean;
}

/** What is drawn besides the marks. */
export interface Extras {
  /** A sentence in the lower corner. */
  note: string;
  /** The points that draw trails. */
  tips: { at: Vector3; colour: string }[];
  /** Values at the ends of arrows. */
  readings: readonly Reading[];
  /** Pixels of a metre in the middle of the drawing. */
  pixels: number;
  poses: readonly Pose[];
  /** The radius of a usual rod, in metres. */
  unit: number;
}

const unitVectors = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) };
/** Names of joints and values need this much room around them, in pixels, to be shown. */
const room = 44;

export class Overlay {
  readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d");
  private readonly layout = new LabelLayout();
  private width = 1;
  private height = 1;
  private ratio = 1;
  private readonly world = new Vector3();

  constructor(private readonly report: Report, private readonly marks: readonly Mark[], private readonly turn: Quaternion) {
    Object.assign(this.canvas.style, { position: "absolute", inset: "0", pointerEvents: "none" });
    this.canvas.setAttribute("aria-hidden", "true");
  }

  resize(width: number, height: number, ratio: number): void {
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
  }

  /** Puts the drawing under the signs into the same picture: on paper the upper canvas is not transparent. */
  flatten(below: HTMLCanvasElement): void {
    const pen = this.context;
    if (!pen) return;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.globalCompositeOperation = "destination-over";
    pen.drawImage(below, 0, 0, this.canvas.width, this.canvas.height);
    pen.globalCompositeOperation = "source-over";
  }

  draw(camera: Camera, poses: readonly Pose[], layers: Layers, colours: Colours, extras: Extras): void {
    const pen = this.context;
    if (!pen) return;
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    const spots = this.marks.map((mark) => {
      const pose = poses[mark.body];
      return pose && this.project(camera, place(pose, mark.p, this.world));
    });
    this.marks.forEach((mark, k) => {
      const spot = spots[k];
      if (!spot) return;
      if (mark.centre && layers.centres) centreSign(pen, spot, colours);
      if (mark.kind === "point" && layers.points) dot(pen, spot, colours.text, colours.halo);
    });
    for (const { at, colour } of extras.tips) {
      const spot = this.project(camera, this.world.copy(at));
      if (spot) dot(pen, spot, colour, colours.halo);
    }
    this.compass(pen, camera, colours);
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    write(pen, extras.note, 10, this.height - 10, colours.faint, colours.halo);
    const taken: Box[] = [{ x: 44, y: this.height - 58, w: 80, h: 80 }, { x: this.width - 90, y: 24, w: 180, h: 48 }];
    this.names(pen, camera, spots, layers, colours, extras, taken);
  }

  /** Where a place in ground axes is in the picture; changes the vector. */
  project(camera: Camera, at: Vector3): Spot | undefined {
    const { x, y, z } = at.project(camera);
    if (!(z > -1 && z < 1) || Math.abs(x) > 1.1 || Math.abs(y) > 1.1) return undefined;
    return { x: ((x + 1) / 2) * this.width, y: ((1 - y) / 2) * this.height };
  }

  /** Bodies choose their places first, then values of arrows, points, and joints where the drawing is large enough. */
  private names(pen: CanvasRenderingContext2D, camera: Camera, spots: (Spot | undefined)[], layers: Layers, colours: Colours,
                extras: Extras, taken: Box[]): void {
    const groups: Record<Mark["kind"] | "value", Label[]> = { body: [], value: [], point: [], joint: [] };
    for (const { arrow, from, tip, text, colour } of extras.readings) {
      const spot = this.project(camera, this.world.copy(tip));
      const start = this.project(camera, this.world.copy(from));
      // Beyond the tip of an upright arrow there is often the part that it pulls.
      const steep = start !== undefined && spot !== undefined && Math.abs(spot.y - start.y) > Math.abs(spot.x - start.x);
      if (spot) groups.value.push({ key: `value ${arrow}`, text, font: fonts.value, colour: colours[colour], spot, room: 0, steep });
    }
    if (layers.names)
      this.marks.forEach((mark, k) => {
        const spot = spots[k];
        if (!spot || (mark.kind === "point" && !layers.points)) return;
        const colour = mark.kind === "body" ? nameColour(mark.body, colours) : colours.faint;
        groups[mark.kind].push({
          key: `mark ${k}`, text: mark.text, font: fonts[mark.kind], colour, spot, room: mark.kind === "joint" ? room : 0,
          ...this.beside(camera, mark, extras),
        });
      });
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    this.layout.place(pen, [groups.body, groups.value, groups.point, groups.joint], taken, this.width, this.height, (label, text, at) => {
      pen.font = label.font;
      write(pen, text, at.x, at.y, label.colour, colours.halo);
    });
  }

  /** Of a body: whether it stands up in the picture, and how far its name keeps from its middle line. */
  private beside(camera: Camera, { span, body }: Mark, { poses, unit, pixels }: Extras): { steep?: boolean; gap?: number } {
    const pose = poses[body];
    if (!span || !pose) return {};
    const [from, to] = span.map((end) => this.project(camera, place(pose, end, this.world)));
    if (!from || !to) return {};
    return { steep: Math.abs(to.y - from.y) > Math.abs(to.x - from.x), gap: Math.min(16, 2 * unit * pixels) };
  }

  /** What the arrows mean that are shown: right in the middle of the drawing. */
  keys(scales: readonly Scale[], pixels: number, colours: Colours): Key[] {
    return scales.filter(({ metres }) => metres * pixels > 0 && Number.isFinite(metres * pixels)).map(({ quantity, metres, unit }) => {
      const value = this.report.roundBelow(80 / (metres * pixels), unit);
      return {
        words: `${this.report.told(value, unit, shortNumber)} ${quantityWords[quantity]}`, pixels: value * metres * pixels, colour: colours[quantityColour[quantity]],
      };
    });
  }

  /** The directions of x, y and z in the corner; those that point away are drawn first. */
  private compass(pen: CanvasRenderingContext2D, camera: Camera, colours: Colours): void {
    const length = 26;
    const [x, y] = [44, this.height - 58];
    pen.font = "600 12px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const turn = camera.quaternion.clone().invert().multiply(this.turn);
    const arms = (["x", "y", "z"] as const).map((axis) => ({ axis, tip: unitVectors[axis].clone().applyQuaternion(turn) }));
    arms.sort((a, b) => a.tip.z - b.tip.z);
    for (const { axis, tip } of arms) {
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(x + length * tip.x, y - length * tip.y);
      pen.lineWidth = 2.5;
      pen.strokeStyle = colours[axis];
      pen.stroke();
      write(pen, axis, x + (length + 9) * tip.x, y - (length + 9) * tip.y, colours[axis], colours.halo);
    }
  }
}

const fonts: Record<Mark["kind"] | "value", string> = {
  body: "600 12px system-ui, sans-serif",
  joint: "italic 12px system-ui, sans-serif",
  point: "12px system-ui, sans-serif",
  value: "12px system-ui, sans-serif",
};

function write(pen: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string, halo: string): void {
  pen.lineJoin = "round";
  pen.lineWidth = 3.5;
  pen.strokeStyle = halo;
  pen.strokeText(text, x, y);
  pen.fillStyle = colour;
  pen.fillText(text, x, y);
}

/** The quartered disc. */
function centreSign(pen: CanvasRenderingContext2D, { x, y }: Spot, colours: Colours): void {
  const radius = 6;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = "#ffffff";
  pen.fill();
  pen.fillStyle = "#111418";
  for (const start of [0, Math.PI]) {
    pen.beginPath();
    pen.moveTo(x, y);
    pen.arc(x, y, radius, start, start + Math.PI / 2);
    pen.fill();
  }
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.lineWidth = 1.3;
  pen.strokeStyle = colours.edge;
  pen.stroke();
}

function dot(pen: CanvasRenderingContext2D, { x, y }: Spot, colour: string, halo: string): void {
  pen.beginPath();
  pen.arc(x, y, 3.6, 0, 2 * Math.PI);
  pen.fillStyle = colour;
  pen.fill();
  pen.lineWidth = 1.5;
  pen.strokeStyle = halo;
  pen.stroke();
}
