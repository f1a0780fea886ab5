// The one store of the page: the model's text with its undo, the engine's answer to it, the time cursor, what is selected, and the
// hand that drags. Everything that shows something listens to it; nothing else is shared between the parts of the page.

import { Report } from "../../report/src/report";
import type { Engine, GoalText, Located, Pose, Study } from "./engine/contract";
import { History, type Step } from "./history";
import { Live } from "./live";

export const tools = ["Select", "Link", "Ground pivot", "Pin", "Slider", "Motor", "Spring", "Force", "Gear", "Slot", "Cylinder", "Mass"] as const;
export type Tool = (typeof tools)[number];

/** What a hand has done in the drawing: until then a hint says that it can be done. */
export type Deed = "pull" | "reshape";

export interface Selected {
  kind: "body" | "point" | "joint" | "driver" | "force" | "parameter";
  /** As the model has it: "crank", "crank.A", "crank-pin". */
  name: string;
}

/** What a listener is told. */
export interface SessionEvents {
  /** The text is another; `from`: who wrote it, so that an editor does not write over itself. */
  text: { from: string };
  /** A study came back (`session.study`); `good` and `report` are new where it has a document. */
  study: Study;
  /** `session.report` is another one: everything that draws results starts anew. */
  report: Report;
  /** The cursor moved, by hand or by the clock. */
  sample: number;
  playing: boolean;
  selection: readonly Selected[];
  tool: Tool;
  /** The mechanism is where a hand has pulled it, or (null) where the cursor is again. */
  pose: Pose | null;
  /** Parameters are overridden by sliders, or no longer. */
  parameters: Readonly<Record<string, number>>;
  goals: readonly GoalText[];
  /** Tables that the model reads are others. */
  tables: Readonly<Record<string, string>>;
  /** A hand began or ceased to drag something. */
  hand: boolean;
  /** A quiet message to the user; null takes it away. */
  say: Said | null;
  /** Something was done for the first time. */
  learnt: ReadonlySet<Deed>;
  /** A study began (true) or none is under way any more. */
  busy: boolean;
  /** The mechanism moves on by itself, or no longer does. */
  live: boolean;
  /** Another model was opened: where the view starts anew. */
  opened: string;
}

export interface Said {
  text: string;
  kind: "hint" | "done" | "problem";
}

type Listener<K extends keyof SessionEvents> = (value: SessionEvents[K]) => void;

export interface EditWords {
  /** What the step is called where undo is offered: "Move crank.A". */
  label: string;
  /** Steps in a row with the same word are one step: all moves of one drag. */
  together?: string;
  /** Who edits. */
  from?: string;
  /** Goals that change with it. */
  goals?: readonly GoalText[];
}

/** Rows of a whole cycle while a hand is dragging: enough for smooth curves. */
const rowsWhileDragging = 120;

/** Milliseconds of a study after which the next one ends it. */
const patience = 3000;

export class Session {
  /** The newest answer of the engine. */
  study: Study | null = null;
  /** The newest with a document: it stays on the screen while the text is broken. */
  good: Study | null = null;
  /** The results of `good`. */
  report: Report | null = null;
  loop = true;
  speed = 1;
  /** Runs on by itself from the cursor, with a hand that may pull at it. */
  readonly live: Live;
  private readonly history: History;
  private readonly listeners = new Map<keyof SessionEvents, Set<(value: never) => void>>();
  private now = 0;
  private running = false;
  private lastFrame = 0;
  private chosen: readonly Selected[] = [];
  private currentTool: Tool = "Select";
  private pulled: Pose | null = null;
  private overrides: Record<string, number> = {};
  private files: Readonly<Record<string, string>> = {};
  private studiedText = "";
  private lastGoals: readonly GoalText[] = [];
  private dragging = false;
  private asking = false;
  private since = 0;
  private stale = false;
  private waiting: ((study: Study | null) => void)[] = [];
  private file = "model.toml";
  private known: ReadonlySet<Deed> = new Set();

  constructor(readonly engine: Engine, text = "") {
    this.history = new History(text);
    this.live = new Live(this, (on) => { this.tell("live", on); });
  }

  // Listening

  /** Calls a listener at an event; the answer ends that. */
  on<K extends keyof SessionEvents>(event: K, listener: Listener<K>): () => void {
    const known = this.listeners.get(event) ?? new Set();
    known.add(listener as (value: never) => void);
    this.listeners.set(event, known);
    return () => { known.delete(listener as (value: never) => void); };
  }

  private tell<K extends keyof SessionEvents>(event: K, value: SessionEvents[K]): void {
    for (const listener of this.listeners.get(event) ?? []) (listener as Listener<K>)(value);
  }

  /** A quiet message under the drawing. */
  say(text: string | null, kind: Said["kind"] = "hint"): void {
    this.tell("say", text === null ? null : { text, kind });
  }

  /** What needs no hint any more. */
  get learnt(): ReadonlySet<Deed> { return this.known; }

  learn(...deeds: readonly Deed[]): void {
    if (deeds.every((deed) => this.known.has(deed))) return;
    this.known = new Set([...this.known, ...deeds]);
    this.tell("learnt", this.known);
  }

  // The text

  get text(): string {
    return this.history.text;
  }

  /** The text that `study` answers: a hand may be ahead of it. */
  get studied(): string { return this.studiedText; }

  /** Changes the text, and goals that name what it names, by one step that can be undone. */
  edit(text: string, { label, together, from = "page", goals = this.goals }: EditWords): void {
    if (text === this.text) return;
    this.history.push({ text, goals }, label, together);
    this.tell("text", { from });
    if (goals !== this.lastGoals) this.toldGoals();
    this.ask();
  }

  /** What undo and redo would take back and do again; null where there is nothing. */
  get undoable(): string | null { return this.history.undoable; }
  get redoable(): string | null { return this.history.redoable; }

  undo(): void { this.went(this.history.undo()); }
  redo(): void { this.went(this.history.redo()); }

  private went(step: Step | null): void {
    if (!step) return;
    this.setPose(null);
    if (step.before.text !== step.after.text) this.tell("text", { from: "history" });
    if (this.goals !== this.lastGoals) this.toldGoals();
    this.ask();
  }

  /** Another model, with nothing to undo. */
  open(text: string, { file = "model.toml", tables = {}, goals = [] }: { file?: string; tables?: Record<string, string>; goals?: GoalText[] } = {}): void {
    this.pause();
    this.history.restart({ text, goals });
    this.file = file;
    this.files = tables;
    this.overrides = {};
    this.chosen = [];
    this.pulled = null;
    this.now = 0;
    this.good = null;
    this.report = null;
    this.say(null);
    this.tell("opened", file);
    this.tell("text", { from: "open" });
    this.toldGoals();
    this.tell("selection", this.chosen);
    this.tell("pose", null);
    this.ask();
  }

  get fileName(): string { return this.file; }

  /** Nothing is drawn yet: that is a beginning, and nothing wrong. */
  get isBlank(): boolean {
    const problems = this.study?.problems ?? [];
    return this.study?.document === null && problems.length > 0 && problems.every(({ message }) => message.startsWith("the model has no bodies"));
  }

  /** Messages about the text as it is. */
  get problems(): readonly Located[] {
    if (this.isBlank) return [];
    const problems = this.study?.problems ?? [];
    return this.undriven === 0 ? problems : problems.map((one) => (one.message.startsWith("the mechanism still has") ? { ...one, ...this.unfinished() } : one));
  }

  /** Motions that nothing drives yet, of a mechanism that does not move for that: it is not finished, and not wrong. */
  get undriven(): number {
    const { study } = this;
    return study?.document && (study.columns[0]?.length ?? 0) < 2 && study.model?.assembled && study.model.analysis !== "equilibrium" ? study.model.driven : 0;
  }

  private unfinished(): Pick<Located, "severity" | "message"> {
    const [motions, motors] = this.undriven === 1 ? ["1 motion is", "a motor"] : [`${this.undriven} motions are`, "motors"];
    return { severity: "warning", message: `${motions} not driven yet: add ${motors}, or masses and gravity that move it` };
  }

  // The engine: one study is under way at a time, and the newest state of everything follows it.

  /** Asks for a study of what is there now; the promise ends with the first study that knows of it. */
  ask(): Promise<Study | null> {
    this.stale = true;
    if (!this.asking) void this.keepAsking();
    else window.setTimeout(() => { this.overtake(); }, Math.max(0, this.since + patience + 10 - performance.now()));
    return new Promise((done) => { this.waiting.push(done); });
  }

  /** Nobody waits for the answer to a question that is none any more. A hand that drags takes what comes. */
  private overtake(): void {
    if (this.stale && !this.dragging && performance.now() - this.since >= patience) this.engine.interrupt();
  }

  private async keepAsking(): Promise<void> {
    this.asking = true;
    this.tell("busy", true);
    // what changes in one turn of the page is asked for once
    await Promise.resolve();
    while (this.stale) {
      this.stale = false;
      const waiting = this.waiting;
      this.waiting = [];
      const { text } = this;
      this.since = performance.now();
      let study: Study | null = null;
      try {
        study = await this.engine.study({
          text, file: this.file, tables: this.tables, parameters: this.overrides, goals: [...this.goals],
          ...(this.dragging ? { steps: rowsWhileDragging } : {}),
        });
      } catch (error) {
        this.say(`The engine stopped: ${error instanceof Error ? error.message : String(error)}`, "problem");
      }
      if (study) {
        this.studiedText = text;
        this.take(study);
      }
      for (const done of waiting) done(study);
    }
    this.asking = false;
    this.tell("busy", false);
  }

  private take(study: Study): void {
    this.study = study;
    const drawn = study.document !== null && !this.isTorn(study);
    if (study.document && drawn) {
      const t = this.time;
      this.good = study;
      this.report = new Report(study.document, study.columns);
      const { time } = this.report;
      this.now = Math.max(time[0] ?? 0, Math.min(t, time[time.length - 1] ?? 0));
      this.tell("report", this.report);
    }
    this.tell("study", study);
    if (drawn) this.tell("sample", this.sample);
  }

  /** The same bodies as those that are shown, and they cannot be put together any more: what can stays on the screen. */
  private isTorn(study: Study): boolean {
    const shown = this.good?.document;
    const bodies = (of: Study["document"]): string => JSON.stringify(of?.scene.bodies.map(({ name }) => name));
    return study.model?.assembled === false && this.good?.model?.assembled === true && bodies(study.document) === bodies(shown ?? null);
  }

  // The cursor

  /** Seconds, or what the samples are along. */
  get time(): number { return this.now; }
  get start(): number { return this.report?.time[0] ?? 0; }
  get end(): number { return this.report?.time[this.report.time.length - 1] ?? 0; }

  /** The sample at the cursor, with a fraction between two. */
  get sample(): number { return this.report?.sampleAt(this.now) ?? 0; }

  setSample(sample: number): void {
    const { report } = this;
    if (!report) return;
    const at = Math.max(0, Math.min(report.samples - 1, sample));
    const low = Math.floor(at);
    const before = report.time[low] ?? 0;
    this.setTime(before + (at - low) * ((report.time[low + 1] ?? before) - before));
  }

  setTime(t: number): void {
    this.now = Math.max(this.start, Math.min(this.end, t));
    this.setPose(null);
    this.tell("sample", this.sample);
  }

  get playing(): boolean { return this.running; }

  play(): void {
    if (this.running || this.end <= this.start) return;
    this.setPose(null);
    if (this.now >= this.end) this.now = this.start;
    this.running = true;
    this.lastFrame = 0;
    requestAnimationFrame(this.frame);
    this.tell("playing", true);
  }

  pause(): void {
    if (!this.running) return;
    this.running = false;
    this.tell("playing", false);
    // stops on a sample, so that the numbers shown are those of the run
    this.setSample(Math.round(this.sample));
  }

  private readonly frame = (clock: number): void => {
    if (!this.running) return;
    // a page that was hidden does not jump
    const passed = this.lastFrame > 0 ? Math.min(clock - this.lastFrame, 250) / 1000 : 0;
    this.lastFrame = clock;
    const long = this.end - this.start;
    this.now += passed * this.speed;
    if (this.now >= this.end) {
      if (this.loop && long > 0) this.now = this.start + ((this.now - this.start) % long);
      else {
        this.now = this.end;
        this.running = false;
        this.tell("playing", false);
      }
    }
    this.tell("sample", this.sample);
    if (this.running) requestAnimationFrame(this.frame);
  };

  // What is selected, and the tool of the drawing

  get selection(): readonly Selected[] { return this.chosen; }

  select(...chosen: Selected[]): void {
    this.chosen = chosen;
    this.tell("selection", chosen);
  }

  isSelected({ kind, name }: Selected): boolean {
    return this.chosen.some((one) => one.kind === kind && one.name === name);
  }

  get tool(): Tool { return this.currentTool; }

  setTool(tool: Tool): void {
    if (tool === this.currentTool) return;
    this.currentTool = tool;
    this.tell("tool", tool);
  }

  // The hand

  /** Where a hand holds the mechanism, in place of the sample; null: the cursor decides. */
  get pose(): Pose | null { return this.pulled; }

  setPose(pose: Pose | null): void {
    if (pose === this.pulled) return;
    this.pulled = pose;
    this.tell("pose", pose);
  }

  get held(): boolean { return this.dragging; }

  /** While something is dragged studies have fewer rows; when it ends, all of them. */
  hand(active: boolean): void {
    if (active === this.dragging) return;
    this.dragging = active;
    this.tell("hand", active);
    if (!active) void this.ask();
  }

  // Parameters and goals

  /** What sliders say in place of the text. */
  get parameters(): Readonly<Record<string, number>> { return this.overrides; }

  /** Sets a parameter beside the text, or (null) lets the text decide again. */
  override(name: string, value: number | null): void {
    const others = Object.fromEntries(Object.entries(this.overrides).filter(([one]) => one !== name));
    this.overrides = value === null ? others : { ...others, [name]: value };
    this.tell("parameters", this.overrides);
    void this.ask();
  }

  /** Goals of the user, beside those of the model. */
  get goals(): readonly GoalText[] { return this.history.goals; }

  /** One step that can be undone. */
  setGoals(goals: readonly GoalText[], label: string): void {
    this.history.push({ goals: [...goals] }, label);
    this.toldGoals();
    void this.ask();
  }

  private toldGoals(): void {
    this.lastGoals = this.goals;
    this.tell("goals", this.goals);
  }

  // Tables

  /** Tables that the model reads, by the path that it writes. */
  get tables(): Readonly<Record<string, string>> { return this.files; }

  setTables(tables: Readonly<Record<string, string>>): void {
    this.files = tables;
    this.tell("tables", tables);
    void this.ask();
  }
}
