// What a drawing of the mechanism offers to the page: the planar canvas and the 3-D view both implement it.

import type { Report } from "./report";

export type Theme = "light" | "dark";

export interface Layers {
  points: boolean;
  names: boolean;
  centres: boolean;
  velocity: boolean;
  acceleration: boolean;
  reactions: boolean;
  /** Forces that act on the mechanism, where the run has their columns; only the planar drawing shows them. */
  forces?: boolean;
  /** Multiplies the length of all arrows; 1 is the scale chosen from the largest value of the motion. */
  arrowScale: number;
}

export interface View {
  readonly element: HTMLElement;
  /** The host changed its size. */
  resize(): void;
  /** Draws the state at a sample; a fraction lies linearly between two samples (angles are never wrapped). */
  draw(sample: number): void;
  /** Shows the whole motion. */
  fit(): void;
  setLayers(layers: Layers): void;
  /** Chooses the points ("body.P") whose paths are drawn, and how many seconds back they reach: Infinity is the whole run, before and after. */
  setTrails(points: string[], seconds: number): void;
  setTheme(theme: Theme): void;
  /** The drawing at a sample as it is shown, with the device's pixels; it is drawn over by the next. None where there is nothing to draw on. */
  picture?(sample: number): HTMLCanvasElement;
  /** The same as SVG; none where the drawing is no lines. */
  svg?(sample: number): string;
  /** Where a point ("arm.P") or the origin of a body is in the drawing as it is shown, in pixels; null where there is none of that name, or it is not in the picture. */
  spot?(name: string): [number, number] | null;
  /** The drawing of another run in place of this one, which ends; it is seen from where this one was. */
  next?(report: Report): View;
  dispose(): void;
}

export type MakeView = (report: Report, host: HTMLElement) => View;
