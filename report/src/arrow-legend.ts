// What the arrows of a drawing mean: one arrow of each kind with a round value, beside the mechanism.

/** An arrow of a round value. */
export interface Key {
  words: string;
  pixels: number;
  colour: string;
}

/** Kinds of arrows; a view that shows the whole motion leaves room for those that are shown. */
export const arrowLayers = ["velocity", "acceleration", "reactions", "forces"] as const;

export class Legend {
  readonly element = document.createElement("div");
  private text = "[]";

  constructor() {
    this.element.className = "arrow-legend";
  }

  /** True where it comes or goes, and with it its place on the page. */
  write(keys: Key[]): boolean {
    const text = JSON.stringify(keys);
    if (text === this.text) return false;
    const changed = keys.length > 0 !== this.text.length > 2;
    this.text = text;
    this.element.replaceChildren(...keys.map(({ words, pixels, colour }) => {
      const key = document.createElement("span");
      const arrow = document.createElement("i");
      arrow.style.width = `${pixels.toFixed(1)}px`;
      arrow.style.color = colour;
      key.append(arrow, words);
      return key;
    }));
    return changed;
  }
}
