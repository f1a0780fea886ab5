// What drawings are drawn with: the part of a canvas that they use, and the same as SVG, so that what is taken along is what is shown.

/** Whatever a drawing asks of its canvas stands here: what does not, the SVG does not know, and the compiler says so. */
export type Ink = Pick<CanvasRenderingContext2D,
  "beginPath" | "moveTo" | "lineTo" | "arc" | "ellipse" | "rect" | "quadraticCurveTo" | "bezierCurveTo" | "closePath" | "fill" | "stroke" | "clip" |
  "fillRect" | "clearRect" | "fillText" | "strokeText" | "measureText" | "save" | "restore" | "setTransform" | "transform" | "translate" | "rotate" | "scale" |
  "setLineDash" | "lineDashOffset" | "fillStyle" | "strokeStyle" | "lineWidth" | "lineCap" | "lineJoin" | "miterLimit" | "globalAlpha" | "font" | "textAlign" |
  "textBaseline">;

type Matrix = [number, number, number, number, number, number];
type Style = Pick<Ink, "lineDashOffset" | "fillStyle" | "strokeStyle" | "lineWidth" | "lineCap" | "lineJoin" | "miterLimit" | "globalAlpha" | "font" | "textAlign" | "textBaseline">;

const fresh = (): Style & { dash: number[]; matrix: Matrix; clip: string } => ({
  lineDashOffset: 0, fillStyle: "#000000", strokeStyle: "#000000", lineWidth: 1, lineCap: "butt", lineJoin: "miter", miterLimit: 10, globalAlpha: 1,
  font: "10px sans-serif", textAlign: "start", textBaseline: "alphabetic", dash: [], matrix: [1, 0, 0, 1, 0, 0], clip: "",
});

/** Hundredths of a pixel, in as few characters as possible. */
const short = (value: number): string => String(Number.isFinite(value) ? Math.round(value * 100) / 100 + 0 : 0);
const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? c);

const known = new Map<string, { paint: string; opacity: number }>();
let reader: CanvasRenderingContext2D | null = null;

/** A colour as every program understands it: those of style sheets have more ways to write one than SVG. */
function plain(colour: string | CanvasGradient | CanvasPattern): { paint: string; opacity: number } {
  if (typeof colour !== "string") return { paint: "#808080", opacity: 1 };
  const found = known.get(colour);
  if (found) return found;
  reader ??= document.createElement("canvas").getContext("2d");
  if (!reader) return { paint: colour, opacity: 1 };
  reader.fillStyle = "#000000";
  reader.fillStyle = colour;
  const read = reader.fillStyle;
  const parts = /^rgba\((\d+), (\d+), (\d+), ([\d.]+)\)$/.exec(read);
  const made = parts ? { paint: `rgb(${parts[1]},${parts[2]},${parts[3]})`, opacity: Number(parts[4]) } : { paint: read, opacity: 1 };
  known.set(colour, made);
  return made;
}

/** A path in its own coordinates; what a canvas takes as a Path2D. */
class SvgPath {
  data = "";
  private at: [number, number] | null = null;

  constructor(private readonly matrix: () => Matrix) {}

  private place(x: number, y: number): string {
    const [a, b, c, d, e, f] = this.matrix();
    this.at = [x, y];
    return `${short(a * x + c * y + e)} ${short(b * x + d * y + f)}`;
  }

  moveTo(x: number, y: number): void {
    this.data += `M${this.place(x, y)}`;
  }

  lineTo(x: number, y: number): void {
    this.data += `${this.at ? "L" : "M"}${this.place(x, y)}`;
  }

  quadraticCurveTo(x1: number, y1: number, x: number, y: number): void {
    this.data += `Q${this.place(x1, y1)} ${this.place(x, y)}`;
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.data += `C${this.place(x1, y1)} ${this.place(x2, y2)} ${this.place(x, y)}`;
  }

  ellipse(x: number, y: number, rx: number, ry: number, rotation: number, from: number, to: number, backwards = false): void {
    const [a, b, c, d] = this.matrix();
    const size = Math.hypot(a, b);
    const mirrored = a * d - b * c < 0;
    const turn = Math.atan2(b, a) + rotation;
    const full = 2 * Math.PI;
    let sweep = backwards ? from - to : to - from;
    if (sweep >= full) sweep = full;
    else sweep = ((sweep % full) + full) % full;
    const sign = backwards ? -1 : 1;
    const spot = (angle: number): [number, number] => {
      const [u, v] = [rx * Math.cos(angle), ry * Math.sin(angle)];
      return [x + u * Math.cos(rotation) - v * Math.sin(rotation), y + u * Math.sin(rotation) + v * Math.cos(rotation)];
    };
    this.lineTo(...spot(from));
    // an arc of SVG is less than a turn
    const pieces = Math.max(1, Math.ceil(sweep / 3));
    for (let k = 1; k <= pieces && sweep > 0; k += 1)
      this.data += `A${short(rx * size)} ${short(ry * size)} ${short((turn * 180) / Math.PI)} 0 ${(sign > 0) !== mirrored ? 1 : 0} ${this.place(...spot(from + (sign * sweep * k) / pieces))}`;
  }

  arc(x: number, y: number, radius: number, from: number, to: number, backwards = false): void {
    this.ellipse(x, y, radius, radius, 0, from, to, backwards);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
    this.closePath();
  }

  closePath(): void {
    this.data += "Z";
  }
}

export class SvgInk implements Ink {
  fillStyle: Style["fillStyle"] = "";
  strokeStyle: Style["strokeStyle"] = "";
  lineWidth = 1;
  lineCap: CanvasLineCap = "butt";
  lineJoin: CanvasLineJoin = "miter";
  miterLimit = 10;
  lineDashOffset = 0;
  globalAlpha = 1;
  font = "";
  textAlign: CanvasTextAlign = "start";
  textBaseline: CanvasTextBaseline = "alphabetic";
  private dash: number[] = [];
  private matrix: Matrix = [1, 0, 0, 1, 0, 0];
  private clipped = "";
  private clips = 0;
  private readonly stack: ReturnType<typeof fresh>[] = [];
  private current: SvgPath;
  private out = "";

  constructor(readonly width: number, readonly height: number) {
    this.current = this.path();
    this.restoreFrom(fresh());
  }

  /** What a canvas takes as a Path2D. */
  newPath(): Path2D {
    return this.path() as unknown as Path2D;
  }

  private path(): SvgPath {
    return new SvgPath(() => this.matrix);
  }

  /** The whole file; `over`: what lies on top. */
  finish(title: string, over?: SvgInk): string {
    const [w, h] = [short(this.width), short(this.height)];
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img">\n<title>${escaped(title)}</title>\n${this.out}${over?.out ?? ""}</svg>\n`;
  }

  save(): void {
    const { lineDashOffset, fillStyle, strokeStyle, lineWidth, lineCap, lineJoin, miterLimit, globalAlpha, font, textAlign, textBaseline, dash, matrix, clipped } = this;
    this.stack.push({ lineDashOffset, fillStyle, strokeStyle, lineWidth, lineCap, lineJoin, miterLimit, globalAlpha, font, textAlign, textBaseline, dash, matrix, clip: clipped });
  }

  restore(): void {
    const before = this.stack.pop();
    if (before) this.restoreFrom(before);
  }

  private restoreFrom({ dash, matrix, clip, ...style }: ReturnType<typeof fresh>): void {
    Object.assign(this, style);
    this.dash = dash;
    this.matrix = matrix;
    this.clipped = clip;
  }

  setTransform(a?: number | DOMMatrix2DInit, b = 0, c = 0, d = 1, e = 0, f = 0): void {
    this.matrix = typeof a === "number" ? [a, b, c, d, e, f] : [a?.a ?? 1, a?.b ?? 0, a?.c ?? 0, a?.d ?? 1, a?.e ?? 0, a?.f ?? 0];
  }

  transform(a: number, b: number, c: number, d: number, e: number, f: number): void {
    const [A, B, C, D, E, F] = this.matrix;
    this.matrix = [A * a + C * b, B * a + D * b, A * c + C * d, B * c + D * d, A * e + C * f + E, B * e + D * f + F];
  }

  translate(x: number, y: number): void {
    this.transform(1, 0, 0, 1, x, y);
  }

  rotate(angle: number): void {
    this.transform(Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0);
  }

  scale(x: number, y: number): void {
    this.transform(x, 0, 0, y, 0, 0);
  }

  setLineDash(dash: Iterable<number>): void {
    this.dash = [...dash];
  }

  beginPath(): void {
    this.current = this.path();
  }

  moveTo(x: number, y: number): void {
    this.current.moveTo(x, y);
  }

  lineTo(x: number, y: number): void {
    this.current.lineTo(x, y);
  }

  arc(x: number, y: number, radius: number, from: number, to: number, backwards?: boolean): void {
    this.current.arc(x, y, radius, from, to, backwards);
  }

  ellipse(x: number, y: number, rx: number, ry: number, rotation: number, from: number, to: number, backwards?: boolean): void {
    this.current.ellipse(x, y, rx, ry, rotation, from, to, backwards);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.current.rect(x, y, width, height);
  }

  quadraticCurveTo(x1: number, y1: number, x: number, y: number): void {
    this.current.quadraticCurveTo(x1, y1, x, y);
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.current.bezierCurveTo(x1, y1, x2, y2, x, y);
  }

  closePath(): void {
    this.current.closePath();
  }

  private dataOf(path: Path2D | CanvasFillRule | undefined): string {
    return typeof path === "object" ? (path as unknown as SvgPath).data : this.current.data;
  }

  fill(path?: Path2D | CanvasFillRule, rule?: CanvasFillRule): void {
    const evenodd = path === "evenodd" || rule === "evenodd" ? ' fill-rule="evenodd"' : "";
    this.write("path", ` d="${this.dataOf(path)}"${this.painted("fill", this.fillStyle)}${evenodd}`, this.dataOf(path) !== "");
  }

  stroke(path?: Path2D): void {
    this.write("path", ` d="${this.dataOf(path)}" fill="none"${this.stroked()}`, this.dataOf(path) !== "");
  }

  clip(path?: Path2D | CanvasFillRule): void {
    this.clips += 1;
    this.out += `<clipPath id="clip${this.clips}"><path d="${this.dataOf(path)}"${this.clipped}/></clipPath>\n`;
    this.clipped = ` clip-path="url(#clip${this.clips})"`;
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const path = this.path();
    path.rect(x, y, width, height);
    this.fill(path as unknown as Path2D);
  }

  /** Nothing lies under a drawing that begins. */
  clearRect(): void {
    this.out = "";
  }

  fillText(words: string, x: number, y: number): void {
    this.text(words, x, y, this.painted("fill", this.fillStyle));
  }

  strokeText(words: string, x: number, y: number): void {
    this.text(words, x, y, ` fill="none"${this.stroked()}`);
  }

  measureText(words: string): TextMetrics {
    reader ??= document.createElement("canvas").getContext("2d");
    if (!reader) throw new Error("this browser gives no 2-D canvas to measure with");
    reader.font = this.font;
    return reader.measureText(words);
  }

  private text(words: string, x: number, y: number, paint: string): void {
    const font = /^(italic )?(?:(bold|\d+) )?([\d.]+)px (.+)$/.exec(this.font);
    const anchor = this.textAlign === "center" ? "middle" : this.textAlign === "right" || this.textAlign === "end" ? "end" : "start";
    const below = this.textBaseline === "middle" ? 0.35 : this.textBaseline === "top" ? 0.8 : 0;
    const size = Number(font?.[3] ?? 10);
    const [a, b, c, d, e, f] = this.matrix.map(short);
    const moved = `${a} ${b} ${c} ${d} ${e} ${f}` === "1 0 0 1 0 0" ? "" : ` transform="matrix(${a} ${b} ${c} ${d} ${e} ${f})"`;
    this.out += `<text x="${short(x)}" y="${short(y + below * size)}" font-size="${short(size)}" font-family="${escaped((font?.[4] ?? "sans-serif").replaceAll('"', "'"))}"`
      + `${font?.[1] ? ' font-style="italic"' : ""}${font?.[2] ? ` font-weight="${font[2]}"` : ""} text-anchor="${anchor}"${paint}${moved}${this.clipped}>${escaped(words)}</text>\n`;
  }

  private stroked(): string {
    const size = Math.sqrt(Math.abs(this.matrix[0] * this.matrix[3] - this.matrix[1] * this.matrix[2]));
    const dash = this.dash.length > 0 ? ` stroke-dasharray="${this.dash.map((part) => short(part * size)).join(" ")}"` : "";
    const shift = dash && this.lineDashOffset !== 0 ? ` stroke-dashoffset="${short(this.lineDashOffset * size)}"` : "";
    return `${this.painted("stroke", this.strokeStyle)} stroke-width="${short(this.lineWidth * size)}"${this.lineCap === "butt" ? "" : ` stroke-linecap="${this.lineCap}"`}`
      + `${this.lineJoin === "miter" ? "" : ` stroke-linejoin="${this.lineJoin}"`}${dash}${shift}`;
  }

  private painted(what: "fill" | "stroke", style: Style["fillStyle"]): string {
    const { paint, opacity } = plain(style);
    const seen = opacity * this.globalAlpha;
    return ` ${what}="${paint}"${seen < 1 ? ` ${what}-opacity="${Number(seen.toFixed(3))}"` : ""}`;
  }

  private write(tag: string, attributes: string, visible: boolean): void {
    if (visible) this.out += `<${tag}${attributes}${this.clipped}/>\n`;
  }
}
