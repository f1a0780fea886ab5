// Buttons for the usual views, and the keys that turn and zoom the drawing while it has the focus.

import type { Colours } from "./palette";
import type { Side, Viewpoint } from "./viewpoint";

export interface Buttons {
  colour(colours: Colours): void;
}

const sides: readonly { side: Side; label: string }[] = [
  { side: "x", label: "Look along x" },
  { side: "y", label: "Look along y" },
  { side: "z", label: "Look down, along z" },
  { side: "iso", label: "Look from a corner" },
];

export function makeButtons(element: HTMLElement, frame: HTMLElement, viewpoint: Viewpoint, changed: () => void): Buttons {
  const bar = document.createElement("div");
  // The page does not print what has this class.
  bar.className = "zoom";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "View from");
  Object.assign(bar.style, { position: "absolute", top: "8px", right: "8px", display: "flex", gap: "4px" });
  const buttons = sides.map(({ side, label }) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = side;
    button.title = label;
    button.setAttribute("aria-label", label);
    button.dataset.testid = `view-${side}`;
    Object.assign(button.style, {
      font: "600 13px system-ui, sans-serif", width: "auto", minWidth: "32px", minHeight: "32px", padding: "0 8px", borderRadius: "6px",
      borderStyle: "solid", borderWidth: "1px", cursor: "pointer",
    });
    button.addEventListener("click", () => {
      viewpoint.look(side);
      changed();
    });
    return button;
  });
  bar.append(...buttons);
  element.append(bar);
  addKeys(frame, viewpoint, changed);
  return {
    colour(colours): void {
      for (const button of buttons)
        Object.assign(button.style, { color: colours.text, background: colours.backdrop[0], borderColor: colours.gridStrong });
    },
  };
}

function addKeys(frame: HTMLElement, viewpoint: Viewpoint, changed: () => void): void {
  const actions = new Map<string, () => void>([
    ["a", () => { viewpoint.turn(-1, 0); }],
    ["d", () => { viewpoint.turn(1, 0); }],
    ["w", () => { viewpoint.turn(0, 1); }],
    ["s", () => { viewpoint.turn(0, -1); }],
    ["PageUp", () => { viewpoint.zoom(1 / 1.15); }],
    ["PageDown", () => { viewpoint.zoom(1.15); }],
  ]);
  frame.addEventListener("keydown", (event) => {
    const action = actions.get(event.key);
    if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    action();
    changed();
  });
}
