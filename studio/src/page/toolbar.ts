// The tools of the drawing: one of them is in the hand.

import { h, icon } from "../../../report/src/dom";
import { tools, type Session, type Tool } from "../session";

const faces: Record<Tool, { path: string; hint: string; key: string }> = {
  Select: { path: "M4 2.5v10l2.6-2.4 1.6 3.6 1.7-.8-1.6-3.5 3.5-.3z", hint: "Select, drag and move: with Alt the geometry changes", key: "v" },
  Link: { path: "M4.6 11.4l6.8-6.8M2.6 11.6a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0M9.8 4.4a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0", hint: "A link through two or more points", key: "l" },
  "Ground pivot": { path: "M8 3.2l-4 7.3h8zM8 3.2m-1.6 0a1.6 1.6 0 1 0 3.2 0 1.6 1.6 0 1 0-3.2 0M2.5 13.5l2-2.6M6 13.5l2-2.6M9.5 13.5l2-2.6", hint: "A point on the ground that holds a link", key: "g" },
  Pin: { path: "M8 8m-4.2 0a4.2 4.2 0 1 0 8.4 0 4.2 4.2 0 1 0-8.4 0M8 8m-.8 0a.8.8 0 1 0 1.6 0 .8.8 0 1 0-1.6 0", hint: "A pin that joins two links", key: "p" },
  Slider: { path: "M1.5 12h13M5 5.5h6v4H5zM8 7.5m-.5 0a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0", hint: "A slider on a line, or a pin in a slot", key: "s" },
  Motor: { path: "M12.6 5.2A5.4 5.4 0 1 0 13.4 8M13.4 2.6v3h-3M8 8m-1.2 0a1.2 1.2 0 1 0 2.4 0 1.2 1.2 0 1 0-2.4 0", hint: "A motor that turns a link", key: "m" },
  Spring: { path: "M1.5 8h2l1-3 2 6 2-6 2 6 1-3h3", hint: "A spring between two points", key: "k" },
  Force: { path: "M3 13 12 4M7 3.6h5.4V9", hint: "A force at a point", key: "f" },
  Gear: { path: "M8 8m-3 0a3 3 0 1 0 6 0 3 3 0 1 0-6 0M8 2v2.4M8 11.6V14M2 8h2.4M11.6 8H14M3.8 3.8l1.7 1.7M10.5 10.5l1.7 1.7M12.2 3.8l-1.7 1.7M5.5 10.5l-1.7 1.7", hint: "Two wheels that roll on each other", key: "w" },
  Slot: { path: "M4.5 5.5h7a2.5 2.5 0 0 1 0 5h-7a2.5 2.5 0 0 1 0-5zM6 8m-1 0a1 1 0 1 0 2 0 1 1 0 1 0-2 0", hint: "A pin of one link in a slot of another", key: "o" },
  Cylinder: { path: "M1.5 12.5l2-2M3 6.8l6.2 6.2M3.2 10.8l4.6-4.6 2 2-4.6 4.6zM8.8 7.2l4.7-4.7", hint: "A cylinder that drives the distance of two points", key: "c" },
  Mass: { path: "M8 8m-5 0a5 5 0 1 0 10 0 5 5 0 1 0-10 0M8 3v10M3 8h10M8 3a5 5 0 0 1 5 5H8zM8 13a5 5 0 0 1-5-5h5z", hint: "What a link weighs, and where", key: "n" },
};

export function makeToolbar(session: Session): HTMLElement {
  const group = h("div", { class: "toolbar", role: "radiogroup", "aria-label": "Tools" });
  const buttons = new Map<Tool, HTMLButtonElement>();
  for (const tool of tools) {
    const { path, hint, key } = faces[tool];
    const made = h("button", { type: "button", role: "radio", "aria-label": tool, "aria-checked": String(tool === session.tool), title: `${tool} (${key.toUpperCase()}): ${hint}`, "aria-keyshortcuts": key, tabindex: tool === session.tool ? "0" : "-1" }, icon(path), h("span", { class: "tool-name" }, tool));
    made.addEventListener("click", () => session.setTool(tool));
    buttons.set(tool, made);
    group.append(made);
  }
  group.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = tools[(tools.indexOf(session.tool) + by + tools.length) % tools.length];
    if (!next) return;
    session.setTool(next);
    buttons.get(next)?.focus();
  });
  session.on("tool", (tool) => {
    for (const [one, made] of buttons) {
      made.setAttribute("aria-checked", String(one === tool));
      made.tabIndex = one === tool ? 0 : -1;
    }
  });
  return group;
}

/** The tool of a letter. */
export function toolOfKey(key: string): Tool | undefined {
  return tools.find((tool) => faces[tool].key === key);
}
