// Small motions about a rest: the program says where each mode takes the bodies, for amplitudes from one side to the other, and these are samples
// like those of a run. So the drawing plays a mode as it plays any motion; what this file adds is which sample belongs to an instant.

import { h, iconButton, setIcon } from "./dom";
import { Pieces } from "./packed";
import { pausePath, playPath, type Player, type Timeline } from "./player";
import { Report, type ModesOfRest, type ReportDocument } from "./report";

/** Seconds that one swing takes on the page, however quick it is. */
const cycle = 2.5;
const ticks = 100;
/** How far, of the furthest that there is, before anybody chooses. */
const firstAmplitude = 0.5;
/** How often one that leaves grows by a factor of e while it is shown. */
const foldings = 3;

/** The rest with the samples of its modes: places of bodies as the modes have them, everything else as it is at rest. */
export class Swinging extends Report {
  override readonly samples: number;
  private readonly moving: Map<string, number> | undefined;
  private readonly swung: Pieces;
  private readonly known = new Map<string, Float64Array>();

  constructor(document: ReportDocument, private readonly modes: ModesOfRest) {
    super(document);
    this.samples = modes.rows * modes.modes.length;
    this.moving = new Map(modes.columns.map((name, index) => [name, index]));
    this.swung = new Pieces(document.encoding, modes.data, modes.columns.length, this.samples);
  }

  override column(name: string): Float64Array | undefined {
    if (!this.moving) return super.column(name);
    const known = this.known.get(name);
    if (known) return known;
    const index = this.moving.get(name);
    const found = index === undefined ? super.column(name) : this.swung.column(index);
    const numbers = found?.length === 1 ? new Float64Array(this.samples).fill(found[0] ?? 0) : found;
    if (numbers) this.known.set(name, numbers);
    return numbers;
  }

  /** The sample of a mode at an amplitude from -1 to 1. */
  sampleOf(mode: number, amplitude: number): number {
    return mode * this.modes.rows + ((this.modes.rows - 1) / 2) * (1 + amplitude);
  }
}

/** Which mode is played, how far it goes, and where it is at a time of the cycle. */
export class ModePlay {
  readonly report: Swinging;
  readonly timeline: Timeline;
  chosen = 0;
  amplitude = firstAmplitude;

  constructor(document: ReportDocument, readonly modes: ModesOfRest) {
    this.report = new Swinging(document, modes);
    const time = Float64Array.from({ length: ticks + 1 }, (_, k) => (k * cycle) / ticks);
    this.timeline = { time, sampleAt: (t) => (t / cycle) * ticks };
  }

  /** What part of the furthest place it is at: a sine, and of a mode that leaves a growth. */
  deflection(t: number): number {
    const part = t / cycle;
    const leaves = (this.modes.modes[this.chosen]?.growth ?? 0) > 0;
    return this.amplitude * (leaves ? Math.expm1(foldings * part) / Math.expm1(foldings) : Math.sin(2 * Math.PI * part));
  }

  /** The sample of the drawing. */
  sampleAt(t: number): number {
    return this.report.sampleOf(this.chosen, this.deflection(t));
  }
}

/** The modes to choose from, the button that plays one, and how far it goes. */
export function modePanel(play: ModePlay, player: Player): HTMLElement {
  const toggle = iconButton(playPath, "Play the mode (space)", () => player.toggle(), { "data-testid": "play", class: "icon primary" });
  const choose = h("select", { "aria-label": "Mode", "data-testid": "mode" });
  play.modes.modes.forEach((mode, index) => choose.append(h("option", { value: String(index) }, `Mode ${mode.words}`)));
  choose.addEventListener("change", () => {
    play.chosen = Number(choose.value);
    say();
    player.setTime(player.start);
    player.play();
  });
  const size = h("input", { type: "range", min: "0", max: "1", step: "0.01", value: String(firstAmplitude), "aria-label": "Amplitude", "data-testid": "amplitude" });
  size.addEventListener("input", () => {
    play.amplitude = Number(size.value);
    if (!player.playing) player.setTime(play.modes.modes[play.chosen]?.growth ? player.end : player.end / 4);
    else player.setTime(player.time);
  });
  const note = h("p", { class: "note", "data-testid": "mode-note" });
  const say = (): void => {
    const mode = play.modes.modes[play.chosen];
    note.textContent = `${mode?.shape ?? ""} · ${mode?.unstable ?? "shown as a swing of 2.5 s; how large it is says nothing, and arrows are those of the rest"}`;
    note.classList.toggle("alarm", (mode?.growth ?? 0) > 0);
  };
  player.onState(() => {
    setIcon(toggle, player.playing ? pausePath : playPath);
    const label = player.playing ? "Pause (space)" : "Play the mode (space)";
    toggle.setAttribute("aria-label", label);
    toggle.setAttribute("title", label);
  });
  say();
  return h("div", { class: "modes", role: "group", "aria-label": "Modes", "data-testid": "modes" },
    h("div", { class: "transport" }, toggle, choose, h("label", { class: "slider" }, h("span", {}, "Amplitude"), size)), note);
}
