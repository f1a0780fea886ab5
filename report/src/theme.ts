// Light and dark: as the system says until the reader chooses; print is always light.

import type { Theme } from "./view";

export interface PageColours {
  theme: Theme;
  muted: string;
  line: string;
  grid: string;
  mark: string;
}

const series: Record<Theme, string[]> = {
  light: ["#0b62c4", "#c2410c", "#0f7b55", "#8b2fb0", "#b4235a", "#0e7490", "#7a6200", "#4b5563"],
  dark: ["#6cb2ff", "#ffa366", "#5bd6a2", "#d49bf5", "#ff8fb3", "#5fd0e6", "#e3c64b", "#aeb8c4"],
};

export function seriesColours(theme: Theme): string[] {
  return series[theme];
}

export function pageColours(theme: Theme): PageColours {
  return theme === "dark"
    ? { theme, muted: "#a2adba", line: "#3a4450", grid: "#252d37", mark: "#8892a0" }
    : { theme, muted: "#55606e", line: "#c9d0d9", grid: "#e9edf2", mark: "#8a95a3" };
}

export class ThemeSwitch {
  private chosen: Theme | null = null;
  private printing = false;
  private readonly system = window.matchMedia("(prefers-color-scheme: dark)");
  private readonly listeners: ((theme: Theme) => void)[] = [];

  constructor() {
    this.system.addEventListener("change", () => this.apply());
    window.addEventListener("beforeprint", () => this.print(true));
    window.addEventListener("afterprint", () => this.print(false));
  }

  get theme(): Theme {
    if (this.printing) return "light";
    return this.chosen ?? (this.system.matches ? "dark" : "light");
  }

  onChange(listener: (theme: Theme) => void): void {
    this.listeners.push(listener);
  }

  toggle(): void {
    this.chosen = this.theme === "dark" ? "light" : "dark";
    this.apply();
  }

  apply(): void {
    document.documentElement.dataset.theme = this.theme;
    for (const listener of this.listeners) listener(this.theme);
  }

  private print(on: boolean): void {
    this.printing = on;
    this.apply();
  }
}
