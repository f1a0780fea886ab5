// The window on the plane: metres to pixels, with y upwards, and the pointer's pan and zoom.

import type { Spot } from "./pose";

export interface Box {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/** How far the zoom goes from what fits: nobody needs more, and numbers end somewhere. */
const farthest = 100;
const nearest = 10_000;

export class Camera {
  width = 1;
  height = 1;
  /** Pixels a metre. */
  scale = 100;
  private fitted = 100;
  private x = 0;
  private y = 0;

  sx(x: number): number {
    return this.width / 2 + (x - this.x) * this.scale;
  }

  sy(y: number): number {
    return this.height / 2 - (y - this.y) * this.scale;
  }

  /** The same place on the screen. */
  project(spot: Spot): Spot {
    spot.x = this.sx(spot.x);
    spot.y = this.sy(spot.y);
    return spot;
  }

  worldX(sx: number): number {
    return this.x + (sx - this.width / 2) / this.scale;
  }

  worldY(sy: number): number {
    return this.y - (sy - this.height / 2) / this.scale;
  }

  fit(box: Box, margin: number): void {
    const wide = Math.max(box.right - box.left, 1e-9);
    const high = Math.max(box.top - box.bottom, 1e-9);
    const roomX = Math.max(20, this.width - 2 * margin);
    const roomY = Math.max(20, this.height - 2 * margin);
    this.scale = this.fitted = Math.min(roomX / wide, roomY / high);
    this.x = (box.left + box.right) / 2;
    this.y = (box.bottom + box.top) / 2;
  }

  pan(dx: number, dy: number): void {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
  }

  /** Zooms so that the place under the pointer stays there. */
  zoom(factor: number, sx: number, sy: number): void {
    const x = this.worldX(sx);
    const y = this.worldY(sy);
    this.scale = Math.max(this.fitted / farthest, Math.min(this.fitted * nearest, this.scale * factor));
    this.x = x - (sx - this.width / 2) / this.scale;
    this.y = y + (sy - this.height / 2) / this.scale;
  }
}

/** Drag to pan, wheel or pinch to zoom. */
export function steer(canvas: HTMLElement, camera: Camera, changed: () => void): void {
  const pointers = new Map<number, Spot>();
  const local = (event: PointerEvent | WheelEvent): Spot => {
    const frame = canvas.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  };
  const release = (event: PointerEvent): void => {
    pointers.delete(event.pointerId);
    if (pointers.size === 0) canvas.classList.remove("dragging");
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    canvas.classList.add("dragging");
    pointers.set(event.pointerId, local(event));
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = local(event);
    const other = [...pointers.entries()].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const spread = (at: Spot): number => Math.max(8, Math.hypot(at.x - other.x, at.y - other.y));
      camera.zoom(spread(now) / spread(before), (now.x + other.x) / 2, (now.y + other.y) / 2);
    }
    const share = other ? 0.5 : 1;
    camera.pan((now.x - before.x) * share, (now.y - before.y) * share);
    pointers.set(event.pointerId, now);
    changed();
  });
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = local(event);
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    camera.zoom(Math.exp(-Math.max(-200, Math.min(200, event.deltaY * lines)) * 0.0016), at.x, at.y);
    changed();
  }, { passive: false });
}
