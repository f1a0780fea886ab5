// Lines of some pixels' width, each with two corners at every point. Where they lie in the picture is computed here: a processor that draws without a
// graphics card takes a fifth of the time for them that it takes for lines which a shader makes thick.

import { BufferAttribute, BufferGeometry, Mesh, ShaderMaterial, Vector3, type Camera } from "three";

const vertexShader = `
attribute vec3 color;
varying vec3 own;
void main() {
  own = color;
  gl_Position = vec4(position, 1.0);
}`;

const fragmentShader = `
varying vec3 own;
void main() {
  gl_FragColor = vec4(own, 1.0);
  #include <colorspace_fragment>
}`;

/** A corner that is drawn nowhere. */
const outside = 2;

export class Ribbons {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly seen: Float64Array;
  private readonly at = new Vector3();

  /** So many lines of so many points each. */
  constructor(private readonly lines: number, private readonly points: number, private readonly width: number) {
    const corners = 2 * lines * points;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * corners), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * corners), 3));
    const index: number[] = [];
    for (let line = 0; line < lines; line += 1)
      for (let k = 0; k + 1 < points; k += 1) {
        const first = 2 * (line * points + k);
        index.push(first, first + 1, first + 2, first + 2, first + 1, first + 3);
      }
    geometry.setIndex(index);
    // Which way round a piece lies changes with the view.
    this.mesh = new Mesh(geometry, new ShaderMaterial({ vertexShader, fragmentShader, side: 2 }));
    this.mesh.frustumCulled = false;
    this.seen = new Float64Array(3 * points);
  }

  /** Colours of all points, three numbers each. */
  colour(colours: ArrayLike<number>): void {
    const attribute = this.mesh.geometry.getAttribute("color") as BufferAttribute;
    for (let k = 0; k < this.lines * this.points; k += 1)
      for (const corner of [2 * k, 2 * k + 1]) attribute.setXYZ(corner, colours[3 * k] ?? 0, colours[3 * k + 1] ?? 0, colours[3 * k + 2] ?? 0);
    attribute.needsUpdate = true;
  }

  /** Lays the lines through their points, three numbers each, as a camera sees them in a picture of this size. */
  lay(places: ArrayLike<number>, camera: Camera, width: number, height: number): void {
    const attribute = this.mesh.geometry.getAttribute("position") as BufferAttribute;
    const corners = attribute.array as Float32Array;
    camera.updateMatrixWorld();
    for (let line = 0; line < this.lines; line += 1) {
      this.look(places, line, camera, width, height);
      for (let k = 0; k < this.points; k += 1) this.corner(corners, line, k, width, height);
    }
    attribute.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  /** Where the points of a line are in the picture, in pixels from its middle, and how far away, from -1 to 1. */
  private look(places: ArrayLike<number>, line: number, camera: Camera, width: number, height: number): void {
    for (let k = 0; k < this.points; k += 1) {
      const from = 3 * (line * this.points + k);
      this.at.set(places[from] ?? 0, places[from + 1] ?? 0, places[from + 2] ?? 0).project(camera);
      this.seen[3 * k] = (this.at.x * width) / 2;
      this.seen[3 * k + 1] = (this.at.y * height) / 2;
      this.seen[3 * k + 2] = this.at.z > -1 && this.at.z < 1 ? this.at.z : outside;
    }
  }

  /** Both corners at a point: across the way from the point before to the point after. */
  private corner(corners: Float32Array, line: number, k: number, width: number, height: number): void {
    const { seen } = this;
    const [before, after] = [3 * Math.max(0, k - 1), 3 * Math.min(this.points - 1, k + 1)];
    const [dx, dy] = [(seen[after] ?? 0) - (seen[before] ?? 0), (seen[after + 1] ?? 0) - (seen[before + 1] ?? 0)];
    const length = Math.hypot(dx, dy);
    // A line that is seen from its end is as wide as it is anywhere.
    const [ex, ey] = length > 1e-6 ? [dx / length, dy / length] : [1, 0];
    const half = this.width / 2;
    const to = 6 * (line * this.points + k);
    for (const [side, first] of [[1, to], [-1, to + 3]] as const) {
      corners[first] = (2 * ((seen[3 * k] ?? 0) - side * half * ey)) / width;
      corners[first + 1] = (2 * ((seen[3 * k + 1] ?? 0) + side * half * ex)) / height;
      corners[first + 2] = seen[3 * k + 2] ?? outside;
    }
  }
}
