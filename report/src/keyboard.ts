// Keys for everything that the mouse can do, and the dialog that lists them.

import { button, h } from "./dom";
import type { Player } from "./player";

export interface KeyActions {
  fit(): void;
  theme(): void;
  speed(faster: boolean): void;
}

type Table = [string, string][];

const map: Table = [
  ["space", "play or pause"], ["← →", "one sample back or forward"], ["shift ← →", "ten samples"], ["Home End", "the first or the last sample"],
  ["+ −", "faster or slower"], ["l", "loop"], ["f", "fit the whole motion into the drawing"], ["t", "light or dark"], ["?", "this help"],
  ["Esc", "close a dialog"],
];

/** Keys of the drawing in space while it has the focus. */
const spaceMap: Table = [["w a s d", "turn the drawing, once it was clicked or reached with Tab"], ["PageUp PageDown", "nearer or farther, likewise"]];

/** What the mouse and fingers do. */
const planeHands: Table = [["drag", "move the drawing"], ["wheel", "zoom at the pointer"], ["pinch", "zoom with two fingers, and move"]];
const spaceHands: Table = [
  ["drag", "turn the drawing, also with one finger"], ["right drag", "shift the drawing, also with the middle button, or with shift or ctrl held"],
  ["wheel", "zoom at the pointer"], ["pinch", "zoom with two fingers, and shift"], ["x y z iso", "buttons: look along an axis, or from a corner"],
];
const plotHands: Table = [["click", "move the cursor to that time"], ["drag", "zoom into a stretch of time, in all plots"], ["double-click", "see all of the time"],
  ["legend", "a click on a name shows or hides its curve"]];

function table(rows: Table, part: (word: string) => (HTMLElement | string)[]): HTMLElement {
  const list = h("dl", { class: "keys" });
  for (const [words, meaning] of rows) list.append(h("dt", {}, ...part(words)), h("dd", {}, meaning));
  return list;
}

export function helpDialog(space: boolean): HTMLDialogElement {
  const hands = (rows: Table): HTMLElement => table(rows, (words) => [words]);
  const dialog = h("dialog", { class: "help", "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "Keys"), table(space ? [...map, ...spaceMap] : map, (keys) => keys.split(" ").map((key) => h("kbd", {}, key))),
    h("h2", {}, "Mouse and fingers in the drawing"), hands(space ? spaceHands : planeHands),
    h("h2", {}, "In a plot"), hands(plotHands));
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
