// A link that holds the whole model in its fragment: packed, in letters that links may have. Who opens it trusts nobody: what comes out is
// text for the editor and nothing else, and sizes are bounded before anything is unpacked.

import { deflateSync, Inflate } from "fflate";
import type { GoalText } from "../engine/contract";

export interface Shared {
  file: string;
  text: string;
  goals: GoalText[];
  tables: Record<string, string>;
}

/** Of a link, in characters, and of what it holds, in bytes. */
export const longestLink = 1_000_000;
const mostBytes = 4_000_000;
const mark = "#m1=";

/** What models are made of: with it at hand a small model becomes a short link. It belongs to the form "m1" and never changes. */
const words = new TextEncoder().encode(`jounce = 1
name   = "Four-bar linkage"
space  = "3d"
gravity = [0, -9.81]

[parameters]
crank_length = 0.1
speed = "60*rpm"

[ground]
points = { O = [0, 0], Q = [0.35, 0] }

[bodies.crank]
mass     = 0.5
inertia  = 1e-3
com      = [0, 0]
position = [0.1, 0.1]
angle    = "45*deg"
points   = { O = [0, 0], A = ["crank_length", 0], B = [0.2, 0], C = [0, 0], P = [0, 0] }
shape    = { type = "bar", from = "O", to = "A" }

[joints]
pin1 = { type = "revolute", i = "ground.O", j = "crank.O" }
slide = { type = "translational", slot = ["ground.O", "ground.X"], slider = ["piston.C", "piston.F"] }
[joints.crank-pin]
type   = "revolute"
i      = "coupler.A"
j      = "rocker.B"

[drivers]
motor = { type = "angle", i = "ground", j = "crank", motion = "2*pi*t" }
[forces]
spring1 = { type = "spring", i = "ground.O", j = "crank.A", stiffness = 100, damping = 1, length = 0.1 }

[run]
analysis = "kinematics"
to       = 1.0
steps    = 360
`);

const toLetters = (bytes: Uint8Array): string => {
  let bits = "";
  for (let k = 0; k < bytes.length; k += 8192) bits += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return btoa(bits).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

function fromLetters(text: string): Uint8Array {
  const bits = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(bits, (letter) => letter.charCodeAt(0));
}

/** The fragment of a link, or null where the model is too large for one. */
export function fragmentOf(shared: Shared): string | null {
  const { file, text, goals, tables } = shared;
  const rest = { ...(file !== "model.toml" ? { f: file } : {}), ...(goals.length > 0 ? { g: goals.map((goal) => [goal.name, goal.text]) } : {}), ...(Object.keys(tables).length > 0 ? { d: tables } : {}) };
  // the text as it is, so that the words of models match it; what goes with it, after a zero
  const bytes = new TextEncoder().encode(Object.keys(rest).length > 0 ? `${text}\0${JSON.stringify(rest)}` : text);
  if (bytes.length > mostBytes) return null;
  const link = mark + toLetters(deflateSync(bytes, { level: 9, dictionary: words }));
  return link.length > longestLink ? null : link;
}

export const hasModel = (fragment: string): boolean => fragment.startsWith(mark);

/** What a link holds. Throws with a sentence where it holds no model. */
export function readFragment(fragment: string): Shared {
  if (fragment.length > longestLink) throw new Error("the link is longer than any model");
  let bytes: Uint8Array;
  try {
    bytes = inflateBounded(fromLetters(fragment.slice(mark.length)));
  } catch (error) {
    throw new Error(error instanceof TooMuch ? error.message : "the link is damaged: a part of it may be missing", { cause: error });
  }
  const all = new TextDecoder().decode(bytes);
  const end = all.indexOf("\0");
  const rest: unknown = end < 0 ? {} : parsed(all.slice(end + 1));
  const object = typeof rest === "object" && rest !== null ? (rest as Record<string, unknown>) : {};
  return {
    text: end < 0 ? all : all.slice(0, end),
    file: typeof object["f"] === "string" ? plainFile(object["f"]) : "model.toml",
    goals: Array.isArray(object["g"]) ? object["g"].flatMap((goal: unknown) =>
      Array.isArray(goal) && typeof goal[0] === "string" && typeof goal[1] === "string" ? [{ name: goal[0].slice(0, 100), text: goal[1].slice(0, 2000) }] : []).slice(0, 40) : [],
    tables: Object.fromEntries(Object.entries(typeof object["d"] === "object" && object["d"] !== null ? object["d"] : {}).filter((entry): entry is [string, string] => typeof entry[1] === "string").slice(0, 20)),
  };
}

/** A name of a file without its folders. */
export function plainFile(name: string): string {
  return name.replace(/^.*[\\/]/, "").replace(/[\p{Cc}]/gu, "").slice(0, 100) || "model.toml";
}

class TooMuch extends Error {}

function inflateBounded(packed: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  const stream = new Inflate({ dictionary: words }, (part) => {
    size += part.length;
    if (size > mostBytes) throw new TooMuch("the link unpacks to more than any model");
    parts.push(part);
  });
  // in small pieces, so that what grows without end is noticed early
  const piece = 4096;
  for (let k = 0; k < packed.length; k += piece) stream.push(packed.subarray(k, k + piece), k + piece >= packed.length);
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
