// The engine of the page, in a worker of its own.

import type { Engine } from "./engine/contract";

/** An engine that can be ended. */
export type RunningEngine = Engine & { stop?(): void };

declare global {
  interface Window {
    /** Handed to the page by whoever opened it, in place of its own. */
    engineForTests?: Engine;
  }
}

export function startEngine(): RunningEngine {
  if (window.engineForTests) return window.engineForTests;
  throw new Error("this page was made without its engine");
}
