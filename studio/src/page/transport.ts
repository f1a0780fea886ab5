// The clock: play and pause, the slider of the time with what happens on the way marked on it, and the speed.

import { button, h, icon, setIcon } from "../../../report/src/dom";
import { sixDigits, withUnit } from "../../../report/src/format";
import { speeds } from "../../../report/src/player";
import type { Happening, Report } from "../../../report/src/report";
import type { Session } from "../session";
import { icons } from "./icons";

const mostMarks = 60;

export function makeTransport(session: Session): HTMLElement {
  const face = (path: string, words: string, title: string, pressed: () => void, style = "icon"): HTMLButtonElement => {
    const made = button("", words, pressed, { class: style, title });
    made.append(icon(path));
    return made;
  };
  const play = face(icons.play, "Play", "Play (space)", () => (session.playing ? session.pause() : session.play()), "icon primary");
  const slider = h("input", { type: "range", min: "0", max: "1", step: "any", value: "0", "aria-label": "Time" });
  const marks = h("div", { class: "marks" });
  const clock = h("div", { class: "clock" });
  const speed = h("select", { "aria-label": "Speed", title: "Speed" });
  const loop = face(icons.loop, "Loop", "Loop", () => {
    session.loop = !session.loop;
    loop.setAttribute("aria-pressed", String(session.loop));
  });
  loop.setAttribute("aria-pressed", "true");
  const live = button("Live", "It moves on by itself from here, and a hand can pull at it (i)", () => { session.live.toggle(); }, { "aria-label": "Live", "aria-pressed": "false", class: "live" });
  session.on("live", (on) => { live.setAttribute("aria-pressed", String(on)); });

  slider.addEventListener("input", () => {
    session.pause();
    session.setSample(Math.round(Number(slider.value)));
  });
  slider.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    session.pause();
    session.setSample(Math.round(session.sample) + by * (event.shiftKey ? 10 : 1));
  });
  speed.addEventListener("change", () => { session.speed = Number(speed.value); });

  let length = Number.NaN;
  const chooseSpeed = (report: Report): void => {
    const end = (report.time.at(-1) ?? 0) - (report.time[0] ?? 0);
    if (end === length) return;
    const before = speeds(length).first;
    length = end;
    const { offered, first } = speeds(end);
    // a speed that was chosen by hand stays where the new motion offers it
    const keep = session.speed !== before && offered.includes(session.speed);
    speed.replaceChildren(...offered.map((one) => h("option", { value: String(one) }, `${one}×`)));
    session.speed = keep ? session.speed : first;
    speed.value = String(session.speed);
  };
  const mark = (report: Report, event: Happening): HTMLElement => {
    const words = `${event.kind.replaceAll("-", " ")} at ${sixDigits(Number(event.t.toPrecision(5)))} s${event.sentence ? `: ${event.sentence}` : ""}`;
    const made = h("button", { type: "button", class: `mark ${event.kind.includes("dead") ? "dead" : event.kind.includes("change") || event.kind.includes("singular") ? "change" : "event"}`, "aria-label": words, title: words, tabindex: "-1" });
    // what ends a run lies behind its last row
    const part = Math.min(1, (event.t - session.start) / (session.end - session.start || 1));
    made.style.left = `${(100 * part).toFixed(3)}%`;
    made.addEventListener("click", () => {
      session.pause();
      session.setSample(report.sampleAt(event.t));
    });
    return made;
  };
  let marked = "";
  // nothing moves before there is something
  session.on("opened", () => {
    play.disabled = slider.disabled = true;
    live.hidden = true;
    marks.replaceChildren();
    marked = clock.textContent = "";
  });
  session.on("report", (report) => {
    slider.max = String(Math.max(1, report.samples - 1));
    slider.disabled = report.samples < 2;
    live.hidden = !session.live.offered;
    play.disabled = report.samples < 2;
    chooseSpeed(report);
    const { outcome } = report.document.run;
    // what ends the run may stand among the events, too
    const before = report.document.events.filter((event) => event.kind !== outcome.kind || event.t !== outcome.t);
    const events = report.samples < 2 ? [] : [...before.slice(0, mostMarks), ...(outcome.kind === "done" ? [] : [outcome])];
    const key = JSON.stringify([session.end, events.map((event) => [event.t, event.kind])]);
    if (key === marked) return;
    marked = key;
    marks.replaceChildren(...events.map((event) => mark(report, event)));
  });
  const tell = (time: number): void => {
    const { report } = session;
    const unit = report?.unit(report.along) ?? "s";
    const factor = report?.factorOf(report.info(report.along)?.unit ?? "") ?? 1;
    const value = time * factor;
    const size = Math.abs(session.end * factor);
    const places = size > 0 ? Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(size)))) : 0;
    clock.textContent = `${value.toFixed(places)} ${unit}`;
    slider.setAttribute("aria-valuetext", withUnit(Number(value.toPrecision(4)), unit));
  };
  session.on("sample", (sample) => {
    slider.value = String(sample);
    tell(session.time);
  });
  session.on("pose", () => { tell(session.live.on ? session.live.time : session.time); });
  session.on("playing", (playing) => {
    setIcon(play, playing ? icons.pause : icons.play);
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
    play.title = playing ? "Pause (space)" : "Play (space)";
  });
  return h("div", { class: "transport", role: "group", "aria-label": "Animation" }, play, h("div", { class: "track" }, marks, slider), clock, speed, live, loop);
}
