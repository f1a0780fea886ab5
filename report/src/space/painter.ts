// The drawing without WebGL: the same scene on a plain canvas. Triangles are sorted by distance and filled far to near, which is
// slower and now and then wrong where parts cut through each other, but shows the mechanism everywhere.

import {
  Color, InstancedMesh, LineSegments, Matrix4, Mesh, Vector3, type BufferAttribute, type BufferGeometry, type LineBasicMaterial, type MeshLambertMaterial,
  type Object3D, type PerspectiveCamera,
} from "three";
import { onTop } from "./arrows";
import type { Surface } from "./surface";
import type { ThickLines } from "./trails";

/** A triangle, or with two corners a line, on the canvas. */
interface Piece {
  depth: number;
  corners: number[];
  colour: string;
  width: number;
}

/** Where the light comes from, in the camera's axes. */
const light = new Vector3(-0.35, 0.65, 0.68).normalize();

export class Painter implements Surface {
  readonly canvas = document.createElement("canvas");
  private readonly pen: CanvasRenderingContext2D;
  private width = 1;
  private height = 1;
  private ratio = 1;
  private pieces: Piece[] = [];
  private readonly matrix = new Matrix4();
  private readonly projection = new Matrix4();
  private readonly corner = new Vector3();
  private top = false;

  constructor() {
    const pen = this.canvas.getContext("2d");
    if (!pen) throw new Error("this browser gives neither WebGL nor a 2-D canvas to draw on");
    this.pen = pen;
  }

  resize(width: number, height: number, ratio: number): void {
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
  }

  render(scene: Object3D, camera: PerspectiveCamera): void {
    scene.updateMatrixWorld();
    camera.updateMatrixWorld();
    this.projection.copy(camera.projectionMatrix);
    this.pieces = [];
    scene.traverseVisible((object) => {
      this.collect(object, camera);
    });
    this.pieces.sort((a, b) => b.depth - a.depth);
    this.paint(this.pen);
  }

  dispose(): void {
    this.pieces = [];
  }

  private collect(object: Object3D, camera: PerspectiveCamera): void {
    this.top = object.renderOrder >= onTop;
    if (object.userData.shadow) return;
    const thick = object.userData.thick as ThickLines | undefined;
    if (thick) {
      this.matrix.multiplyMatrices(camera.matrixWorldInverse, object.matrixWorld);
      this.addStrips(thick);
    } else if (object instanceof InstancedMesh) {
      const mesh = object as InstancedMesh<BufferGeometry, MeshLambertMaterial>;
      const own = new Matrix4();
      for (let k = 0; k < mesh.count; k += 1) {
        mesh.getMatrixAt(k, own);
        if (own.elements[0] === 0 && own.elements[5] === 0 && own.elements[10] === 0) continue;
        this.matrix.multiplyMatrices(camera.matrixWorldInverse, own.premultiply(mesh.matrixWorld));
        this.addTriangles(mesh.geometry, mesh.material);
      }
    } else if (object instanceof Mesh) {
      const mesh = object as Mesh<BufferGeometry, MeshLambertMaterial>;
      this.matrix.multiplyMatrices(camera.matrixWorldInverse, mesh.matrixWorld);
      this.addTriangles(mesh.geometry, mesh.material);
    } else if (object instanceof LineSegments) {
      const lines = object as LineSegments<BufferGeometry, LineBasicMaterial>;
      this.matrix.multiplyMatrices(camera.matrixWorldInverse, lines.matrixWorld);
      const places = lines.geometry.getAttribute("position");
      const colours = lines.geometry.getAttribute("color") as BufferAttribute | undefined;
      const { material } = lines;
      const plain = css(material, 1);
      this.addLines(places.array, places.count, colours ? painted(colours.array, material.opacity) : () => plain, 1);
    }
  }

  /** Corners in the camera's axes, three numbers each. */
  private seen(places: ArrayLike<number>, count: number): Float64Array {
    const seen = new Float64Array(3 * count);
    for (let k = 0; k < count; k += 1) {
      this.corner.set(places[3 * k] ?? 0, places[3 * k + 1] ?? 0, places[3 * k + 2] ?? 0).applyMatrix4(this.matrix).toArray(seen, 3 * k);
    }
    return seen;
  }

  /** Puts a corner on the canvas; false behind the camera. */
  private project(seen: Float64Array, k: number, into: number[]): boolean {
    this.corner.fromArray(seen, 3 * k);
    if (this.corner.z > -1e-9) return false;
    this.corner.applyMatrix4(this.projection);
    into.push(((this.corner.x + 1) / 2) * this.width, ((1 - this.corner.y) / 2) * this.height);
    return true;
  }

  private addLines(places: ArrayLike<number>, count: number, colour: (corner: number) => string, width: number): void {
    const seen = this.seen(places, count);
    for (let k = 0; k + 1 < count; k += 2) {
      const corners: number[] = [];
      if (!this.project(seen, k, corners) || !this.project(seen, k + 1, corners)) continue;
      const [z, other] = [seen[3 * k + 2] ?? 0, seen[3 * k + 5] ?? 0];
      // Edges lie on surfaces: a little nearer, so that their own surface does not cover them.
      this.pieces.push({ depth: (-(z + other) / 2) * 0.999, corners, colour: colour(k), width });
    }
  }

  /** Lines through points, one after the other. */
  private addStrips({ points, colours, each, width }: ThickLines): void {
    const seen = this.seen(points, points.length / 3);
    const colour = painted(colours, 1);
    for (let k = 0; k + 1 < points.length / 3; k += 1) {
      if ((k + 1) % each === 0) continue;
      const corners: number[] = [];
      if (!this.project(seen, k, corners) || !this.project(seen, k + 1, corners)) continue;
      this.pieces.push({ depth: -((seen[3 * k + 2] ?? 0) + (seen[3 * k + 5] ?? 0)) / 2, corners, colour: colour(k), width });
    }
  }

  private addTriangles(geometry: BufferGeometry, material: MeshLambertMaterial): void {
    const places = geometry.getAttribute("position");
    const index = geometry.getIndex();
    const colours = geometry.getAttribute("color") as BufferAttribute | undefined;
    const seen = this.seen(places.array, places.count);
    const count = index ? index.count : places.count;
    const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
    for (let k = 0; k + 2 < count; k += 3) {
      const [i, j, l] = index ? [index.getX(k), index.getX(k + 1), index.getX(k + 2)] : [k, k + 1, k + 2];
      a.fromArray(seen, 3 * i);
      const normal = c.fromArray(seen, 3 * l).sub(a).cross(b.fromArray(seen, 3 * j).sub(a)).negate();
      if (normal.dot(a) >= 0) continue;
      const corners: number[] = [];
      if (!this.project(seen, i, corners) || !this.project(seen, j, corners) || !this.project(seen, l, corners)) continue;
      if (tiny(corners)) continue;
      const depth = -((seen[3 * i + 2] ?? 0) + (seen[3 * j + 2] ?? 0) + (seen[3 * l + 2] ?? 0)) / 3;
      const shade = 0.62 + 0.45 * Math.max(0, normal.normalize().dot(light));
      // What is drawn on top comes after all that has a positive depth, in the same order.
      this.pieces.push({ depth: this.top ? -1 / depth : depth, corners, colour: colours ? painted(colours.array, 1, shade)(i) : css(material, shade), width: 0 });
    }
  }

  private paint(pen: CanvasRenderingContext2D): void {
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.lineJoin = "round";
    for (const { corners, colour, width } of this.pieces) {
      pen.beginPath();
      pen.moveTo(corners[0] ?? 0, corners[1] ?? 0);
      for (let k = 2; k + 1 < corners.length; k += 2) pen.lineTo(corners[k] ?? 0, corners[k + 1] ?? 0);
      pen.strokeStyle = colour;
      // Filled triangles get a hairline of their own colour, against seams between neighbours.
      pen.lineWidth = width > 0 ? width : 0.6;
      if (width === 0) {
        pen.closePath();
        pen.fillStyle = colour;
        pen.fill();
      }
      pen.stroke();
    }
  }
}

/** A triangle of less than a quarter of a pixel is left out; its neighbours' hairlines cover its place. */
function tiny([ax = 0, ay = 0, bx = 0, by = 0, cx = 0, cy = 0]: number[]): boolean {
  return Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) < 0.5;
}

function css(material: { color: { getHex(): number }; opacity: number }, shade: number): string {
  const hex = material.color.getHex();
  const part = (shift: number): number => Math.min(255, Math.round(((hex >> shift) & 255) * shade));
  return `rgba(${part(16)}, ${part(8)}, ${part(0)}, ${material.opacity})`;
}

/** The colour of a corner among colours in linear light. */
function painted(colours: ArrayLike<number>, opacity: number, shade = 1): (corner: number) => string {
  return (corner) => css({ color: new Color().fromArray([0, 1, 2].map((k) => colours[3 * corner + k] ?? 0)), opacity }, shade);
}
