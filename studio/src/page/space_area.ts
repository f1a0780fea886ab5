// Models of space: the 3-D view of reports, made anew where the model changes, with the viewpoint kept.

import { h } from "../../../report/src/dom";
import { defaultTrails } from "../../../report/src/defaults";
import type { Report } from "../../../report/src/report";
import { trailSeconds } from "../../../report/src/trail-length";
import type { MakeView, Theme, View } from "../../../report/src/view";
import type { DrawingArea } from "../area";
import { pieceModule } from "../pieces";
import type { Session } from "../session";

export function makeSpaceArea(session: Session, host: HTMLElement): DrawingArea {
  const element = h("div", { class: "space-area", role: "application", "aria-label": "Mechanism", "aria-roledescription": "drawing" }, h("p", { class: "loading" }, "Unpacking the drawing of space …"));
  host.append(element);
  let make: MakeView | null = null;
  let view: View | null = null;
  let theme: Theme = "light";
  let gone = false;
  let drawn: Report | null = null;
  const show = (report: Report): void => {
    if (!make || gone || report.document.model.space !== "3d" || report === drawn) return;
    drawn = report;
    if (view?.next) view = view.next(report);
    else {
      view?.dispose();
      element.replaceChildren();
      view = make(report, element);
    }
    view.setTheme(theme);
    view.setLayers({ points: true, names: report.scene.bodies.length <= 13, centres: false, velocity: false, acceleration: false, reactions: false, arrowScale: 1 });
    const trails = defaultTrails(report);
    view.setTrails(trails, trailSeconds(report, trails));
    view.resize();
    view.draw(session.sample);
  };
  const ends = [
    session.on("report", show),
    session.on("sample", (sample) => view?.draw(sample)),
    session.on("opened", () => {
      view?.dispose();
      view = null;
      drawn = null;
    }),
  ];
  const watch = new ResizeObserver(() => view?.resize());
  watch.observe(element);
  pieceModule<{ makeView: MakeView }>("space").then((module) => {
    make = module.makeView;
    if (session.report) show(session.report);
  }).catch((error: unknown) => {
    element.replaceChildren(h("p", { class: "loading failed" }, `The drawing of space cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
  });
  return {
    element,
    setTheme: (now) => {
      theme = now;
      view?.setTheme(now);
    },
    fit: () => view?.fit(),
    screen: (name) => {
      const spot = view?.spot?.(name);
      const frame = view?.element.querySelector("canvas")?.getBoundingClientRect();
      return spot && frame ? [frame.left + spot[0], frame.top + spot[1]] : null;
    },
    picture: (sample) => view?.picture?.(sample) ?? null,
    svg: () => null,
    dispose: () => {
      gone = true;
      for (const end of ends) end();
      watch.disconnect();
      view?.dispose();
      element.remove();
    },
  };
}
