// The time cursor: one for the drawing, the slider and all plots, moved by hand or by the clock.

/** The samples that a clock runs through: those of a run, or the instants of a swing. */
export interface Timeline {
  /** Rising. */
  readonly time: Float64Array;
  /** The sample of a time, with a fraction between two. */
  sampleAt(t: number): number;
}

export const playPath = "M4 2.5v11l9.5-5.5z";
export const pausePath = "M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z";

/** What shows the time of a player, or moves it. */
export interface Cursor {
  readonly time: number;
  /** The sample at the cursor, with a fraction between two. */
  readonly sample: number;
  pause(): void;
  setSample(sample: number): void;
  onMove(listener: Moved): void;
}

export type Moved = (sample: number, playing: boolean) => void;

const keptFrames = 120;

export class Player implements Cursor {
  speed = 1;
  loop = true;
  private now: number;
  private running = false;
  private waiting = 0;
  private lastFrame = 0;
  private readonly listeners: Moved[] = [];
  private readonly stateListeners: (() => void)[] = [];
  private readonly frames: number[] = [];

  constructor(private readonly report: Timeline) {
    this.now = report.time[0] ?? 0;
  }

  get start(): number {
    return this.report.time[0] ?? 0;
  }

  get end(): number {
    return this.report.time[this.report.time.length - 1] ?? 0;
  }

  get time(): number {
    return this.now;
  }

  get playing(): boolean {
    return this.running;
  }

  /** The sample at the cursor, with a fraction between two. */
  get sample(): number {
    return this.report.sampleAt(this.now);
  }

  onMove(listener: Moved): void {
    this.listeners.push(listener);
  }

  /** Speed, loop or play changed. */
  onState(listener: () => void): void {
    this.stateListeners.push(listener);
  }

  setTime(t: number): void {
    this.now = Math.min(this.end, Math.max(this.start, Number.isFinite(t) ? t : this.start));
    this.tell();
  }

  setSample(sample: number): void {
    const last = this.report.time.length - 1;
    this.setTime(this.report.time[Math.min(last, Math.max(0, Math.round(sample)))] ?? 0);
  }

  /** Moves by whole samples. */
  step(count: number): void {
    this.pause();
    this.setSample(count > 0 ? Math.floor(this.sample + 1e-9) + count : Math.ceil(this.sample - 1e-9) + count);
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.changed();
  }

  setLoop(loop: boolean): void {
    this.loop = loop;
    this.changed();
  }

  play(): void {
    if (this.running || this.end <= this.start) return;
    if (this.now >= this.end) this.now = this.start;
    this.running = true;
    this.lastFrame = 0;
    this.frames.length = 0;
    this.waiting = requestAnimationFrame(this.frame);
    this.changed();
  }

  /** Stops on a sample, so that the numbers shown are those of the run. */
  pause(): void {
    if (!this.running) return;
    this.running = false;
    cancelAnimationFrame(this.waiting);
    this.setSample(this.sample);
    this.changed();
  }

  toggle(): void {
    if (this.running) this.pause();
    else this.play();
  }

  /** Milliseconds from frame to frame of the last frames played. */
  frameTimes(): number[] {
    return [...this.frames];
  }

  private readonly frame = (clock: number): void => {
    if (!this.running) return;
    if (this.lastFrame > 0) {
      const passed = clock - this.lastFrame;
      this.frames.push(passed);
      if (this.frames.length > keptFrames) this.frames.shift();
      // A page that was hidden does not jump.
      this.advance((Math.min(passed, 250) / 1000) * this.speed);
    }
    this.lastFrame = clock;
    if (this.running) {
      this.tell();
      this.waiting = requestAnimationFrame(this.frame);
    }
  };

  private advance(seconds: number): void {
    this.now += seconds;
    if (this.now < this.end) return;
    if (this.loop) this.now = this.start + ((this.now - this.start) % (this.end - this.start));
    else {
      this.now = this.end;
      this.pause();
    }
  }

  private tell(): void {
    const sample = this.sample;
    for (const listener of this.listeners) listener(sample, this.running);
  }

  private changed(): void {
    for (const listener of this.stateListeners) listener();
  }
}

const steps = [1, 2, 5];

/** The speeds offered, and the one that shows the run in a few seconds: real time where that is between 1 and 60 s. */
export function speeds(duration: number): { offered: number[]; first: number } {
  const offered = [0.1, 0.2, 0.5, 1, 2, 5, 10];
  if (!(duration > 0) || (duration >= 1 && duration <= 60)) return { offered, first: 1 };
  const wanted = duration / 6;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const lead = steps.filter((step) => step * power <= wanted).pop() ?? 1;
  const first = Number((lead * power).toPrecision(1));
  for (let exponent = -9; exponent <= 6; exponent += 1)
    for (const step of steps) {
      const speed = Number(`${step}e${exponent}`);
      if (!offered.includes(speed) && speed >= first / 10 && speed <= first * 10) offered.push(speed);
    }
  return { offered: offered.sort((a, b) => a - b), first };
}
