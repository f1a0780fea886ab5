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
  /** In the plane: corners of its link, convex, counter-clockwise; two make a bar, one a knob. */
  outline?: number[][];
}

/** In the plane: a wheel, gear or pulley, or the disc that a body is. */
export interface Wheel {
  body: number;
  centre: number[];
  /** Of the pitch circle, where it has teeth. */
  radius: number;
  ring?: boolean;
  teeth?: number;
  /** Angle of the middle of a tooth in the body's axes. */
  phase?: number;
  /** One flank from its foot: distance from the centre, and half of the tooth's angle there. */
  tooth?: [number, number][];
}

/** What slides on a guide: where, on which side the guide stands (1 is left of its line), and the ends of the body's own box, if that is the block. */
export interface Block {
  at: number[];
  side: number;
  along?: [number, number];
  beside?: [number, number];
  /** False: its guide stands on one side only. */
  both?: boolean;
}

/** Teeth along a line, on the side of the wheel. */
export interface Rack {
  pitch: number;
  /** The middle of a tooth, along the line from its first point. */
  phase: number;
  /** One flank from its foot: height over the pitch line, and half of the tooth's width there. */
  tooth: [number, number][];
}

export type Mesh = "external" | "internal" | "belt" | "crossed-belt";

/** How an element is drawn; "mark" is plain, for those that do not say. */
export type SymbolName =
  | "mark" | "none"
  // the plane
  | "pin" | "slot" | "slider" | "rod" | "gears" | "wheel" | "weld" | "parallel" | "guide" | "turn" | "motor" | "push" | "cylinder"
  // forces
  | "spring" | "spiral" | "bushing" | "force" | "moment" | "wrench"
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
  /** The stretch of line_i that is used in this run; of springs and cylinders the shortest and longest; of a guide the coordinate that is free. */
  span?: [number, number];
  block?: Block;
  /** Of gears, belts and what rolls: those of i and j among the scene's wheels, or -1. */
  wheels?: [number, number];
  rack?: Rack;
  curve?: number[][];
  round?: boolean;
  roller?: number;
  /** What the ground holds there lies below: its foot is above. */
  hangs?: boolean;
  marks?: { body: number; p: number[] }[];
  /** Of an equation: the ends of every distance in it, which is often a stretch of a rope. */
  distances?: { body: number; p: number[] }[][];
  friction?: boolean;
  actuated?: boolean;
  /** Of what turns about a pin that has such a symbol already: outside of it, in radii of a pin. */
  around?: number;
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
  /** Of a joint: those of its degrees of freedom, from 1, whose motion the model gives. */
  driven?: number[];
}

/** A part of a body to the eye, in the body's axes; which fields there are depends on the kind. */
export interface SceneSolid {
  kind: "rod" | "tube" | "capsule" | "ball" | "block" | "socket" | "wire" | "plate" | "mesh";
  role: "body" | "joint" | "bright" | "ground";
  body: number;
  /** The symbol of the joint that it belongs to. */
  what?: SymbolName;
  colour?: string;
  /** Three numbers for each point. */
  points?: number[];
  radius?: number;
  end?: number;
  axis?: number[];
  closed?: boolean;
  size?: number[];
  q?: number[];
  /** Of a mesh: the box around it, the corners as 16-bit parts of that, the triangles as 32-bit indices, both in base 64. */
  low?: number[];
  high?: number[];
  corners?: string;
  triangles?: string;
}

/** What is stretched between two bodies; what it does not have is 0. */
export interface SceneStrut {
  i: number;
  j: number;
  pi: number[];
  pj: number[];
  radius: number;
  coil: number;
  wire: number;
  turns: number;
  tube: number;
  tube_radius: number;
}

export interface Scene {
  /** A typical length in metres. */
  size: number;
  /** In the plane: how wide a link is drawn, in metres. */
  link?: number;
  /** In the plane: the bodies that move, the lowest first. */
  order?: number[];
  /** In the plane: the lowest first. */
  wheels?: Wheel[];
  /** In the plane: what points come against, at an x (upright) or y; the side on which they stay; what their other coordinate takes in this run. */
  walls?: { name: string; upright: boolean; at: number; side: number; span: [number, number] }[];
  bodies: SceneBody[];
  elements: SceneElement[];
  // in space
  /** The axis against gravity. */
  up?: number[];
  /** The radius of a usual rod. */
  unit?: number;
  /** How high the floor lies along `up`. */
  floor?: number;
  solids?: SceneSolid[];
  struts?: SceneStrut[];
}
