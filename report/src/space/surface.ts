// What the scene is drawn on: WebGL where the browser has it, a plain canvas elsewhere.

import { WebGLRenderer, type Object3D, type PerspectiveCamera } from "three";
import { Painter } from "./painter";

export interface Surface {
  readonly canvas: HTMLCanvasElement;
  resize(width: number, height: number, ratio: number): void;
  render(scene: Object3D, camera: PerspectiveCamera): void;
  /** What is called when the browser takes the WebGL away; a painter is never lost. */
  lost?: () => void;
  dispose(): void;
}

class WebGLSurface implements Surface {
  lost: () => void = () => undefined;

  constructor(readonly canvas: HTMLCanvasElement, private readonly renderer: WebGLRenderer) {
    canvas.addEventListener("webglcontextlost", () => { this.lost(); });
  }

  resize(width: number, height: number, ratio: number): void {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
  }

  render(scene: Object3D, camera: PerspectiveCamera): void {
    this.renderer.render(scene, camera);
  }

  dispose(): void {
    this.lost = () => undefined;
    this.renderer.dispose();
    // Browsers allow few WebGL contexts at once.
    this.renderer.forceContextLoss();
  }
}

let software: boolean | undefined;

/** Whether the browser draws without a graphics card. */
export function inSoftware(): boolean {
  if (software !== undefined) return software;
  const context = document.createElement("canvas").getContext("webgl2", { antialias: false, depth: false });
  const details = context?.getExtension("WEBGL_debug_renderer_info");
  const name = details ? String(context?.getParameter(details.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  software = /swiftshader|llvmpipe|software|basic render/i.test(name);
  return software;
}

/** Asks for WebGL first by hand: the renderer itself would complain on the console where there is none. */
function makeWebGL(): Surface | undefined {
  const canvas = document.createElement("canvas");
  const wanted: WebGLContextAttributes = { alpha: true, antialias: true, depth: true, stencil: false, premultipliedAlpha: true };
  try {
    // Drawn by the processor, four samples a pixel cost more than they are worth: there the picture is finer when it rests.
    if (inSoftware()) wanted.antialias = false;
    const context = canvas.getContext("webgl2", wanted);
    if (!context) return undefined;
    // The type says WebGL 1, the renderer needs WebGL 2.
    const renderer = new WebGLRenderer({ canvas, context: context as unknown as WebGLRenderingContext, ...wanted });
    return new WebGLSurface(canvas, renderer);
  } catch {
    return undefined;
  }
}

export function makeSurface(): Surface {
  return makeWebGL() ?? new Painter();
}
