// Arrows to scale: many of one colour in two draw calls.

import { BufferGeometry, Group, InstancedMesh, Matrix4, Quaternion, Vector3, type Material } from "three";
import { rod } from "./solids";

const zAxis = new Vector3(0, 0, 1);
/** The order of drawing of what must not be hidden. */
export const onTop = 1;
const nothing = new Matrix4().makeScale(0, 0, 0);

export class Arrows {
  readonly group = new Group();
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  private readonly geometries: BufferGeometry[];
  private readonly turn = new Quaternion();
  private readonly direction = new Vector3();
  private readonly scale = new Vector3();
  private readonly tip = new Vector3();
  private readonly matrix = new Matrix4();

  constructor(readonly count: number, private readonly thickness: number, material: Material) {
    const shaft = rod(new Vector3(), new Vector3(0, 0, 1), 1, 1, 10);
    const head = rod(new Vector3(), new Vector3(0, 0, 1), 1, 0, 14);
    this.geometries = [shaft, head];
    this.shafts = new InstancedMesh(shaft, material, count);
    this.heads = new InstancedMesh(head, material, count);
    // Most arrows begin inside a body: they are drawn over what is there, but still hide each other.
    this.shafts.onBeforeRender = (renderer): void => {
      renderer.clearDepth();
    };
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = onTop;
      this.group.add(mesh);
    }
  }

  /** Arrow k from a place along a vector, in metres of the drawing; too short ones vanish. */
  set(k: number, from: Vector3, along: Vector3): void {
    const length = along.length();
    if (!(length > 0.5 * this.thickness)) {
      this.shafts.setMatrixAt(k, nothing);
      this.heads.setMatrixAt(k, nothing);
      return;
    }
    this.direction.copy(along).divideScalar(length);
    this.turn.setFromUnitVectors(zAxis, this.direction);
    const head = Math.min(6 * this.thickness, 0.6 * length);
    const wide = head / 2.6;
    const slim = Math.min(this.thickness, wide / 2);
    this.shafts.setMatrixAt(k, this.matrix.compose(from, this.turn, this.scale.set(slim, slim, length - 0.9 * head)));
    this.tip.copy(this.direction).multiplyScalar(length - head).add(from);
    this.heads.setMatrixAt(k, this.matrix.compose(this.tip, this.turn, this.scale.set(wide, wide, head)));
  }

  done(): void {
    this.shafts.instanceMatrix.needsUpdate = true;
    this.heads.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    for (const geometry of this.geometries) geometry.dispose();
    this.shafts.dispose();
    this.heads.dispose();
  }
}
