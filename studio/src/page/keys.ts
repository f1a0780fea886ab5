// Keys of the whole page, where no field has them, and the panel that lists them.

import { h } from "../../../report/src/dom";
import type { Session } from "../session";
import { icons } from "./icons";
import { makePopup, type Popup } from "./popup";
import { toolOfKey } from "./toolbar";

export interface KeyActions {
  save(): void;
  open(): void;
  fit(): void;
  theme(): void;
  gallery(): void;
  text(): void;
}

const list: [string, string][] = [
  ["space", "play or pause"], ["i", "live: it moves on by itself, and a hand pulls at it"], ["← →", "one row back or forward, with shift ten"], ["Ctrl Z", "undo"], ["Ctrl Shift Z", "redo"], ["Ctrl S", "save"], ["Ctrl O", "open"],
  ["v l g p s m", "select, link, ground pivot, pin, slider, motor"], ["k f w o c n", "spring, force, gear, slot, cylinder, mass"], ["0", "the whole motion in the drawing"], ["e", "to the text; Esc leaves it"], ["t", "light or dark"], ["Esc", "close what is open"],
];
const hands: [string, string][] = [
  ["drag a point", "the mechanism follows by its joints"], ["Alt and drag", "the geometry changes, and every curve with it"], ["drag the sheet", "move it; wheel or two fingers zoom"], ["click a plot", "the cursor goes there"],
];

export function makeHelp(): Popup {
  return makePopup({ path: icons.help, words: "Help", title: "Keys and hands (?)", strokes: true }, (panel) => {
    const rows = (all: [string, string][], key: boolean): HTMLElement => h("dl", { class: "keys" }, ...all.flatMap(([words, meaning]) => [
      h("dt", {}, ...(key ? words.split(" ").map((one) => h("kbd", {}, one)) : [words])), h("dd", {}, meaning)]));
    panel.replaceChildren(h("h3", {}, "In the drawing"), rows(hands, false), h("h3", {}, "Keys"), rows(list, true),
      h("p", { class: "note" }, "Everything happens on this page: it asks no server for anything, and it works without a network. What you draw stays in this browser until you save it as a file or send its link."));
  }, "help");
}

const inField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));

export function listenToKeys(session: Session, actions: KeyActions, help: Popup): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return;
    const key = event.key.toLowerCase();
    const field = inField(event.target);
    const text = event.target instanceof HTMLElement && (event.target.isContentEditable || (event.target instanceof HTMLInputElement && ["text", "search"].includes(event.target.type)));
    if (event.ctrlKey || event.metaKey) {
      if (key === "s") actions.save();
      else if (key === "o") actions.open();
      else if (text) return;
      else if (key === "y" || (key === "z" && event.shiftKey)) session.redo();
      else if (key === "z") session.undo();
      else return;
      event.preventDefault();
      return;
    }
    if (event.altKey || (field && !(event.target instanceof HTMLInputElement && event.target.type === "range"))) return;
    const range = event.target instanceof HTMLInputElement;
    const onButton = event.target instanceof HTMLElement && ["BUTTON", "SUMMARY", "A"].includes(event.target.tagName);
    const playOrPause = (): void => {
      if (session.playing) session.pause();
      else session.play();
    };
    const helpOrNot = (): void => {
      if (help.shown) help.close();
      else help.open();
    };
    const step = (by: number): void => {
      session.pause();
      session.setSample(Math.round(session.sample) + by * (event.shiftKey ? 10 : 1));
    };
    if (key === " " && !onButton) playOrPause();
    else if (key === "arrowleft" && !range) step(-1);
    else if (key === "arrowright" && !range) step(1);
    else if (key === "home" && !range) session.setSample(0);
    else if (key === "end" && !range) session.setSample(Infinity);
    else if (key === "0") actions.fit();
    else if (key === "i") session.live.toggle();
    else if (key === "t") actions.theme();
    else if (key === "e") actions.text();
    else if (key === "?") helpOrNot();
    else {
      const tool = event.shiftKey ? undefined : toolOfKey(key);
      if (!tool) return;
      session.setTool(tool);
    }
    event.preventDefault();
  });
}
