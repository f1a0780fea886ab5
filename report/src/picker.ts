// The dialog in which the columns of a plot are chosen: search by words, by group, and tick.

import { button, h } from "./dom";
import { standsStill, type Column, type Report } from "./report";

const mostShown = 250;

export class Picker {
  private readonly dialog = h("dialog", { class: "picker", "aria-labelledby": "picker-title" });
  private readonly search = h("input", { type: "search", placeholder: "Search: crank velocity, motor, N m …", "aria-label": "Search columns", "data-testid": "search" });
  private readonly group = h("select", { "aria-label": "Kind of column" });
  private readonly list = h("div", { class: "picker-list" });
  private readonly note = h("p", { class: "note", role: "status" });
  private readonly along = h("select", { "aria-label": "Column along the axis", "data-testid": "along" });
  private chosen = new Set<string>();
  private done: (names: string[], x: string) => void = () => undefined;
  private closed: () => void = () => undefined;

  /** `modal`: nothing else on the page can be used meanwhile. */
  constructor(private report: Report, private readonly modal = true) {
    this.setReport(report);
    const close = button("Done", "Close and show these columns", () => this.dialog.close(), { class: "primary", "data-testid": "picker-done" });
    const clear = button("Clear", "Choose nothing", () => {
      this.chosen.clear();
      this.fill();
      this.tell();
    });
    this.dialog.append(h("h2", { id: "picker-title" }, "Columns of this plot"),
      h("div", { class: "picker-bar" }, this.search, this.group),
      h("label", { class: "picker-along" }, "Over ", this.along), this.list, this.note, h("div", { class: "picker-foot" }, clear, close));
    this.search.addEventListener("input", () => this.fill());
    this.group.addEventListener("change", () => this.fill());
    this.along.addEventListener("change", () => this.tell());
    this.dialog.addEventListener("close", () => this.closed());
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    if (!modal) this.dialog.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.dialog.close();
    });
    document.body.append(this.dialog);
  }

  /** Offers the columns of another run. */
  setReport(report: Report): void {
    this.report = report;
    const { columns } = report.document;
    const along = columns.filter((column) => !standsStill(column)).map((column) => column.name);
    if (along.length === this.along.options.length && along.every((name, k) => this.along.options[k]?.value === name)) return;
    const groups = [...new Set(columns.map((column) => column.group))].filter((group) => group !== "time");
    this.group.replaceChildren(h("option", { value: "" }, "all kinds"), ...groups.map((group) => h("option", { value: group }, group.replace("-", " "))));
    this.along.replaceChildren(...along.map((name) => h("option", { value: name }, name)));
    if (this.dialog.open) this.fill();
  }

  /** Opens with some columns chosen; every tick is told at once. */
  open(chosen: string[], x: string, done: (names: string[], x: string) => void, closed: () => void): void {
    this.chosen = new Set(chosen);
    this.along.value = x;
    this.done = done;
    this.closed = closed;
    this.search.value = "";
    this.group.value = "";
    this.fill();
    if (this.modal) this.dialog.showModal();
    else if (!this.dialog.open) this.dialog.show();
    this.search.focus();
  }

  private tell(): void {
    this.done([...this.chosen], this.along.value);
  }

  private matches(): Column[] {
    const words = this.search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    return this.report.document.columns.filter((column) => {
      if (column.group === "time" || (this.group.value !== "" && column.group !== this.group.value)) return false;
      if (standsStill(column) && !words.some((word) => word.includes("ground"))) return false;
      const text = `${column.name} ${column.group} ${this.report.unit(column.name)}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  private fill(): void {
    const found = this.matches();
    // What is chosen comes first, so that it can be seen and unticked.
    const shown = [...found.filter((column) => this.chosen.has(column.name)), ...found.filter((column) => !this.chosen.has(column.name))].slice(0, mostShown);
    this.list.replaceChildren(...shown.map((column) => this.row(column)));
    this.note.textContent = found.length > shown.length
      ? `${found.length} columns match, ${shown.length} are listed: search for more words`
      : `${found.length} ${found.length === 1 ? "column" : "columns"}`;
  }

  private row(column: Column): HTMLElement {
    const input = h("input", { type: "checkbox", "data-testid": `pick-${column.name}` });
    input.checked = this.chosen.has(column.name);
    input.addEventListener("change", () => {
      if (input.checked) this.chosen.add(column.name);
      else this.chosen.delete(column.name);
      this.tell();
    });
    return h("label", { class: "pick" }, input, h("span", { class: "name" }, column.name),
      h("span", { class: "kind" }, column.group.replace("-", " ")), h("span", { class: "unit" }, this.report.unit(column.name)));
  }
}
