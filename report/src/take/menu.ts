// Menus of what can be taken along: a button that opens a list, closed by Escape, by a choice and by a click elsewhere.

import { h } from "../dom";

export interface Choice {
  text: string;
  /** What it becomes. */
  hint: string;
  id: string;
  take: () => void | Promise<void>;
  /** Why it cannot be had here; asked when the menu opens. */
  impossible?: () => Promise<string | null>;
}

export interface Menu {
  element: HTMLDetailsElement;
  /** A line under the choices, said to those who do not see it. */
  say(words: string): void;
}

/** `groups`: titles and their choices; `shown`: what stands on the button. */
export function makeMenu(shown: Node | string, label: string, id: string, groups: () => [string, Choice[]][], more: HTMLElement[] = []): Menu {
  const status = h("p", { class: "note", role: "status", "data-testid": `${id}-status` });
  const list = h("div", { class: "take-list" });
  const summary = h("summary", { "aria-label": label, title: label, "data-testid": id }, shown);
  const element = h("details", { class: "take" }, summary, h("div", { class: "take-panel" }, list, ...more, status));
  const close = (): void => {
    element.open = false;
  };
  const run = async (choice: Choice): Promise<void> => {
    status.textContent = "";
    try {
      await choice.take();
    } catch (error) {
      status.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  const fill = (): void => {
    status.textContent = "";
    list.replaceChildren();
    for (const [title, choices] of groups()) {
      if (choices.length === 0) continue;
      list.append(h("h4", {}, title));
      for (const choice of choices) {
        const hint = h("span", { class: "hint" }, choice.hint);
        const made = h("button", { type: "button", "data-testid": choice.id }, h("span", {}, choice.text), hint);
        made.addEventListener("click", () => void run(choice));
        list.append(made);
        void choice.impossible?.().then((why) => {
          if (why === null) return;
          made.disabled = true;
          hint.textContent = why;
        });
      }
    }
  };
  element.addEventListener("toggle", () => {
    // keys may have been quicker than this event
    if (!element.open) list.replaceChildren();
    else if (list.childElementCount === 0) fill();
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && element.open) {
      close();
      summary.focus();
      event.stopPropagation();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (element.open && list.childElementCount === 0) fill();
      const all = [...list.querySelectorAll<HTMLButtonElement>("button:enabled")];
      const at = all.findIndex((one) => one === document.activeElement);
      const next = all[(at + (event.key === "ArrowDown" ? 1 : all.length - 1) + (at < 0 && event.key === "ArrowUp" ? 1 : 0)) % all.length];
      if (element.open && next) next.focus();
      event.preventDefault();
      event.stopPropagation();
    }
  });
  document.addEventListener("pointerdown", (event) => {
    if (element.open && event.target instanceof Node && !element.contains(event.target)) close();
  });
  return { element, say: (words) => { status.textContent = words; } };
}
