// Keys for everything that the mouse can do, and the dialog that lists them.

import { button, h } from "./dom";
import type { Player } from "./player";

export interface KeyActions {
  fit(): void;
  theme(): void;
  speed(faster: boolean): void;
}

const map: [string, string][] = [
  ["space", "play or pause"], ["← →", "one sample back or forward"], ["shift ← →", "ten samples"], ["Home End", "the first or the last sample"],
  ["+ −", "faster or slower"], ["l", "loop"], ["f", "fit the whole motion into the drawing"], ["t", "light or dark"], ["?", "this help"],
];

export function helpDialog(): HTMLDialogElement {
  const list = h("dl", { class: "keys" });
  for (const [keys, meaning] of map) list.append(h("dt", {}, ...keys.split(" ").map((key) => h("kbd", {}, key))), h("dd", {}, meaning));
  const dialog = h("dialog", { class: "help", "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "Keys"), list,
    h("p", { class: "note" }, "In the drawing: drag to move, wheel or pinch to zoom. In a plot: drag to zoom, double-click to see all, click to move the cursor."));
  dialog.append(h("div", { class: "picker-foot" }, button("Close", "Close the help", () => dialog.close(), { class: "primary" })));
  document.body.append(dialog);
  return dialog;
}

/** True where a key belongs to the control that has the focus. */
function taken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return true;
  const target = event.target;
  if (target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLInputElement) {
    if (target.type === "range") return ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(event.key) && !event.shiftKey;
    return target.type === "checkbox" ? event.key === " " : true;
  }
  if (target instanceof HTMLElement && target.closest("button, summary, a")) return event.key === " " || event.key === "Enter";
  return target instanceof HTMLElement && target.closest(".code") !== null && event.key === " ";
}

export function listenToKeys(player: Player, actions: KeyActions, help: HTMLDialogElement): void {
  document.addEventListener("keydown", (event) => {
    if (taken(event)) return;
    const stride = event.shiftKey ? 10 : 1;
    const act: Record<string, () => void> = {
      " ": () => player.toggle(),
      ArrowLeft: () => player.step(-stride),
      ArrowRight: () => player.step(stride),
      Home: () => player.setTime(player.start),
      End: () => player.setTime(player.end),
      "+": () => actions.speed(true),
      "=": () => actions.speed(true),
      "-": () => actions.speed(false),
      "−": () => actions.speed(false),
      l: () => player.setLoop(!player.loop),
      f: () => actions.fit(),
      t: () => actions.theme(),
      "?": () => help.showModal(),
    };
    const chosen = act[event.key];
    if (!chosen) return;
    event.preventDefault();
    chosen();
  });
}
