// The page carries its larger parts as text, packed: they are unpacked when they are first wanted, and nothing is fetched from elsewhere.
// Where the page is served as a folder the parts are files beside it, and its own server is asked for them.

export type Piece = "space" | "gallery" | "engine" | "report-plane" | "report-space";

/** The bytes of base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const bits = atob(text);
  const bytes = new Uint8Array(bits.length);
  for (let k = 0; k < bits.length; k += 1) bytes[k] = bits.charCodeAt(k);
  return bytes;
}

/** As it is carried: what is text is its bytes. */
export async function packedPiece(name: Piece): Promise<Uint8Array<ArrayBuffer>> {
  const element = document.getElementById(`piece-${name}`);
  const file = element?.dataset.file;
  if (file) {
    const answer = await fetch(file);
    if (!answer.ok) throw new Error(`the part "${name}" of the page is not beside it (${file})`);
    return new Uint8Array(await answer.arrayBuffer());
  }
  const text = element?.textContent.trim() ?? "";
  if (text.startsWith('"') && !text.startsWith('"__JOUNCE')) return new TextEncoder().encode(JSON.parse(text) as string);
  if (text === "" || text.startsWith('"__JOUNCE')) throw new Error(`this page was made without its part "${name}"`);
  return fromBase64(text);
}

/** What gzip has packed; anything else stays as it is. */
export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const known = new Map<Piece, Promise<Uint8Array<ArrayBuffer>>>();

export function pieceBytes(name: Piece): Promise<Uint8Array<ArrayBuffer>> {
  const found = known.get(name) ?? packedPiece(name).then(inflate);
  known.set(name, found);
  return found;
}

export async function pieceText(name: Piece): Promise<string> {
  return new TextDecoder().decode(await pieceBytes(name));
}

const modules = new Map<Piece, Promise<unknown>>();

/** What a part that is a script exports; it runs once. */
export function pieceModule<T>(name: Piece): Promise<T> {
  const found = modules.get(name) ?? imported(name);
  modules.set(name, found);
  return found as Promise<T>;
}

async function imported(name: Piece): Promise<unknown> {
  const url = URL.createObjectURL(new Blob([await pieceBytes(name)], { type: "text/javascript" }));
  try {
    return (await import(/* @vite-ignore */ url)) as unknown;
  } finally {
    URL.revokeObjectURL(url);
  }
}
