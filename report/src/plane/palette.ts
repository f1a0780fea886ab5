// Colours of the drawing in both themes.

import type { Theme } from "../view";

export interface Palette {
  background: string;
  ink: string;
  faint: string;
  ground: string;
  grid: string;
  pin: string;
  motor: string;
  spring: string;
  velocity: string;
  acceleration: string;
  reaction: string;
  force: string;
  trail: string[];
  /** Of rods and bars. */
  pulled: { fill: string; edge: string };
  pressed: { fill: string; edge: string };
  /** Colours of the bodies, used in turn. */
  bodies: BodyColours[];
}

export interface BodyColours {
  fill: string;
  edge: string;
  /** Of the body's name: the edge's hue, with a contrast of at least 4.5 to the background and to every fill. */
  name: string;
}

const hues = [212, 28, 152, 276, 348, 188, 48, 318];

function bodies(fill: string, edge: string, name: string): BodyColours[] {
  return hues.map((hue) => ({ fill: `hsl(${hue} ${fill})`, edge: `hsl(${hue} ${edge})`, name: `hsl(${hue} ${name})` }));
}

const light: Palette = {
  background: "#ffffff", ink: "#1b2430", faint: "#6b7685", ground: "#4a5563", grid: "#eef1f5", pin: "#ffffff",
  motor: "#2a9d5c", spring: "#39434f", velocity: "#0a7d4f", acceleration: "#a3419e", reaction: "#c4311d", force: "#935100",
  pulled: { fill: "#cfe2ff", edge: "#1257b0" }, pressed: { fill: "#ffd9d2", edge: "#b3261e" },
  trail: ["#c2410c", "#0369a1", "#15803d", "#7e22ce", "#be185d"],
  bodies: bodies("58% 84%", "42% 36%", "62% 22%"),
};

const dark: Palette = {
  background: "#151a21", ink: "#e8edf3", faint: "#8f9bab", ground: "#a3aebc", grid: "#1e252e", pin: "#151a21",
  motor: "#5fcf90", spring: "#c9d2dd", velocity: "#4fd69a", acceleration: "#e48ae0", reaction: "#ff8370", force: "#f5b95f",
  pulled: { fill: "#1c3f6e", edge: "#7ab8ff" }, pressed: { fill: "#6b231c", edge: "#ff8370" },
  trail: ["#fdba74", "#7dd3fc", "#86efac", "#d8b4fe", "#f9a8d4"],
  bodies: bodies("34% 28%", "55% 70%", "75% 86%"),
};

export function palette(theme: Theme): Palette {
  return theme === "dark" ? dark : light;
}
