// The plots of the report, on the time of the session.

import { h } from "../../../report/src/dom";
import { PlotStack } from "../../../report/src/plots";
import type { Cursor, Moved } from "../../../report/src/player";
import { stateTable } from "../../../report/src/tables";
import type { Theme } from "../../../report/src/view";
import type { Report } from "../../../report/src/report";
import type { Session } from "../session";

export class PlotsPanel {
  readonly element = h("div", { class: "plots-home" });
  stack: PlotStack | null = null;
  private theme: Theme = "light";
  private space = false;
  private fresh = true;
  private off: () => void = () => undefined;

  constructor(private readonly session: Session) {
    session.on("opened", () => { this.fresh = true; });
    session.on("report", (report) => { this.show(report); });
    // a model that was opened and cannot be run has none of the plots of the one before
    session.on("study", () => { if (!session.report) this.clear(); });
  }

  private clear(...instead: HTMLElement[]): void {
    this.stack = null;
    this.off();
    this.element.replaceChildren(...instead);
  }

  private show(report: Report): void {
    if (report.samples < 2) {
      this.clear(this.session.undriven > 0 ? h("p", { class: "note" }, "Curves come with a motion: add a motor to a pivot.") : stateTable(report));
      return;
    }
    const space = report.document.model.space === "3d";
    if (this.stack && !this.fresh && space === this.space) {
      this.stack.setReport(report);
      return;
    }
    this.fresh = false;
    this.space = space;
    const { session } = this;
    const cursor: Cursor = {
      get time() { return session.time; },
      get sample() { return session.sample; },
      pause: () => session.pause(),
      setSample: (sample) => session.setSample(sample),
      onMove: (listener: Moved) => {
        this.off();
        this.off = session.on("sample", (sample) => listener(sample, session.playing));
      },
    };
    const stack = new PlotStack(report, cursor, false);
    this.stack = stack;
    this.element.replaceChildren(stack.element);
    stack.setTheme(this.theme);
    stack.fill();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.stack?.setTheme(theme);
  }
}
