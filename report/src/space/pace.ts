// How fine the picture is: where drawing cannot keep up with the motion it gets coarser, and fine again when the motion rests, or when it has been
// easy for a while: another program may have been busy.

const slowest = 1000 / 32;
const easy = 1000 / 48;
const parts = [1, 0.75, 0.55, 0.4];
/** Pictures that are looked at before the next step. */
const enough = 6;
/** So often in turn pictures have to be easy before they get finer; twice as often each time that it was too early. */
const firstPatience = 5;
const mostPatience = 80;
/** Milliseconds without a new picture. */
const rest = 300;

export class Pace {
  /** Nothing has moved for a while. */
  resting = false;
  private step = 0;
  private last = 0;
  private times: number[] = [];
  private waiting = 0;
  private easily = 0;
  private patience = firstPatience;

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
    this.judge(usual);
  }

  private judge(usual: number): void {
    this.easily = usual < easy ? this.easily + 1 : 0;
    const before = this.step;
    if (usual > slowest) {
      this.step = Math.min(this.step + 1, parts.length - 1);
    } else if (this.step > 0 && this.easily >= this.patience) {
      this.step -= 1;
      this.easily = 0;
      this.patience = Math.min(mostPatience, 2 * this.patience);
    }
    if (this.step !== before) this.later();
  }

  stop(): void {
    window.clearTimeout(this.waiting);
  }

  /** Not within the picture that is being drawn. */
  private later(): void {
    window.setTimeout(this.changed, 0);
  }
}
