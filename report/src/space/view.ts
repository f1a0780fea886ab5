// The mechanism in space: puts the parts of the drawing together and draws when something has changed.

import { DirectionalLight, HemisphereLight, Scene as Stage, Vector3 } from "three";
import { arrowLayers, Legend } from "../arrow-legend";
import { shortNumber } from "../format";
import type { Report } from "../report";
import type { Layers, MakeView, Theme, View } from "../view";
import { makeBodies, type BodyMeshes } from "./bodies";
import { makeButtons, type Buttons } from "./buttons";
import { makeEmptyView } from "./empty";
import { Forces } from "./forces";
import { makeFloor, type Floor } from "./ground";
import { makeMarks } from "./marks";
import { Overlay } from "./overlay";
import { Pace } from "./pace";
import { Painter } from "./painter";
import { Palette } from "./palette";
import { place, Poses, spreadSamples, upright, type Pose } from "./poses";
import { Quantities } from "./quantities";
import { Shadows } from "./shadows";
import { connections, following, measure, skeletons, type Follow } from "./skeleton";
import { inSoftware, makeSurface, type Surface } from "./surface";
import { Trails } from "./trails";
import { Viewpoint } from "./viewpoint";

const mostRatio = 2;
/** Samples looked at for how far arrows reach. */
const sweepSamples = 60;

class SpaceView implements View {
  readonly element = document.createElement("div");
  private readonly frame = document.createElement("div");
  /** Under the drawing: what lengths of arrows mean. */
  private readonly legend = new Legend();
  private readonly sheet = document.createElement("canvas");
  private readonly stage = new Stage();
  private readonly palette = new Palette();
  private readonly poses: Poses;
  private readonly now: Pose[];
  private readonly bodies: BodyMeshes;
  private readonly floor: Floor;
  private readonly shadows: Shadows;
  private readonly forces: Forces;
  private readonly trails: Trails;
  private readonly quantities: Quantities;
  private readonly overlay: Overlay;
  private readonly viewpoint: Viewpoint;
  private readonly buttons: Buttons;
  private readonly follow: Follow | undefined;
  private readonly gone = new Vector3();
  private readonly sentence = document.createElement("p");
  private readonly unit: number;
  private surface: Surface;
  private sample = 0;
  private width = 0;
  private height = 0;
  private waiting = 0;
  private printing = false;
  private readonly pace = new Pace(() => {
    this.resize();
  });
  private layers: Layers = {
    points: true, names: true, centres: false, velocity: false, acceleration: false, reactions: false, arrowScale: 1,
  };

  constructor(private readonly report: Report, host: HTMLElement, surface = makeSurface()) {
    const { scene } = report;
    const all = connections(scene);
    const bones = skeletons(scene, all);
    this.poses = new Poses(report);
    this.now = scene.bodies.map((_, body) => this.poses.at(body, 0));
    const seen = measure(scene, bones, this.poses);
    this.follow = following(report, all, seen);
    const measures = this.follow ? measure(scene, bones, this.poses, this.follow) : seen;
    const size = Math.max(measures.reach.min.distanceTo(measures.reach.max), measures.mechanism);
    const height = scene.floor ?? 0;
    const turn = upright(scene);

    this.floor = makeFloor(measures.reach, report.roundAbove(size / 12, "m"), size, height, measures.unit, turn, this.palette);
    this.shadows = new Shadows(scene, height - 1e-4 * size, size);
    // A floor that flies by shows nothing.
    this.floor.group.visible = !this.follow;
    this.shadows.mesh.visible = !this.follow;
    this.bodies = makeBodies(scene, this.palette);
    this.unit = measures.unit;
    this.forces = new Forces(report, bones, this.poses, measures, this.palette);
    this.trails = new Trails(scene, bones, this.poses, this.palette, (report.time.at(-1) ?? 0) - (report.time[0] ?? 0));
    this.quantities = new Quantities(report, all, bones, measures, this.palette);
    this.stage.add(this.floor.group, this.shadows.mesh, ...this.bodies.groups, this.forces.group, this.trails.group, ...this.quantities.groups);
    this.overlay = new Overlay(report, makeMarks(scene, all, bones), turn);

    this.surface = surface;
    surface.lost = () => { this.loseWebGL(); };
    this.dress(report.document.model.name);
    const feet = (scene.solids ?? []).filter((solid) => solid.body === 0 && solid.points).flatMap(({ points = [], size = [], radius = 0 }) => {
      const wide = Math.max(radius, ...size.map((side) => side / 2));
      const at = Array.from({ length: points.length / 3 }, (_, k) => new Vector3().fromArray(points, 3 * k).applyQuaternion(turn));
      return at.flatMap((p) => [p.clone().subScalar(wide), p.clone().addScalar(wide)]);
    });
    this.viewpoint = new Viewpoint(this.frame, this.withMargin([...measures.cloud, ...feet], measures.unit), size, turn, () => {
      this.later();
    });
    this.light();
    this.buttons = makeButtons(this.element, this.frame, this.viewpoint, () => {
      this.later();
    });
    host.append(this.element);
    window.addEventListener("beforeprint", this.forPaper);
    window.addEventListener("afterprint", this.forScreen);
    this.setTheme("light");
    this.viewpoint.include(this.tips());
    this.resize();
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.frame;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.width = clientWidth;
    this.height = clientHeight;
    const ratio = Math.min(window.devicePixelRatio || 1, mostRatio);
    this.surface.resize(this.width, this.height, this.pace.resting && inSoftware() ? Math.min(mostRatio, 2 * ratio) : ratio * this.pace.part);
    this.overlay.resize(this.width, this.height, ratio);
    this.viewpoint.resize(this.width, this.height);
    this.redraw();
  }

  draw(sample: number): void {
    this.sample = Number.isFinite(sample) ? Math.max(0, Math.min(this.poses.samples - 1, sample)) : 0;
    this.redraw();
  }

  fit(): void {
    this.viewpoint.include(this.tips());
    this.viewpoint.fit();
    this.later();
  }

  /** How far the arrows that are shown reach in the run, as they are seen by one who goes along with it. */
  private tips(): Vector3[] {
    return spreadSamples(this.poses.samples, sweepSamples).flatMap((sample) => {
      const now = this.now.map((_, body) => this.poses.at(body, sample));
      const gone = this.follow?.(sample, new Vector3());
      const tips = [...this.quantities.tips(sample, now, this.poses, this.layers), ...(this.layers.forces ? [] : this.forces.tips(sample, now))];
      return gone ? tips.map((tip) => tip.sub(gone)) : tips;
    });
  }

  next(report: Report): View {
    const host = this.element.parentElement ?? document.body;
    const seen = this.viewpoint.place();
    // What it is drawn on stays: a browser gives few of them.
    const { surface } = this;
    this.surface = new Painter();
    this.dispose();
    const made = new SpaceView(report, host, surface);
    if (seen) made.viewpoint.placeAt(seen);
    return made;
  }

  setLayers(layers: Layers): void {
    const other = arrowLayers.some((layer) => layers[layer] !== this.layers[layer]);
    this.layers = { ...layers };
    // What fits goes on to fit where arrows come and go.
    if (other) this.viewpoint.include(this.tips());
    this.later();
  }

  setTrails(points: string[], seconds: number): void {
    this.trails.choose(points, seconds);
    this.later();
  }

  setTheme(theme: Theme): void {
    this.palette.use(theme);
    this.bodies.colour();
    this.trails.colour();
    this.shadows.dark(theme === "dark");
    const [top, bottom] = this.palette.colours.backdrop;
    this.frame.style.background = `linear-gradient(${top}, ${bottom})`;
    this.element.style.colorScheme = theme;
    this.buttons.colour(this.palette.colours);
    this.sentence.style.color = this.palette.colours.faint;
    this.later();
  }

  picture(sample: number): HTMLCanvasElement {
    this.draw(sample);
    const { sheet } = this;
    sheet.width = this.overlay.canvas.width;
    sheet.height = this.overlay.canvas.height;
    const c = sheet.getContext("2d");
    if (!c) throw new Error("this browser gives no 2-D canvas to draw on");
    const backdrop = c.createLinearGradient(0, 0, 0, sheet.height);
    this.palette.colours.backdrop.forEach((colour, k) => { backdrop.addColorStop(k, colour); });
    c.fillStyle = backdrop;
    c.fillRect(0, 0, sheet.width, sheet.height);
    // In the same turn of the browser as it was drawn: later there is nothing on a canvas of WebGL.
    for (const canvas of [this.surface.canvas, this.overlay.canvas]) c.drawImage(canvas, 0, 0, sheet.width, sheet.height);
    return sheet;
  }

  spot(name: string): [number, number] | null {
    const [, owner = "", point] = /^([^.]+)(?:\.(.+))?$/.exec(name) ?? [];
    const { bodies } = this.report.scene;
    const body = bodies.findIndex((one) => one.name === owner);
    const local = point === undefined ? [0, 0, 0] : bodies[body]?.points.find((one) => one.name === point)?.p;
    if (body < 0 || !local) return null;
    this.viewpoint.camera.updateMatrixWorld();
    const [x = 0, y = 0, z = 0] = local;
    const at = place(this.poses.at(body, this.sample), new Vector3(x, y, z), new Vector3());
    const spot = this.overlay.project(this.viewpoint.camera, at);
    return spot ? [spot.x, spot.y] : null;
  }

  dispose(): void {
    if (this.waiting) cancelAnimationFrame(this.waiting);
    this.pace.stop();
    window.removeEventListener("beforeprint", this.forPaper);
    window.removeEventListener("afterprint", this.forScreen);
    this.viewpoint.dispose();
    for (const part of [this.bodies, this.floor, this.shadows, this.forces, this.trails, this.quantities, this.palette, this.surface]) part.dispose();
    this.element.remove();
  }

  /** The fit leaves room for joint symbols and lumps around the points. */
  private withMargin(cloud: readonly Vector3[], unit: number): Vector3[] {
    return cloud.flatMap((point) => {
      const [low, high] = [point.clone(), point.clone()];
      low.z -= 3 * unit;
      high.z += 3 * unit;
      return [low, high];
    });
  }

  private dress(name: string): void {
    Object.assign(this.element.style, { position: "relative", width: "100%", height: "100%", minHeight: "200px", overflow: "hidden", display: "flex", flexDirection: "column" });
    Object.assign(this.frame.style, { position: "relative", flex: "1", minHeight: "0", overflow: "hidden", cursor: "grab" });
    this.frame.tabIndex = 0;
    this.frame.setAttribute("role", "group");
    this.frame.dataset.testid = "space-view";
    this.frame.setAttribute(
      "aria-label",
      `Drawing of ${name} in space. Drag turns it, drag with the right button shifts it, the wheel zooms; keys: w a s d turn, Page Up and Page Down zoom.`,
    );
    this.sentence.textContent = "This browser gives the page no WebGL: the drawing is plainer and slower than it should be.";
    this.sentence.dataset.testid = "no-webgl";
    Object.assign(this.sentence.style, { position: "absolute", top: "8px", left: "10px", right: "190px", margin: "0", font: "12px system-ui, sans-serif", pointerEvents: "none" });
    this.element.append(this.frame, this.legend.element, this.sentence);
    this.useSurface();
  }

  private useSurface(): void {
    Object.assign(this.surface.canvas.style, { position: "absolute", inset: "0", width: "100%", height: "100%" });
    this.surface.canvas.setAttribute("aria-hidden", "true");
    this.frame.replaceChildren(this.surface.canvas, this.overlay.canvas);
    const plain = this.surface instanceof Painter;
    this.frame.dataset.drawnBy = plain ? "canvas" : "webgl";
    this.sentence.hidden = !plain;
  }

  /** Goes on with the plain canvas when the browser takes the WebGL away, as it does where many pages use it. */
  private loseWebGL(): void {
    this.surface = new Painter();
    this.useSurface();
    this.resize();
  }

  private light(): void {
    const sky = new HemisphereLight(0xffffff, 0xa8b0ba, 1.7);
    sky.position.set(0, 0, 1);
    // The key light goes with the camera: every view is lit from its upper left.
    const key = new DirectionalLight(0xffffff, 1.7);
    key.position.set(-0.35, 0.65, 0.68);
    const fill = new DirectionalLight(0xffffff, 0.7);
    fill.position.set(0.8, -0.1, 0.6);
    this.viewpoint.camera.add(key, key.target, fill, fill.target);
    this.stage.add(sky, this.viewpoint.camera);
  }

  /** Draws once before the next picture, however many things have changed. */
  private later(): void {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      if (this.viewpoint.update()) this.later();
      this.redraw();
    });
  }

  private readonly redraw = (): void => {
    if (this.width === 0) {
      if (this.element.clientWidth > 0) this.resize();
      return;
    }
    this.pace.drawn();
    this.now.forEach((pose, body) => this.poses.at(body, this.sample, pose));
    this.bodies.move(this.now);
    if (this.shadows.mesh.visible) this.shadows.move(this.now);
    this.forces.move(this.sample, this.now, this.layers.forces ?? false);
    this.trails.draw(this.sample);
    this.quantities.draw(this.sample, this.now, this.poses, this.layers);
    if (this.follow) this.viewpoint.follow(this.follow(this.sample, this.gone));
    this.viewpoint.prepare();
    this.trails.lay(this.viewpoint.camera, this.width, this.height);
    this.surface.render(this.stage, this.viewpoint.camera);
    const { colours } = this.palette;
    const pixels = this.viewpoint.pixels(this.height);
    const { scales } = this.quantities;
    this.overlay.draw(this.viewpoint.camera, this.now, this.layers, colours, {
      note: this.follow ? "the view goes along with the centre of mass" : `grid ${this.report.told(this.floor.step, "m", shortNumber)}`,
      tips: this.trails.tips(colours), readings: this.quantities.readings, pixels, poses: this.now, unit: this.unit,
    });
    if (this.printing) this.overlay.flatten(this.surface.canvas);
    // The drawing gives way where the legend comes or goes.
    if (this.legend.write(this.overlay.keys(scales, pixels, colours))) this.resize();
  };

  private readonly forPaper = (): void => {
    this.printing = true;
    this.redraw();
  };

  private readonly forScreen = (): void => {
    this.printing = false;
    this.later();
  };
}

export const makeView: MakeView = (report, host) => {
  try {
    return new SpaceView(report, host);
  } catch (error) {
    // Plots and tables are worth having without the drawing.
    host.replaceChildren();
    return makeEmptyView(host, `The mechanism cannot be drawn here: ${error instanceof Error ? error.message : String(error)}. Plots and tables are complete.`);
  }
};
