// Where names stand in the drawing: never over each other, and calm while the mechanism moves.

export interface Spot {
  x: number;
  y: number;
}

/** A name that wants a place; the first ones in a list choose first. */
export interface Label {
  /** The same from picture to picture. */
  key: string;
  text: string;
  font: string;
  colour: string;
  spot: Spot;
  /** Pixels to the nearest other anchor that the name needs to be shown at all. */
  room: number;
  /** What it belongs to stands up in the picture: its name goes beside it rather than above. */
  steep?: boolean;
  /** Pixels that it keeps from its spot besides. */
  gap?: number;
}

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

interface Memory {
  seat: number;
  shown: boolean;
}

/** Where a name may stand beside its place: above, right, left, below, and the corners. */
const seats: readonly (readonly [number, number])[] = [[0, -1.1], [1, 0], [-1, 0], [0, 1.1], [1, -1.1], [-1, -1.1], [1, 1.1], [-1, 1.1]];
/** The order in which they are tried by the name of what stands up. */
const steepOrder = [1, 2, 4, 5, 6, 7, 0, 3];
const gap = 9;
const high = 15;
const mostCharacters = 28;
/** A hidden name comes back, and a name changes its seat, only where there is this much more room than it needs. */
const reluctance = 7;

function overlap(a: Box, b: Box, margin: number): boolean {
  return Math.abs(a.x - b.x) < (a.w + b.w) / 2 + margin && Math.abs(a.y - b.y) < (a.h + b.h) / 2 + margin;
}

export class LabelLayout {
  private readonly memories = new Map<string, Memory>();
  private readonly widths = new Map<string, number>();

  /** Calls `draw` for each name that finds a place; `taken` are boxes that must stay free. */
  place(pen: CanvasRenderingContext2D, groups: readonly (readonly Label[])[], taken: Box[], width: number, height: number,
        draw: (label: Label, text: string, at: Spot) => void): void {
    const anchors = groups.flat().map((label) => label.spot);
    for (const group of groups) {
      // Those that are shown choose first: a name that comes back never drives another one away.
      const shown = (label: Label): number => (this.memories.get(label.key)?.shown ? 0 : 1);
      for (const label of [...group].sort((a, b) => shown(a) - shown(b))) this.seat(pen, label, anchors, taken, width, height, draw);
    }
  }

  private seat(pen: CanvasRenderingContext2D, label: Label, anchors: Spot[], taken: Box[], width: number, height: number,
               draw: (label: Label, text: string, at: Spot) => void): void {
    const memory = this.memories.get(label.key) ?? { seat: 0, shown: false };
    this.memories.set(label.key, memory);
    const had = memory.shown;
    memory.shown = false;
    if (label.room > 0 && nearest(label.spot, anchors) < label.room * (had ? 0.75 : 1)) return;
    const text = label.text.length > mostCharacters ? `${label.text.slice(0, mostCharacters - 1)}…` : label.text;
    const w = this.measure(pen, text, label.font);
    for (let turn = 0; turn < seats.length; turn += 1) {
      const place = turn === 0 ? memory.seat : turn <= memory.seat ? turn - 1 : turn;
      const choice = label.steep ? steepOrder[place] ?? place : place;
      const [right = 0, down = 0] = seats[choice] ?? [];
      const off = gap + (label.gap ?? 0);
      const box = { x: label.spot.x + right * (w / 2 + off), y: label.spot.y + down * (high / 2 + off - 2), w: w + 4, h: high };
      if (box.x - w / 2 < 2 || box.x + w / 2 > width - 2 || box.y - high / 2 < 2 || box.y + high / 2 > height - 2) continue;
      const margin = had && turn === 0 ? 0 : reluctance;
      if (taken.some((other) => overlap(box, other, margin))) continue;
      taken.push(box);
      memory.seat = place;
      memory.shown = true;
      draw(label, text, box);
      return;
    }
  }

  private measure(pen: CanvasRenderingContext2D, text: string, font: string): number {
    const key = `${font} ${text}`;
    let width = this.widths.get(key);
    if (width === undefined) {
      pen.font = font;
      width = pen.measureText(text).width;
      if (this.widths.size > 2000) this.widths.clear();
      this.widths.set(key, width);
    }
    return width;
  }
}

function nearest(spot: Spot, anchors: readonly Spot[]): number {
  let best = Infinity;
  for (const other of anchors) if (other !== spot) best = Math.min(best, Math.hypot(other.x - spot.x, other.y - spot.y));
  return best;
}
