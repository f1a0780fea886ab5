// A plot as SVG: the same axes, curves and colours as on the page, with its title and a legend, drawn with the ink of the drawings.

import type uPlot from "uplot";
import { SvgInk } from "../ink";

export interface Curve {
  name: string;
  unit: string;
  colour: string;
  /** In pixels of the plot, gaps as null. */
  places: ([number, number] | null)[];
}

export interface Look {
  title: string;
  text: string;
  muted: string;
  grid: string;
  line: string;
  background: string;
}

interface DrawnAxis {
  side?: number;
  scale?: string;
  label?: string;
  show?: boolean;
  grid?: { show?: boolean };
  _splits?: number[] | null;
  _values?: (string | null)[] | null;
}

const font = "12px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
const margin = 10;
const line = 18;

export function plotSvg(chart: uPlot, curves: Curve[], look: Look): { svg: string; width: number; height: number } {
  const ratio = window.devicePixelRatio || 1;
  const box = { left: chart.bbox.left / ratio, top: chart.bbox.top / ratio, width: chart.bbox.width / ratio, height: chart.bbox.height / ratio };
  const measure = new SvgInk(1, 1);
  measure.font = font;
  // the legend in as many lines as it needs
  const rows: { curve: Curve; x: number; row: number }[] = [];
  let [x, row] = [margin, 0];
  for (const curve of curves) {
    const wide = 24 + measure.measureText(words(curve)).width + 16;
    if (x > margin && x + wide > chart.width - margin) [x, row] = [margin, row + 1];
    rows.push({ curve, x, row });
    x += wide;
  }
  const head = margin + line + (row + 1) * line + 4;
  const [width, height] = [chart.width, chart.height + head];
  const ink = new SvgInk(width, height);
  ink.fillStyle = look.background;
  ink.fillRect(0, 0, width, height);
  ink.fillStyle = look.text;
  ink.textBaseline = "middle";
  ink.font = `600 13px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif`;
  ink.fillText(look.title, margin, margin + line / 2);
  ink.font = font;
  for (const { curve, x: left, row: at } of rows) {
    const y = margin + line + at * line + line / 2;
    stroke(ink, curve.colour, 2.5, [[left, y], [left + 16, y]]);
    ink.fillStyle = look.text;
    ink.fillText(words(curve), left + 22, y);
  }
  ink.translate(0, head);
  for (const axis of chart.axes as DrawnAxis[]) if (axis.show !== false) drawAxis(ink, chart, axis, box, look);
  ink.save();
  ink.beginPath();
  ink.rect(box.left, box.top, box.width, box.height);
  ink.clip();
  for (const curve of curves) stroke(ink, curve.colour, 1.75, curve.places.map((place) => place && [place[0] + box.left, place[1] + box.top]));
  ink.restore();
  return { svg: ink.finish(look.title), width, height };
}

const words = (curve: Curve): string => (curve.unit ? `${curve.name} [${curve.unit}]` : curve.name);

/** Of a stretch that is drawn as one straight line. */
const mostStraight = 300;

/** What bends less than a twentieth of a pixel is straight. */
function stroke(ink: SvgInk, colour: string, width: number, places: (number[] | null)[]): void {
  ink.beginPath();
  let last: number[] | null = null;
  let passed: number[][] = [];
  const draw = (): void => {
    const end = passed.at(-1);
    if (end) ink.lineTo(end[0] ?? 0, end[1] ?? 0);
    last = end ?? last;
    passed = [];
  };
  for (const place of places) {
    if (!place) {
      draw();
      last = null;
    } else if (!last) {
      ink.moveTo(place[0] ?? 0, place[1] ?? 0);
      last = place;
    } else {
      const from: number[] = last;
      if (passed.length > mostStraight || passed.some((one) => off(from, one, place) > 0.05)) draw();
      passed.push(place);
    }
  }
  draw();
  ink.strokeStyle = colour;
  ink.lineWidth = width;
  ink.lineJoin = "round";
  ink.stroke();
}

/** How far a place lies off the way from the one before to the one after. */
function off([x0 = 0, y0 = 0]: number[], [x1 = 0, y1 = 0]: number[], [x2 = 0, y2 = 0]: number[]): number {
  const long = Math.hypot(x2 - x0, y2 - y0);
  const along = ((x1 - x0) * (x2 - x0) + (y1 - y0) * (y2 - y0)) / (long || 1);
  if (long === 0 || along < 0 || along > long) return Infinity;
  return Math.abs((x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)) / long;
}

function drawAxis(ink: SvgInk, chart: uPlot, axis: DrawnAxis, box: { left: number; top: number; width: number; height: number }, look: Look): void {
  const below = axis.side === undefined || axis.side === 2;
  const right = axis.side === 1;
  const scale = axis.scale ?? "x";
  const edge = below ? box.top + box.height : right ? box.left + box.width : box.left;
  ink.textBaseline = "middle";
  ink.textAlign = below ? "center" : right ? "left" : "right";
  (axis._splits ?? []).forEach((value, k) => {
    const at = chart.valToPos(value, scale) + (below ? box.left : box.top);
    const [low, high] = below ? [box.left, box.left + box.width] : [box.top, box.top + box.height];
    if (!Number.isFinite(at) || at < low - 0.5 || at > high + 0.5) return;
    if (axis.grid?.show !== false) stroke(ink, look.grid, 1, below ? [[at, box.top], [at, edge]] : [[box.left, at], [box.left + box.width, at]]);
    const out = right || below ? 5 : -5;
    stroke(ink, look.line, 1, below ? [[at, edge], [at, edge + out]] : [[edge, at], [edge + out, at]]);
    ink.fillStyle = look.muted;
    const text = axis._values?.[k] ?? "";
    if (below) ink.fillText(text, at, edge + 16);
    else ink.fillText(text, edge + 2 * out, at);
  });
  if (!axis.label) return;
  ink.fillStyle = look.muted;
  ink.textAlign = "center";
  if (below) return ink.fillText(axis.label, box.left + box.width / 2, edge + 34);
  ink.save();
  ink.translate(right ? chart.width - 8 : 8, box.top + box.height / 2);
  ink.rotate(right ? Math.PI / 2 : -Math.PI / 2);
  ink.fillText(axis.label, 0, 0);
  ink.restore();
}
