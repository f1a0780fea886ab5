// Faint lines at round distances, and a bar that says which.

import { shortNumber } from "../format";
import type { Report } from "../report";
import type { Camera } from "./camera";
import type { Pen } from "./pen";

export function drawGrid(pen: Pen, camera: Camera, report: Report): void {
  const step = report.roundBelow(110 / camera.scale, "m");
  const { width, height } = camera;
  const left = Math.ceil(camera.worldX(0) / step);
  const low = Math.ceil(camera.worldY(height) / step);
  // Counted: far from the origin a number may be too large to grow by one.
  for (let k = 0; k < Math.max(width, height) / 20; k += 1) {
    const x = Math.round(camera.sx((left + k) * step)) + 0.5;
    const y = Math.round(camera.sy((low + k) * step)) + 0.5;
    if (x < width) pen.line(x, 0, x, height, pen.colours.grid, 1);
    if (y > 0) pen.line(0, y, width, y, pen.colours.grid, 1);
  }
  const bar = step * camera.scale;
  const x = width - 16 - bar;
  const y = height - 16;
  pen.line(x, y, x + bar, y, pen.colours.faint, 1.5);
  pen.line(x, y - 4, x, y + 4, pen.colours.faint, 1.5);
  pen.line(x + bar, y - 4, x + bar, y + 4, pen.colours.faint, 1.5);
  const words = report.unitOf("m") === "m" && step < 0.01 ? `${shortNumber(step * 1000)} mm` : report.told(step, "m", shortNumber);
  pen.text(words, x + bar / 2, y - 10, pen.colours.faint, "11px system-ui, sans-serif");
}
