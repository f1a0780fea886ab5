// The region of the plots: several, one under the other, with one time axis and one cursor.

import { button, h, section } from "./dom";
import { defaultPlots, steady, type PlotChoice } from "./defaults";
import { withUnit } from "./format";
import { Picker } from "./picker";
import { Plot } from "./plot";
import type { Cursor } from "./player";
import type { Report } from "./report";
import { pageColours } from "./theme";
import type { Theme } from "./view";

const mostMarks = 200;
/** Milliseconds between two writings of the values while the animation runs. */
const readable = 80;
const settled = 250;

const marksOf = (report: Report): number[] => report.document.events.slice(0, mostMarks).map((event) => event.t);

export class PlotStack {
  readonly element: HTMLElement;
  private readonly plots: Plot[] = [];
  private readonly list = h("div", { class: "plots" });
  /** What was asked for and does not change. */
  private readonly steady = h("p", { class: "note", "data-testid": "steady" });
  private readonly spoken = h("p", { class: "hidden", "aria-live": "polite", "data-testid": "cursor-values" });
  private readonly picker: Picker;
  private marks: number[];
  private colours = pageColours("light");
  private lastWritten = 0;
  private speaking = 0;

  /** Nobody has chosen other plots than the first ones. */
  private untouched = true;

  /** `modal`: while columns are chosen nothing else on the page can be used. */
  constructor(private report: Report, private readonly player: Cursor, modal = true) {
    this.picker = new Picker(report, modal);
    this.marks = marksOf(report);
    const add = button("Add plot", "Add a plot", () => this.choose(this.add({ columns: [] }), true), { "data-testid": "add-plot" });
    this.element = section("plots", "Plots", this.steady, this.list, this.spoken);
    this.element.querySelector("h2")?.after(h("div", { class: "corner" }, add));
    this.element.append(h("p", { class: "note" }, "Drag along the time axis to zoom, double-click to see all; click to move the cursor. Any column can stand along the axis: choose it with the columns."));
    player.onMove((sample, playing) => this.move(sample, playing));
  }

  /** Makes the first plots; the region must be in the page, so that they know their width. */
  fill(): void {
    for (const choice of defaultPlots(this.report)) this.add(choice);
    this.tellSteady();
    this.move(this.player.sample, false);
  }

  /** Shows the same columns of another run; one that has other columns gets plots of its own, unless a hand has chosen. */
  setReport(report: Report): void {
    const [before, now] = [this.report, report].map((one) => `${one.document.run.analysis} ${one.document.columns.map((column) => column.name).join()}`);
    this.report = report;
    this.marks = marksOf(report);
    this.picker.setReport(report);
    this.tellSteady();
    if (before !== now && this.untouched) this.refill();
    else for (const plot of this.plots) plot.setReport(report, this.marks);
  }

  private tellSteady(): void {
    const names = steady(this.report);
    this.steady.textContent = names.map((name) => `${name} ${withUnit(this.report.shownAt(name, 0), this.report.unit(name))}`).join(", ") + " throughout";
    this.steady.hidden = names.length === 0;
  }

  /** The plots that fit the run, in place of those that are there. */
  refill(): void {
    for (const plot of this.plots.splice(0)) plot.dispose();
    this.untouched = true;
    this.fill();
  }

  private add({ x = this.report.along, columns }: PlotChoice): Plot {
    const plot: Plot = new Plot(this.report, {
      choose: (one) => this.choose(one),
      remove: (one) => this.remove(one),
      seek: (t) => {
        this.player.pause();
        this.player.setSample(this.report.sampleAt(t));
      },
      zoomed: (one, least, most) => {
        for (const other of this.plots) if (other !== one) other.zoom(least, most);
      },
    }, this.colours, this.marks);
    this.plots.push(plot);
    this.list.append(plot.element);
    plot.setColumns(columns, x);
    return plot;
  }

  /** One plot after the other. */
  async each(act: (plot: Plot) => Promise<void>): Promise<void> {
    for (const plot of this.plots) await act(plot);
  }

  private remove(plot: Plot): void {
    this.untouched = false;
    this.plots.splice(this.plots.indexOf(plot), 1);
    plot.dispose();
  }

  /** A plot that was added to be chosen for does not stay where nothing was. */
  private choose(plot: Plot, added = false): void {
    this.picker.open(plot.columns, plot.x, (names, x) => {
      this.untouched = false;
      plot.setColumns(names, x);
      plot.moveCursor(this.player.time);
      plot.showValues(this.player.sample);
    }, () => {
      if (added && plot.columns.length === 0) this.remove(plot);
    });
  }

  private move(sample: number, playing: boolean): void {
    for (const plot of this.plots) plot.moveCursor(this.player.time);
    const now = performance.now();
    if (playing && now - this.lastWritten < readable) return;
    this.lastWritten = now;
    for (const plot of this.plots) plot.showValues(sample);
    window.clearTimeout(this.speaking);
    if (!playing) this.speaking = window.setTimeout(() => this.speak(), settled);
  }

  /** Says the values once the cursor rests. */
  private speak(): void {
    const sample = this.player.sample;
    const names = [...new Set(this.plots.flatMap((plot) => plot.columns.filter((name) => !plot.hidden.has(name))))];
    const parts = names.map((name) => `${name} ${withUnit(this.report.shownAt(name, sample), this.report.unit(name))}`);
    this.spoken.textContent = [this.report.when(this.player.time), ...parts].join("; ");
  }

  setTheme(theme: Theme): void {
    this.colours = pageColours(theme);
    for (const plot of this.plots) plot.setColours(this.colours);
  }

  /** Shows or hides a column in the plots that have it; one that none has gets a plot of its own. */
  toggle(name: string): void {
    const holders = this.plots.filter((plot) => plot.columns.includes(name));
    for (const plot of holders) plot.toggle(name);
    if (holders.length === 0 && this.report.info(name)) this.add({ columns: [name] }).showValues(this.player.sample);
    this.move(this.player.sample, false);
  }

  /** The text that the page shows for a column. */
  shown(name: string): string | undefined {
    return this.plots.map((plot) => plot.shown(name)).find((text) => text !== undefined);
  }
}
