// One plot: curves of some columns over time, or over another column, with a mark at the cursor and a legend that shows the values there.

import uPlot from "uplot";
import { h, iconButton } from "./dom";
import { withUnit } from "./format";
import { limits, oneScale, padded, room, throughAll, ticks } from "./plot_scales";
import type { Report } from "./report";
import { TakenPlot } from "./take/plot";
import { seriesColours, type PageColours } from "./theme";

const height = 226;
/** Of a plot over another column than time: a path needs room in both ways. */
const pathHeight = 300;
const axisWidth = 58;
const axisHeight = 46;
const mostAxes = 2;

export interface PlotActions {
  choose(plot: Plot): void;
  remove(plot: Plot): void;
  seek(t: number): void;
  zoomed(plot: Plot, least: number, most: number): void;
}

export class Plot {
  readonly element: HTMLElement;
  columns: string[] = [];
  /** Those that were asked for; the run need not have them all. */
  private wanted: string[] = [];
  /** The column along the axis. */
  x: string;
  readonly hidden = new Set<string>();
  /** It as a file. */
  readonly taken: TakenPlot;
  private readonly heading = h("h3");
  private readonly host = h("div", { class: "chart" });
  private readonly legend = h("ul", { class: "legend" });
  private readonly values = new Map<string, HTMLElement>();
  private chart: uPlot | null = null;
  private cursorLine: HTMLElement | null = null;
  private dots: HTMLElement[] = [];
  private cursor = 0;
  private silent = false;
  private wasPath = false;
  /** How far a path reaches along, and across by each unit. */
  private reach: { wide: [number, number]; high: [number, number][] } = { wide: [0, 1], high: [] };
  private readonly watch = new ResizeObserver(() => this.fitWidth());

  constructor(private report: Report, private readonly actions: PlotActions, private colours: PageColours, private marks: number[]) {
    this.x = report.along;
    const choose = iconButton("M1.5 3h13v1.6h-13zM3.5 7.2h9v1.6h-9zM5.5 11.4h5V13h-5z", "Choose columns", () => actions.choose(this), { "data-testid": "choose" });
    const remove = iconButton("M3.2 4.3 4.3 3.2 8 6.9l3.7-3.7 1.1 1.1L9.1 8l3.7 3.7-1.1 1.1L8 9.1l-3.7 3.7-1.1-1.1L6.9 8z", "Remove this plot", () => actions.remove(this), { "data-testid": "remove" });
    this.taken = new TakenPlot(() => this.report, () => ({
      chart: this.chart, title: this.title(), columns: this.columns, x: this.x, hidden: this.hidden, colour: (index) => this.colour(index), colours: this.colours,
    }));
    this.element = h("article", { class: "plot", "data-testid": "plot" },
      h("div", { class: "plot-head" }, this.heading, choose, this.taken.menu, remove), this.legend, this.host);
    this.watch.observe(this.host);
  }

  setColumns(names: string[], x = this.x): void {
    this.x = this.report.info(x) ? x : this.report.along;
    this.wanted = names;
    this.columns = names.filter((name) => this.report.info(name));
    for (const name of this.hidden) if (!this.columns.includes(name)) this.hidden.delete(name);
    this.heading.textContent = this.title();
    this.drawLegend();
    this.drawChart();
    this.moveCursor(this.cursor);
  }

  /** The same columns of another run; the stretch of time that is shown stays. */
  setReport(report: Report, marks: number[]): void {
    const before = this.report;
    this.report = report;
    this.marks = marks;
    const names = this.wanted.filter((name) => report.info(name));
    const same = this.chart && report.info(this.x) && before.along === report.along && names.join() === this.columns.join() &&
      [this.x, ...names].every((name) => before.unit(name) === report.unit(name));
    if (!same || !this.chart) return this.setColumns(this.wanted);
    const { min = 0, max = 0 } = this.chart.scales.x ?? {};
    const zoomed = this.overTime() && (min > (before.time[0] ?? 0) || max < (before.time[before.samples - 1] ?? 0));
    this.silent = true;
    this.chart.setData(this.data(), !zoomed);
    if (zoomed) this.chart.setScale("x", { min, max });
    this.silent = false;
    this.moveCursor(this.cursor);
  }

  dispose(): void {
    this.watch.disconnect();
    this.chart?.destroy();
    this.element.remove();
  }

  /** The groups of the columns. */
  private title(): string {
    const groups = [...new Set(this.columns.map((name) => this.report.info(name)?.group.replace("-", " ") ?? ""))];
    const text = groups.join(", ") + (groups.length > 0 && !this.overTime() ? ` over ${this.x}` : "");
    return text ? text.charAt(0).toUpperCase() + text.slice(1) : "Empty plot: choose columns";
  }

  private overTime(): boolean {
    return this.x === this.report.along;
  }

  private height(): number {
    return this.overTime() ? height : pathHeight;
  }

  private drawLegend(): void {
    this.legend.replaceChildren();
    this.values.clear();
    this.columns.forEach((name, index) => {
      const value = h("span", { class: "value" });
      const key = h("button", { type: "button", "aria-pressed": String(!this.hidden.has(name)), title: `Show or hide ${name}`, "data-testid": `legend-${name}` },
        h("i", { class: "swatch" }), h("span", { class: "name" }, name), value);
      key.style.setProperty("--key", this.colour(index));
      key.addEventListener("click", () => this.toggle(name));
      this.values.set(name, value);
      this.legend.append(h("li", {}, key));
    });
  }

  private colour(index: number): string {
    const colours = seriesColours(this.colours.theme);
    return colours[index % colours.length] ?? "gray";
  }

  /** Shows or hides a curve. */
  toggle(name: string): void {
    const index = this.columns.indexOf(name);
    if (index < 0) return;
    const show = this.hidden.has(name);
    if (show) this.hidden.delete(name);
    else this.hidden.add(name);
    this.chart?.setSeries(index + 1, { show });
    this.values.get(name)?.parentElement?.setAttribute("aria-pressed", String(show));
  }

  private drawChart(): void {
    const before = this.overTime() ? this.chart?.scales.x : undefined;
    const zoom = before?.min !== undefined && before.max !== undefined ? { min: before.min, max: before.max } : null;
    this.chart?.destroy();
    this.chart = null;
    this.host.replaceChildren();
    if (this.columns.length === 0) return;
    const units = [...new Set(this.columns.map((name) => this.report.unit(name)))];
    this.silent = true;
    const data = this.data();
    this.chart = new uPlot(this.overTime() ? this.options(units) : this.pathOptions(units), data, this.host);
    if (zoom && this.overTime() && !this.wasPath) this.chart.setScale("x", zoom);
    this.wasPath = !this.overTime();
    this.silent = false;
    this.cursorLine = h("div", { class: "now" });
    this.dots = this.overTime() ? [] : this.columns.map((_, index) => {
      const dot = h("div", { class: "dot" });
      dot.style.setProperty("--key", this.colour(index));
      return dot;
    });
    this.chart.over.append(...(this.overTime() ? [this.cursorLine] : this.dots));
    this.listen(this.chart.over);
  }

  /** The numbers of the chart, as it wants them. */
  private data(): uPlot.AlignedData {
    const numbers = (name: string): Float64Array => this.report.shownColumn(name) ?? new Float64Array(this.report.samples);
    const curves = this.columns.map(numbers);
    if (this.overTime()) return [this.report.time, ...curves];
    const along = numbers(this.x);
    const units = [...new Set(this.columns.map((name) => this.report.unit(name)))];
    this.reach = { wide: limits([along]), high: units.map((unit) => limits(curves.filter((_, index) => this.report.unit(this.columns[index] ?? "") === unit))) };
    return [null, ...curves.map((curve) => [along, curve])] as unknown as uPlot.AlignedData;
  }

  private options(units: string[]): uPlot.Options {
    const axis = { stroke: () => this.colours.muted, font: "12px system-ui, sans-serif", ticks: { stroke: () => this.colours.line, width: 1, size: 5 } };
    const scales: Record<string, uPlot.Scale> = { x: { time: false } };
    const axes: uPlot.Axis[] = [{
      ...axis, grid: { stroke: () => this.colours.grid, width: 1 }, size: 30,
      values: this.overTime() ? (plot, splits) => ticks(plot, splits.map((t) => t * this.report.factorOf(this.report.info(this.x)?.unit ?? ""))) : ticks, label: named(this.x, this.report.unit(this.x)), labelSize: axisHeight - 30,
      labelFont: "12px system-ui, sans-serif", labelGap: 0,
    }];
    units.forEach((unit, index) => {
      scales[`y${index}`] = { range: (_plot, least, most) => padded(least, most) };
      if (index >= mostAxes) return;
      axes.push({
        ...axis, scale: `y${index}`, side: index === 0 ? 3 : 1, label: unit || "1", labelSize: 18, labelFont: "12px system-ui, sans-serif",
        labelGap: 0, size: (_plot, values) => room(axisWidth, values), values: ticks, grid: { show: index === 0, stroke: () => this.colours.grid, width: 1 },
      });
    });
    const series: uPlot.Series[] = [{}, ...this.columns.map((name, index): uPlot.Series => ({
      label: name, scale: `y${units.indexOf(this.report.unit(name))}`, stroke: () => this.colour(index), width: 1.75,
      show: !this.hidden.has(name), pxAlign: 0, points: { show: false }, gaps: (plot) => this.gaps(plot),
    }))];
    return {
      width: Math.max(120, this.host.clientWidth), height: this.height(), legend: { show: false }, scales, axes, series, padding: [8, units.length > 1 ? 0 : 14, 0, 0],
      cursor: { y: false, points: { size: 6 }, drag: { x: true, y: false, dist: 5 }, sync: { key: "jounce" } },
      hooks: { setScale: [(plot, key) => this.scaled(plot, key)], setSize: [() => this.moveCursor(this.cursor)], draw: [(plot) => this.drawMarks(plot)] },
    };
  }

  /** Where the run has no samples nothing joins those on both sides: from and to in pixels. */
  private gaps(plot: uPlot): uPlot.Series.Gaps {
    const time = this.report.time;
    return (this.report.document.run.missing ?? []).flatMap(([from]): uPlot.Series.Gaps => {
      const after = time.findIndex((value) => value > from);
      return after < 1 ? [] : [[plot.valToPos(time[after - 1] ?? 0, "x", true), plot.valToPos(time[after] ?? 0, "x", true)]];
    });
  }

  /** Over another column: it may come back to where it was, and lengths in both ways are drawn to one scale. */
  private pathOptions(units: string[]): uPlot.Options {
    const made = this.options(units);
    const lengths = [this.x, ...this.columns].every((name) => this.report.info(name)?.unit === "m");
    const ranges = (plot: uPlot): { x: [number, number]; y: [number, number][] } => {
      const { wide, high } = this.reach;
      const ratio = Math.max(40, plot.width - axisWidth - 14) / Math.max(40, plot.height - axisHeight - 8);
      return lengths && high[0] ? oneScale(wide, high[0], ratio) : { x: padded(...wide), y: high.map((one) => padded(...one)) };
    };
    made.mode = 2;
    made.scales = { x: { time: false, range: (plot) => ranges(plot).x } };
    units.forEach((_, index) => { if (made.scales) made.scales[`y${index}`] = { range: (plot) => ranges(plot).y[index] ?? [0, 1] }; });
    made.series = made.series.map((series, index) => index === 0 ? {} : {
      ...series, facets: [{ scale: "x", auto: true }, { scale: series.scale ?? "y0", auto: true }], paths: throughAll,
    });
    made.cursor = { show: false };
    made.hooks = { setSize: [() => this.moveCursor(this.cursor)] };
    return made;
  }

  private scaled(plot: uPlot, key: string): void {
    if (key !== "x") return;
    // uPlot places its values after this hook has run.
    queueMicrotask(() => this.moveCursor(this.cursor));
    const { min, max } = plot.scales.x ?? {};
    if (!this.silent && min !== undefined && max !== undefined) this.actions.zoomed(this, min, max);
  }

  /** Takes over the stretch of time that another plot shows. */
  zoom(least: number, most: number): void {
    const scale = this.chart?.scales.x;
    if (!this.chart || !this.overTime() || !scale || (scale.min === least && scale.max === most)) return;
    this.silent = true;
    this.chart.batch(() => this.chart?.setScale("x", { min: least, max: most }));
    this.silent = false;
  }

  /** Thin lines where something happened. */
  private drawMarks(plot: uPlot): void {
    const c = plot.ctx;
    c.save();
    c.strokeStyle = this.colours.mark;
    c.lineWidth = window.devicePixelRatio || 1;
    c.setLineDash([4, 4]);
    c.beginPath();
    for (const t of this.marks) {
      const x = Math.round(plot.valToPos(t, "x", true));
      if (x < plot.bbox.left || x > plot.bbox.left + plot.bbox.width) continue;
      c.moveTo(x, plot.bbox.top);
      c.lineTo(x, plot.bbox.top + plot.bbox.height);
    }
    c.stroke();
    c.restore();
  }

  /** A click that is no drag moves the cursor. */
  private listen(over: HTMLElement): void {
    let downX = 0;
    over.addEventListener("pointerdown", (event) => { downX = event.clientX; });
    over.addEventListener("click", (event) => {
      if (!this.chart || Math.abs(event.clientX - downX) > 4) return;
      const box = over.getBoundingClientRect();
      if (!this.overTime()) return this.actions.seek(this.report.time[this.nearest(event.clientX - box.left, event.clientY - box.top)] ?? 0);
      this.actions.seek(this.chart.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
    });
  }

  /** The sample whose place on a curve is nearest to a place of the pointer. */
  private nearest(left: number, top: number): number {
    let best = 0;
    let least = Infinity;
    for (let k = 0; k < this.report.samples; k += 1)
      for (const [x, y] of this.places(k)) {
        const far = Math.hypot(x - left, y - top);
        if (far < least) [best, least] = [k, far];
      }
    return best;
  }

  /** Where the curves are at a sample, in pixels of the drawing. */
  private places(sample: number): [number, number][] {
    const units = [...new Set(this.columns.map((name) => this.report.unit(name)))];
    const left = this.chart?.valToPos(this.report.shownAt(this.x, sample), "x") ?? 0;
    return this.columns.map((name) => [left, this.chart?.valToPos(this.report.shownAt(name, sample), `y${units.indexOf(this.report.unit(name))}`) ?? 0]);
  }

  private fitWidth(): void {
    const width = this.host.clientWidth;
    if (this.chart && width > 0 && width !== this.chart.width) this.chart.setSize({ width, height: this.height() });
  }

  /** Places the line of the cursor. */
  moveCursor(t: number): void {
    this.cursor = t;
    if (!this.chart || !this.cursorLine) return;
    if (!this.overTime()) return this.moveDots(t);
    const x = this.chart.valToPos(t, "x");
    const inside = x >= -0.5 && x <= this.chart.over.clientWidth + 0.5;
    this.cursorLine.style.transform = `translateX(${x.toFixed(2)}px)`;
    this.cursorLine.style.visibility = inside ? "visible" : "hidden";
  }

  private moveDots(t: number): void {
    this.places(this.report.sampleAt(t)).forEach(([x, y], index) => {
      const dot = this.dots[index];
      if (!dot) return;
      dot.style.transform = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px)`;
      dot.style.visibility = this.hidden.has(this.columns[index] ?? "") || !Number.isFinite(y) ? "hidden" : "visible";
    });
  }

  /** Writes the values at a sample into the legend. */
  showValues(sample: number): void {
    for (const [name, target] of this.values) target.textContent = withUnit(this.report.shownAt(name, sample), this.report.unit(name));
  }

  shown(name: string): string | undefined {
    return this.values.get(name)?.textContent ?? undefined;
  }

  setColours(colours: PageColours): void {
    this.colours = colours;
    [...this.legend.querySelectorAll("button")].forEach((key, index) => key.style.setProperty("--key", this.colour(index)));
    this.chart?.redraw(false);
  }
}

const named = (name: string, unit: string): string => (unit ? `${name} [${unit}]` : name);
