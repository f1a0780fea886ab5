// The engine as the page has it, in front of its worker: one question is under way at a time, and of studies and of pulls that wait only the newest is
// asked.

import type { Engine, Moved, Pose, Pulled, PullRequest, Simulation, Study, StudyRequest } from "./contract";
import type { FromEngine, FromPage } from "./messages";
import type { Question } from "./module";

/** As much of a Worker as is needed. */
export interface Port {
  postMessage(message: FromPage, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<FromEngine>) => void) | null;
  onerror?: ((event: ErrorEvent) => void) | null;
  terminate(): void;
}

interface Reply {
  text: string;
  columns: Float64Array[];
  took: number;
}

interface Waiting {
  id: number;
  question: Question;
  /** Null: it was overtaken. */
  done: (reply: Reply | null) => void;
  failed: (trouble: Error) => void;
}

const overtaking = new Set(["study", "pull"]);

export class WorkerEngine implements Engine {
  readonly ready: Promise<{ version: string }>;
  private readonly waiting: Waiting[] = [];
  private current: Waiting | null = null;
  private count = 0;
  private port: Port | null = null;
  private compiled: WebAssembly.Module | null = null;

  constructor(private readonly start: () => Port, module: Promise<WebAssembly.Module>) {
    this.ready = module.then((compiled) => {
      this.compiled = compiled;
      this.open();
      return this.json<{ version: string }>({ do: "version" });
    });
  }

  private open(): void {
    if (!this.compiled) return;
    this.port = this.start();
    this.port.onmessage = (event) => { this.take(event.data); };
    this.port.onerror = (event) => { this.fail(new Error(event.message)); };
    this.port.postMessage({ open: this.compiled });
  }

  interrupt(): void {
    const { current } = this;
    if (!current) return;
    this.port?.terminate();
    this.current = null;
    this.open();
    current.done(null);
    this.next();
  }

  stop(): void { this.port?.terminate(); }

  async study(request: StudyRequest): Promise<Study | null> {
    const reply = await this.ask({ do: "study", ...request });
    if (!reply) return null;
    const study = JSON.parse(reply.text) as Omit<Study, "columns" | "took">;
    return { ...study, columns: reply.columns, took: reply.took };
  }

  async pull(request: PullRequest): Promise<Pulled | null> {
    const from = request.from && { bodies: Array.from(request.from.bodies) };
    const reply = await this.ask({ do: "pull", handle: request.handle, to: request.to, ...(from && { from }) });
    if (!reply) return null;
    const pulled = JSON.parse(reply.text) as { error?: string; bodies: number[]; short: number; held: string[] };
    return pulled.error === undefined ? { bodies: Float64Array.from(pulled.bodies), short: pulled.short, held: pulled.held } : null;
  }

  async pose(): Promise<{ body: string; position: [number, number]; angle: number }[] | null> {
    return (await this.json<{ pose: { body: string; position: [number, number]; angle: number }[] | null }>({ do: "pose" })).pose;
  }

  async simulate(t: number): Promise<Simulation> {
    const moved = async (question: Question): Promise<Moved> => {
      const { t: at, bodies } = await this.json<{ t: number; bodies: number[] }>(question);
      return { t: at, bodies: Float64Array.from(bodies) };
    };
    let now = await moved({ do: "simulate", t });
    return {
      get now() { return now; },
      hold: async (handle) => { await moved({ do: "hold", handle }); },
      advance: async (seconds, to) => (now = await moved({ do: "advance", by: seconds, ...(to && { to }) })),
    };
  }

  csv(): Promise<string> { return this.text({ do: "csv" }); }
  report(): Promise<string> { return this.text({ do: "report" }); }
  drawing(t: number): Promise<string> { return this.text({ do: "drawing", t }); }
  types(): Promise<unknown> { return this.json({ do: "types" }); }

  private async text(question: Question): Promise<string> {
    return (await this.json<{ text: string }>(question)).text;
  }

  private async json<T>(question: Question): Promise<T> {
    const reply = await this.ask(question);
    const answer = JSON.parse(reply?.text ?? "null") as (T & { error?: string }) | null;
    if (!answer || typeof answer.error === "string") throw new Error(answer?.error ?? "the engine gave no answer");
    return answer;
  }

  private ask(question: Question): Promise<Reply | null> {
    return new Promise((done, failed) => {
      this.count += 1;
      if (overtaking.has(question.do)) {
        const at = this.waiting.findIndex((one) => one.question.do === question.do);
        if (at >= 0) this.waiting.splice(at, 1)[0]?.done(null);
      }
      this.waiting.push({ id: this.count, question, done, failed });
      this.next();
    });
  }

  private next(): void {
    if (this.current || !this.port) return;
    this.current = this.waiting.shift() ?? null;
    if (this.current) this.port.postMessage({ id: this.current.id, question: this.current.question });
  }

  private take(message: FromEngine): void {
    const current = this.current;
    if (current?.id !== message.id) return;
    this.current = null;
    if ("broken" in message) current.failed(new Error(message.broken));
    else current.done(message);
    this.next();
  }

  /** The worker is gone. */
  private fail(trouble: Error): void {
    for (const one of [...(this.current ? [this.current] : []), ...this.waiting.splice(0)]) one.failed(trouble);
    this.current = null;
  }
}

/** A module that came compressed by gzip. */
export async function inflated(bytes: BodyInit): Promise<WebAssembly.Module> {
  const body = new Response(bytes).body;
  if (!body) throw new Error("the engine is empty");
  const stream = body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(stream, { headers: { "Content-Type": "application/wasm" } }));
}

export type { Engine, Pose };
