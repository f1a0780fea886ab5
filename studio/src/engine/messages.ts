// What the page and the worker of the engine say to each other.

import type { Question } from "./module";

export interface Opening {
  open: WebAssembly.Module;
}

export interface Asked {
  id: number;
  question: Question;
}

export interface Answered {
  id: number;
  text: string;
  columns: Float64Array[];
  /** Milliseconds in the engine. */
  took: number;
}

/** The engine broke at this question, and was started anew. */
export interface Broken {
  id: number;
  broken: string;
}

export type FromPage = Opening | Asked;
export type FromEngine = Answered | Broken;
