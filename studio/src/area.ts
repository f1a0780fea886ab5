// What a drawing of the mechanism offers to the page: that of the plane, on which a hand draws and drags, and that of space.

import type { Theme } from "../../report/src/view";
import type { Session } from "./session";

export interface DrawingArea {
  readonly element: HTMLElement;
  setTheme(theme: Theme): void;
  /** Shows the whole motion. */
  fit(): void;
  /** Where a point ("crank.A") or the origin of a body ("crank") is in the window, in pixels; null where there is none of that name. */
  screen(name: string): [number, number] | null;
  /** The drawing at a sample with the device's pixels; it is drawn over by the next. */
  picture(sample: number): HTMLCanvasElement | null;
  /** The same as SVG; null where the drawing is no lines. */
  svg(sample: number): string | null;
  dispose(): void;
}

export type MakeArea = (session: Session, host: HTMLElement) => DrawingArea;
