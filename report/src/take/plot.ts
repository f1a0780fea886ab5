// A plot as a file: its curves as they are shown, or the columns that they are of.

import type uPlot from "uplot";
import { icon } from "../dom";
import type { Report } from "../report";
import type { PageColours } from "../theme";
import { makeMenu } from "./menu";
import { plotSvg, type Curve } from "./plot_svg";
import { fileStem, save, savePng, svgToCanvas } from "./save";
import { csv } from "./table";

/** A plot at the moment. */
export interface Shown {
  chart: uPlot | null;
  title: string;
  columns: string[];
  x: string;
  hidden: ReadonlySet<string>;
  colour(index: number): string;
  colours: PageColours;
}

const down = "M7.2 2h1.6v6l2.2-2.2 1.1 1.1L8 11 3.9 6.9 5 5.8 7.2 8zM2.5 12.4h11V14h-11z";

export class TakenPlot {
  readonly menu: HTMLElement;

  constructor(private readonly current: () => Report, private readonly plot: () => Shown) {
    this.menu = makeMenu(icon(down), "Take this plot along", "take-plot", () => [["This plot", [
      { text: "SVG", hint: "lines, for documents", id: "plot-svg", take: () => this.save("svg") },
      { text: "PNG", hint: "a picture", id: "plot-png", take: () => this.save("png") },
      { text: "CSV", hint: "its columns, for spreadsheets", id: "plot-csv", take: () => { this.saveTable(); } },
    ]]]).element;
  }

  private get report(): Report {
    return this.current();
  }

  private stem(): string {
    return `${fileStem(this.report.document.model.name)}-${fileStem(this.plot().columns.slice(0, 3).join("-") || "plot")}`;
  }

  private saveTable(): void {
    const { x, columns } = this.plot();
    save(csv(this.report, [...new Set([this.report.along, x, ...columns])]), "text/csv", `${this.stem()}.csv`);
  }

  async save(kind: "svg" | "png"): Promise<void> {
    const shown = this.plot();
    if (!shown.chart) return;
    const dark = shown.colours.theme === "dark";
    const { svg, width, height } = plotSvg(shown.chart, this.curves(shown, shown.chart), {
      ...shown.colours, title: `${this.report.document.model.name}: ${shown.title}`, text: dark ? "#e8edf3" : "#1b2430", background: dark ? "#151a21" : "#ffffff",
    });
    if (kind === "svg") save(svg, "image/svg+xml", `${this.stem()}.svg`);
    else await savePng(await svgToCanvas(svg, width, height), `${this.stem()}.png`);
  }

  private curves({ columns, x, hidden, colour }: Shown, chart: uPlot): Curve[] {
    // along the time itself a plot has the numbers of the run, and only its ticks in other units
    const along = (x === this.report.along ? undefined : this.report.shownColumn(x)) ?? this.report.time;
    return columns.flatMap((name, index) => {
      if (hidden.has(name)) return [];
      const scale = chart.series[index + 1]?.scale ?? "y0";
      const places = [...(this.report.shownColumn(name) ?? [])].map((value, k): [number, number] | null =>
        Number.isFinite(value) ? [chart.valToPos(along[k] ?? 0, "x"), chart.valToPos(value, scale)] : null);
      return [{ name, unit: this.report.unit(name), colour: colour(index), places }];
    });
  }
}
