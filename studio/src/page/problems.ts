// What the program says about the model, each message with its place in the text.

import { h } from "../../../report/src/dom";
import type { Session } from "../session";
import type { Editor } from "./editor";

/** Milliseconds without a key. */
const pauseOfTyping = 350;

export function makeProblems(session: Session, editor: Editor): HTMLElement {
  const list = h("ul", { class: "problem-list", "aria-label": "Problems" });
  const none = h("p", { class: "note no-problems" }, "No problems");
  const element = h("div", { class: "problem-box" }, list, none);
  let written = "";
  let typed = 0;
  let waiting = 0;
  session.on("text", ({ from }) => { typed = from === "editor" ? performance.now() : 0; });
  session.on("study", () => {
    window.clearTimeout(waiting);
    // half a word is no mistake yet: what is wrong is said when the keys rest
    const rest = typed + pauseOfTyping - performance.now();
    if (rest > 0 && session.problems.length > 0) waiting = window.setTimeout(show, rest);
    else show();
  });
  const show = (): void => {
    const text = session.problems.map((one) => one.text).join("\n");
    none.hidden = session.problems.length > 0;
    if (text === written) return;
    written = text;
    list.replaceChildren(...session.problems.map((one) => {
      const words = [h("span", { class: "mark", "aria-hidden": "true" }, one.severity === "error" ? "✕" : "!"), h("span", { class: "what" }, one.message)];
      if (one.line < 1) return h("li", { class: one.severity }, h("div", { class: "row" }, ...words));
      const go = h("button", { type: "button", class: "row", title: `Show line ${one.line}` }, ...words, h("span", { class: "where" }, `line ${one.line}`));
      go.addEventListener("click", () => editor.go(one.line, one.column));
      return h("li", { class: one.severity }, go);
    }));
    editor.keepCaretInSight();
  };
  return element;
}
