// The engine of the page, in a worker of its own. It is unpacked once, however many are started.

import type { Engine } from "./engine/contract";
import { inflated, WorkerEngine, type Port } from "./engine/engine";
import EngineWorker from "./engine/worker?worker&inline";
import { packedPiece } from "./pieces";

/** An engine that can be ended. */
export type RunningEngine = Engine & { stop(): void };

let module: Promise<WebAssembly.Module> | null = null;

export function startEngine(): RunningEngine {
  module ??= packedPiece("engine").then(inflated);
  return new WorkerEngine(() => new EngineWorker() as unknown as Port, module);
}
