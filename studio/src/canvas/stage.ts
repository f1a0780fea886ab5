// What the hand works on: the newest text as a sketch, the newest results as a drawing, and where everything is on the screen.

import type { Box, Camera } from "../../../report/src/plane/camera";
import { PlaneView } from "../../../report/src/plane/view";
import { interpolate, Report, type ReportDocument } from "../../../report/src/report";
import type { SceneBody } from "../../../report/src/scene";
import { Sketch, split, toLocal, toWorld, type Pose, type Spot } from "../text/sketch";
import type { Session } from "../session";

/** Half the width of an empty sheet, in metres. */
const emptyReach = 0.25;

/** Results of a model in which there is nothing yet. */
export function emptyReport(): Report {
  const empty: ReportDocument = {
    format: 1, generator: "", model: { name: "an empty sheet", file: "", space: "plane", source: "", parameters: {} },
    run: { analysis: "kinematics", to: 0, steps: 0, tolerance: null, outcome: { t: 0, kind: "done", sentence: "", elements: [] } },
    summary: [], events: [], problems: [],
    scene: { size: emptyReach, link: 0.012, order: [], wheels: [], bodies: [{ name: "ground", points: [], com: null, mass: null, shape: null }], elements: [] },
    samples: 1, columns: [{ name: "t", unit: "s", group: "time" }], encoding: "", data: "", thinned: null,
  };
  return new Report(empty, [new Float64Array(1)]);
}

/** A place where points lie on one another. */
export interface Place {
  at: Spot;
  /** "crank.A", all that lie there: what pins join comes together, the ground first. */
  references: string[];
}

export class Stage {
  readonly view: PlaneView;
  private report: Report;
  private indices = new Map<string, number>();
  private sketched: Sketch | null = null;
  private sketchedFrom = "";
  private broken = false;

  constructor(readonly session: Session, host: HTMLElement) {
    this.report = session.report && session.good?.model?.space !== "3d" ? session.report : emptyReport();
    this.view = new PlaneView(this.report, host, { steering: false });
    this.index();
  }

  get camera(): Camera { return this.view.camera; }

  show(report: Report | null): void {
    this.report = report ?? emptyReport();
    this.index();
    this.view.show(this.report);
  }

  private index(): void {
    this.indices = new Map(this.report.scene.bodies.map(({ name }, index) => [name, index]));
  }

  /** The newest text that is TOML; null before there is one. */
  get sketch(): Sketch | null {
    const { text, parameters } = this.session;
    const key = `${text}\0${JSON.stringify(parameters)}`;
    if (key !== this.sketchedFrom) {
      this.sketchedFrom = key;
      try {
        this.sketched = new Sketch(text, parameters);
        this.broken = false;
      } catch {
        this.broken = true;
      }
    }
    return this.sketched;
  }

  /** The text as it is cannot be edited by hand in the drawing. */
  get textBroken(): boolean {
    return this.sketch === null || this.broken;
  }

  /** What the results know of a body. */
  shown(body: string): SceneBody | undefined {
    return this.report.scene.bodies[this.indices.get(body) ?? -1];
  }

  get shownReport(): Report { return this.report; }

  bodyIndex(body: string): number | undefined { return this.indices.get(body); }

  /** Where a body is drawn now. */
  readonly pose = (body: string): Pose => this.poseAt(body, this.session.sample, this.session.pose?.bodies ?? null);

  /** Where a body is at a sample. */
  poseAt(body: string, sample: number, held: ArrayLike<number> | null = null): Pose {
    const index = this.indices.get(body);
    if (body === "ground") return { x: 0, y: 0, phi: 0 };
    if (index === undefined) return this.sketch?.pose(body) ?? { x: 0, y: 0, phi: 0 };
    if (held) return { x: held[3 * index] ?? 0, y: held[3 * index + 1] ?? 0, phi: held[3 * index + 2] ?? 0 };
    const at = (column: string): number | null => {
      const numbers = this.report.column(`${body}.${column}`);
      return numbers ? interpolate(numbers, sample) : null;
    };
    const drawn = this.sketch?.pose(body);
    return { x: at("x") ?? drawn?.x ?? 0, y: at("y") ?? drawn?.y ?? 0, phi: at("phi") ?? drawn?.phi ?? 0 };
  }

  /** All bodies as the engine lists them. */
  poses(sample: number): Float64Array {
    const bodies = new Float64Array(3 * this.report.scene.bodies.length);
    this.report.scene.bodies.forEach(({ name }, index) => {
      const { x, y, phi } = this.poseAt(name, sample);
      bodies.set([x, y, phi], 3 * index);
    });
    return bodies;
  }

  /** Where a point or the origin of a body is in the plane. */
  spot(reference: string): Spot | null {
    const [body, point] = split(reference);
    const { sketch } = this;
    if (point === "") return sketch?.bodies.has(body) || this.indices.has(body) ? toWorld(this.pose(body), [0, 0]) : null;
    const local = sketch?.local(body, point) ?? this.shown(body)?.points.find(({ name }) => name === point)?.p;
    return local ? toWorld(this.pose(body), [local[0] ?? 0, local[1] ?? 0]) : null;
  }

  local(body: string, at: Spot): Spot {
    return toLocal(this.pose(body), at);
  }

  screen([x, y]: Spot): Spot {
    return [this.camera.sx(x), this.camera.sy(y)];
  }

  world([sx, sy]: Spot): Spot {
    return [this.camera.worldX(sx), this.camera.worldY(sy)];
  }

  /** Points that something may be joined to, those on one place together. */
  places(): Place[] {
    const { sketch } = this;
    if (!sketch) return [];
    const near = 2 / this.camera.scale;
    const places: Place[] = [];
    for (const body of sketch.bodies.values())
      for (const point of body.points.keys()) {
        const reference = `${body.name}.${point}`;
        const at = this.spot(reference);
        if (!at || !at.every(Number.isFinite)) continue;
        const known = places.find((place) => Math.hypot(place.at[0] - at[0], place.at[1] - at[1]) < near && place.references.some((one) => sketch.together(one).includes(reference)))
          ?? places.find((place) => Math.hypot(place.at[0] - at[0], place.at[1] - at[1]) < near / 4);
        if (known) known.references.push(reference);
        else places.push({ at, references: [reference] });
      }
    // a point of the ground that only lies there, as the end of a guide, comes behind what is pinned
    const moves = (reference: string): number => Number(sketch.together(reference).every((one) => one.startsWith("ground.")));
    for (const { references } of places) references.sort((a, b) => moves(a) - moves(b));
    return places;
  }

  /** Distance of the grid's lines, in metres, and of what a hand snaps to. */
  get grid(): number { return this.report.roundBelow(110 / this.camera.scale, "m"); }
  get step(): number { return this.grid / 10; }

  /** A tenth of a pixel, as a power of ten: finer than a hand can mean. */
  get quantum(): number { return 10 ** Math.floor(Math.log10(0.3 / this.camera.scale)); }

  /** Half the width of a link on the screen. */
  get linkHalf(): number {
    return Math.max(7, Math.min(30, (this.report.scene.link ?? 0.02) * this.camera.scale)) / 2;
  }

  /** Corners of a body's outline on the screen. */
  outline(body: string): Spot[] {
    const pose = this.pose(body);
    const corners = this.shown(body)?.outline ?? [...(this.sketch?.body(body)?.points.values() ?? [])].map(({ x, y }) => [x.value, y.value]);
    return corners.map(([x = 0, y = 0]) => this.screen(toWorld(pose, [x, y])));
  }

  /** The window as a part of the plane. */
  get box(): Box {
    const { width, height } = this.camera;
    const [left, top] = this.world([0, 0]);
    const [right, bottom] = this.world([width, height]);
    return { left, right, bottom, top };
  }
}
