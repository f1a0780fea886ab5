// How fine the picture is: where drawing cannot keep up with the motion it gets coarser, and fine again when the motion rests.

const slowest = 1000 / 32;
const parts = [1, 0.75, 0.55, 0.4];
/** Pictures that are looked at before the next step. */
const enough = 6;
/** Milliseconds without a new picture. */
const rest = 300;

export class Pace {
  /** Nothing has moved for a while. */
  resting = false;
  private step = 0;
  private last = 0;
  private times: number[] = [];
  private waiting = 0;

  constructor(private readonly changed: () => void) {}

  /** The part of the pixels along each side that are drawn while it moves. */
  get part(): number {
    return parts[this.step] ?? 1;
  }

  /** A picture is about to be drawn: what moves on is coarser than what rests. */
  drawn(): void {
    const now = performance.now();
    const passed = now - this.last;
    this.last = now;
    window.clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => {
      if (this.resting) return;
      this.resting = true;
      this.times = [];
      this.changed();
    }, rest);
    if (passed > rest) {
      this.times = [];
      return;
    }
    if (this.resting) {
      this.resting = false;
      this.later();
    }
    this.times.push(passed);
    if (this.times.length < enough) return;
    const usual = [...this.times].sort((a, b) => a - b)[enough >> 1] ?? 0;
    this.times = [];
    if (usual <= slowest || this.step + 1 >= parts.length) return;
    this.step += 1;
    this.later();
  }

  stop(): void {
    window.clearTimeout(this.waiting);
  }

  /** Not within the picture that is being drawn. */
  private later(): void {
    window.setTimeout(this.changed, 0);
  }
}
