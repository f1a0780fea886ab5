// What the module asks of a system: the time, and where to put a last word. There are no files, and no arguments.

const done = 0;
const badDescriptor = 8;
const notThere = 52;

type Call = (...values: never[]) => number;

/** The module ended itself: one of its own invariants was broken, or memory was used up. */
export class Ended extends Error {}

/** The imports of a module of WASI. `memory`: asked for when it is there; `said`: a line for whoever looks at the console. */
export function wasi(names: string[], memory: () => WebAssembly.Memory, said: (text: string) => void): Record<string, Call> {
  const words = (): DataView => new DataView(memory().buffer);
  const known: Record<string, Call> = {
    args_sizes_get: (count: number, size: number) => nothing(count, size),
    environ_sizes_get: (count: number, size: number) => nothing(count, size),
    args_get: () => done,
    environ_get: () => done,
    clock_time_get: (_clock: number, _precision: bigint, to: number) => {
      words().setBigUint64(to, BigInt(Math.round(performance.now() * 1e6)), true);
      return done;
    },
    fd_write: (_file: number, pieces: number, count: number, written: number) => {
      const view = words();
      let size = 0;
      let text = "";
      for (let k = 0; k < count; k += 1) {
        const at = view.getUint32(pieces + 8 * k, true);
        const length = view.getUint32(pieces + 8 * k + 4, true);
        text += new TextDecoder().decode(new Uint8Array(memory().buffer, at, length).slice());
        size += length;
      }
      if (text.trim()) said(text.trim());
      view.setUint32(written, size, true);
      return done;
    },
    fd_prestat_get: () => badDescriptor,
    proc_exit: (code: number) => {
      throw new Ended(`the engine ended with ${String(code)}`);
    },
  };
  function nothing(count: number, size: number): number {
    words().setUint32(count, 0, true);
    words().setUint32(size, 0, true);
    return done;
  }
  return Object.fromEntries(names.map((name) => [name, known[name] ?? ((): number => notThere)]));
}
