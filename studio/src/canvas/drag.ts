// A hand on the mechanism: it pulls a point along, and the rest follows by its joints; or it reshapes the mechanism, and the text with it.

import type { Handle, Pulled } from "../engine/contract";
import { reshape, writePoses, type Move } from "../text/reshape";
import { Sketch, split, toWorld, type Pose, type Spot } from "../text/sketch";
import type { Stage } from "./stage";

/** What is taken hold of: points, or bodies as a whole, of which one is where the hand is. */
export interface Grip {
  /** For people. */
  name: string;
  points: string[];
  bodies: string[];
  handle: Handle | null;
  at: Spot;
}

export interface Drag {
  /** The hand is elsewhere. */
  move(to: Spot): void;
  /** The hand lets go. */
  end(): void;
  /** As if nothing had happened. */
  cancel(): void;
  /** Joints that keep the hand from going on. */
  readonly held: readonly string[];
  /** Words beside the hand. */
  readonly words: string;
}

/** By its joints, the drivers let go: the pose is shown while it is held, and afterwards the cursor stands where the motion comes nearest to it. */
export class Pull implements Drag {
  held: readonly string[] = [];
  words = "";
  private target: Spot;
  private asked: Spot;
  private busy = false;
  private over = false;
  private first = true;
  private last: Pulled | null = null;
  private readonly before: number;

  constructor(private readonly stage: Stage, private readonly grip: Grip & { handle: Handle }, private readonly changed: () => void) {
    stage.session.pause();
    stage.view.moved();
    this.before = stage.session.time;
    this.target = this.asked = grip.at;
  }

  move(to: Spot): void {
    this.target = to;
    if (!this.busy) void this.follow();
  }

  /** One question at a time, on the way to the newest place of the hand: a mechanism follows over any distance if no step is a leap. */
  private async follow(): Promise<void> {
    const { stage, grip } = this;
    this.busy = true;
    const most = 0.15 * stage.shownReport.scene.size;
    while (!this.over) {
      const [dx, dy] = [this.target[0] - this.asked[0], this.target[1] - this.asked[1]];
      const part = Math.min(1, most / Math.hypot(dx, dy));
      if (!this.first && dx === 0 && dy === 0) break;
      this.asked = part < 1 ? [this.asked[0] + part * dx, this.asked[1] + part * dy] : this.target;
      const from = this.first ? { from: stage.session.pose ?? { bodies: stage.poses(stage.session.sample) } } : {};
      const pulled = await stage.session.engine.pull({ ...from, handle: grip.handle, to: [this.asked[0], this.asked[1]] });
      if (!pulled) break;
      this.first = false;
      this.last = pulled;
      if (!this.over && part === 1) this.show(pulled);
    }
    this.busy = false;
    if (this.over) this.settle();
  }

  private show(pulled: Pulled): void {
    const { stage } = this;
    const far = pulled.short * stage.camera.scale > 4;
    const held = far ? pulled.held : [];
    if (held.join() !== this.held.join()) {
      this.held = held;
      stage.session.say(held.length > 0 ? `Held back by ${list(held)}.` : null);
    }
    const nearest = nearestSample(stage, pulled.bodies);
    if (nearest && stage.sketch?.hasDriver) stage.session.setSample(nearest.sample);
    stage.session.setPose({ bodies: pulled.bodies });
    this.changed();
  }

  end(): void {
    this.over = true;
    if (!this.busy) this.settle();
  }

  private settle(): void {
    const { stage, last, grip } = this;
    this.held = [];
    if (!last) return;
    this.show(last);
    this.held = [];
    stage.session.say(null);
    if (stage.sketch?.hasDriver) {
      const nearest = nearestSample(stage, last.bodies);
      // on its way it goes on from there; elsewhere it stays where it was put until it plays
      if (nearest && nearest.away * stage.camera.scale < 6) stage.session.setSample(nearest.sample);
    } else void this.write(grip.name);
    this.changed();
  }

  /** Nothing drives it: where it was put is where it is drawn. */
  private async write(name: string): Promise<void> {
    const { stage } = this;
    const poses = await stage.session.engine.pose();
    const { sketch } = stage;
    if (!poses || !sketch || stage.textBroken) return;
    const wanted = new Map(poses.map(({ body, position: [x, y], angle }) => [body, { x, y, phi: angle }]));
    const { text } = writePoses(sketch, wanted, stage.quantum, 0.5 * stage.quantum);
    stage.session.edit(text, { label: `Move ${name}`, from: "canvas" });
    await stage.session.ask();
    stage.session.setPose(null);
  }

  cancel(): void {
    this.over = true;
    this.last = null;
    this.held = [];
    this.stage.session.say(null);
    this.stage.session.setTime(this.before);
  }
}

/** At what moves on by itself: by a spring, and it goes on when the hand lets go. */
export class Tug implements Drag {
  readonly held: readonly string[] = [];
  readonly words = "";
  private to: Spot;

  constructor(private readonly stage: Stage, private readonly grip: Grip & { handle: Handle }) {
    this.to = grip.at;
    stage.session.live.hold(grip.handle, grip.at);
  }

  move(to: Spot): void {
    this.to = to;
    this.stage.session.live.pull(to);
  }

  /** From the point that is held to the hand. */
  get line(): [Spot, Spot] {
    const { body, p } = this.grip.handle;
    return [toWorld(this.stage.pose(body), p), this.to];
  }

  end(): void { this.stage.session.live.hold(null); }
  cancel(): void { this.end(); }
}

export const list = (names: readonly string[]): string => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`);

/** The sample whose pose is nearest, and how far the bodies' origins are from it at most. */
export function nearestSample(stage: Stage, bodies: ArrayLike<number>): { sample: number; away: number } | null {
  const { shownReport: report } = stage;
  if (report.samples < 2) return null;
  const reach = report.scene.size;
  const columns = report.scene.bodies.flatMap(({ name }, index) => (index === 0 ? [] : (["x", "y", "phi"] as const).flatMap((part, k) => {
    const numbers = report.column(`${name}.${part}`);
    return numbers ? [{ numbers, to: bodies[3 * index + k] ?? 0, angle: part === "phi" }] : [];
  })));
  let best = 0;
  let least = Infinity;
  for (let sample = 0; sample < report.samples; sample += 1) {
    let sum = 0;
    for (const { numbers, to, angle } of columns) {
      const off = (numbers[sample] ?? 0) - to;
      sum += angle ? (reach * 2 * Math.sin(off / 2)) ** 2 : off ** 2;
      if (sum >= least) break;
    }
    if (sum < least) [best, least] = [sample, sum];
  }
  return Number.isFinite(least) ? { sample: best, away: Math.sqrt(least) } : null;
}

let drags = 0;

/** The geometry: points go where the hand takes them in all the bodies that they belong to, from what the text was when the hand took hold. */
export class Reshape implements Drag {
  held: readonly string[] = [];
  words = "";
  private readonly sketch: Sketch;
  private readonly text: string;
  private readonly poses = new Map<string, Pose>();
  private readonly starts: Spot[];
  private readonly together: string;
  private good: string;
  /** The newest shape that was studied cannot be put together. */
  private failed = false;
  private over = false;
  private readonly whole: boolean;
  private latest: string;
  /** Where other bodies start now, that were drawn far from there: so the next assembly stays on this branch. */
  private readonly elsewhere = new Map<string, Pose>();
  /** Bodies whose own drawing the hand changes. */
  private moving = new Set<string>();
  private readonly stop: () => void;

  constructor(private readonly stage: Stage, private readonly grip: Grip, private readonly changed: () => void) {
    const { session } = stage;
    session.pause();
    drags += 1;
    this.together = `reshape ${drags}`;
    this.text = this.good = this.latest = session.text;
    this.sketch = new Sketch(session.text, session.parameters);
    // what moves by itself is shaped as it starts: what it does later is another motion with every shape
    if (session.good?.model?.analysis === "dynamics" || session.good?.model?.analysis === "equilibrium") session.setTime(session.start);
    for (const body of this.sketch.bodies.keys()) this.poses.set(body, stage.pose(body));
    this.starts = this.points.map((point) => {
      const [body, name] = split(point);
      return toWorld(this.poses.get(body) ?? { x: 0, y: 0, phi: 0 }, this.sketch.local(body, name) ?? [0, 0]);
    });
    // a model that nothing could be said of before is not broken by the hand
    this.whole = session.study?.document !== null && session.study?.model?.assembled !== false;
    stage.view.moved();
    session.setPose(null);
    session.hand(true);
    this.stop = session.on("study", (study) => {
      const held = study.model && !study.model.assembled ? study.problems.slice(0, 1).map(({ message }) => message) : [];
      this.failed = this.whole && (!study.document || study.model?.assembled === false);
      if (!this.failed) {
        this.good = session.studied;
        this.follow();
        if (this.held.length > 0) session.say(null);
        this.held = [];
      } else {
        this.held = this.grip.points.flatMap((point) => this.joints(point));
        session.say(held[0] ?? study.problems[0]?.message ?? "It cannot be assembled like this.", "problem");
      }
      this.changed();
    });
  }

  /** What follows the hand by its joints is drawn where it is, once it is far from where it was drawn. */
  private follow(): void {
    const { stage, sketch } = this;
    const far = 0.06 * stage.shownReport.scene.size;
    for (const [body, { points }] of sketch.bodies) {
      if (!stage.bodyIndex(body) || this.moving.has(body)) continue;
      const [drawn, now] = [this.elsewhere.get(body) ?? sketch.pose(body), stage.poseAt(body, 0)];
      const reach = Math.max(0, ...[...points.values()].map(({ x, y }) => Math.hypot(x.value, y.value)));
      if (Math.hypot(now.x - drawn.x, now.y - drawn.y) > far || 2 * Math.abs(Math.sin((now.phi - drawn.phi) / 2)) * reach > far) this.elsewhere.set(body, now);
    }
  }

  private joints(point: string): string[] {
    const all = this.sketch.together(point);
    return this.sketch.elements.filter(({ points }) => points.some((one) => all.includes(`${one.body}.${one.point}`))).map(({ name }) => name);
  }

  private get points(): string[] {
    return [...this.grip.points, ...this.grip.bodies.flatMap((body) => [...(this.sketch.body(body)?.points.keys() ?? [])].map((point) => `${body}.${point}`))];
  }

  move(to: Spot): void {
    const { stage, grip, sketch } = this;
    // somebody else has changed the text meanwhile: that stays
    if (!this.over && stage.session.text !== this.latest) this.finish();
    if (this.over) return;
    const shift: Spot = [to[0] - grip.at[0], to[1] - grip.at[1]];
    const moves: Move[] = this.points.map((reference, k) => {
      const [x, y] = this.starts[k] ?? [0, 0];
      return { reference, to: [x + shift[0], y + shift[1]] };
    });
    const pose = (body: string): Pose => this.poses.get(body) ?? { x: 0, y: 0, phi: 0 };
    const { text: reshaped, parameters, expressions, poses } = reshape(sketch, pose, moves, stage.quantum, grip.bodies);
    this.moving = new Set(poses.keys());
    const others = new Map([...this.elsewhere].filter(([body]) => !poses.has(body)));
    const text = others.size > 0 ? writePoses(new Sketch(reshaped, stage.session.parameters), others, stage.quantum).text : reshaped;
    for (const name of Object.keys(parameters)) if (name in stage.session.parameters) stage.session.override(name, null);
    const changed = Object.entries(parameters).map(([name, value]) => `${name} = ${Number(value.toPrecision(5))}`);
    this.words = changed.length > 0 ? [...changed, ...expressions.slice(0, 2).map(({ coordinate, written }) => `${coordinate} is ${written}`)].join("\n") : "";
    this.latest = text;
    stage.session.edit(text, { label: this.label, together: this.together, from: "canvas" });
    this.changed();
  }

  private get label(): string {
    return `Reshape ${this.grip.name}`;
  }

  end(): void {
    if (!this.over) void this.close();
  }

  /** What the hand did last is judged before it is kept. */
  private async close(): Promise<void> {
    const { session } = this.stage;
    await session.ask();
    if (this.over) return;
    this.finish();
    if (this.failed && session.text === this.latest) {
      session.edit(this.good, { label: this.label, together: this.together, from: "canvas" });
      session.say(this.held.length > 0 ? `It goes no further: ${list(this.held)} could not be closed.` : "It goes no further.", "hint");
      this.held = [];
    }
    await session.ask();
    this.settle();
  }

  private finish(): void {
    this.over = true;
    this.stop();
    this.stage.session.hand(false);
  }

  /** The text draws the mechanism on the branch on which it is, where it had come to be far from that. */
  private settle(): void {
    const { stage } = this;
    const { session } = stage;
    if (session.text !== this.latest && session.text !== this.good) return;
    const { sketch } = stage;
    if (!sketch || stage.textBroken || !session.study?.document) return;
    const { size } = stage.shownReport.scene;
    const start = new Map([...sketch.bodies.keys()].filter((body) => stage.bodyIndex(body)).map((body) => [body, stage.poseAt(body, 0)]));
    // what was drawn by eye before stays so
    const { text } = writePoses(sketch, start, stage.quantum, 0.06 * size);
    session.edit(text, { label: this.label, together: this.together, from: "canvas" });
  }

  cancel(): void {
    const { session } = this.stage;
    if (this.over) return;
    this.finish();
    this.held = [];
    session.say(null);
    if (session.text === this.latest) session.edit(this.text, { label: this.label, together: this.together, from: "canvas" });
  }
}
