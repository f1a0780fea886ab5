// Paths of chosen points: the whole path faint, and what has been gone through so far strong.

import { CatmullRomCurve3, Group, Vector3, type InterleavedBufferAttribute } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Scene } from "../scene";
import { trailColour, type Colours, type Palette } from "./palette";
import { place, vector, type Poses } from "./poses";
import type { Skeleton } from "./skeleton";

interface Trail {
  body: number;
  point: Vector3;
  /** The colour's place in the palette. */
  colour: number;
  /** Points of the path for each sample: more than one where samples lie far apart. */
  parts: number;
  path: Line2;
  past: Line2;
  /** From the last point of the path to where the body is now. */
  lead: Line2;
  /** Where the body is now. */
  now: Vector3;
}

/** A path of fewer pieces than this gets points between its samples, on a smooth curve; many paths share a larger number. */
const smoothPieces = 600;
const mostPieces = 8000;
const mostParts = 8;

/** What a drawing without WebGL needs to know of a thick line. */
export interface ThickLine {
  points: Float32Array;
  /** How many of the points are drawn. */
  count: number;
}

export class Trails {
  readonly group = new Group();
  private trails: Trail[] = [];
  private sample = 0;

  constructor(private readonly scene: Scene, private readonly bones: Skeleton[], private readonly poses: Poses,
              private readonly palette: Palette) {}

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

  choose(names: readonly string[]): void {
    this.clear();
    names.forEach((name, colour) => {
      const found = this.find(name);
      if (!found || this.poses.samples < 2) return;
      const { points, parts } = this.path(found.body, found.point, Math.min(smoothPieces, mostPieces / names.length));
      const start = points.slice(0, 3);
      this.trails.push({
        ...found, colour, parts, now: new Vector3(),
        path: this.line(points, colour, 1.5, 0.35), past: this.line(points, colour, 3, 1),
        lead: this.line(new Float32Array([...start, ...start]), colour, 3, 1),
      });
    });
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

  private line(points: Float32Array, index: number, width: number, opacity: number): Line2 {
    const material = this.palette.keep(new LineMaterial({ linewidth: width, opacity, transparent: opacity < 1 }), trailColour(index));
    const line = new Line2(new LineGeometry().setPositions(points), material);
    const thick: ThickLine = { points, count: points.length / 3 };
    line.userData.thick = thick;
    line.frustumCulled = false;
    this.group.add(line);
    return line;
  }

  draw(sample: number): void {
    this.sample = sample;
    for (const { body, point, parts, past, lead, now } of this.trails) {
      const done = Math.max(0, Math.floor(sample * parts));
      past.geometry.instanceCount = done;
      past.visible = done > 0;
      const { points } = past.userData.thick as ThickLine;
      (past.userData.thick as ThickLine).count = done + 1;
      place(this.poses.at(body, sample), point, now);
      const ends = (lead.userData.thick as ThickLine).points;
      ends.set(points.subarray(3 * done, 3 * done + 3));
      now.toArray(ends, 3);
      const { data } = lead.geometry.getAttribute("instanceStart") as InterleavedBufferAttribute;
      data.array.set(ends);
      data.needsUpdate = true;
    }
  }

  private clear(): void {
    for (const line of this.trails.flatMap(({ path, past, lead }) => [path, past, lead])) {
      this.group.remove(line);
      line.geometry.dispose();
      this.palette.drop(line.material);
    }
    this.trails = [];
  }

  dispose(): void {
    this.clear();
  }
}
