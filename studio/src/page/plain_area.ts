// The drawing of the plane as a report has it.

import { h } from "../../../report/src/dom";
import { defaultTrails } from "../../../report/src/defaults";
import { makeView } from "../../../report/src/plane/view";
import { trailSeconds } from "../../../report/src/trail-length";
import type { Theme, View } from "../../../report/src/view";
import type { DrawingArea } from "../area";
import type { Session } from "../session";

export function makePlainArea(session: Session, host: HTMLElement): DrawingArea {
  const element = h("div", { class: "space-area", role: "application", "aria-label": "Mechanism" });
  host.append(element);
  let view: View | null = null;
  let theme: Theme = "light";
  const ends = [
    session.on("report", (report) => {
      view?.dispose();
      element.replaceChildren();
      view = makeView(report, element);
      view.setTheme(theme);
      view.setLayers({ points: false, names: true, centres: false, velocity: false, acceleration: false, reactions: false, arrowScale: 1 });
      const trails = defaultTrails(report);
      view.setTrails(trails, trailSeconds(report, trails));
      view.resize();
    }),
    session.on("sample", (sample) => view?.draw(sample)),
  ];
  const watch = new ResizeObserver(() => view?.resize());
  watch.observe(element);
  return {
    element,
    setTheme: (now) => { theme = now; view?.setTheme(now); },
    fit: () => view?.fit(),
    screen: () => null,
    picture: (sample) => view?.picture?.(sample) ?? null,
    svg: (sample) => view?.svg?.(sample) ?? null,
    dispose: () => { for (const end of ends) end(); watch.disconnect(); view?.dispose(); element.remove(); },
  };
}
