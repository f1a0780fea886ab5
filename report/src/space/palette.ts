// Colours of the 3-D drawing in both themes, and the materials that carry them: changing the theme changes the materials in place.

import { Color, DoubleSide, LineBasicMaterial, MeshLambertMaterial } from "three";
import type { Theme } from "../view";

export interface Colours {
  /** Top and bottom of the background. */
  backdrop: [string, string];
  text: string;
  halo: string;
  faint: string;
  bodies: string[];
  ground: string;
  joint: string;
  bright: string;
  spring: string;
  force: string;
  velocity: string;
  acceleration: string;
  reaction: string;
  edge: string;
  grid: string;
  gridStrong: string;
  x: string;
  y: string;
  z: string;
  trails: string[];
}

const light: Colours = {
  backdrop: ["#ffffff", "#e9edf2"],
  text: "#1b2430",
  halo: "rgba(255, 255, 255, 0.92)",
  faint: "#5b6673",
  bodies: ["#4f86c0", "#e08e45", "#58a878", "#9274c2", "#c7606e", "#4fa6b3", "#b59a45", "#cf7fb4"],
  ground: "#8d96a1",
  joint: "#66717e",
  bright: "#c9d1da",
  spring: "#6b7785",
  force: "#d9480f",
  velocity: "#0a7d4f",
  acceleration: "#a3419e",
  reaction: "#c4311d",
  edge: "#2b3440",
  grid: "#cbd2da",
  gridStrong: "#a9b3be",
  x: "#b8225a",
  y: "#21762f",
  z: "#1565b0",
  trails: ["#c2410c", "#0369a1", "#15803d", "#7e22ce", "#be185d"],
};

const dark: Colours = {
  backdrop: ["#1d232b", "#12161b"],
  text: "#e6ebf1",
  halo: "rgba(15, 19, 24, 0.9)",
  faint: "#9aa6b3",
  bodies: ["#6ea8e6", "#f0a35e", "#6fcb93", "#b094e8", "#e57f8d", "#66c6d4", "#d4bb62", "#e79acb"],
  ground: "#7d8894",
  joint: "#8d98a5",
  bright: "#dde4ec",
  spring: "#b0bbc7",
  force: "#ff922b",
  velocity: "#4fd69a",
  acceleration: "#e48ae0",
  reaction: "#ff8370",
  edge: "#0d1116",
  grid: "#2c343e",
  gridStrong: "#46515d",
  x: "#ff6b9a",
  y: "#69db7c",
  z: "#4dabf7",
  trails: ["#fdba74", "#7dd3fc", "#86efac", "#d8b4fe", "#f9a8d4"],
};

/** How strongly two colours differ, as the guidelines for accessible pages define it: 1 to 21. */
function contrast(one: Color, other: Color): number {
  // Three keeps colours in linear light, which is what the definition asks for.
  const light = ({ r, g, b }: Color): number => 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  return Math.max(light(one), light(other)) / Math.min(light(one), light(other));
}

const legibleContrast = 4.6;
const names = new Map<string, string>();

/** The colour of a body's name: the body's own, drawn towards the colour of text until it can be read on both ends of the background. */
export function nameColour(body: number, colours: Colours): string {
  const own = bodyColour(body)(colours);
  const known = names.get(own);
  if (known) return known;
  const grounds = colours.backdrop.map((ground) => new Color(ground));
  const text = new Color(colours.text);
  let found = text;
  for (let part = 0; part <= 1; part += 0.05) {
    const mixed = new Color(own).lerp(text, part);
    if (!grounds.every((ground) => contrast(mixed, ground) >= legibleContrast)) continue;
    found = mixed;
    break;
  }
  const name = `#${found.getHexString()}`;
  names.set(own, name);
  return name;
}

export type Choice = (colours: Colours) => string;

/** The materials of one drawing, each made once and coloured again when the theme changes. */
export class Palette {
  colours: Colours = light;
  private readonly coloured: { material: { color: Color }; choice: Choice }[] = [];
  private readonly owned: { dispose(): void }[] = [];

  /** A dull surface. */
  surface(choice: Choice): MeshLambertMaterial {
    return this.keep(new MeshLambertMaterial(), choice);
  }

  /** One whose corners have colours of their own. */
  painted(): MeshLambertMaterial {
    const material = new MeshLambertMaterial({ vertexColors: true });
    this.owned.push(material);
    return material;
  }

  /** A surface that is drawn after all others. */
  last(choice: Choice): MeshLambertMaterial {
    return this.keep(new MeshLambertMaterial({ side: DoubleSide, transparent: true }), choice);
  }

  line(choice: Choice, opacity = 1): LineBasicMaterial {
    return this.keep(new LineBasicMaterial({ opacity, transparent: opacity < 1 }), choice);
  }

  /** Takes a material made elsewhere into the theme. */
  keep<M extends { color: Color; dispose(): void }>(material: M, choice: Choice): M {
    material.color.set(choice(this.colours));
    this.coloured.push({ material, choice });
    this.owned.push(material);
    return material;
  }

  /** Lets a material go before the drawing does. */
  drop(material: { color: Color; dispose(): void }): void {
    const place = this.coloured.findIndex((entry) => entry.material === material);
    if (place >= 0) this.coloured.splice(place, 1);
    const owned = this.owned.indexOf(material);
    if (owned >= 0) this.owned.splice(owned, 1);
    material.dispose();
  }

  use(theme: Theme): void {
    this.colours = theme === "dark" ? dark : light;
    for (const { material, choice } of this.coloured) material.color.set(choice(this.colours));
  }

  dispose(): void {
    for (const material of this.owned) material.dispose();
  }
}

/** The colour of a body: the ground is grey, the others take turns. */
export function bodyColour(body: number): Choice {
  return (colours) => (body === 0 ? colours.ground : colours.bodies[(body - 1) % colours.bodies.length] ?? colours.ground);
}

export function trailColour(place: number): Choice {
  return (colours) => colours.trails[place % colours.trails.length] ?? colours.text;
}
