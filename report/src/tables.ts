// The parts of the page that stand still: header, summary, events, warnings, source, and the table of a single state.

import { button, h, section } from "./dom";
import { sixDigits } from "./format";
import { standsStill, type Column, type Happening, type Report, type SummaryTable } from "./report";

const analyses: Record<string, string> = {
  kinematics: "Kinematics", inverse: "Inverse dynamics", dynamics: "Dynamics", equilibrium: "Equilibrium",
};

/** What was run, in one line. */
function runSentence(report: Report): string {
  const { run, thinned, model } = report.document;
  const parts = [analyses[run.analysis] ?? run.analysis];
  if (run.over) parts.push(`over ${run.over} at ${report.samples} value${report.samples === 1 ? "" : "s"}`);
  else if (report.samples > 1) parts.push(`0 to ${report.told(run.to, "s")} in ${run.steps} steps`);
  if (run.tolerance !== null) parts.push(`tolerance ${sixDigits(run.tolerance)}`);
  if (thinned) parts.push(`${thinned.rows} rows, one in ${thinned.every} shown`);
  parts.push(model.file);
  return parts.join(" · ");
}

export function header(report: Report, tools: HTMLElement[]): HTMLElement {
  const { model, run } = report.document;
  const good = run.outcome.kind === "done";
  const badge = h("span", { class: good ? "badge good" : "badge bad", "data-testid": "outcome" },
    good ? "Completed" : `${run.outcome.kind.replaceAll("-", " ")} at ${report.told(run.outcome.t, "s")}`);
  return h("header", { class: "top" },
    h("div", { class: "title" }, h("h1", {}, model.name || "Unnamed model"), h("p", {}, runSentence(report)),
      run.outcome.sentence ? h("p", { class: "sentence" }, run.outcome.sentence) : null),
    h("div", { class: "tools" }, badge, ...tools));
}

export function summary(report: Report): HTMLElement | null {
  const tables = report.document.summary.filter((table) => table.rows.length > 0);
  if (tables.length === 0) return null;
  const made = section("summary", "Summary", h("div", { class: "summary-grid" }, ...tables.map(summaryTable)));
  made.dataset.testid = "summary";
  return made;
}

function summaryTable(table: SummaryTable): HTMLElement {
  const most = Math.max(table.head.length, ...table.rows.map((row) => row.length));
  const head = table.head.length > 0 ? h("thead", {}, h("tr", {}, ...table.head.map((cell) => h("th", { scope: "col" }, cell)))) : null;
  const body = h("tbody");
  for (const row of table.rows) {
    const line = h("tr");
    row.forEach((cell, index) => {
      const made = index === 0 ? h("th", { scope: "row" }, cell) : h("td", {}, cell);
      if (index === row.length - 1 && row.length < most) made.colSpan = most - row.length + 1;
      line.append(made);
    });
    body.append(line);
  }
  return h("div", { class: "scroll" }, h("table", {}, h("caption", {}, table.title), head, body));
}

export function events(report: Report, seek: (t: number) => void): HTMLElement | null {
  const { events: list } = report.document;
  if (list.length === 0) return null;
  const rows = list.map((event) => h("li", {}, eventButton(report, event, seek)));
  const made = section("events", "Events", h("ol", { class: "events" }, ...rows));
  made.dataset.testid = "events";
  return made;
}

function eventButton(report: Report, event: Happening, seek: (t: number) => void): HTMLButtonElement {
  const made = h("button", { type: "button", title: "Move the cursor here" },
    h("span", { class: "when" }, report.told(event.t, "s")), h("span", { class: "badge plain" }, event.kind.replaceAll("-", " ")),
    h("span", { class: "what" }, event.sentence || event.elements.join(", ")));
  made.addEventListener("click", () => seek(event.t));
  return made;
}

export function problems(report: Report): HTMLElement | null {
  const { problems: list } = report.document;
  if (list.length === 0) return null;
  const made = section("problems", list.some((one) => one.severity === "error") ? "Warnings and errors" : "Warnings",
    h("ul", { class: "problems" }, ...list.map((one) => h("li", { class: one.severity }, one.text))));
  made.dataset.testid = "problems";
  return made;
}

export function source(report: Report): HTMLElement {
  const { source: text, file } = report.document.model;
  const code = h("ol", { class: "code", tabindex: "0", role: "region", "aria-label": `Text of ${file}` });
  for (const line of text.replace(/\n$/, "").split("\n")) code.append(sourceLine(line));
  const made = section("source", "Model", code);
  made.dataset.testid = "source";
  const copy = button("Copy", "Copy the model's text", () => {
    void copyText(text).then((done) => {
      copy.textContent = done ? "Copied" : "Could not copy";
      window.setTimeout(() => { copy.textContent = "Copy"; }, 1500);
    });
  }, { "data-testid": "copy" });
  made.querySelector("h2")?.after(h("div", { class: "corner" }, h("span", { class: "note" }, file), copy));
  return made;
}

/** A line of TOML with its comment and its section heading set apart. */
function sourceLine(line: string): HTMLElement {
  const made = h("li");
  const quoted = /^(?:[^"'#]|"(?:[^"\\]|\\.)*"|'[^']*')*/.exec(line)?.[0].length ?? line.length;
  const code = line.slice(0, quoted);
  const comment = line.slice(quoted);
  if (code.trimStart().startsWith("[")) made.append(h("b", {}, code));
  else made.append(code);
  if (comment.startsWith("#")) made.append(h("i", {}, comment));
  else made.append(comment);
  return made;
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

const moving = ["velocity", "acceleration", "jerk", "snap", "joint-velocity", "joint-acceleration", "joint-jerk", "joint-snap"];

/** All values of a run with one sample, a table for each body, joint or force; a body's points stand under it. */
export function stateTable(report: Report): HTMLElement {
  const rest = report.document.run.analysis === "equilibrium";
  const bodies = new Set(report.scene.bodies.map((body) => body.name));
  const owners = new Map<string, Column[]>();
  for (const column of report.document.columns) {
    // Nothing moves: what is 0 by the nature of a rest says nothing.
    if (column.group === "time" || standsStill(column) || (rest && moving.includes(column.group))) continue;
    const owner = column.owner?.split(".")[0] ?? "system";
    owners.set(owner, [...(owners.get(owner) ?? []), column]);
  }
  // What the parts carry is what a rest was asked for; where they are can be seen.
  const inOrder = [...owners].sort(([a], [b]) => Number(bodies.has(a)) - Number(bodies.has(b)));
  const tables = inOrder.map(([owner, columns]) => {
    const rows = columns.map((column) => h("tr", {}, h("th", { scope: "row" }, column.name),
      h("td", { class: "number" }, sixDigits(report.shownAt(column.name, 0))), h("td", {}, report.unit(column.name))));
    return h("div", { class: "scroll" }, h("table", {}, h("caption", {}, owner), h("tbody", {}, ...rows)));
  });
  const made = section("state", "Values",
    h("div", { class: "values", tabindex: "0", role: "region", "aria-label": "Values" }, h("div", { class: "summary-grid" }, ...tables)));
  made.dataset.testid = "state";
  return made;
}
