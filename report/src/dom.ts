// Small helpers to build the page. Text from a model only ever becomes text: there is no way to markup here.

type Child = Node | string | null;

/** An element with attributes and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, string | boolean> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, value);
  }
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

export function button(text: string, label: string, pressed: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = h("button", { type: "button", "aria-label": label, title: label, ...attributes }, text);
  made.addEventListener("click", pressed);
  return made;
}

/** A button whose face is an icon drawn from path data in a box of 16. */
export function iconButton(path: string, label: string, pressed: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = button("", label, pressed, { class: "icon", ...attributes });
  made.append(icon(path));
  return made;
}

export function icon(path: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const drawn = document.createElementNS(space, "path");
  drawn.setAttribute("d", path);
  svg.append(drawn);
  return svg;
}

export function setIcon(target: HTMLElement, path: string): void {
  target.querySelector("path")?.setAttribute("d", path);
}

/** A labelled checkbox. */
export function check(text: string, on: boolean, changed: (on: boolean) => void, attributes: Record<string, string | boolean> = {}): HTMLLabelElement {
  const input = h("input", { type: "checkbox", ...attributes });
  input.checked = on;
  input.addEventListener("change", () => changed(input.checked));
  return h("label", { class: "check" }, input, h("span", {}, text));
}

/** A titled part of the page; what is null in it is left out. */
export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return h("section", { id, "aria-labelledby": `${id}-title`, class: "card" }, h("h2", { id: `${id}-title` }, title), ...children);
}
