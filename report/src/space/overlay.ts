// What has the same size at every zoom, drawn flat over the picture: named points, centres of mass, and names with a halo.

import { Vector3, type Camera } from "three";
import type { Layers } from "../view";
import type { Colours } from "./palette";
import { place, type Pose } from "./poses";

export interface Mark {
  kind: "body" | "joint" | "point";
  text: string;
  body: number;
  p: Vector3;
  /** Drawn as the sign of a centre of mass where that layer is shown. */
  centre?: boolean;
}

interface Spot {
  x: number;
  y: number;
}

/** Where a name may stand beside its place: right, above, left, below, and further away. */
const seats: readonly (readonly [number, number])[] = [[0, -1.1], [1, 0], [-1, 0], [0, 1.1], [1, -1.1], [-1, -1.1], [1, 1.1], [-1, 1.1]];
const unitVectors = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) };
const gap = 9;
const mostCharacters = 28;

export class Overlay {
  readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d");
  private readonly chosen = new Map<Mark, number>();
  private readonly widths = new Map<string, number>();
  private width = 1;
  private height = 1;
  private ratio = 1;
  private readonly world = new Vector3();

  constructor(private readonly marks: readonly Mark[]) {
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

  draw(camera: Camera, poses: readonly Pose[], layers: Layers, colours: Colours, note: string): void {
    const pen = this.context;
    if (!pen) return;
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    const spots = this.marks.map((mark) => this.project(camera, poses[mark.body], mark.p));
    this.marks.forEach((mark, k) => {
      const spot = spots[k];
      if (!spot) return;
      if (mark.centre && layers.centres) centreSign(pen, spot, colours);
      if (mark.kind === "point" && layers.points) dot(pen, spot, colours);
    });
    if (layers.names) this.names(pen, spots, colours);
    this.compass(pen, camera, colours);
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    label(pen, note, 10, this.height - 10, colours.faint, colours.halo);
  }

  private project(camera: Camera, pose: Pose | undefined, p: Vector3): Spot | undefined {
    if (!pose) return undefined;
    place(pose, p, this.world).project(camera);
    const { x, y, z } = this.world;
    if (!(z > -1 && z < 1) || Math.abs(x) > 1.1 || Math.abs(y) > 1.1) return undefined;
    return { x: ((x + 1) / 2) * this.width, y: ((1 - y) / 2) * this.height };
  }

  /** Names that find no free seat are left out; one that has a seat keeps it as long as it is free. */
  private names(pen: CanvasRenderingContext2D, spots: (Spot | undefined)[], colours: Colours): void {
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const taken: { x: number; y: number; w: number; h: number }[] = [];
    const high = 15;
    this.marks.forEach((mark, k) => {
      const spot = spots[k];
      if (!spot) return;
      pen.font = fonts[mark.kind];
      const text = mark.text.length > mostCharacters ? `${mark.text.slice(0, mostCharacters - 1)}…` : mark.text;
      const w = this.measure(pen, text, mark.kind);
      const first = this.chosen.get(mark) ?? 0;
      for (let turn = 0; turn < seats.length; turn += 1) {
        const choice = turn === 0 ? first : turn <= first ? turn - 1 : turn;
        const [right = 0, down = 0] = seats[choice] ?? [];
        const x = spot.x + right * (w / 2 + gap);
        const y = spot.y + down * (high / 2 + gap - 2);
        if (taken.some((box) => Math.abs(box.x - x) < (box.w + w) / 2 && Math.abs(box.y - y) < (box.h + high) / 2)) continue;
        taken.push({ x, y, w: w + 4, h: high });
        this.chosen.set(mark, choice);
        label(pen, text, x, y, mark.kind === "body" ? colours.text : colours.faint, colours.halo);
        return;
      }
    });
  }

  private measure(pen: CanvasRenderingContext2D, text: string, kind: string): number {
    const key = `${kind} ${text}`;
    let width = this.widths.get(key);
    if (width === undefined) {
      width = pen.measureText(text).width;
      this.widths.set(key, width);
    }
    return width;
  }

  /** The directions of x, y and z in the corner; those that point away are drawn first. */
  private compass(pen: CanvasRenderingContext2D, camera: Camera, colours: Colours): void {
    const length = 26;
    const [x, y] = [44, this.height - 58];
    pen.font = "600 12px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const turn = camera.quaternion.clone().invert();
    const arms = (["x", "y", "z"] as const).map((axis) => ({ axis, tip: unitVectors[axis].clone().applyQuaternion(turn) }));
    arms.sort((a, b) => a.tip.z - b.tip.z);
    for (const { axis, tip } of arms) {
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(x + length * tip.x, y - length * tip.y);
      pen.lineWidth = 2.5;
      pen.strokeStyle = colours[axis];
      pen.stroke();
      label(pen, axis, x + (length + 9) * tip.x, y - (length + 9) * tip.y, colours[axis], colours.halo);
    }
  }
}

const fonts: Record<Mark["kind"], string> = {
  body: "600 12px system-ui, sans-serif",
  joint: "italic 12px system-ui, sans-serif",
  point: "12px system-ui, sans-serif",
};

function label(pen: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string, halo: string): void {
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

function dot(pen: CanvasRenderingContext2D, { x, y }: Spot, colours: Colours): void {
  pen.beginPath();
  pen.arc(x, y, 3.2, 0, 2 * Math.PI);
  pen.fillStyle = colours.text;
  pen.fill();
  pen.lineWidth = 1.5;
  pen.strokeStyle = colours.halo;
  pen.stroke();
}
