// Goals: numbers that a mechanism is judged by, over its whole motion. Those of the model, and those that are typed here.

import { h, iconButton } from "../../../report/src/dom";
import { sixDigits } from "../../../report/src/format";
import type { Session } from "../session";
import { icons } from "./icons";

const mostGoals = 40;

export function makeGoals(session: Session): HTMLElement {
  const body = h("tbody");
  const table = h("table", { class: "goals", "aria-label": "Goals" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Goal"), h("th", { scope: "col", class: "number" }, "Value"), h("th", { scope: "col" }, h("span", { class: "hidden" }, "Remove")))), body);
  const input = h("input", { type: "text", class: "wide", "aria-label": "New goal", placeholder: "stroke = range(ram.x)", spellcheck: "false", autocomplete: "off", list: "goal-ideas" });
  const ideas = h("datalist", { id: "goal-ideas" });
  const add = h("button", { type: "submit" }, "Add");
  const form = h("form", { class: "goal-form" }, input, ideas, add);
  const note = h("p", { class: "note" });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const found = readGoal(input.value, session.goals.map((one) => one.name));
    if (typeof found === "string") {
      note.textContent = found;
      return;
    }
    if (session.goals.length >= mostGoals) {
      note.textContent = `There are ${mostGoals} goals already.`;
      return;
    }
    note.textContent = "";
    input.value = "";
    session.setGoals([...session.goals, found], `Goal ${found.name}`);
  });

  const show = (): void => {
    const values = new Map((session.study?.goals ?? []).map((one) => [one.name, one]));
    const own = new Map(session.goals.map((one) => [one.name, one.text]));
    const names = [...new Set([...values.keys(), ...own.keys()])];
    const rows = [...body.rows];
    // while something is dragged only the numbers are new
    if (rows.length === names.length && rows.every((row, k) => row.dataset.name === names[k] && row.dataset.text === (own.get(names[k] ?? "") ?? ""))) {
      rows.forEach((row, k) => {
        const cell = row.cells[1];
        const text = shown(values.get(names[k] ?? ""));
        if (cell && cell.textContent !== text) cell.textContent = text;
      });
      return;
    }
    body.replaceChildren(...names.map((name) => {
      const text = own.get(name);
      const remove = text === undefined ? null : iconButton(icons.remove, `Remove ${name}`, () => session.setGoals(session.goals.filter((one) => one.name !== name), `Remove goal ${name}`), { class: "icon plain stroked" });
      const row = h("tr", {}, h("th", { scope: "row", title: text ?? "" }, name, text && text !== name ? h("span", { class: "formula" }, text) : null), h("td", { class: "number" }, shown(values.get(name))), h("td", {}, remove));
      row.dataset.name = name;
      row.dataset.text = text ?? "";
      return row;
    }));
  };
  session.on("study", show);
  session.on("goals", show);
  session.on("report", (report) => {
    if (session.held) return;
    const of = (group: string, most: number): string[] => report.document.columns.filter((column) => column.group === group).slice(0, most).map((column) => column.name);
    const words = [...of("effort", 3).map((name) => `max(${name})`), ...of("reaction", 40).filter((name) => name.endsWith(".f")).slice(0, 4).map((name) => `max(${name})`), ...of("position", 12).map((name) => `range(${name})`), ...of("measure", 6).map((name) => `rms(${name})`)];
    ideas.replaceChildren(...words.map((value) => h("option", { value })));
  });
  return h("div", {}, table, form, note);
}

const shown = (goal: { value: number | null; unit: string } | undefined): string =>
  goal?.value === null || goal?.value === undefined ? "–" : `${sixDigits(goal.value)}${goal.unit ? ` ${goal.unit}` : ""}`;

/** "stroke = range(ram.x)", or an expression alone, which is its own name; a sentence where it is neither. */
export function readGoal(text: string, taken: readonly string[]): { name: string; text: string } | string {
  const found = /^\s*(?:([A-Za-z_][\w-]*)\s*=(?!=))?\s*(.+?)\s*$/.exec(text);
  if (!found?.[2]) return "Type what is to be computed, for example stroke = range(ram.x).";
  const name = found[1] ?? stem(found[2], taken);
  if (taken.includes(name)) return `There is a goal '${name}' already.`;
  return { name, text: found[2] };
}

/** range(ram.x) is called ram-x-range; a second one ram-x-range-2. */
function stem(text: string, taken: readonly string[]): string {
  const call = /^([a-z]\w*)\(([\w.-]+)\)$/.exec(text);
  const base = (call ? `${call[2] ?? ""}-${call[1] ?? ""}` : text).replace(/[^A-Za-z0-9_]+/g, "-").replace(/^[-\d]+|-+$/g, "").slice(0, 32) || "goal";
  let name = base;
  for (let k = 2; taken.includes(name); k += 1) name = `${base}-${k}`;
  return name;
}
