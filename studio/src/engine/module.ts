// The engine as it was compiled: one question in, one answer out. Whoever has it waits for it: a page keeps it in a worker.

import { wasi } from "./wasi";

export interface Question {
  do: string;
  [key: string]: unknown;
}

export interface Answer {
  /** JSON. */
  text: string;
  /** Of one buffer, which is theirs alone. */
  columns: Float64Array[];
}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize: () => void;
  jounce_room: (size: number) => number;
  jounce_ask: () => number;
}

export class EngineModule {
  private readonly exports: Exports;
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder();

  constructor(module: WebAssembly.Module, said: (text: string) => void) {
    const wanted = WebAssembly.Module.imports(module);
    const own: { exports?: Exports } = {};
    const memory = (): WebAssembly.Memory => {
      if (!own.exports) throw new Error("the engine asked for something before it was there");
      return own.exports.memory;
    };
    const imports: WebAssembly.Imports = {};
    for (const name of new Set(wanted.map((one) => one.module)))
      imports[name] = wasi(wanted.filter((one) => one.module === name).map((one) => one.name), memory, said);
    own.exports = new WebAssembly.Instance(module, imports).exports as unknown as Exports;
    this.exports = own.exports;
    this.exports._initialize();
  }

  ask(question: Question): Answer {
    const bytes = this.encoder.encode(JSON.stringify(question));
    const at = this.exports.jounce_room(bytes.length);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    const handed = this.exports.jounce_ask();
    const view = new DataView(this.exports.memory.buffer);
    const word = (k: number): number => view.getUint32(handed + 4 * k, true);
    const text = this.decoder.decode(new Uint8Array(view.buffer, word(0), word(1)));
    return { text, columns: this.copied(word(2), word(3), word(4)) };
  }

  /** `places`: where the places of the columns stand. */
  private copied(places: number, count: number, rows: number): Float64Array[] {
    const memory = this.exports.memory.buffer;
    const at = new Uint32Array(memory, places, count);
    const all = new Float64Array(count * rows);
    return Array.from(at, (from, k) => {
      const column = all.subarray(k * rows, (k + 1) * rows);
      column.set(new Float64Array(memory, from, rows));
      return column;
    });
  }

  /** What it holds, in bytes. */
  get size(): number {
    return this.exports.memory.buffer.byteLength;
  }
}
