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
  trail: string[];
  /** Fill and edge of the bodies, used in turn. */
  bodies: { fill: string; edge: string }[];
}

const hues = [212, 28, 152, 276, 348, 188, 48, 318];

function bodies(fill: string, edge: string): { fill: string; edge: string }[] {
  return hues.map((hue) => ({ fill: `hsl(${hue} ${fill})`, edge: `hsl(${hue} ${edge})` }));
}

const light: Palette = {
  background: "#ffffff", ink: "#1b2430", faint: "#6b7685", ground: "#4a5563", grid: "#eef1f5", pin: "#ffffff",
  motor: "#0b5cc4", spring: "#39434f", velocity: "#0a7d4f", acceleration: "#a3419e", reaction: "#c4311d",
  trail: ["#c2410c", "#0369a1", "#15803d", "#7e22ce", "#be185d"],
  bodies: bodies("58% 84%", "42% 36%"),
};

const dark: Palette = {
  background: "#151a21", ink: "#e8edf3", faint: "#8f9bab", ground: "#a3aebc", grid: "#1e252e", pin: "#151a21",
  motor: "#7ab8ff", spring: "#c9d2dd", velocity: "#4fd69a", acceleration: "#e48ae0", reaction: "#ff8370",
  trail: ["#fdba74", "#7dd3fc", "#86efac", "#d8b4fe", "#f9a8d4"],
  bodies: bodies("34% 32%", "55% 70%"),
};

export function palette(theme: Theme): Palette {
  return theme === "dark" ? dark : light;
}
