// Paths of chosen points: the whole path faint, and what has been gone through so far strong.

import { Group, Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Scene } from "../scene";
import { trailColour, type Palette } from "./palette";
import { place, vector, type Poses } from "./poses";
import type { Skeleton } from "./skeleton";

interface Trail {
  path: Line2;
  past: Line2;
}

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

  /** The body and the place in it that a name means: "body", "body.origin", "body.com" or "body.P". */
  private find(name: string): { body: number; point: Vector3 } | undefined {
    const dot = name.indexOf(".");
    const owner = dot < 0 ? name : name.slice(0, dot);
    const rest = dot < 0 ? "origin" : name.slice(dot + 1);
    const body = this.scene.bodies.findIndex((one) => one.name === owner);
    if (body <= 0) return undefined;
    if (rest === "origin") return { body, point: new Vector3() };
    if (rest === "com") return { body, point: this.bones[body]?.com ?? new Vector3() };
    const named = this.scene.bodies[body]?.points.find((one) => one.name === rest);
    return named ? { body, point: vector(named.p) } : undefined;
  }

  choose(names: readonly string[]): void {
    this.clear();
    names.forEach((name, index) => {
      const found = this.find(name);
      if (!found || this.poses.samples < 2) return;
      const points = new Float32Array(3 * this.poses.samples);
      const now = new Vector3();
      for (let k = 0; k < this.poses.samples; k += 1) place(this.poses.at(found.body, k), found.point, now).toArray(points, 3 * k);
      this.trails.push({ path: this.line(points, index, 1.5, 0.35), past: this.line(points, index, 3, 1) });
    });
    this.draw(this.sample);
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
    const done = Math.max(0, Math.floor(sample));
    for (const { past } of this.trails) {
      past.geometry.instanceCount = done;
      past.visible = done > 0;
      (past.userData.thick as ThickLine).count = done + 1;
    }
  }

  private clear(): void {
    for (const line of this.trails.flatMap(({ path, past }) => [path, past])) {
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
