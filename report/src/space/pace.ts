// How fine the picture is: where drawing cannot keep up with the motion it gets coarser, and fine again when the motion rests.

const slowest = 1000 / 32;
const parts = [1, 0.75, 0.55, 0.4];
/** Pictures that are looked at before the next step, in milliseconds and in number. */
const enough = 8;
const rest = 350;

export class Pace {
  private step = 0;
  private last = 0;
  private times: number[] = [];
  private waiting = 0;

  constructor(private readonly changed: () => void) {}

  /** The part of the pixels along each side that are drawn. */
  get part(): number {
    return parts[this.step] ?? 1;
  }

  /** A picture is about to be drawn. */
  drawn(): void {
    const now = performance.now();
    const passed = now - this.last;
    this.last = now;
    window.clearTimeout(this.waiting);
    if (this.step > 0) this.waiting = window.setTimeout(() => { this.go(0); }, rest);
    if (passed > rest) this.times = [];
    else this.times.push(passed);
    if (this.times.length < enough) return;
    const usual = [...this.times].sort((a, b) => a - b)[enough >> 1] ?? 0;
    this.times = [];
    if (usual > slowest && this.step + 1 < parts.length) this.go(this.step + 1);
  }

  stop(): void {
    window.clearTimeout(this.waiting);
  }

  private go(step: number): void {
    this.step = step;
    this.times = [];
    this.last = 0;
    // Not within the picture that is being drawn.
    window.setTimeout(this.changed, 0);
  }
}
