// How the page is divided: text, drawing and results side by side with handles between them, two of them where there is less room, and on a
// phone the drawing with one of the others under it.

import { h } from "../../../report/src/dom";
import type { Keeper } from "./keep";

export type Tab = "plots" | "parameters" | "text";

const tabs: [Tab, string][] = [["plots", "Plots"], ["parameters", "Parameters"], ["text", "Text"]];
const least = 220;

export function makeTabs(keeper: Keeper): HTMLElement {
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": "Beside the drawing" });
  const show = (tab: Tab): void => {
    document.body.dataset.tab = tab;
    for (const one of list.children) one.setAttribute("aria-selected", String((one as HTMLElement).dataset.tab === tab));
  };
  for (const [tab, words] of tabs) {
    const made = h("button", { type: "button", role: "tab", "aria-selected": "false" }, words);
    made.dataset.tab = tab;
    made.addEventListener("click", () => {
      show(tab);
      keeper.setLayout({ tab });
    });
    list.append(made);
  }
  const kept = keeper.layout()["tab"];
  show(tabs.find(([tab]) => tab === kept)?.[0] ?? "plots");
  return list;
}

/** A handle that makes the pane on one side of it wider or narrower, with the pointer and with keys. */
export function makeSplitter(keeper: Keeper, name: "text" | "side", words: string): HTMLElement {
  const handle = h("div", { class: `splitter splitter-${name}`, role: "separator", "aria-orientation": "vertical", "aria-label": words, tabindex: "0", title: `${words}: drag, or double-click for the usual width` });
  const variable = `--wide-${name}`;
  const root = document.documentElement;
  const width = (): number => document.querySelector(`.pane-${name}`)?.clientWidth ?? 0;
  const set = (pixels: number | null): void => {
    if (pixels === null) root.style.removeProperty(variable);
    else root.style.setProperty(variable, `${Math.round(Math.max(least, Math.min(0.45 * window.innerWidth, pixels)))}px`);
  };
  const keep = (): void => { keeper.setLayout({ [name]: root.style.getPropertyValue(variable) === "" ? null : width() }); };
  const way = name === "text" ? 1 : -1;
  handle.addEventListener("pointerdown", (down) => {
    down.preventDefault();
    handle.setPointerCapture(down.pointerId);
    const before = width();
    const move = (event: PointerEvent): void => { set(before + way * (event.clientX - down.clientX)); };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", () => {
      handle.removeEventListener("pointermove", move);
      keep();
    }, { once: true });
  });
  handle.addEventListener("dblclick", () => {
    set(null);
    keep();
  });
  handle.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -24, ArrowRight: 24 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(width() + way * by);
    keep();
  });
  const kept = keeper.layout()[name];
  if (typeof kept === "number" && Number.isFinite(kept)) set(kept);
  return handle;
}

/** A part of the side that can be folded. */
export function makeFold(keeper: Keeper, id: string, title: string, content: HTMLElement, open = true): HTMLDetailsElement {
  const folds = keeper.layout()["folds"] as Record<string, boolean> | undefined;
  const element = h("details", { class: "fold", id }, h("summary", {}, h("h2", {}, title)), h("div", { class: "fold-body" }, content));
  element.open = folds?.[id] ?? open;
  element.addEventListener("toggle", () => {
    const now = keeper.layout()["folds"] as Record<string, boolean> | undefined;
    keeper.setLayout({ folds: { ...now, [id]: element.open } });
  });
  return element;
}
