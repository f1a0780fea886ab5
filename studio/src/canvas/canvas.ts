// The drawing area of the plane: the report's drawing under an overlay with handles, and the gestures of mouse, fingers and keys.

import { button, h } from "../../../report/src/dom";
import { withUnit } from "../../../report/src/format";
import type { Theme } from "../../../report/src/view";
import type { DrawingArea, MakeArea } from "../area";
import type { Deed, Selected, Session } from "../session";
import { remove } from "../text/elements";
import { reshape } from "../text/reshape";
import { split, type Spot } from "../text/sketch";
import { Pull, Reshape, Tug, list, type Drag, type Grip } from "./drag";
import { Draft } from "./edits";
import { bodyAt, hit, placeAt, pointsOf, reachOf, selected } from "./hit";
import { Overlay } from "./overlay";
import { Shown } from "./show";
import { Stage } from "./stage";
import { byFinger, makeTool, type Bench, type Press, type Tool } from "./tools";
import "./canvas.css";

/** A press that goes no further is a click, in pixels. */
const still = 5;
/** Two presses within so many milliseconds are a double click. */
const quick = 350;
/** What a hand can do without a tool: said until it is done, or was there to be read for so many milliseconds. */
const tips: [Deed, string][] = [["pull", "Drag a point: everything follows."], ["reshape", `With ${byFinger ? "Reshape" : "Alt, or Reshape,"} the geometry changes, and every curve with it.`]];
const patience = 12_000;

interface Pointer {
  at: Spot;
  from: Spot;
  touch: boolean;
  button: number;
}

class CanvasArea implements DrawingArea, Bench {
  readonly element: HTMLElement;
  readonly stage: Stage;
  private readonly overlay: Overlay;
  private readonly shown: Shown;
  private readonly reshaping: HTMLButtonElement;
  private readonly hints: HTMLElement;
  private readonly pointers = new Map<number, Pointer>();
  private tool: Tool | null = null;
  private drag: Drag | null = null;
  private mode: "none" | "press" | "pan" | "band" | "drag" | "tool" = "none";
  private pressed: Press | null = null;
  /** What was there when the button went down. */
  private found: ReturnType<typeof hit> = {};
  private lastPress = { time: 0, at: [0, 0] as Spot };
  private space = false;
  private spaceUsed = false;
  private painting = false;
  private fitNext = true;
  /** The newest text was not written by a hand in the drawing. */
  private foreign = false;
  private held: ArrayLike<number> | null = null;
  private forgetting = 0;
  private readonly stops: (() => void)[] = [];
  private readonly watch: ResizeObserver;

  constructor(readonly session: Session, host: HTMLElement) {
    this.element = h("div", { class: "canvas", role: "application", "aria-label": "Mechanism", "aria-roledescription": "drawing", tabindex: "0" });
    host.append(this.element);
    this.stage = new Stage(session, this.element);
    this.overlay = new Overlay(this.stage);
    this.stage.view.element.querySelector(".plane-sheet")?.append(this.overlay.canvas);
    this.shown = new Shown(this.stage.view, () => this.stage.shownReport, () => { this.paint(); });
    this.overlay.traced = () => this.shown.traced;
    this.reshaping = button("Reshape", "Reshape: dragging changes lengths in place of moving the mechanism (as with Alt)", () => {
      this.reshaping.setAttribute("aria-pressed", String(!this.isReshaping));
    }, { "aria-pressed": "false", class: "canvas-reshape" });
    const corner = h("div", { class: "canvas-corner" }, this.reshaping, button("Fit", "Fit: show the whole motion (0)", () => { this.fit(); }), this.shown.element);
    for (const event of ["pointerdown", "keydown", "wheel", "dblclick"]) corner.addEventListener(event, (one) => { one.stopPropagation(); });
    this.hints = h("div", { class: "canvas-hint", role: "note" });
    this.element.append(corner, this.hints);
    this.listen();
    this.follow();
    this.watch = new ResizeObserver(() => {
      this.stage.view.resize();
      this.overlay.resize();
      this.paint();
    });
    this.watch.observe(this.element);
    this.chooseTool();
    this.takeReport();
  }

  get isReshaping(): boolean { return this.reshaping.getAttribute("aria-pressed") === "true"; }

  // What the store tells

  private follow(): void {
    const { session, stops } = this;
    stops.push(
      session.on("opened", () => { this.fitNext = true; }),
      session.on("report", () => { this.takeReport(); }),
      session.on("text", ({ from }) => {
        // what is drawn by hand stays under the hand
        if (from === "canvas") this.fitNext = false;
        this.foreign = from !== "canvas" && from !== "inspector";
        this.emptied();
        this.paint();
      }),
      session.on("study", () => { this.paint(); }),
      session.on("sample", () => { this.paint(); }),
      session.on("pose", () => { this.paint(); }),
      session.on("selection", () => { this.paint(); this.speak(); }),
      session.on("tool", () => { this.chooseTool(); }),
      session.on("learnt", () => { this.hint(); }),
      session.on("live", (on) => {
        if (!on && this.drag instanceof Tug) this.drag = null;
        this.paint();
      }),
    );
  }

  private takeReport(): void {
    const { session, stage } = this;
    if (session.good?.model?.space === "3d") return;
    stage.show(session.report);
    this.shown.follow();
    if (this.fitNext || (this.foreign && !this.inSight())) {
      this.fitNext = false;
      stage.view.fit();
    }
    this.emptied();
    this.hint();
    this.paint();
  }

  /** Whether the mechanism can be seen: another one has come into the text where it cannot. */
  private inSight(): boolean {
    const { left, right, bottom, top } = this.stage.view.motion;
    const { box } = this.stage;
    const wide = Math.min(right, box.right) - Math.max(left, box.left);
    const high = Math.min(top, box.top) - Math.max(bottom, box.bottom);
    return wide > 0.75 * (right - left) && high > 0.75 * (top - bottom) && Math.max((right - left) / (box.right - box.left), (top - bottom) / (box.top - box.bottom)) > 0.08;
  }

  /** With the last body its drawing goes, too. */
  private emptied(): void {
    const { stage } = this;
    if (stage.sketch?.bodies.size === 1 && !stage.textBroken && stage.shownReport.scene.bodies.length > 1) stage.show(null);
  }

  /** Draws once before the next frame, however much has changed. */
  private paint(): void {
    if (this.painting) return;
    this.painting = true;
    requestAnimationFrame(() => {
      this.painting = false;
      this.paintNow();
    });
  }

  private paintNow(): void {
    const { stage, session, overlay } = this;
    const held = session.pose?.bodies ?? null;
    if (held !== this.held) {
      this.held = held;
      stage.view.hold(held);
    }
    if (!held) stage.view.draw(session.sample);
    overlay.held = this.drag?.held ?? [];
    overlay.tug = this.drag instanceof Tug ? this.drag.line : null;
    overlay.draw();
  }

  // Bench: what tools use

  edit(label: string, change: (draft: Draft) => void): boolean {
    const { session, stage } = this;
    if (stage.textBroken) {
      session.say("The text has an error: the drawing can be changed when it is mended.", "problem");
      return false;
    }
    const draft = new Draft(stage);
    change(draft);
    session.edit(draft.model.text, { label, from: "canvas" });
    stage.view.moved();
    return true;
  }

  bodiesAt(at: Spot): string[] {
    const { stage } = this;
    const found: string[] = [];
    const one = bodyAt(stage, at, reachOf(false));
    if (one) found.push(one);
    for (const body of stage.sketch?.bodies.keys() ?? []) {
      if (body === "ground" || found.includes(body)) continue;
      const alone = bodyAt(stage, at, reachOf(false), body);
      if (alone) found.push(alone);
    }
    return found;
  }

  length(metres: number): string {
    const { shownReport: report } = this.stage;
    return withUnit(Number((metres * report.factorOf("m")).toPrecision(4)), report.unitOf("m"));
  }

  // Tools

  private chooseTool(): void {
    const { session } = this;
    this.tool?.finish?.();
    this.tool = makeTool(session.tool, this);
    this.overlay.gridded = this.tool !== null;
    this.element.dataset.tool = session.tool;
    if (this.tool) {
      // what is drawn is drawn at the start
      session.pause();
      session.setTime(session.start);
    }
    this.hint();
    this.paint();
  }

  /** What the next click does, while a tool is in the hand; without one, what can be done here and was not yet. */
  private hint(): void {
    const hint = this.tool?.hint ?? this.tip();
    const text = byFinger ? hint.replace(/\bClick\b/g, "Tap").replace(/\bclick\b/g, "tap") : hint;
    if (this.hints.textContent !== text) this.hints.textContent = text;
  }

  private tip(): string {
    const { session, stage } = this;
    const next = tips.find(([deed]) => !session.learnt.has(deed));
    if (!next || (stage.shownReport.scene.bodies.length < 2)) return "";
    window.clearTimeout(this.forgetting);
    this.forgetting = window.setTimeout(() => { session.learn(next[0]); }, patience);
    return next[1];
  }

  /** Where a press would be: on what is there, else on the grid. */
  private pressAt(at: Spot, { shift = false, double = false, touch = false, free = false } = {}): Press {
    const { stage } = this;
    const reach = reachOf(touch);
    const place = placeAt(stage, at, reach);
    const joined = stage.sketch?.together(place?.references[0] ?? "") ?? [];
    const [references, loose] = [true, false].map((one) => place?.references.filter((reference) => joined.includes(reference) === one) ?? []);
    if (place) return { anchor: { at: this.onGrid(place.at), references: references ?? [], loose: loose ?? [] }, screen: stage.screen(place.at), shift, double };
    const body = free ? undefined : bodyAt(stage, at, reach / 2);
    const world = stage.world(at);
    const spot: Spot = free || body ? world : [this.snap(world[0]), this.snap(world[1])];
    return { anchor: { at: spot, references: [], ...(body ? { body } : {}) }, screen: stage.screen(spot), shift, double };
  }

  private snap(value: number): number {
    const { step } = this.stage;
    return Number((Math.round(value / step) * step).toPrecision(12));
  }

  /** What was drawn on the grid is on it again, though the numbers of its body are rounded. */
  private onGrid([x, y]: Spot): Spot {
    const there: Spot = [this.snap(x), this.snap(y)];
    return Math.hypot(there[0] - x, there[1] - y) < 4 * this.stage.quantum ? there : [x, y];
  }

  // The pointer

  private listen(): void {
    const { element, session } = this;
    const local = (event: MouseEvent): Spot => {
      const frame = this.overlay.canvas.getBoundingClientRect();
      return [event.clientX - frame.left, event.clientY - frame.top];
    };
    element.addEventListener("pointerdown", (event) => { this.down(event, local(event)); });
    element.addEventListener("pointermove", (event) => { this.moved(event, local(event)); });
    element.addEventListener("pointerup", (event) => { this.up(event, local(event)); });
    element.addEventListener("pointercancel", (event) => { this.lost(event); });
    element.addEventListener("pointerleave", () => {
      this.overlay.hovered = {};
      this.overlay.preview = null;
      this.paint();
    });
    element.addEventListener("contextmenu", (event) => { event.preventDefault(); });
    element.addEventListener("wheel", (event) => {
      event.preventDefault();
      const [x, y] = local(event);
      if (event.ctrlKey || !event.shiftKey) {
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
        this.stage.camera.zoom(Math.exp(-Math.max(-200, Math.min(200, event.deltaY * lines)) * (event.ctrlKey ? 0.008 : 0.0016)), x, y);
      } else this.stage.camera.pan(-event.deltaX - event.deltaY, 0);
      this.camera();
    }, { passive: false });
    element.addEventListener("keydown", (event) => { this.key(event); });
    element.addEventListener("keyup", (event) => {
      if (event.key !== " " || !this.space) return;
      this.space = false;
      // a space that has not moved the paper plays
      if (this.spaceUsed) this.spaceUsed = false;
      else if (session.playing) session.pause();
      else session.play();
    });
    element.addEventListener("focus", () => { this.overlay.focused = true; });
    element.addEventListener("blur", () => {
      this.overlay.focused = false;
      this.space = false;
    });
  }

  private camera(): void {
    this.stage.view.moved();
    this.paint();
  }

  private down(event: PointerEvent, at: Spot): void {
    const touch = event.pointerType === "touch";
    this.element.classList.add("by-hand");
    this.element.focus({ preventScroll: true });
    if ((event.target as HTMLElement).closest("button, details, input")) return;
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { at, from: at, touch, button: event.button });
    if (this.pointers.size > 1) {
      // a second finger makes it a pinch
      this.drag?.cancel();
      this.drag = null;
      this.mode = "pan";
      this.overlay.band = null;
      return;
    }
    const double = event.timeStamp - this.lastPress.time < quick && Math.hypot(at[0] - this.lastPress.at[0], at[1] - this.lastPress.at[1]) < 2 * still;
    this.lastPress = { time: event.timeStamp, at };
    if (event.button === 1 || (event.button === 0 && this.space)) {
      this.spaceUsed = this.space;
      this.mode = "pan";
      return;
    }
    if (event.button === 2) {
      this.escape();
      return;
    }
    this.pressed = this.pressAt(at, { shift: event.shiftKey, double, touch, free: event.ctrlKey });
    this.mode = this.tool ? "tool" : "press";
    this.found = hit(this.stage, at, reachOf(touch));
    // what moves stays under the hand that takes hold of it
    if (!this.tool && this.session.playing && (this.found.place || this.found.body)) this.session.pause();
    this.session.setPose(this.session.playing ? null : this.session.pose);
  }

  private moved(event: PointerEvent, at: Spot): void {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) {
      if (event.pointerType !== "touch") this.hover(at, event);
      return;
    }
    const before = pointer.at;
    pointer.at = at;
    const far = Math.hypot(at[0] - pointer.from[0], at[1] - pointer.from[1]) > still;
    if (this.mode === "pan") this.pan(event.pointerId, before, at);
    else if (this.mode === "tool") this.show(this.pressAt(at, { touch: pointer.touch, free: event.ctrlKey }), far ? this.pressed : null);
    else if (this.mode === "band") {
      this.overlay.band = [pointer.from, at];
      this.paint();
    } else if (this.mode === "drag") this.pull(at, pointer, event.ctrlKey);
    else if (this.mode === "press" && far) this.begin(pointer, event);
  }

  private pan(id: number, before: Spot, now: Spot): void {
    const { camera } = this.stage;
    const other = [...this.pointers].find(([one]) => one !== id)?.[1].at;
    if (other) {
      const spread = (at: Spot): number => Math.max(8, Math.hypot(at[0] - other[0], at[1] - other[1]));
      camera.zoom(spread(now) / spread(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    }
    const share = other ? 0.5 : 1;
    camera.pan((now[0] - before[0]) * share, (now[1] - before[1]) * share);
    this.camera();
  }

  private hover(at: Spot, event: PointerEvent): void {
    if (this.tool) {
      this.show(this.pressAt(at, { free: event.ctrlKey, shift: event.shiftKey }), null);
      return;
    }
    const found = hit(this.stage, at, reachOf(false));
    this.overlay.hovered = found;
    this.element.style.cursor = this.space ? "grab" : found.place || found.body ? (event.altKey || this.isReshaping ? "move" : "pointer") : found.element ? "pointer" : "";
    const names = found.place?.references.join(" · ") ?? found.element?.name ?? found.body;
    this.overlay.chip = names && (found.place || found.element) ? { at, text: names } : null;
    this.paint();
  }

  private show(now: Press, from: Press | null): void {
    this.overlay.hovered = {};
    this.overlay.chip = null;
    this.overlay.preview = (overlay) => this.tool?.preview?.(overlay, now, from);
    this.paint();
  }

  /** A press with the arrow has become a drag: of what is there, of the paper, or a rubber band. */
  private begin({ from, touch }: Pointer, event: PointerEvent): void {
    const { stage, session, found } = this;
    if (!found.place && !found.body) {
      this.mode = event.shiftKey && !touch ? "band" : "pan";
      return;
    }
    const what = selected(stage, found);
    if (what && !session.isSelected(what)) session.select(...(event.shiftKey ? [...session.selection, what] : [what]));
    const grip = this.gripOf(from, found.place?.references ?? [], found.body);
    if (!grip) return;
    if (stage.textBroken) {
      session.say("The text has an error: the drawing can be changed when it is mended.", "problem");
      return;
    }
    const reshaping = event.altKey !== this.isReshaping || !this.canMove(grip) || session.selection.length > 1;
    const changed = (): void => { this.paint(); };
    if (session.live.on && grip.handle && event.altKey === this.isReshaping) this.drag = new Tug(stage, { ...grip, handle: grip.handle });
    else this.drag = reshaping || !grip.handle ? new Reshape(stage, grip, changed) : new Pull(stage, { ...grip, handle: grip.handle }, changed);
    this.mode = "drag";
    this.overlay.hovered = {};
  }

  private gripOf(from: Spot, references: readonly string[], body: string | undefined): Grip | null {
    const { stage, session } = this;
    const chosen = session.selection;
    const [first] = references;
    const moving = references.find((one) => split(one)[0] !== "ground" && stage.shown(split(one)[0]));
    const [holder, point] = split(moving ?? "");
    const at: Spot = (first === undefined ? null : stage.spot(first)) ?? stage.world(from);
    const local = moving ? stage.sketch?.local(holder, point) : body ? stage.local(body, stage.world(from)) : null;
    const handle = local && (moving ? holder : body) ? { body: moving ? holder : body ?? "", p: [local[0], local[1]] as [number, number] } : null;
    // of several that are selected all go along
    const several = chosen.length > 1 ? chosen : [];
    const points = several.length > 0 ? several.filter(({ kind }) => kind !== "body").flatMap((one) => pointsOf(stage, one)) : first ? [first] : [];
    const bodies = several.length > 0 ? several.filter(({ kind }) => kind === "body").map(({ name }) => name) : !first && body ? [body] : [];
    return { name: several.length > 0 ? "selection" : first ?? body ?? "", points, bodies, handle, at };
  }

  /** Whether a hand can pull it by its joints: the engine knows it, and something holds it that lets it move. */
  private canMove({ handle }: Grip): boolean {
    const { stage, session } = this;
    if (!handle || !session.good?.model || session.study !== session.good) return false;
    return session.good.model.freedom > 0 && (stage.sketch?.usedPoints(handle.body).size ?? 0) > 0 && stage.bodyIndex(handle.body) !== undefined;
  }

  private pull(at: Spot, pointer: Pointer, free: boolean): void {
    const { drag, stage } = this;
    if (!drag) return;
    const world = stage.world(at);
    if (drag instanceof Reshape) {
      const grips = this.session.selection.flatMap((one) => pointsOf(stage, one));
      const place = placeAt(stage, at, reachOf(pointer.touch) * 0.7, grips.flatMap((one) => stage.sketch?.together(one) ?? []));
      drag.move(place && !free ? place.at : free ? world : [this.snap(world[0]), this.snap(world[1])]);
    } else drag.move(world);
    this.overlay.chip = drag.words ? { at, text: drag.words } : null;
  }

  private up(event: PointerEvent, at: Spot): void {
    const pointer = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (!pointer || this.pointers.size > 0) return;
    const { mode, session } = this;
    this.mode = "none";
    if (mode === "drag") {
      this.drag?.end();
      session.learn(this.drag instanceof Reshape ? "reshape" : "pull");
    } else if (mode === "band") this.choose(pointer.from, at);
    else if (mode === "press") this.click(at, event, pointer.touch);
    else if (mode === "tool" && this.pressed) {
      const far = Math.hypot(at[0] - pointer.from[0], at[1] - pointer.from[1]) > 2 * still;
      if (far) {
        const to = this.pressAt(at, { shift: event.shiftKey, touch: pointer.touch, free: event.ctrlKey });
        if (this.tool?.dragged) this.tool.dragged(this.pressed, to);
        else {
          this.tool?.click(this.pressed);
          this.tool?.click(to);
        }
      } else this.tool?.click(this.pressed);
      if (this.tool && session.tool !== "Select") this.hint();
    }
    this.drag = null;
    this.pressed = null;
    this.overlay.band = null;
    this.overlay.chip = null;
    this.paint();
  }

  private lost(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
    this.drag?.cancel();
    this.drag = null;
    this.mode = "none";
    this.overlay.band = null;
    this.paint();
  }

  private click(at: Spot, event: PointerEvent, touch: boolean): void {
    const { session, stage } = this;
    const found = selected(stage, hit(stage, at, reachOf(touch)));
    if (!found) {
      if (!event.shiftKey) session.select();
    } else if (!event.shiftKey) session.select(found);
    else session.select(...(session.isSelected(found) ? session.selection.filter(({ name }) => name !== found.name) : [...session.selection, found]));
  }

  /** All points within a rubber band. */
  private choose(from: Spot, to: Spot): void {
    const { session, stage } = this;
    const inside = ([x, y]: Spot): boolean => x >= Math.min(from[0], to[0]) && x <= Math.max(from[0], to[0]) && y >= Math.min(from[1], to[1]) && y <= Math.max(from[1], to[1]);
    const found = stage.places().filter((place) => inside(stage.screen(place.at))).flatMap((place) => selected(stage, { place }) ?? []);
    session.select(...session.selection, ...found.filter((one) => !session.isSelected(one)));
  }

  // Keys

  private key(event: KeyboardEvent): void {
    const { session } = this;
    if (event.target !== this.element) return;
    this.element.classList.remove("by-hand");
    const control = event.ctrlKey || event.metaKey;
    const arrows: Record<string, Spot> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const arrow = arrows[event.key];
    const shortcuts: Record<string, () => void> = {
      Escape: () => { this.escape(); },
      Enter: () => { this.tool?.finish?.(); this.hint(); },
      Delete: () => { this.remove(); },
      Backspace: () => { this.remove(); },
      "+": () => { this.zoom(1.25); }, "-": () => { this.zoom(0.8); },
    };
    if (arrow && session.selection.length > 0) this.nudge(arrow, event.shiftKey ? 10 : 1);
    else if (event.key === "Tab" && !this.tool) {
      if (!this.cycle(event.shiftKey ? -1 : 1)) return;
    } else if (control && event.key === "a") session.select(...this.all());
    else if (event.key === " " && !control) this.space = true;
    else if (!control && (!event.altKey || event.key === "Escape") && shortcuts[event.key]) shortcuts[event.key]?.();
    else return;
    event.stopPropagation();
    event.preventDefault();
    this.paint();
  }

  private zoom(factor: number): void {
    this.stage.camera.zoom(factor, this.stage.camera.width / 2, this.stage.camera.height / 2);
    this.camera();
  }

  private escape(): void {
    const { session } = this;
    if (this.drag) {
      this.drag.cancel();
      this.drag = null;
      this.mode = "none";
    } else if (this.tool?.cancel?.()) this.hint();
    else if (this.tool) session.setTool("Select");
    else session.select();
    this.overlay.chip = null;
    this.paint();
  }

  private remove(): void {
    const { session } = this;
    const chosen = session.selection.filter(({ kind }) => kind !== "parameter").map(({ name }) => name);
    // what is in the hand stays until it is let go
    if (chosen.length === 0 || this.drag) return;
    let gone: string[] = [];
    const done = this.edit(`Delete ${chosen.length === 1 ? chosen[0] ?? "" : `${chosen.length} elements`}`, ({ model }) => { gone = remove(model, chosen).names; });
    if (!done) return;
    session.select();
    const along = gone.filter((name) => !chosen.includes(name));
    if (along.length > 0) session.say(`With it went ${list(along)}.`, "done");
  }

  /** Moves what is selected by steps of the grid. */
  private nudge([dx, dy]: Spot, steps: number): void {
    const { session, stage } = this;
    const { sketch } = stage;
    if (!sketch || stage.textBroken) return;
    const bodies = session.selection.filter(({ kind }) => kind === "body").map(({ name }) => name);
    const moves = session.selection.flatMap((one) => pointsOf(stage, one)).flatMap((reference) => {
      const at = stage.spot(reference);
      return at ? [{ reference, to: [at[0] + dx * steps * stage.step, at[1] + dy * steps * stage.step] as Spot }] : [];
    });
    const { text } = reshape(sketch, stage.pose, moves, stage.quantum, bodies);
    session.edit(text, { label: `Move ${session.selection.map(({ name }) => name).join(", ")}`, together: `nudge ${session.selection.map(({ name }) => name).join()}`, from: "canvas" });
  }

  private all(): Selected[] {
    return this.stage.places().flatMap((place) => selected(this.stage, { place }) ?? []);
  }

  /** The next element; false at the end, where the focus goes on. */
  private cycle(step: number): boolean {
    const { session, stage } = this;
    const { sketch } = stage;
    if (!sketch) return false;
    const list: Selected[] = [
      ...[...sketch.bodies.values()].flatMap((body) => [
        ...(body.name === "ground" ? [] : [{ kind: "body" as const, name: body.name }]),
        ...[...body.points.keys()].map((point) => ({ kind: "point" as const, name: `${body.name}.${point}` })),
      ]),
      ...sketch.elements.map(({ group, name }) => ({ kind: group, name })),
    ];
    const [current] = session.selection;
    const at = current ? list.findIndex(({ kind, name }) => kind === current.kind && name === current.name) : step > 0 ? -1 : list.length;
    const next = list[at + step];
    if (!next) {
      session.select();
      return false;
    }
    session.select(next);
    return true;
  }

  /** For those who cannot see what is selected. */
  private speak(): void {
    const words = this.session.selection.map(({ kind, name }) => `${kind} ${name}`).join(", ");
    this.element.setAttribute("aria-description", words || "Nothing is selected. Tab goes through the elements.");
  }

  // DrawingArea

  setTheme(theme: Theme): void {
    this.overlay.theme = theme;
    this.stage.view.setTheme(theme);
    this.paint();
  }

  fit(): void {
    this.stage.view.fit();
    this.paint();
  }

  screen(name: string): [number, number] | null {
    const spot = this.stage.spot(name);
    if (!spot) return null;
    const [x, y] = this.stage.screen(spot);
    const frame = this.overlay.canvas.getBoundingClientRect();
    return [frame.left + x, frame.top + y];
  }

  /** Whether a point ("crank.A") draws its curve. */
  isTraced(point: string): boolean { return this.shown.isTraced(point); }
  trace(point: string, on: boolean): void { this.shown.trace(point, on); }

  picture(sample: number): HTMLCanvasElement | null {
    return this.stage.view.picture(sample);
  }

  svg(sample: number): string | null {
    return this.stage.view.svg(sample);
  }

  dispose(): void {
    for (const stop of this.stops) stop();
    window.clearTimeout(this.forgetting);
    this.watch.disconnect();
    this.stage.view.dispose();
    this.element.remove();
  }
}

export const makeCanvas: MakeArea = (session, host) => new CanvasArea(session, host);
