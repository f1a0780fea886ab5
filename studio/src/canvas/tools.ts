// The tools that draw. A tool is told of clicks, of drags from a place to another, and of the end of what it is doing; the gestures that
// lead there are the same for all of them.

import type { Session, Tool as ToolName } from "../session";
import { isPin, split, type Spot } from "../text/sketch";
import { bodiesAt, cylinder, Draft, driverOf, force, gear, linked, mass, motor, slider, slot, spring, wheel, type Anchor } from "./edits";
import type { Overlay } from "./overlay";
import type { Stage } from "./stage";

export interface Press {
  anchor: Anchor;
  /** Of the anchor, on the screen. */
  screen: Spot;
  shift: boolean;
  /** Second of a double click. */
  double: boolean;
}

/** What tools have of the drawing area. */
export interface Bench {
  session: Session;
  stage: Stage;
  /** One edit of the text; false where the text cannot be edited. */
  edit(label: string, change: (draft: Draft) => void): boolean;
  /** All bodies under a place, the topmost first. */
  bodiesAt(at: Spot): string[];
  /** A length as people read it. */
  length(metres: number): string;
}

export interface Tool {
  hint: string;
  click(press: Press): void;
  /** A press that was let go elsewhere; a tool without it takes both ends as clicks. */
  dragged?(from: Press, to: Press): void;
  /** Enter, a double click, another tool. */
  finish?(): void;
  /** Escape; true where it had something to drop. */
  cancel?(): boolean;
  /** `from`: where the button went down and is still held. */
  preview?(overlay: Overlay, now: Press | null, from: Press | null): void;
}

const distance = (a: Spot, b: Spot): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
/** Clicks so near, in pixels, are on the same place. */
const same = 8;
/** Milliseconds in which nobody has thought again. */
const atOnce = 400;
/** There are fingers and no keys. */
export const byFinger = matchMedia("(pointer: coarse)").matches;

function target(overlay: Overlay, now: Press | null): void {
  if (now) overlay.target(now.screen, now.anchor.references.length > 0 || now.anchor.body !== undefined);
}

class Link implements Tool {
  private start: Press | null = null;
  /** Links drawn in one go. */
  private count = 0;
  private fromGround = false;
  private last: string | null = null;
  /** What a double click has ended: who clicks twice on a place, and at once on the next, goes on. */
  private ended: { start: Press; count: number; fromGround: boolean; last: string | null; time: number } | null = null;

  constructor(private readonly bench: Bench) {}

  get hint(): string {
    if (!this.start) return this.isBlank ? "Click where the crank turns about." : "Click where a link begins: on a pivot, on a link, or anywhere.";
    if (this.count === 0) return "Click where it ends.";
    const end = byFinger ? "A double tap" : "Enter";
    if (this.fromGround && this.count === 2) return `Click where the last link turns about. ${end} ends${byFinger ? "" : ", Esc drops"}.`;
    if (this.fromGround && this.count > 2) return `${end} holds this end on the ground${byFinger ? "" : ", Esc leaves it free"}. Or click on.`;
    return `Click on for a chain${byFinger ? "" : ", Shift-click for another point of this link"}. ${end} ends.`;
  }

  private get isBlank(): boolean {
    const { sketch } = this.bench.stage;
    return !!sketch && [...sketch.bodies.values()].every((body) => body.points.size === 0);
  }

  click(press: Press): void {
    const { ended } = this;
    this.ended = null;
    if (!this.start && ended && performance.now() - ended.time < atOnce && distance(ended.start.screen, press.screen) >= same)
      ({ start: this.start, count: this.count, fromGround: this.fromGround, last: this.last } = ended);
    const { start } = this;
    if (!start) {
      this.begin(press);
      return;
    }
    if (distance(start.screen, press.screen) < same) {
      if (press.double) this.endForNow(start);
      return;
    }
    // two links on two pivots of the ground hold each other still: who clicks there begins the next one
    if (this.count === 1 && this.fromGround && !press.shift && press.anchor.references.some((one) => split(one)[0] === "ground")) {
      this.begin(press);
      return;
    }
    if (press.shift && this.last) this.extend(this.last, press);
    else this.draw(start, press);
  }

  private endForNow(start: Press): void {
    const { count, fromGround, last } = this;
    this.finish();
    this.ended = count < 3 ? { start, count, fromGround, last, time: performance.now() } : null;
  }

  private begin(press: Press): void {
    this.count = 0;
    this.last = null;
    let { anchor } = press;
    if (this.isBlank && !anchor.body)
      this.bench.edit("Ground pivot", (draft) => { anchor = { ...anchor, references: [draft.ground(anchor.at)] }; });
    this.fromGround = anchor.references.some((one) => split(one)[0] === "ground");
    this.start = { ...press, anchor };
  }

  private draw(from: Press, to: Press): void {
    const { bench } = this;
    const known = linked(from.anchor, to.anchor);
    if (known) {
      bench.session.say(known === "ground" ? "Both are fixed to the ground." : `${known} joins them already.`, "hint");
      return;
    }
    let end = to.anchor;
    const drawn = bench.edit("Link", (draft) => {
      const { name, points } = draft.link([from.anchor, to.anchor]);
      this.last = name;
      end = { at: to.anchor.at, references: [...to.anchor.references, ...points.slice(-1)] };
    });
    if (!drawn) return;
    this.count += 1;
    const closed = to.anchor.references.length > 0 || to.anchor.body !== undefined;
    this.start = closed ? null : { ...to, anchor: end };
    if (closed) this.count = 0;
  }

  /** Another point of a link, pinned to what is there. */
  private extend(link: string, { anchor }: Press): void {
    this.bench.edit("Point of a link", (draft) => {
      const [other] = anchor.references.filter((one) => split(one)[0] !== link);
      const made = draft.pointOn(link, anchor.at, other ? split(other)[1] : "");
      if (other) draft.pin(other, made);
    });
  }

  dragged(from: Press, to: Press): void {
    if (!this.start || distance(this.start.screen, from.screen) > same) this.begin(from);
    if (this.start) this.draw(this.start, to);
    this.start = null;
    this.count = 0;
  }

  /** The free end of a chain that began on the ground comes to the ground. */
  finish(): void {
    const { start, count, fromGround, bench } = this;
    this.drop();
    const [end] = start?.anchor.references ?? [];
    if (!start || !end || count < 3 || !fromGround || !bench.stage.sketch?.point(end)) return;
    bench.edit("Ground pivot", (draft) => { draft.pin(draft.ground(start.anchor.at), end); });
  }

  cancel(): boolean {
    const dropped = this.start !== null;
    this.drop();
    return dropped;
  }

  private drop(): void {
    this.start = null;
    this.count = 0;
    this.last = null;
  }

  preview(overlay: Overlay, now: Press | null, from: Press | null): void {
    const start = this.start ?? from;
    target(overlay, now);
    if (!start || !now) return;
    const { stage } = this.bench;
    const begin = stage.screen(start.anchor.at);
    if (distance(begin, now.screen) < same) return;
    overlay.bar(begin, now.screen);
    const [dx, dy] = [now.anchor.at[0] - start.anchor.at[0], now.anchor.at[1] - start.anchor.at[1]];
    overlay.words(now.screen, `${this.bench.length(Math.hypot(dx, dy))} at ${Math.round(Math.atan2(dy, dx) * (1800 / Math.PI)) / 10}°`);
  }
}

/** A tool for one click. */
class Once implements Tool {
  constructor(readonly hint: string, private readonly act: (press: Press) => void, private readonly show: (overlay: Overlay, now: Press | null) => void = target) {}

  click(press: Press): void { this.act(press); }
  dragged(_from: Press, to: Press): void { this.act(to); }
  preview(overlay: Overlay, now: Press | null): void { this.show(overlay, now); }
}

/** A tool for two places, by two clicks or one drag. */
class Twice implements Tool {
  private start: Press | null = null;

  constructor(
    private readonly hints: readonly [string, string], private readonly act: (from: Press, to: Press) => void,
    private readonly show: (overlay: Overlay, from: Spot, to: Press) => void,
  ) {}

  get hint(): string { return this.hints[this.start ? 1 : 0]; }

  click(press: Press): void {
    if (!this.start) this.start = press;
    else if (distance(this.start.screen, press.screen) >= same) this.dragged(this.start, press);
  }

  dragged(from: Press, to: Press): void {
    this.start = null;
    this.act(from, to);
  }

  cancel(): boolean {
    const dropped = this.start !== null;
    this.start = null;
    return dropped;
  }

  preview(overlay: Overlay, now: Press | null, from: Press | null): void {
    target(overlay, now);
    const start = this.start ?? from;
    if (start && now && distance(start.screen, now.screen) >= same) this.show(overlay, start.screen, now);
  }
}

function groundPivot(bench: Bench, { anchor }: Press): void {
  const { sketch } = bench.stage;
  const fixed = anchor.references.find((one) => split(one)[0] === "ground");
  if (fixed && sketch) {
    bench.session.say(`${fixed} is fixed already.`, "hint");
    return;
  }
  bench.edit("Ground pivot", (draft) => {
    const on = anchor.references[0] ?? (anchor.body ? draft.pointOn(anchor.body, anchor.at) : null);
    const point = draft.ground(anchor.at);
    if (on) draft.pin(point, on);
  });
}

function pin(bench: Bench, { anchor }: Press): void {
  const { stage, session } = bench;
  const { sketch } = stage;
  if (!sketch) return;
  const here = anchor.references.map((one) => split(one)[0]);
  const others = bench.bodiesAt(stage.screen(anchor.at)).filter((body) => !here.includes(body));
  const [first] = anchor.references;
  const [loose] = anchor.loose ?? [];
  if (first && loose) bench.edit("Pin", (draft) => { draft.pin(first, loose); });
  else if (first && others[0]) bench.edit("Pin", (draft) => { draft.pin(first, draft.pointOn(others[0] ?? "", anchor.at, split(first)[1])); });
  else if (first) session.say("Nothing else lies here that could be pinned. Drag from one point to another to join them.", "hint");
  else if (others[0])
    bench.edit(others[1] ? "Pin" : "Point", (draft) => {
      const made = draft.pointOn(others[0] ?? "", anchor.at);
      if (others[1]) draft.pin(made, draft.pointOn(others[1], anchor.at, split(made)[1]));
    });
  else session.say("A pin joins links: click where two of them meet, or on one for a point of it.", "hint");
}

function joinPoints(bench: Bench, from: Press, to: Press): void {
  const [i, j] = [from.anchor.references[0], to.anchor.references.find((one) => split(one)[0] !== split(from.anchor.references[0] ?? "")[0])];
  if (i && j) bench.edit("Pin", (draft) => { draft.pin(i, j); });
  else pin(bench, to);
}

function addMotor(bench: Bench, { anchor }: Press): void {
  const { stage, session } = bench;
  const { sketch } = stage;
  if (!sketch) return;
  const draft = new Draft(stage);
  const there = anchor.references.length > 0 ? anchor.references : anchor.body ? pivotsOf(bench, anchor.body) : [];
  const pair = draft.turning(there);
  if (!pair) {
    session.say(there.length > 0 ? "Nothing turns there: a motor needs a pin between a link and the ground, or between two links." : "Click a pivot that a motor is to turn.", "hint");
    return;
  }
  const known = driverOf(sketch, pair.i, pair.j);
  if (known) {
    session.select({ kind: "driver", name: known.name });
    session.say(`${known.name} turns ${pair.j} already.`, "hint");
    return;
  }
  let name = "";
  if (!bench.edit("Motor", (made) => { name = motor(made, pair.i, pair.j); })) return;
  session.select({ kind: "driver", name });
  session.setTool("Select");
  void session.ask().then((study) => {
    if (study?.document && study.document.samples > 1) session.play();
  });
}

/** Points of a body that are pinned to the ground. */
function pivotsOf({ stage }: Bench, body: string): string[] {
  return stage.sketch?.elements.filter(({ type, bodies }) => isPin(type) && bodies.includes("ground") && bodies.includes(body)).flatMap(({ points }) => points.slice(0, 1).map((one) => `${one.body}.${one.point}`)) ?? [];
}

/** Newtons of a force that is drawn as long as one square of the grid. */
const newtons = 10;

function forceOf(bench: Bench, from: Spot, to: Spot): Spot {
  const { grid } = bench.stage;
  const round = (value: number): number => Math.round((value / grid) * newtons);
  return [round(to[0] - from[0]), round(to[1] - from[1])];
}

/** Between two bodies, of which one may be the ground; else it says why not. */
function joinsTwo(bench: Bench, what: string, from: Anchor, to: Anchor): boolean {
  const [one, other] = [bodiesAt(from), bodiesAt(to)];
  if (one.some((body) => other.some((there) => there !== body))) return true;
  bench.session.say(`${what} goes from a link to another or to the ground: both ends are on ${one[0] === "ground" ? "the ground" : one[0] ?? ""}.`, "problem");
  return false;
}

function addForce(bench: Bench, anchor: Anchor, value: Spot): void {
  if (!anchor.body && !anchor.references.some((one) => split(one)[0] !== "ground")) {
    bench.session.say("A force acts on a link: press on one and drag.", "hint");
    return;
  }
  let name = "";
  if (bench.edit("Force", (draft) => { name = force(draft, anchor, value); })) bench.session.select({ kind: "force", name });
}

function addGear(bench: Bench, from: Press, to: Press): void {
  const far = distance(from.anchor.at, to.anchor.at);
  let name = "";
  const made = bench.edit("Gear", (draft) => {
    const i = wheel(draft, from.anchor, far / 2);
    const j = wheel(draft, to.anchor, far / 2);
    name = i === j ? "" : gear(draft, i, j, [far / 2, far / 2]);
  });
  if (made && name) bench.session.select({ kind: "joint", name });
}

function addMass(bench: Bench, { anchor }: Press): void {
  const body = anchor.body ?? anchor.references.map((one) => split(one)[0]).find((one) => one !== "ground");
  if (!body || body === "ground") bench.session.say("Click a link that is to have a mass.", "hint");
  else if (bench.edit("Mass", (draft) => { mass(draft, body); })) bench.session.select({ kind: "body", name: body });
}

export function makeTool(name: ToolName, bench: Bench): Tool | null {
  const { session } = bench;
  switch (name) {
    case "Select": return null;
    case "Link": return new Link(bench);
    case "Ground pivot": return new Once("Click where something is held by the ground.", (press) => { groundPivot(bench, press); });
    case "Pin": {
      const tool: Tool = {
        hint: "Click where two links meet, or on one for a point of it. Drag from a point to another to join them.",
        click: (press) => { pin(bench, press); },
        dragged: (from, to) => { joinPoints(bench, from, to); },
        preview: (overlay, now, from) => {
          target(overlay, now);
          if (from && now && distance(from.screen, now.screen) >= same) overlay.line(from.screen, now.screen, overlay.colours.accent, 1.5, [4, 4]);
        },
      };
      return tool;
    }
    case "Slider": return {
      hint: "Click what is to slide; drag in the direction of its guide.",
      click: ({ anchor }) => {
        bench.edit("Slider", (draft) => { slider(draft, anchor, [1, 0], bench.stage.grid); });
      },
      dragged: (from, to) => {
        const far = distance(from.anchor.at, to.anchor.at);
        bench.edit("Slider", (draft) => { slider(draft, from.anchor, [(to.anchor.at[0] - from.anchor.at[0]) / far, (to.anchor.at[1] - from.anchor.at[1]) / far], far); });
      },
      preview: (overlay, now, from) => {
        target(overlay, now);
        const at = from?.screen ?? now?.screen;
        if (!at || !now) return;
        const far = from ? distance(at, now.screen) : 0;
        const [dx, dy] = far > same ? [(now.screen[0] - at[0]) / far, (now.screen[1] - at[1]) / far] : [1, 0];
        overlay.line([at[0] - dx * 60, at[1] - dy * 60], [at[0] + dx * 60, at[1] + dy * 60], overlay.colours.accent, 1.5, [8, 4]);
      },
    };
    case "Motor": return new Once("Click the pivot that a motor turns.", (press) => { addMotor(bench, press); });
    case "Spring": return new Twice(["Click one end of the spring.", "Click its other end."], (from, to) => {
      if (!joinsTwo(bench, "A spring", from.anchor, to.anchor)) return;
      let name = "";
      if (bench.edit("Spring", (draft) => { name = spring(draft, from.anchor, to.anchor); })) session.select({ kind: "force", name });
    }, (overlay, from, to) => {
      overlay.line(from, to.screen, overlay.colours.accent, 2, [3, 3]);
    });
    case "Cylinder": return new Twice(["Click one end of the cylinder.", "Click its other end."], (from, to) => {
      if (!joinsTwo(bench, "A cylinder", from.anchor, to.anchor)) return;
      let name = "";
      if (bench.edit("Cylinder", (draft) => { name = cylinder(draft, from.anchor, to.anchor); })) session.select({ kind: "driver", name });
    }, (overlay, from, to) => {
      overlay.bar(from, to.screen);
    });
    case "Force": return {
      hint: "Press on a link and drag: one square is 10 N.",
      click: ({ anchor }) => { addForce(bench, anchor, [0, -newtons]); },
      dragged: (from, to) => {
        const value = forceOf(bench, from.anchor.at, to.anchor.at);
        addForce(bench, from.anchor, value[0] === 0 && value[1] === 0 ? [0, -newtons] : value);
      },
      preview: (overlay, now, from) => {
        if (!from || !now) {
          target(overlay, now);
          return;
        }
        const [fx, fy] = forceOf(bench, from.anchor.at, now.anchor.at);
        overlay.arrow(from.screen, now.screen, overlay.palette.force);
        overlay.words(now.screen, `${Math.round(Math.hypot(fx, fy) * 10) / 10} N`);
      },
    };
    case "Gear": return new Twice(["Click the centre of one wheel.", "Click the centre of the other."], (from, to) => { addGear(bench, from, to); }, (overlay, from, to) => {
      const half = distance(from, to.screen) / 2;
      overlay.ring(from, half, overlay.colours.accent, 1.25);
      overlay.ring(to.screen, half, overlay.colours.accent, 1.25);
    });
    case "Slot": return new Twice(["Click the pin.", "Click the link that has the slot."], (from, to) => {
      const body = to.anchor.body ?? to.anchor.references.map((one) => split(one)[0]).find((one) => !from.anchor.references.some((here) => split(here)[0] === one));
      let name: string | null = null;
      if (!body) session.say("A slot runs between two points of a link: click on it.", "hint");
      else if (bench.edit("Slot", (draft) => { name = slot(draft, from.anchor, body); }) && !name) session.say(`${body} has no two points that a slot could run between.`, "hint");
    }, (overlay, from, to) => {
      overlay.line(from, to.screen, overlay.colours.accent, 1.5, [4, 4]);
    });
    case "Mass": return new Once("Click a link that is to have a mass.", (press) => { addMass(bench, press); });
  }
}
