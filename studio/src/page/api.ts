// What programs (and the console) can ask of the page.

import type { DrawingArea } from "../area";
import type { Session } from "../session";

export interface StudioApi {
  text(): string;
  setText(toml: string): Promise<void>;
  /** Where a point is in the window, in pixels. */
  screen(name: string): [number, number] | null;
  /** A copy of a column of the current run. */
  column(name: string): Float64Array | null;
  /** The page can be used: the engine runs, and the first model was studied. */
  readonly ready: Promise<void>;
}

declare global {
  interface Window {
    studio?: StudioApi;
  }
}

export function publish(session: Session, area: () => DrawingArea, ready: Promise<void>): void {
  window.studio = {
    text: () => session.text,
    setText: async (toml) => {
      session.edit(toml, { label: "Set the text" });
      await session.ask();
    },
    screen: (name) => area().screen(name),
    column: (name) => session.report?.column(name)?.slice() ?? null,
    ready,
  };
}
