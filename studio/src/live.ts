// A mechanism that nothing prescribes moves on by itself, in the time of the clock on the wall, from where the cursor stands; a hand may pull at it meanwhile.
// It ends where anything else is shown: another instant, another text.

import type { Handle, Simulation } from "./engine/contract";
import type { Session } from "./session";
import type { Spot } from "./text/sketch";

/** No frame moves on by more: a page that was hidden does not jump, and a slow machine shows slow motion. */
const longest = 0.05;

export class Live {
  private simulation: Simulation | null = null;
  private lastFrame = 0;
  private held: Handle | null = null;
  private wanted: { handle: Handle | null } | null = null;
  private to: [number, number] = [0, 0];

  constructor(private readonly session: Session, private readonly changed: (on: boolean) => void) {
    session.on("pose", (pose) => { if (!pose) this.stop(); });
    session.on("text", () => { this.stop(); });
    session.on("parameters", () => { this.stop(); });
  }

  /** Of the plane, with a motion that follows from masses and forces. */
  get offered(): boolean {
    const { study, report } = this.session;
    return study?.model?.analysis === "dynamics" && study.model.space === "plane" && (report?.samples ?? 0) > 1;
  }

  get on(): boolean { return this.simulation !== null; }
  /** Seconds. */
  get time(): number { return this.simulation?.now.t ?? 0; }

  async start(): Promise<void> {
    const { session } = this;
    if (this.on || !this.offered) return;
    session.pause();
    const { text } = session;
    try {
      const simulation = await session.engine.simulate(session.time);
      if (session.text !== text || this.on) return;
      session.setPose({ bodies: simulation.now.bodies });
      this.simulation = simulation;
    } catch (trouble) {
      session.say(trouble instanceof Error ? trouble.message : String(trouble), "problem");
      return;
    }
    this.held = this.wanted = null;
    this.lastFrame = 0;
    this.changed(true);
    requestAnimationFrame(this.frame);
  }

  toggle(): void {
    if (this.on) this.stop();
    else void this.start();
  }

  stop(): void {
    if (!this.simulation) return;
    this.simulation = null;
    this.session.setPose(null);
    this.changed(false);
  }

  /** A hand takes hold of a point, or (null) lets go. */
  hold(handle: Handle | null, at: Spot = [0, 0]): void {
    this.wanted = { handle };
    this.pull(at);
  }

  /** The hand is elsewhere. */
  pull(to: Spot): void { this.to = [to[0], to[1]]; }

  private readonly frame = (clock: number): void => {
    const passed = this.lastFrame > 0 ? Math.min((clock - this.lastFrame) / 1000, longest) : 0;
    this.lastFrame = clock;
    void this.moveOn(passed * this.session.speed);
  };

  private async moveOn(seconds: number): Promise<void> {
    const { simulation, session } = this;
    if (!simulation) return;
    try {
      if (this.wanted) {
        const { handle } = this.wanted;
        this.wanted = null;
        await simulation.hold(handle);
        this.held = handle;
      }
      if (seconds > 0) {
        const { bodies } = await simulation.advance(seconds, this.held ? this.to : undefined);
        if (this.simulation !== simulation) return;
        session.setPose({ bodies });
      }
    } catch (trouble) {
      if (this.simulation !== simulation) return;
      session.say(trouble instanceof Error ? trouble.message : String(trouble), "problem");
      this.stop();
      return;
    }
    requestAnimationFrame(this.frame);
  }
}
