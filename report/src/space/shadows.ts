// Soft shadows on the floor: a dark stripe under each part, wider and fainter the higher it is. They cost one draw call.

import { BufferAttribute, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial, Vector3 } from "three";
import type { Scene, SceneSolid } from "../scene";
import { place, type Pose } from "./poses";

/** What throws a shadow: all between two places of a body. */
interface Caster {
  body: number;
  a: Vector3;
  b: Vector3;
  radius: number;
}

const mostCasters = 400;

const vertexShader = `
attribute vec2 corner;
attribute vec4 ends;
attribute vec2 soft;
uniform float height;
varying vec2 at;
varying float reach;
varying vec2 how;
void main() {
  vec2 d = ends.zw - ends.xy;
  reach = length(d);
  vec2 e = reach > 1e-9 ? d / reach : vec2(1.0, 0.0);
  float part = 0.5 * corner.x + 0.5;
  vec2 p = mix(ends.xy, ends.zw, part) + soft.x * (corner.x * e + corner.y * vec2(-e.y, e.x));
  at = vec2(part * reach + corner.x * soft.x, corner.y * soft.x);
  how = soft;
  gl_Position = projectionMatrix * viewMatrix * vec4(p, height, 1.0);
}`;

const fragmentShader = `
varying vec2 at;
varying float reach;
varying vec2 how;
void main() {
  float far = length(vec2(at.x - clamp(at.x, 0.0, reach), at.y)) / how.x;
  if (far > 1.0) discard;
  float light = 1.0 - far;
  gl_FragColor = vec4(0.05, 0.08, 0.12, how.y * light * light * (3.0 - 2.0 * light));
}`;

function caster(solid: SceneSolid): Caster | undefined {
  const { kind, role, points = [], size = [], low, high, radius = 0, body } = solid;
  if (role !== "body" || body === 0) return undefined;
  if (kind === "mesh" && low && high) {
    const [a, b] = [new Vector3().fromArray(low), new Vector3().fromArray(high)];
    const middle = a.clone().add(b).multiplyScalar(0.5);
    return { body, a: middle, b: middle, radius: 0.35 * a.distanceTo(b) };
  }
  const places = Array.from({ length: Math.floor(points.length / 3) }, (_, k) => new Vector3().fromArray(points, 3 * k));
  const [first] = places;
  if (!first) return undefined;
  if (kind === "block") return { body, a: first, b: first, radius: 0.4 * Math.hypot(...size) };
  if (kind === "plate") {
    const middle = places.reduce((sum, p) => sum.add(p), new Vector3()).divideScalar(places.length);
    return { body, a: middle, b: middle, radius: 0.8 * Math.max(...places.map((p) => p.distanceTo(middle))) };
  }
  return { body, a: first, b: places[1] ?? first, radius: Math.max(radius, solid.end ?? 0) };
}

export class Shadows {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private readonly casters: Caster[];
  private readonly a = new Vector3();
  private readonly b = new Vector3();

  constructor(scene: Scene, private readonly height: number, private readonly size: number) {
    this.casters = (scene.solids ?? []).map(caster).filter((one) => one !== undefined).slice(0, mostCasters);
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("corner", new BufferAttribute(new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]), 2));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.setAttribute("ends", new InstancedBufferAttribute(new Float32Array(4 * this.casters.length), 4));
    geometry.setAttribute("soft", new InstancedBufferAttribute(new Float32Array(2 * this.casters.length), 2));
    geometry.instanceCount = this.casters.length;
    const material = new ShaderMaterial({ vertexShader, fragmentShader, transparent: true, depthWrite: false, uniforms: { height: { value: height } } });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.userData.shadow = true;
  }

  /** Half as dark on dark ground would not be seen: it is darker there. */
  dark(theme: boolean): void {
    this.strength = theme ? 0.75 : 0.34;
  }

  private strength = 0.34;

  move(now: readonly Pose[]): void {
    const ends = this.mesh.geometry.getAttribute("ends");
    const soft = this.mesh.geometry.getAttribute("soft");
    this.casters.forEach(({ body, a, b, radius }, k) => {
      const pose = now[body];
      if (!pose) return;
      place(pose, a, this.a);
      place(pose, b, this.b);
      const above = Math.max(0, 0.5 * (this.a.z + this.b.z) - this.height);
      const wide = 1.5 * radius + 0.1 * above;
      ends.setXYZW(k, this.a.x, this.a.y, this.b.x, this.b.y);
      soft.setXY(k, wide, (this.strength * (1.5 * radius)) / wide / (1 + above / this.size));
    });
    ends.needsUpdate = true;
    soft.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
