// What tests (and the console) can ask of a page that is ready.

import { withUnit } from "./format";
import type { Player } from "./player";
import type { PlotStack } from "./plots";
import { standsStill, type Report } from "./report";

export interface PageApi {
  ready: true;
  time(): number;
  setTime(t: number): void;
  sample(): number;
  /** The value of a column at the cursor. */
  value(column: string): number;
  /** The text that the page shows, or would show, for a column at the cursor. */
  shown(column: string): string;
  play(): void;
  pause(): void;
  playing(): boolean;
  /** Those of the table; what the page adds to it is not among them. */
  columns(): string[];
  toggle(column: string): void;
  /** Milliseconds of the last 120 frames. */
  frameTimes(): number[];
}

declare global {
  interface Window {
    jounce?: PageApi;
  }
}

export function publish(report: Report, player: Player, plots: PlotStack | null): void {
  const value = (column: string): number => report.at(column, player.sample);
  window.jounce = {
    ready: true,
    time: () => player.time,
    setTime: (t) => player.setTime(t),
    sample: () => player.sample,
    value,
    shown: (column) => plots?.shown(column) ?? withUnit(report.shownAt(column, player.sample), report.unit(column)),
    play: () => player.play(),
    pause: () => player.pause(),
    playing: () => player.playing,
    columns: () => report.document.columns.filter((column) => !standsStill(column)).map((column) => column.name),
    toggle: (column) => plots?.toggle(column),
    frameTimes: () => player.frameTimes(),
  };
}
