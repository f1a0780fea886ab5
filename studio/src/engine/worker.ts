// The worker that has the engine. When a question breaks it, the next one finds a new one.

import { EngineModule } from "./module";
import type { Asked, FromEngine, FromPage } from "./messages";

interface Scope {
  onmessage: ((event: MessageEvent<FromPage>) => void) | null;
  postMessage(message: FromEngine, transfer: Transferable[]): void;
}

const scope = self as unknown as Scope;
let compiled: WebAssembly.Module | null = null;
let engine: EngineModule | null = null;

scope.onmessage = (event) => {
  if ("open" in event.data) compiled = event.data.open;
  else answer(event.data);
};

function answer({ id, question }: Asked): void {
  const start = performance.now();
  try {
    if (!compiled) throw new Error("the engine is not there yet");
    engine ??= new EngineModule(compiled, (text) => { console.warn(text); });
    const { text, columns } = engine.ask(question);
    const buffer = columns[0]?.buffer;
    scope.postMessage({ id, text, columns, took: performance.now() - start }, buffer ? [buffer as ArrayBuffer] : []);
  } catch (trouble) {
    engine = null;
    scope.postMessage({ id, broken: trouble instanceof Error ? trouble.message : String(trouble) }, []);
  }
}
