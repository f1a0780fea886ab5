// What the page asks of the engine, and what it answers. The engine lives in a worker; nothing here knows how.

import type { ReportDocument } from "../../../report/src/report";

export type Analysis = ReportDocument["run"]["analysis"];

/** A message of the program about the model, with its place in the text (1-based; 0 where it has none). */
export interface Located {
  severity: "error" | "warning";
  message: string;
  line: number;
  column: number;
  /** As the program prints it: "model.toml:3:7: error: ...". */
  text: string;
}

export interface GoalText {
  name: string;
  text: string;
}

export interface GoalNumber {
  name: string;
  /** Null where the run did not come to its end, or the goal has no value. */
  value: number | null;
  unit: string;
}

export interface StudyRequest {
  /** The model file, as it is written. */
  text: string;
  /** What messages call it. */
  file?: string;
  /** Texts of the tables that the model names, by the path that it writes. */
  tables?: Record<string, string>;
  /** In place of what the text says. */
  parameters?: Record<string, number>;
  /** Beside those of the model. */
  goals?: GoalText[];
  /** Where the model's [run] section does not decide, or in place of it. */
  analysis?: Analysis;
  to?: number;
  /** Rows of the whole cycle: fewer while a hand is dragging. */
  steps?: number;
}

/** What is known of a model that can be built. */
export interface ModelFacts {
  name: string;
  space: "plane" | "3d";
  /** By name, evaluated. */
  parameters: Record<string, number>;
  /** In how many ways it can move with its drivers let go, and with them. */
  freedom: number;
  driven: number;
  /** "1 degree of freedom", and what a student would want to know besides: redundant equations by name. */
  mobility: string;
  redundant: string[];
  assembled: boolean;
  /** What was run, by the model's own section or by what fits it: driven motion with masses or loads is inverse dynamics, and so on. */
  analysis: Analysis | null;
  to: number;
  steps: number;
  /** Tables that the model reads and that were not handed along. */
  missing: string[];
}

/** A model and its whole motion. */
export interface Study {
  problems: Located[];
  /** Null: the text cannot be read or built; the problems say why. */
  model: ModelFacts | null;
  /** As a report has it, with the scene as the motion has made it; its `data` is empty. Null where nothing could be run or drawn. */
  document: ReportDocument | null;
  /** Those of the document that have data of their own (neither `from` nor `parts`), in their order. */
  columns: Float64Array[];
  goals: GoalNumber[];
  /** Tables that the text names and that were not handed along: also where nothing could be built without them. */
  missing: string[];
  /** Milliseconds in the engine. */
  took: number;
}

/** A point of a body, from its origin in its axes. */
export interface Handle {
  body: string;
  p: [number, number];
}

/** Where the bodies are: x, y, phi of each origin in the plane, in the order of the scene's bodies (the ground first). */
export interface Pose {
  bodies: Float64Array;
}

export interface PullRequest {
  /** Where the mechanism is: those of a row, or of the last pull. None: where it was last. */
  from?: Pose;
  handle: Handle;
  /** Where the pointer is, in metres. */
  to: [number, number];
}

export interface Pulled extends Pose {
  /** How far the point stays from the pointer, in metres. */
  short: number;
  /** Joints that hold it back where it cannot follow. */
  held: string[];
}

/** A mechanism of the plane that moves on by itself from an instant, as far as it is asked to. */
export interface Moved extends Pose {
  /** Seconds. */
  t: number;
}

export interface Simulation {
  /** Where it is now. */
  readonly now: Moved;
  /** A hand takes hold of a point by a spring and a damper, or (null) lets go. */
  hold(handle: Handle | null): Promise<void>;
  /** Moves on by some seconds; `to`: where the hand is, in metres. Throws where the motion cannot be followed: it is then where it was. */
  advance(seconds: number, to?: [number, number]): Promise<Moved>;
}

/** The engine, with one model at a time. Studies and pulls overtake each other: of those that wait only the newest is computed, the others become null. */
export interface Engine {
  readonly ready: Promise<{ version: string }>;
  study(request: StudyRequest): Promise<Study | null>;
  /** By its joints, drivers let go, of the model that was studied last. */
  pull(request: PullRequest): Promise<Pulled | null>;
  /** The pose of the last pull as it stands in a model file: positions and angles to write for each body. Null where there was none. */
  pose(): Promise<{ body: string; position: [number, number]; angle: number }[] | null>;
  /** From an instant of the motion of the model that was studied last; the newest is the one that can be moved on. */
  simulate(t: number): Promise<Simulation>;
  /** The table of the last study, as `jounce` writes it. */
  csv(): Promise<string>;
  /** The data document of a report page of the last study, packed as the program packs it. */
  report(): Promise<string>;
  /** The technical drawing of `jounce draw`, at a time of the motion. */
  drawing(t: number): Promise<string>;
  /** Ends what is under way: a study or a pull becomes null. What was studied last is forgotten. */
  interrupt(): void;
  /** What can be written in a model: as `jounce types --json`. */
  types(): Promise<unknown>;
}
