// The camera: turning, shifting and zooming it, the usual views, and showing the whole motion.

import { MOUSE, PerspectiveCamera, Vector3, type Quaternion } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export type Side = "x" | "y" | "z" | "iso";

/** From where each view looks: along an axis of the ground, or from a corner of the room. */
const directions: Record<Side, Vector3> = {
  x: new Vector3(1, 0, 0),
  y: new Vector3(0, -1, 0),
  z: new Vector3(0, 0, 1),
  iso: new Vector3(0.9, -1.25, 0.75),
};

const margin = 1.14;
const turnStep = Math.PI / 24;

export class Viewpoint {
  readonly camera = new PerspectiveCamera(28, 1, 0.1, 100);
  private readonly controls: OrbitControls;
  /** Nothing was moved by hand since the whole motion was shown. */
  private fitted = true;
  /** How far the camera has gone along with what it follows. */
  private readonly gone = new Vector3();
  private readonly step = new Vector3();
  /** What is to be seen besides the motion. */
  private more: readonly Vector3[] = [];

  constructor(element: HTMLElement, private readonly cloud: readonly Vector3[], private readonly size: number, private readonly upright: Quaternion, changed: () => void) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.controls.dampingFactor = 0.18;
    this.controls.zoomToCursor = true;
    this.controls.minDistance = 0.05 * size;
    this.controls.maxDistance = 60 * size;
    this.controls.mouseButtons.MIDDLE = MOUSE.PAN;
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("start", () => {
      this.fitted = false;
    });
    this.look("iso");
  }

  /** Goes on with a motion that runs out; true while it still moves. */
  update(): boolean {
    return this.controls.update();
  }

  look(side: Side): void {
    const direction = directions[side].clone();
    if (side !== "iso") direction.applyQuaternion(this.upright);
    // Straight from above it would not be known what is up in the picture.
    if (Math.abs(direction.z) > 0.999) direction.y -= 1e-4;
    this.aim(direction.normalize());
  }

  fit(): void {
    this.aim(this.camera.position.clone().sub(this.controls.target).normalize());
  }

  /** Shows this besides the motion, where it shows the whole of that. */
  include(more: readonly Vector3[]): void {
    this.more = more;
    if (this.fitted) this.fit();
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.fitted) this.fit();
  }

  /** Turns around what is shown: to the right and upwards, in steps. */
  turn(right: number, upwards: number): void {
    const arm = this.camera.position.clone().sub(this.controls.target);
    const flat = Math.hypot(arm.x, arm.y);
    const azimuth = Math.atan2(arm.y, arm.x) + right * turnStep;
    const limit = Math.PI / 2 - 1e-3;
    const elevation = Math.max(-limit, Math.min(limit, Math.atan2(arm.z, flat) + upwards * turnStep));
    const length = arm.length();
    arm.set(Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation));
    this.moveTo(this.controls.target, arm, length);
    this.fitted = false;
  }

  zoom(factor: number): void {
    const arm = this.camera.position.clone().sub(this.controls.target);
    const length = arm.length();
    this.moveTo(this.controls.target, arm.divideScalar(length), length * factor);
    this.fitted = false;
  }

  /** Where the camera is and what it looks at, where a hand has chosen that. */
  place(): readonly number[] | null {
    return this.fitted ? null : [...this.camera.position.toArray(), ...this.controls.target.toArray()];
  }

  placeAt(place: readonly number[]): void {
    this.fitted = false;
    this.camera.position.fromArray(place, 0);
    this.controls.target.fromArray(place, 3);
    this.controls.update();
  }

  /** Goes along with what has come this far since the start. */
  follow(gone: Vector3): void {
    this.step.subVectors(gone, this.gone);
    this.gone.copy(gone);
    this.controls.target.add(this.step);
    this.camera.position.add(this.step);
  }

  /** Pixels of a metre in the middle of the picture. */
  pixels(height: number): number {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return height / (2 * Math.tan((this.camera.fov * Math.PI) / 360) * distance);
  }

  /** The planes between which something is drawn follow the distance. */
  prepare(): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(distance - 20 * this.size, 0.01 * distance);
    this.camera.far = distance + 40 * this.size;
    this.camera.updateProjectionMatrix();
  }

  dispose(): void {
    this.controls.dispose();
  }

  private moveTo(target: Vector3, direction: Vector3, distance: number): void {
    const clamped = Math.max(this.controls.minDistance, Math.min(this.controls.maxDistance, distance));
    this.controls.target.copy(target);
    this.camera.position.copy(direction).multiplyScalar(clamped).add(target);
    this.controls.update();
  }

  /** Looks from a direction at the middle of the cloud, from so far that every point of it is inside the picture. */
  private aim(direction: Vector3): void {
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const upwards = new Vector3().crossVectors(direction, right);
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = new Vector3(-Infinity, -Infinity, -Infinity);
    const seen = [...this.cloud, ...this.more].map((point) => new Vector3(point.dot(right), point.dot(upwards), point.dot(direction)));
    for (const point of seen) {
      low.min(point);
      high.max(point);
    }
    const middle = low.clone().add(high).multiplyScalar(0.5);
    const vertical = Math.tan((this.camera.fov * Math.PI) / 360) / margin;
    const horizontal = vertical * this.camera.aspect;
    let distance = 0.4 * this.size;
    for (const point of seen) {
      const near = point.z - middle.z;
      distance = Math.max(distance, near + Math.abs(point.x - middle.x) / horizontal, near + Math.abs(point.y - middle.y) / vertical);
    }
    const target = right.multiplyScalar(middle.x).addScaledVector(upwards, middle.y).addScaledVector(direction, middle.z).add(this.gone);
    this.moveTo(target, direction, distance);
    this.fitted = true;
  }
}
