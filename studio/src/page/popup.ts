// Buttons that open a panel beside them: closed by Escape, by a click elsewhere, and by the button. No panel stops the rest of the page.

import { h, icon } from "../../../report/src/dom";

export interface Popup {
  /** The button and its panel. */
  element: HTMLElement;
  button: HTMLButtonElement;
  panel: HTMLElement;
  open(): void;
  close(): void;
  readonly shown: boolean;
}

/** `fill`: puts something into the panel each time it opens. */
export function makePopup(face: { path: string; words: string; title?: string; strokes?: boolean }, fill: (panel: HTMLElement) => void, style = ""): Popup {
  const button = h("button", { type: "button", class: `action${face.strokes ? " stroked" : ""}`, "aria-label": face.words, title: face.title ?? face.words, "aria-expanded": "false", "aria-haspopup": "true" },
    icon(face.path), h("span", { class: "label" }, face.words));
  const panel = h("div", { class: `popup ${style}`.trim(), role: "group", "aria-label": face.words });
  panel.hidden = true;
  const element = h("div", { class: "popup-home" }, button, panel);
  const show = (on: boolean): void => {
    if (panel.hidden === !on) return;
    if (on) fill(panel);
    panel.hidden = !on;
    button.setAttribute("aria-expanded", String(on));
  };
  const popup: Popup = {
    element, button, panel, open: () => show(true), close: () => show(false), get shown() { return !panel.hidden; },
  };
  button.addEventListener("click", () => show(panel.hidden));
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && popup.shown) {
      event.stopPropagation();
      popup.close();
      button.focus();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!popup.shown || event.target instanceof HTMLInputElement) return;
      const all = [...panel.querySelectorAll<HTMLElement>("button:enabled, a")];
      const at = all.findIndex((one) => one === document.activeElement);
      all[(at + (event.key === "ArrowDown" ? 1 : all.length - 1) + (at < 0 && event.key === "ArrowUp" ? 1 : 0)) % all.length]?.focus();
      event.preventDefault();
    }
  });
  document.addEventListener("pointerdown", (event) => {
    if (popup.shown && event.target instanceof Node && !element.contains(event.target)) popup.close();
  });
  return popup;
}

/** A button with an icon and a word beside it, which small screens leave out. */
export function actionButton(path: string, words: string, title: string, pressed: () => void, strokes = false): HTMLButtonElement {
  const made = h("button", { type: "button", class: `action${strokes ? " stroked" : ""}`, "aria-label": words, title }, icon(path), h("span", { class: "label" }, words));
  made.addEventListener("click", pressed);
  return made;
}
