// Springs as helices, massless rods, forces as arrows, moments as bent arrows.

import { BufferGeometry, Group, Mesh, Vector3, type Material } from "three";
import type { Report } from "../report";
import type { SceneElement } from "../scene";
import { Arrows } from "./arrows";
import type { Palette } from "./palette";
import { names, place, spreadSamples, vector, VectorColumns, type Pose, type Poses } from "./poses";
import type { Connection, Measures, Skeleton } from "./skeleton";
import { ball, coil, merge, ring, rod } from "./solids";

const zAxis = new Vector3(0, 0, 1);

/** Moves something to where it is at a sample. */
type Mover = (sample: number, poses: readonly Pose[]) => void;

export class Forces {
  readonly group = new Group();
  /** Of forces that the model gives; hidden where the layer of forces shows them with their values. */
  private readonly arrows = new Group();
  private readonly movers: Mover[] = [];
  private readonly owned: { dispose(): void }[] = [];

  constructor(report: Report, all: Connection[], private readonly bones: Skeleton[], private readonly poses: Poses, private readonly measures: Measures,
              palette: Palette) {
    this.group.add(this.arrows);
    const spring = palette.surface((colours) => colours.spring);
    const force = palette.surface((colours) => colours.force);
    const arrow = palette.last((colours) => colours.force);
    const loop = palette.surface((colours) => colours.loop);
    for (const one of all) if (one.symbol === "rod") this.addRod(one, loop);
    for (const element of report.scene.elements) {
      if (element.group !== "force") continue;
      if (element.symbol === "spring") this.addSpring(element, spring);
      if (element.symbol === "force" || element.symbol === "wrench") this.addForce(element, report, force, arrow);
      if (element.symbol === "moment" || element.symbol === "wrench") this.addMoment(element, report, force);
    }
  }

  move(sample: number, poses: readonly Pose[], withValues: boolean): void {
    this.arrows.visible = !withValues;
    for (const mover of this.movers) mover(sample, poses);
  }

  dispose(): void {
    for (const one of this.owned) one.dispose();
  }

  private mesh(geometry: BufferGeometry | null, material: Material): Mesh | undefined {
    if (!geometry) return undefined;
    const mesh = new Mesh(geometry, material);
    this.owned.push(geometry);
    this.group.add(mesh);
    return mesh;
  }

  /** A helix of length 1, stretched between its two points. */
  private addSpring(element: SceneElement, material: Material): void {
    const { unit } = this.measures;
    const pi = vector(element.pi);
    const pj = vector(element.pj);
    const start = place(this.poses.at(element.i ?? 0, 0), pi, new Vector3());
    const length = start.distanceTo(place(this.poses.at(element.j ?? 0, 0), pj, new Vector3()));
    const turns = Math.max(5, Math.min(14, Math.round(length / (2.2 * unit))));
    const mesh = this.mesh(merge([coil(1.7 * unit, 0.3 * unit, 0, 1, turns, 0.08)]), material);
    this.stretch(mesh, [element.i ?? 0, pi], [element.j ?? 0, pj]);
  }

  /** A rod without mass, between the balls that its loop has on the two bodies. */
  private addRod(one: Connection, material: Material): void {
    const mesh = this.mesh(merge([rod(new Vector3(), zAxis, 0.7 * this.measures.unit)]), material);
    this.stretch(mesh, [one.parent, one.parentFrame.p], [one.child, one.childFrame.p]);
  }

  /** Something of length 1 along z reaches from a place on one body to a place on another. */
  private stretch(mesh: Mesh | undefined, [i, pi]: [number, Vector3], [j, pj]: [number, Vector3]): void {
    const end = new Vector3();
    this.movers.push((_sample, poses) => {
      const [one, two] = [poses[i], poses[j]];
      if (!mesh || !one || !two) return;
      place(one, pi, mesh.position);
      place(two, pj, end).sub(mesh.position);
      const now = end.length();
      mesh.visible = now > 0;
      mesh.scale.z = now;
      if (now > 0) mesh.quaternion.setFromUnitVectors(zAxis, end.divideScalar(now));
    });
  }

  /** With columns of its components an arrow to scale; a ball at the point in any case. */
  private addForce(element: SceneElement, report: Report, material: Material, arrow: Material): void {
    const { unit, mechanism } = this.measures;
    // A wrench about the ground's origin has its place there.
    const body = (element.pj ? element.j : element.i) ?? 0;
    const point = vector(element.pj ?? element.pi);
    const mark = this.mesh(merge([ball(new Vector3(), 1.5 * unit)]), material);
    const columns = VectorColumns.of(report, names(element.name, "f"));
    const arrows = columns ? new Arrows(1, 0.5 * unit, arrow) : undefined;
    if (arrows) {
      this.arrows.add(arrows.group);
      this.owned.push(arrows);
    }
    const value = new Vector3();
    let most = 0;
    if (columns) for (const sample of spreadSamples(report.samples, 400)) most = Math.max(most, columns.at(sample, value).length());
    const scale = most > 0 ? (0.3 * mechanism) / most : 0;
    this.movers.push((sample, poses) => {
      const pose = poses[body];
      if (!pose || !mark) return;
      place(pose, point, mark.position);
      if (!columns || !arrows) return;
      columns.at(sample, value).multiplyScalar(scale);
      arrows.set(0, mark.position, value);
      arrows.done();
    });
  }

  /** Three quarters of a ring with a head about the moment, at the body's centre of mass; about its z where the run has no columns. */
  private addMoment(element: SceneElement, report: Report, material: Material): void {
    const { unit } = this.measures;
    const wrench = element.symbol === "wrench";
    const body = (wrench && !element.pj ? element.i : element.j) ?? 0;
    const centre = wrench ? vector(element.pj ?? element.pi) : this.bones[body]?.com ?? new Vector3();
    const columns = VectorColumns.of(report, names(element.name, "m"));
    const radius = 4 * unit;
    const head = rod(new Vector3(0, -radius, 0), new Vector3(2.4 * unit, -radius, 0), 1.1 * unit, 0);
    const mesh = this.mesh(merge([ring(radius, 0.4 * unit, 1.5 * Math.PI), head]), material);
    const value = new Vector3();
    this.movers.push((sample, poses) => {
      const pose = poses[body];
      if (!pose || !mesh) return;
      place(pose, centre, mesh.position);
      if (!columns) {
        mesh.quaternion.copy(pose.q);
        return;
      }
      const size = columns.at(sample, value).length();
      mesh.visible = size > 0;
      if (size > 0) mesh.quaternion.setFromUnitVectors(zAxis, value.divideScalar(size));
    });
  }
}
