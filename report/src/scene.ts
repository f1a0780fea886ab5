// What the program says about the mechanism for its drawing. Body 0 is the ground; coordinates are in a body's axes from its origin.

export interface Frame {
  p: number[];
  /** Quaternion w, x, y, z. */
  q: number[];
}

export interface ScenePoint {
  name: string;
  p: number[];
}

export interface Shape {
  type: "bar" | "disc" | "box" | "rod" | "cylinder" | "sphere";
  from?: number[];
  to?: number[];
  centre?: number[];
  radius?: number;
  size?: number[];
  angle?: number;
  rpy?: number[];
}

export interface SceneBody {
  name: string;
  points: ScenePoint[];
  com: number[] | null;
  mass: number | null;
  shape: Shape | null;
}

export type Mesh = "external" | "internal" | "belt" | "crossed-belt";

/** How an element is drawn; "mark" is plain, for those that do not say. */
export type SymbolName =
  | "mark" | "none"
  // the plane
  | "pin" | "slot" | "slider" | "rod" | "gears" | "wheel" | "weld" | "parallel" | "guide" | "turn" | "push" | "cylinder"
  // forces
  | "spring" | "spiral" | "force" | "moment" | "wrench"
  // joints of space
  | "hinge" | "slide" | "sleeve" | "screw" | "universal" | "gimbal" | "ball" | "table" | "crossed-slides" | "afloat" | "screws";

/** A joint, driver, force, loop or coupling; which fields there are depends on the symbol. */
export interface SceneElement {
  group: "joint" | "driver" | "force" | "loop" | "coupling";
  name: string;
  /** As the model has it, for people: what is drawn goes by the symbol. */
  type: string;
  symbol: SymbolName;
  i?: number;
  j?: number;
  pi?: number[];
  pj?: number[];
  line_i?: [number[], number[]];
  line_j?: [number[], number[]];
  length?: number;
  radii?: [number, number] | null;
  ratio?: number;
  mesh?: Mesh | null;
  centre_i?: number[];
  centre_j?: number[];
  arm?: number;
  what?: "x" | "y" | "phi";
  radius?: number;
  at_i?: number[];
  at_j?: number[];
  frame?: "ground" | "body";
  free_length?: number;
  stiffness?: number;
  damping?: number;
  // in space
  parent?: number;
  child?: number;
  frame_parent?: Frame;
  frame_child?: Frame;
  frame_i?: Frame;
  frame_j?: Frame;
  axis?: number[];
  pitch?: number;
}

export interface Scene {
  /** A typical length in metres. */
  size: number;
  bodies: SceneBody[];
  elements: SceneElement[];
}
