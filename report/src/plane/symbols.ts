// The symbols of machine parts on a canvas: struts, rotary parts, motors, racks. The same shapes as those of `jounce draw` (draw_machine_symbols.cpp):
// everything is measured by the radius of a pin, which is a width of a link by 3.6.

import type { Pen } from "./pen";
import type { Spot } from "./pose";

/** What a strut or a torsion spring consists of, and how short and long it becomes on the screen. */
export interface Strut {
  elastic: boolean;
  damped: boolean;
  friction: boolean;
  actuated: boolean;
  least: number;
  most: number;
}

type Line = (a: Spot, b: Spot, parts: Strut) => void;

function offset(from: Spot, d: Spot, along: number, beside: number): Spot {
  return { x: from.x + along * d.x - beside * d.y, y: from.y + along * d.y + beside * d.x };
}

function direction(a: Spot, b: Spot): Spot {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  return length > 1e-9 ? { x: (b.x - a.x) / length, y: (b.y - a.y) / length } : { x: 1, y: 0 };
}

function onCircle(at: Spot, radius: number, angle: number): Spot {
  return { x: at.x + radius * Math.cos(angle), y: at.y + radius * Math.sin(angle) };
}

function within(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

export class Symbols {
  constructor(private readonly pen: Pen) {}

  /** The radius of a pin. */
  private get pin(): number {
    return this.pen.unit / 3.6;
  }

  private get width(): number {
    return Math.max(1.5, this.pen.unit * 0.1);
  }

  private trace(points: Spot[], closed = false): void {
    const c = this.pen.context;
    points.forEach((p, k) => (k === 0 ? c.moveTo(p.x, p.y) : c.lineTo(p.x, p.y)));
    if (closed) c.closePath();
  }

  private stroke(colour: string, width = this.width): void {
    const c = this.pen.context;
    c.lineJoin = "round";
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.stroke();
  }

  private lines(colour: string, ...lines: Spot[][]): void {
    this.pen.context.beginPath();
    for (const line of lines) this.trace(line);
    this.stroke(colour);
  }

  private area(fill: string, edge: string, points: Spot[]): void {
    const c = this.pen.context;
    c.beginPath();
    this.trace(points, true);
    c.fillStyle = fill;
    c.fill();
    this.stroke(edge, 1.5);
  }

  // ---- along a line

  private readonly spring: Line = (a, b, { most }) => {
    const d = direction(a, b);
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const end = Math.min(2.5 * this.pin, 0.15 * length);
    const wide = 1.7 * this.pin;
    const turns = 2 * within(Math.floor((most || length) / (3.2 * this.pin)), 4, 24);
    const points = [a, offset(a, d, end, 0)];
    for (let k = 0; k < turns; k += 1) points.push(offset(a, d, end + ((length - 2 * end) * (k + 0.5)) / turns, k % 2 === 0 ? wide : -wide));
    points.push(offset(b, d, -end, 0), b);
    this.lines(this.pen.colours.spring, points);
  };

  /** A cup of fixed length and a piston on a rod of fixed length, as far as the stroke allows. */
  private readonly damper: Line = (a, b, parts) => {
    const d = direction(a, b);
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const least = parts.least > 0 ? Math.min(parts.least, length) : length;
    const [from, until, half] = [0.16 * least, 0.74 * least, 1.5 * this.pin];
    const piston = within(length - (least - from - 0.12 * (until - from)), from + 0.1 * (until - from), until - 0.08 * (until - from));
    this.lines(this.pen.colours.spring, [a, offset(a, d, from, 0)],
      [offset(a, d, until, half), offset(a, d, from, half), offset(a, d, from, -half), offset(a, d, until, -half)],
      [b, offset(a, d, piston, 0)], [offset(a, d, piston, 0.85 * half), offset(a, d, piston, -0.85 * half)]);
  };

  /** A barrel as long as the shortest length allows, and a rod. */
  readonly cylinder = (a: Spot, b: Spot, parts: { least: number }): void => {
    const { pin, pen } = this;
    const d = direction(a, b);
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const until = parts.least > 0 ? Math.min(0.85 * parts.least, 0.95 * length) : 0.6 * length;
    const rod = parts.least > 0 ? parts.least - 0.12 * until : 0.58 * length;
    const piston = within(length - rod, 0.06 * until, 0.92 * until);
    const box = (from: number, to: number, half: number): Spot[] => [offset(a, d, from, half), offset(a, d, to, half), offset(a, d, to, -half), offset(a, d, from, -half)];
    this.area(pen.colours.pin, pen.colours.ink, box(piston, length, 0.5 * pin));
    const c = pen.context;
    c.globalAlpha = 0.6;
    this.area(pen.colours.grid, pen.colours.grid, box(0, until, 1.35 * pin));
    c.globalAlpha = 1;
    const [near, far, back, front] = box(0, until, 1.35 * pin);
    if (near && far && back && front) this.lines(pen.colours.ink, [near, far, back, front, near], [offset(a, d, piston, 1.35 * pin), offset(a, d, piston, -1.35 * pin)]);
  };

  /** A rod that two pads hold. */
  private readonly clamp: Line = (a, b) => {
    const d = direction(a, b);
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const half = Math.min(2.2 * this.pin, 0.3 * length);
    const { ink } = this.pen.colours;
    this.lines(ink, [a, b]);
    for (const side of [-1, 1]) {
      const [low, high] = [0.4 * side * this.pin, 1.5 * side * this.pin];
      this.area(ink, ink, [offset(a, d, length / 2 - half, low), offset(a, d, length / 2 + half, low), offset(a, d, length / 2 + half, high), offset(a, d, length / 2 - half, high)]);
    }
  };

  /** What it has, side by side; a dashpot where it has nothing. */
  strut(a: Spot, b: Spot, parts: Strut): void {
    const drawn: Line[] = [];
    if (parts.elastic) drawn.push(this.spring);
    if (parts.actuated) drawn.push(this.cylinder);
    if (parts.damped || !(parts.elastic || parts.friction || parts.actuated)) drawn.push(this.damper);
    if (parts.friction) drawn.push(this.clamp);
    if (drawn.length === 1) {
      drawn[0]?.(a, b, parts);
      return;
    }
    const d = direction(a, b);
    const lead = Math.min(2.2 * this.pin, 0.12 * Math.hypot(b.x - a.x, b.y - a.y));
    const apart = 4.2 * this.pin;
    const half = (apart * (drawn.length - 1)) / 2;
    const [p, q] = [offset(a, d, lead, 0), offset(b, d, -lead, 0)];
    const inner = { ...parts, least: Math.max(parts.least - 2 * lead, 0), most: parts.most - 2 * lead };
    this.lines(this.pen.colours.spring, [a, p], [offset(p, d, 0, -half), offset(p, d, 0, half)], [b, q], [offset(q, d, 0, -half), offset(q, d, 0, half)]);
    drawn.forEach((draw, k) => draw(offset(p, d, 0, apart * k - half), offset(q, d, 0, apart * k - half), inner));
  }

  /** Rough faces: where a block rubs on its guide. */
  rubbing(at: Spot, d: Spot, side: number): void {
    const points: Spot[] = [];
    for (let k = -6; k <= 6; k += 1) points.push(offset(at, d, 0.75 * k * this.pin, side * (k % 2 === 0 ? -0.55 : 0.1) * this.pin));
    this.lines(this.pen.colours.ink, points);
  }

  // ---- about a pin

  bushing(at: Spot): void {
    const { pin, pen } = this;
    const [inner, outer] = [1.3 * pin, 3.4 * pin];
    pen.circle(at.x, at.y, outer, pen.colours.background, pen.colours.ink);
    const wave: Spot[] = [];
    for (let k = 0; k <= 144; k += 1) {
      const angle = (2 * Math.PI * k) / 144;
      wave.push(onCircle(at, (inner + outer) / 2 + 0.3 * (outer - inner) * Math.sin(9 * angle), angle));
    }
    this.lines(pen.colours.spring, wave);
    pen.circle(at.x, at.y, inner, pen.colours.background, pen.colours.ink);
    pen.pin(at.x, at.y);
  }

  /** What it has about a pin, one around the other; `from` is the angle on the screen of the body that it is fixed to. */
  rotary(at: Spot, from: number, turn: number, parts: Omit<Strut, "least" | "most">, around: number): void {
    const { pin } = this;
    let inner = Math.max(1.5, around) * pin;
    if (parts.elastic) {
      this.spiral(at, from, turn, inner, inner + 3.2 * pin);
      inner += 3.8 * pin;
    }
    if (parts.damped) {
      inner = Math.max(inner, 2.6 * pin);
      this.rotaryDamper(at, from, inner, inner + 2 * pin);
      inner += 2.6 * pin;
    }
    if (parts.friction) {
      inner = Math.max(inner, 2.8 * pin);
      this.brake(at, from, inner);
      inner += 2.2 * pin;
    }
    if (parts.actuated) this.torque(at, Math.max(inner, 4 * pin));
  }

  /** Its windings follow the angle and stay between one and a half and three and a half. */
  private spiral(at: Spot, from: number, turn: number, inner: number, outer: number): void {
    const windings = 2.5 + Math.tanh(turn / (4 * Math.PI));
    const points: Spot[] = [];
    for (let k = 0; k <= 90; k += 1) points.push(onCircle(at, outer + ((inner - outer) * k) / 90, from - (2 * Math.PI * windings * k) / 90));
    this.lines(this.pen.colours.spring, points);
  }

  /** A cup around the pin, open at one end, and a vane in it. */
  private rotaryDamper(at: Spot, from: number, inner: number, outer: number): void {
    const c = this.pen.context;
    const turn = Math.PI;
    const [shut, open, vane, end] = [from - 1.15 * turn, from - 0.45 * turn, from - 0.8 * turn, from - 0.05 * turn];
    c.beginPath();
    c.arc(at.x, at.y, outer, open, shut, true);
    c.arc(at.x, at.y, inner, shut, open);
    this.stroke(this.pen.colours.spring);
    const thick = outer - inner;
    c.beginPath();
    this.trace([onCircle(at, inner + 0.2 * thick, vane), onCircle(at, outer - 0.2 * thick, vane)]);
    const middle = onCircle(at, (inner + outer) / 2, vane);
    c.moveTo(middle.x, middle.y);
    c.arc(at.x, at.y, (inner + outer) / 2, vane, end);
    const stem = onCircle(at, this.pin, end);
    c.lineTo(stem.x, stem.y);
    this.stroke(this.pen.colours.spring);
  }

  /** Two shoes on a drum. */
  brake(at: Spot, from: number, radius: number): void {
    const { pen } = this;
    const c = pen.context;
    pen.circle(at.x, at.y, radius, null, pen.colours.ink, 1);
    for (const middle of [from + 0.25 * Math.PI, from + 1.25 * Math.PI]) {
      c.beginPath();
      c.arc(at.x, at.y, radius, middle - 0.7, middle + 0.7);
      c.arc(at.x, at.y, radius + 1.15 * this.pin, middle + 0.7, middle - 0.7, true);
      c.closePath();
      c.fillStyle = pen.colours.ink;
      c.fill();
    }
  }

  /** Two arrows that chase each other: a torque of any sign. */
  private torque(at: Spot, radius: number): void {
    const { pen } = this;
    const c = pen.context;
    for (const from of [0.1 * Math.PI, 1.1 * Math.PI]) {
      const until = from + 0.62 * Math.PI;
      c.beginPath();
      c.arc(at.x, at.y, radius, from, until);
      this.stroke(pen.colours.force, Math.max(1.75, pen.unit * 0.13));
      const tip = onCircle(at, radius, until);
      pen.head(tip.x, tip.y, -Math.sin(until), Math.cos(until), pen.unit * 0.5, pen.colours.force);
    }
  }

  motor(at: Spot, radius: number): void {
    const { pen } = this;
    pen.turn(at.x, at.y, radius, pen.colours.motor);
    const disc = 1.9 * Math.max(this.pin, 3.2);
    const badge = onCircle(at, radius, -0.25 * Math.PI);
    pen.circle(badge.x, badge.y, disc, pen.colours.background, pen.colours.motor, 1.75);
    const c = pen.context;
    c.font = `600 ${(1.5 * disc).toFixed(1)}px system-ui, sans-serif`;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillStyle = pen.colours.motor;
    c.fillText("M", badge.x, badge.y + 0.06 * disc);
  }
}
