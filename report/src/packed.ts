// The numbers of a report as the program packs them: pieces of a few columns each, unpacked when one of their columns is needed.

import { unzlibSync } from "fflate";

const encoding = "difference-shuffle-deflate-64";
const bytesPerNumber = 8;
const numbersPerPiece = 8192;
const mostOrder = 8;

const littleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
const lowWord = littleEndian ? 0 : 1;

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const digitOf = new Uint8Array(128);
for (let k = 0; k < digits.length; k += 1) digitOf[digits.charCodeAt(k)] = k;

/** Bytes of base64 text: four digits are three bytes. The browser's own function is slower and gives a text again. */
function fromBase64(text: string): Uint8Array {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3);
  const digit = (k: number): number => digitOf[text.charCodeAt(k) & 127] ?? 0;
  for (let k = 0, to = 0; k < text.length; k += 4, to += 3) {
    const three = (digit(k) << 18) | (digit(k + 1) << 12) | (digit(k + 2) << 6) | digit(k + 3);
    bytes[to] = three >> 16;
    bytes[to + 1] = three >> 8;
    bytes[to + 2] = three;
  }
  return bytes.subarray(0, bytes.length - padding);
}

/** Undoes the shuffle of one column: byte 0 of all its numbers, then byte 1 of all, and so on. */
function unshuffle(bytes: Uint8Array, start: number, samples: number): Uint32Array {
  const words = new Uint32Array(2 * samples);
  for (const half of [0, 1]) {
    const from = start + 4 * half * samples;
    const plane = (k: number): Uint8Array => bytes.subarray(from + k * samples, from + (k + 1) * samples);
    const [one, two, three, four] = [plane(0), plane(1), plane(2), plane(3)];
    for (let k = 0, to = half === 0 ? lowWord : 1 - lowWord; k < samples; k += 1, to += 2)
      words[to] = (one[k] ?? 0) | ((two[k] ?? 0) << 8) | ((three[k] ?? 0) << 16) | ((four[k] ?? 0) << 24);
  }
  return words;
}

/** Rounds the number in two words to 40 bits; numbers next to zero or to the largest stay as they are. */
function roundTo40Bits(words: Uint32Array): void {
  const low = words[lowWord] ?? 0;
  const high = words[1 - lowWord] ?? 0;
  const exponent = (high >>> 20) & 0x7ff;
  if (exponent === 0) return;
  const carried = low + 0x800 > 0xffffffff ? high + 1 : high;
  if (((carried >>> 20) & 0x7ff) === 0x7ff) return;
  words[lowWord] = (low + 0x800) & 0xfffff000;
  words[1 - lowWord] = carried;
}

/**
 * Adds to each word what its prediction was. The prediction continues the differences of the numbers before, at most `order`:
 * the same sums in the same order as the program's, so that both round alike.
 */
function undoPrediction(words: Uint32Array, order: number): void {
  const numbers = new Float64Array(words.buffer);
  const prediction = new Float64Array(1);
  const bits = new Uint32Array(prediction.buffer);
  const differences = new Float64Array(mostOrder);
  for (let k = 0; k < numbers.length; k += 1) {
    let sum = 0;
    for (let j = Math.min(k, order) - 1; j >= 0; j -= 1) sum = (differences[j] ?? 0) + sum;
    prediction[0] = Number.isFinite(sum) ? sum : 0;
    roundTo40Bits(bits);

    // The lowest bit is the sign; 64 bits are added with the carry.
    const low = words[2 * k + lowWord] ?? 0;
    const high = words[2 * k + 1 - lowWord] ?? 0;
    const flip = -(low & 1);
    const lowSum = (((low >>> 1) | (high << 31)) ^ flip) >>> 0;
    const total = lowSum + (bits[lowWord] ?? 0);
    words[2 * k + lowWord] = total;
    words[2 * k + 1 - lowWord] = ((high >>> 1) ^ flip) + (bits[1 - lowWord] ?? 0) + (total > 0xffffffff ? 1 : 0);

    let change = numbers[k] ?? 0;
    for (let j = 0; j < order; j += 1) {
      const before = differences[j] ?? 0;
      differences[j] = change;
      change -= before;
    }
  }
}

/** One column out of the bytes of its piece: its order, then its words. */
function unpack(bytes: Uint8Array, start: number, samples: number): Float64Array {
  const order = bytes[start] ?? 0;
  if (order > mostOrder) throw new Error(`expected an order of at most ${mostOrder}, found ${order}`);
  const words = unshuffle(bytes, start + 1, samples);
  if (order > 0) undoPrediction(words, order);
  return new Float64Array(words.buffer);
}

/** The stored columns. */
export class Pieces {
  private readonly pieces: string[];
  private readonly together: number;
  private readonly unpacked = new Map<number, Float64Array>();

  constructor(found: string, data: string, private readonly stored: number, private readonly samples: number) {
    if (found !== encoding) throw new Error(`expected the encoding "${encoding}", found "${found}"`);
    this.pieces = data === "" ? [] : data.split(" ");
    this.together = Math.max(1, Math.floor(numbersPerPiece / Math.max(1, samples)));
    const expected = Math.ceil(stored / this.together);
    if (this.pieces.length !== expected)
      throw new Error(`expected ${expected} pieces of results (${stored} columns), found ${this.pieces.length}`);
  }

  /** A stored column, counted from 0. */
  column(index: number): Float64Array | undefined {
    if (!this.unpacked.has(index)) this.open(Math.floor(index / this.together));
    return this.unpacked.get(index);
  }

  private open(piece: number): void {
    const first = piece * this.together;
    const count = Math.min(this.together, this.stored - first);
    const width = 1 + bytesPerNumber * this.samples;
    const bytes = unzlibSync(fromBase64(this.pieces[piece] ?? ""), { out: new Uint8Array(count * width) });
    if (bytes.length !== count * width)
      throw new Error(`expected ${count * width} bytes in piece ${piece + 1} of the results, found ${bytes.length}`);
    for (let k = 0; k < count; k += 1) this.unpacked.set(first + k, unpack(bytes, k * width, this.samples));
    this.pieces[piece] = "";
  }
}
