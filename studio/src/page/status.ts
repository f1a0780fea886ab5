// One line that says what is known: how many ways the mechanism can move, what was run, what happened on the way, and how long it took.

import { h } from "../../../report/src/dom";
import { sixDigits } from "../../../report/src/format";
import type { Study } from "../engine/contract";
import type { Session } from "../session";

const analyses: Record<string, string> = { kinematics: "Kinematics", inverse: "Inverse dynamics", dynamics: "Dynamics", equilibrium: "Equilibrium" };
const singular = ["dead-point", "change-point", "singular-position"];
const milliseconds = 400;

export function makeStatus(session: Session): HTMLElement {
  const mobility = h("span", { class: "mobility" }, "Starting the engine …");
  const ran = h("span", { class: "ran" });
  const happened = h("span", { class: "happened" });
  const took = h("span", { class: "took" });
  const said = h("span", { class: "said", role: "log", "aria-label": "Messages" });
  // what is read aloud waits until something rests; what is drawn does not
  const status = h("div", { class: "status", role: "status" }, mobility, ran, happened);
  const element = h("footer", { class: "status-bar" }, status, said, took);
  let forget = 0;
  let last = 0;
  const put = (target: HTMLElement, text: string): void => { if (target.textContent !== text) target.textContent = text; };
  session.on("study", (study) => {
    const now = performance.now();
    if (session.held && now - last < milliseconds / 4) return;
    last = now;
    element.classList.toggle("broken", study.document === null && !session.isBlank);
    put(mobility, study.model?.mobility ?? (session.isBlank ? "An empty sheet: take Link and click where the crank turns about" : brokenSentence(session)));
    put(ran, session.undriven > 0 ? "nothing drives it yet: add a motor" : study.document ? ranSentence(study) : "");
    put(happened, study.document ? eventSentence(study) : "");
    put(took, study.model ? `${study.took < 10 ? study.took.toFixed(1) : study.took.toFixed(0)} ms` : "");
    took.title = "What the engine took for the whole motion";
  });
  let long = 0;
  session.on("busy", (on) => {
    window.clearTimeout(long);
    if (on) long = window.setTimeout(() => { put(took, "computing … any change ends it"); }, 3000);
  });
  session.on("say", (message) => {
    window.clearTimeout(forget);
    said.textContent = message?.text ?? "";
    said.className = `said ${message?.kind ?? ""}`;
    if (message) forget = window.setTimeout(() => { said.textContent = ""; }, 4000 + 60 * message.text.length);
  });
  return element;
}

function brokenSentence(session: Session): string {
  return `The text has errors${session.good ? ": the last mechanism without them is shown" : ""}`;
}

function ranSentence({ document, model }: Study): string {
  if (!document) return "";
  const { run, samples } = document;
  const name = analyses[run.analysis] ?? run.analysis;
  const { kind, t } = run.outcome;
  // the whole sentence stands among the problems
  const end = kind === "done" ? "" : `, stopped at ${sixDigits(Number(t.toPrecision(4)))} s: ${kind.replaceAll("-", " ")}`;
  if (run.over) return `${name} over ${run.over}${end}`;
  if (samples < 2) return name + end;
  return `${name}, 0 to ${sixDigits(model?.to ?? run.to)} s${end}`;
}

/** Dead points and change points in words, the first few of them with their times. */
function eventSentence({ document }: Study): string {
  const outcome = document?.run.outcome;
  const events = (document?.events ?? []).filter((event) => event.kind !== outcome?.kind || event.t !== outcome.t);
  const parts: string[] = [];
  for (const kind of singular) {
    const times = events.filter((event) => event.kind === kind).map((event) => sixDigits(Number(event.t.toPrecision(4))));
    if (times.length > 0) parts.push(`${times.length === 1 ? kind.replace("-", " ") : `${times.length} ${kind.replace("-", " ")}s`} at ${times.slice(0, 3).join(", ")}${times.length > 3 ? ", …" : ""} s`);
  }
  const others = events.filter((event) => !singular.includes(event.kind)).length;
  if (others > 0) parts.push(`${others} event${others === 1 ? "" : "s"}`);
  return parts.join("; ");
}
