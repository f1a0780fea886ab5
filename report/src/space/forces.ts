// Springs as helices, massless rods, forces as arrows, moments as bent arrows.

import { Group, Mesh, Vector3, type Material } from "three";
import type { Report } from "../report";
import type { SceneElement, SceneStrut } from "../scene";
import { Arrows } from "./arrows";
import type { Palette } from "./palette";
import { names, place, spreadSamples, vector, VectorColumns, type Pose, type Poses } from "./poses";
import type { Measures, Skeleton } from "./skeleton";
import { SolidBuilder } from "./solids";

const zAxis = new Vector3(0, 0, 1);

/** Moves something to where it is at a sample. */
type Mover = (sample: number, poses: readonly Pose[]) => void;

export class Forces {
  readonly group = new Group();
  /** Of forces that the model gives; hidden where the layer of forces shows them with their values. */
  private readonly arrows = new Group();
  private readonly movers: Mover[] = [];
  /** Where these arrows end. */
  private readonly ends: ((sample: number, poses: readonly Pose[]) => Vector3)[] = [];
  private readonly owned: { dispose(): void }[] = [];

  constructor(report: Report, private readonly bones: Skeleton[], private readonly poses: Poses, private readonly measures: Measures,
              palette: Palette) {
    this.group.add(this.arrows);
    const metal = palette.surface((colours) => colours.bright);
    const tube = palette.surface((colours) => colours.joint);
    const force = palette.surface((colours) => colours.force);
    const arrow = palette.last((colours) => colours.force);
    for (const strut of report.scene.struts ?? []) this.addStrut(strut, metal, tube);
    for (const element of report.scene.elements) {
      if (element.group !== "force") continue;
      if (element.symbol === "force" || element.symbol === "wrench") this.addForce(element, report, force, arrow);
      if (element.symbol === "moment" || element.symbol === "wrench") this.addMoment(element, report, force);
    }
  }

  move(sample: number, poses: readonly Pose[], withValues: boolean): void {
    this.arrows.visible = !withValues;
    for (const mover of this.movers) mover(sample, poses);
  }

  tips(sample: number, poses: readonly Pose[]): Vector3[] {
    return this.ends.map((end) => end(sample, poses));
  }

  dispose(): void {
    for (const one of this.owned) one.dispose();
  }

  private mesh(build: (builder: SolidBuilder) => void, material: Material): Mesh {
    const builder = new SolidBuilder();
    build(builder);
    const geometry = builder.geometry();
    const mesh = new Mesh(geometry, material);
    this.owned.push(geometry);
    this.group.add(mesh);
    return mesh;
  }

  /** A rod, a helix and a tube, whichever it has: rod and helix of length 1 are stretched, the tube stays with its end. */
  private addStrut(strut: SceneStrut, metal: Material, tube: Material): void {
    const ends: [[number, Vector3], [number, Vector3]] = [[strut.i, vector(strut.pi)], [strut.j, vector(strut.pj)]];
    const length = place(this.poses.at(strut.i, 0), ends[0][1], new Vector3())
      .distanceTo(place(this.poses.at(strut.j, 0), ends[1][1], new Vector3()));
    if (strut.radius > 0) this.stretch(this.mesh((b) => { b.rod(new Vector3(), zAxis, strut.radius); }, metal), ...ends);
    if (strut.tube > 0) this.stretch(this.mesh((b) => { b.rod(new Vector3(), new Vector3(0, 0, strut.tube), strut.tube_radius); }, tube), ...ends, true);
    if (strut.coil > 0) this.stretch(this.mesh((b) => { b.wire(helix(strut, length), strut.wire, false); }, metal), ...ends, false, length);
  }

  /** Something of length `unit` along z reaches from a place on one body to a place on another. */
  private stretch(mesh: Mesh, [i, pi]: [number, Vector3], [j, pj]: [number, Vector3], rigid = false, unit = 1): void {
    const end = new Vector3();
    this.movers.push((_sample, poses) => {
      const [one, two] = [poses[i], poses[j]];
      if (!one || !two) return;
      place(one, pi, mesh.position);
      place(two, pj, end).sub(mesh.position);
      const now = end.length();
      mesh.visible = now > 0;
      if (!rigid) mesh.scale.z = now / unit;
      if (now > 0) mesh.quaternion.setFromUnitVectors(zAxis, end.divideScalar(now));
    });
  }

  /** With columns of its components an arrow to scale; a ball at the point in any case. */
  private addForce(element: SceneElement, report: Report, material: Material, arrow: Material): void {
    const { unit, mechanism } = this.measures;
    // A wrench about the ground's origin has its place there.
    const body = (element.pj ? element.j : element.i) ?? 0;
    const point = vector(element.pj ?? element.pi);
    const mark = this.mesh((b) => { b.ball(new Vector3(), 1.2 * unit); }, material);
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
    if (columns)
      this.ends.push((sample, poses) => {
        const [pose, from] = [poses[body], new Vector3()];
        return (pose ? place(pose, point, from) : from).addScaledVector(columns.at(sample, value), scale);
      });
    this.movers.push((sample, poses) => {
      const pose = poses[body];
      if (!pose) return;
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
    const arc = Array.from({ length: 25 }, (_, k) => new Vector3(Math.cos((Math.PI * k) / 16), Math.sin((Math.PI * k) / 16), 0).multiplyScalar(radius));
    const mesh = this.mesh((b) => {
      b.wire(arc, 0.4 * unit, false);
      b.rod(new Vector3(0, -radius, 0), new Vector3(2.4 * unit, -radius, 0), 1.1 * unit, 0);
    }, material);
    const value = new Vector3();
    this.movers.push((sample, poses) => {
      const pose = poses[body];
      if (!pose) return;
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

/** The way of a spring's wire: straight ends on the axis, and the coil between them. */
function helix({ coil, turns }: SceneStrut, length: number): Vector3[] {
  const ends = 0.08;
  const count = 14 * turns;
  const winding = Array.from({ length: count + 1 }, (_, k) => {
    const part = k / count;
    const radius = coil * Math.min(1, 20 * Math.min(part, 1 - part));
    const angle = 2 * Math.PI * turns * part;
    return new Vector3(radius * Math.cos(angle), radius * Math.sin(angle), length * (ends + (1 - 2 * ends) * part));
  });
  return [new Vector3(), ...winding, new Vector3(0, 0, length)];
}
