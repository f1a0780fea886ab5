// Paths of chosen points: the way just gone strong and fading behind the point, the whole path faint where it buries nothing.

import { BufferAttribute, BufferGeometry, CatmullRomCurve3, Color, Group, LineBasicMaterial, LineSegments, Vector3, type Camera } from "three";
import type { Scene } from "../scene";
import { trailColour, type Colours, type Palette } from "./palette";
import { place, vector, type Poses } from "./poses";
import { Ribbons } from "./ribbons";
import type { Skeleton } from "./skeleton";

interface Trail {
  body: number;
  point: Vector3;
  /** The colour's place in the palette. */
  colour: number;
  /** Points of the path for each sample: more than one where samples lie far apart. */
  parts: number;
  points: Float32Array;
  /** How many points lie behind the moving one in its tail. */
  tail: number;
  /** Where the body is now. */
  now: Vector3;
}

/** A path of fewer pieces than this gets points between its samples, on a smooth curve; many paths share a larger number. */
const smoothPieces = 600;
const mostPieces = 8000;
const mostParts = 8;
/** Pieces of all tails together, and of one. */
const allTailPieces = 1500;
const tailPieces = 160;
/** Where the whole path is drawn, its tail is so many times as long as the path is large. */
const tailLength = 2.5;

const tailWidth = 3;

/** What a drawing without WebGL needs to know of thick lines: how many points each has, and all of them with their colours. */
export interface ThickLines {
  each: number;
  points: Float32Array;
  colours: Float32Array;
  width: number;
}

export class Trails {
  readonly group = new Group();
  private trails: Trail[] = [];
  private sample = 0;
  private pieces = tailPieces;
  private tails: Ribbons | undefined;
  private thick: ThickLines = { each: 0, points: new Float32Array(0), colours: new Float32Array(0), width: tailWidth };
  private paths: LineSegments | undefined;

  constructor(private readonly scene: Scene, private readonly bones: Skeleton[], private readonly poses: Poses,
              private readonly palette: Palette, private readonly duration: number) {}

  /** The body and the place in it that a name means: "body", "body.P", "body.origin" or "body.com"; a point goes before the latter two. */
  private find(name: string): { body: number; point: Vector3 } | undefined {
    const body = this.scene.bodies.findIndex((one, index) => index > 0 && (name === one.name || name.startsWith(`${one.name}.`)));
    const found = this.scene.bodies[body];
    if (!found) return undefined;
    const rest = name.slice(found.name.length + 1);
    const named = found.points.find((one) => one.name === rest);
    if (named) return { body, point: vector(named.p) };
    if (rest === "com") return { body, point: this.bones[body]?.com ?? new Vector3() };
    return rest === "origin" || rest === "" ? { body, point: new Vector3() } : undefined;
  }

  /** Paths reach `seconds` back; Infinity: they are drawn as a whole, and the last part of the way stands out. */
  choose(names: readonly string[], seconds: number): void {
    this.clear();
    this.pieces = Math.max(8, Math.min(tailPieces, Math.floor(allTailPieces / Math.max(1, names.length))));
    const whole: { points: Float32Array; colour: number }[] = [];
    names.forEach((name, colour) => {
      const found = this.find(name);
      if (!found || this.poses.samples < 2) return;
      const { points, parts } = this.path(found.body, found.point, Math.min(smoothPieces, mostPieces / names.length));
      const { size, length, count } = extent(points);
      const part = Number.isFinite(seconds) ? seconds / this.duration : (tailLength * size) / length;
      const tail = Math.max(2, Math.min(count - 1, Math.ceil(part > 0 ? (count - 1) * part : 1)));
      if (!Number.isFinite(seconds)) whole.push({ points, colour });
      this.trails.push({ ...found, colour, parts, points, tail, now: new Vector3() });
    });
    if (this.trails.length > 0) {
      this.addPaths(whole);
      this.addTails();
    }
    this.colour();
    this.draw(this.sample);
  }

  /** Where the points are that draw the paths. */
  tips(colours: Colours): { at: Vector3; colour: string }[] {
    return this.trails.map(({ now, colour }) => ({ at: now, colour: trailColour(colour)(colours) }));
  }

  private path(body: number, point: Vector3, pieces: number): { points: Float32Array; parts: number } {
    const { samples } = this.poses;
    const places = Array.from({ length: samples }, (_, k) => place(this.poses.at(body, k), point, new Vector3()));
    const parts = Math.max(1, Math.min(mostParts, Math.ceil(pieces / (samples - 1))));
    const points = new Float32Array(3 * ((samples - 1) * parts + 1));
    const curve = new CatmullRomCurve3(places, false, "centripetal");
    const now = new Vector3();
    for (let k = 0; 3 * k < points.length; k += 1) {
      const sample = Math.floor(k / parts);
      const onSample = k % parts === 0;
      (onSample ? places[sample] ?? now : curve.getPoint(k / ((samples - 1) * parts), now)).toArray(points, 3 * k);
    }
    return { points, parts };
  }

  /** Thin lines for all whole paths, in one draw call. */
  private addPaths(whole: { points: Float32Array; colour: number }[]): void {
    const places: number[] = [];
    const owner: number[] = [];
    for (const { points, colour } of whole) {
      const step = Math.max(1, Math.ceil(points.length / 3 / (mostPieces / whole.length)));
      const count = points.length / 3;
      for (let k = 0; k + 1 < count; k += step) {
        const next = Math.min(count - 1, k + step);
        places.push(...points.subarray(3 * k, 3 * k + 3), ...points.subarray(3 * next, 3 * next + 3));
        owner.push(colour);
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(places.length), 3));
    this.paths = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, opacity: 0.45, transparent: true }));
    this.paths.userData.owner = owner;
    this.paths.frustumCulled = false;
    this.group.add(this.paths);
  }

  /** Thick lines for all tails, in one draw call: they are laid anew in every picture. */
  private addTails(): void {
    const each = this.pieces + 1;
    const count = each * this.trails.length;
    this.tails = new Ribbons(this.trails.length, each, tailWidth);
    this.thick = { each, points: new Float32Array(3 * count), colours: new Float32Array(3 * count), width: tailWidth };
    this.tails.mesh.userData.thick = this.thick;
    this.group.add(this.tails.mesh);
  }

  /** Colours of the theme: a tail fades into the background. */
  colour(): void {
    const { colours } = this.palette;
    const ground = new Color(colours.backdrop[0]).lerp(new Color(colours.backdrop[1]), 0.5);
    const own = new Color();
    if (this.paths) {
      const attribute = this.paths.geometry.getAttribute("color") as BufferAttribute;
      (this.paths.userData.owner as number[]).forEach((owner, k) => {
        own.set(trailColour(owner)(colours));
        attribute.setXYZ(2 * k, own.r, own.g, own.b).setXYZ(2 * k + 1, own.r, own.g, own.b);
      });
      attribute.needsUpdate = true;
    }
    this.trails.forEach((trail, t) => {
      const end = new Color(trailColour(trail.colour)(colours));
      for (let k = 0; k <= this.pieces; k += 1)
        own.copy(ground).lerp(end, 0.15 + 0.85 * Math.sqrt(k / this.pieces)).toArray(this.thick.colours, 3 * (t * this.thick.each + k));
    });
    this.tails?.colour(this.thick.colours);
  }

  /** Where the tails lie in space. */
  draw(sample: number): void {
    this.sample = sample;
    const { each, points: laid } = this.thick;
    this.trails.forEach(({ body, point, points, parts, tail, now }, t) => {
      place(this.poses.at(body, sample), point, now);
      const head = Math.max(0, sample * parts);
      const start = Math.max(0, head - tail);
      const last = points.length / 3 - 1;
      for (let k = 0; k < this.pieces; k += 1) {
        const at = start + ((head - start) * k) / this.pieces;
        const low = Math.min(last, Math.floor(at));
        const next = Math.min(last, low + 1);
        for (let axis = 0; axis < 3; axis += 1) {
          const from = points[3 * low + axis] ?? 0;
          laid[3 * (t * each + k) + axis] = from + ((points[3 * next + axis] ?? 0) - from) * (at - low);
        }
      }
      now.toArray(laid, 3 * (t * each + this.pieces));
    });
  }

  /** And where in a picture of this size. */
  lay(camera: Camera, width: number, height: number): void {
    this.tails?.lay(this.thick.points, camera, width, height);
  }

  private clear(): void {
    this.tails?.dispose();
    this.paths?.geometry.dispose();
    (this.paths?.material as LineBasicMaterial | undefined)?.dispose();
    this.tails = undefined;
    this.paths = undefined;
    this.trails = [];
    this.group.clear();
  }

  dispose(): void {
    this.clear();
  }
}

/** How large a path is, and how long. */
function extent(points: Float32Array): { size: number; length: number; count: number } {
  const count = points.length / 3;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  let length = 0;
  for (let k = 0; k < count; k += 1) {
    let step = 0;
    for (let axis = 0; axis < 3; axis += 1) {
      const value = points[3 * k + axis] ?? 0;
      low[axis] = Math.min(low[axis] ?? value, value);
      high[axis] = Math.max(high[axis] ?? value, value);
      if (k > 0) step += (value - (points[3 * k - 3 + axis] ?? 0)) ** 2;
    }
    length += Math.sqrt(step);
  }
  return { size: Math.hypot(...low.map((from, axis) => (high[axis] ?? from) - from)), length, count };
}
