// Stands in for the drawing where there is nothing to draw on.

import type { View } from "../view";

/** A view that shows a sentence. */
export function makeEmptyView(host: HTMLElement, sentence: string): View {
  const element = document.createElement("p");
  element.textContent = sentence;
  element.dataset.testid = "no-drawing";
  element.setAttribute("role", "note");
  Object.assign(element.style, { margin: "0", padding: "24px" });
  host.append(element);
  const nothing = (): void => undefined;
  return {
    element, resize: nothing, draw: nothing, fit: nothing, setLayers: nothing, setTrails: nothing, setTheme: nothing,
    dispose: () => {
      element.remove();
    },
  };
}
