// The motion as a film: every picture is drawn for its own time, so that a slow machine takes longer and leaves nothing out.

import { applyPalette, GIFEncoder, quantize, type Palette } from "gifenc";
import { ArrayBufferTarget as Mp4Bytes, Muxer as Mp4Muxer } from "mp4-muxer";
import { ArrayBufferTarget as WebmBytes, Muxer as WebmMuxer } from "webm-muxer";

/** Pictures one after the other: `draw` makes number k. */
export interface Motion {
  count: number;
  /** Seconds from one to the next. */
  interval: number;
  draw(k: number): HTMLCanvasElement;
}

export interface Watch {
  /** A part of the work is done, from 0 to 1. */
  progress(part: number): void;
  readonly cancelled: boolean;
}

/** Of a .gif: more takes long and helps nobody. */
const widestGif = 960;
const samples = 12;
const colours = 255;

const pause = (): Promise<void> => new Promise((done) => { window.setTimeout(done, 0); });

function pixels(canvas: HTMLCanvasElement, width: number, height: number, onto: CanvasRenderingContext2D): Uint8ClampedArray {
  onto.imageSmoothingQuality = "high";
  onto.drawImage(canvas, 0, 0, width, height);
  return onto.getImageData(0, 0, width, height).data;
}

function sheet(width: number, height: number): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const made = canvas.getContext("2d", { willReadFrequently: true });
  if (!made) throw new Error("this browser gives no 2-D canvas to draw on");
  return made;
}

/** Null where it was cancelled. */
export async function gif(motion: Motion, watch: Watch): Promise<Uint8Array | null> {
  const first = motion.draw(0);
  const scale = Math.min(1, 1 / Math.max(1, window.devicePixelRatio || 1), widestGif / first.width);
  const [width, height] = [Math.round(first.width * scale), Math.round(first.height * scale)];
  const onto = sheet(width, height);
  // The colours of a dozen pictures, of which the first has them all but those of parts that cross later.
  const step = Math.max(1, Math.floor(motion.count / samples));
  const looked: Uint8ClampedArray[] = [];
  for (let k = 0; k < motion.count; k += step) looked.push(pixels(motion.draw(k), width, height, onto).slice());
  const all = new Uint8ClampedArray(looked.length * width * height * 4);
  looked.forEach((one, k) => { all.set(one, k * one.length); });
  const palette: Palette = quantize(all, colours, { format: "rgb565" });
  const unchanged = palette.length;
  palette.push([0, 0, 0]);
  const out = GIFEncoder();
  let shown: Uint8Array | null = null;
  const hundredths = (k: number): number => Math.round(100 * k * motion.interval);
  for (let k = 0; k < motion.count; k += 1) {
    const now = applyPalette(pixels(motion.draw(k), width, height, onto), palette.slice(0, unchanged), "rgb565");
    const written = now.slice();
    if (shown) for (let i = 0; i < written.length; i += 1) if (written[i] === shown[i]) written[i] = unchanged;
    const delay = 10 * (hundredths(k + 1) - hundredths(k));
    out.writeFrame(written, width, height, {
      ...(k === 0 ? { palette, repeat: 0 } : {}), delay, dispose: 1, transparent: k > 0, transparentIndex: unchanged,
    });
    shown = now;
    watch.progress((k + 1) / motion.count);
    await pause();
    if (watch.cancelled) return null;
  }
  out.finish();
  return out.bytes();
}

// ---- video -----------------------------------------------------------------------------------------------------------

export type Container = "mp4" | "webm";

/** A codec as the browser's encoder names it, and as the file does. */
interface Codec {
  encoder: string;
  file: string;
}

/** What every player of such a file knows first. Other codecs fit into a .mp4, but players that take no .webm do not show those either. */
const codecs: Record<Container, Codec[]> = {
  mp4: [{ encoder: "avc1.640028", file: "avc" }, { encoder: "avc1.42002a", file: "avc" }, { encoder: "avc1.42001f", file: "avc" }],
  webm: [{ encoder: "vp09.00.41.08", file: "V_VP9" }, { encoder: "vp8", file: "V_VP8" }, { encoder: "av01.0.08M.08", file: "V_AV1" }],
};

const without: Record<Container, string> = {
  mp4: "this browser encodes no H.264: take WebM",
  webm: "this browser encodes nothing that a .webm can hold (VP9, VP8 or AV1): take MP4",
};

const even = (size: number): number => Math.max(2, 2 * Math.round(size / 2));
const largest = 1920;

function settings(codec: string, canvas: { width: number; height: number }, interval: number): VideoEncoderConfig {
  const scale = Math.min(1, largest / Math.max(canvas.width, canvas.height));
  const [width, height] = [even(canvas.width * scale), even(canvas.height * scale)];
  return { codec, width, height, framerate: 1 / interval, bitrate: Math.round(0.15 * width * height / interval), latencyMode: "quality" };
}

/** How this browser encodes a film of this size; a sentence where it does not. */
export async function videoCodec(container: Container, canvas: { width: number; height: number }, interval: number): Promise<{ codec: Codec; config: VideoEncoderConfig } | string> {
  if (typeof VideoEncoder === "undefined") return "this browser encodes no video (it has no WebCodecs)";
  for (const codec of codecs[container]) {
    const config = settings(codec.encoder, canvas, interval);
    try {
      if ((await VideoEncoder.isConfigSupported(config)).supported) return { codec, config };
    } catch {
      // a codec that it has not heard of
    }
  }
  return without[container];
}

/** What takes encoded pictures, and gives the file at the end. */
interface Writer {
  add(chunk: EncodedVideoChunk, about?: EncodedVideoChunkMetadata): void;
  end(): ArrayBuffer;
}

function writer(container: Container, { file }: Codec, { width, height }: VideoEncoderConfig, interval: number): Writer {
  if (container === "mp4") {
    const target = new Mp4Bytes();
    const muxer = new Mp4Muxer({ target, fastStart: "in-memory", video: { codec: file as "avc", width, height } });
    return { add: (chunk, about) => { muxer.addVideoChunk(chunk, about); }, end: () => (muxer.finalize(), target.buffer) };
  }
  const target = new WebmBytes();
  const muxer = new WebmMuxer({ target, video: { codec: file, width, height, frameRate: 1 / interval } });
  return { add: (chunk, about) => { muxer.addVideoChunk(chunk, about); }, end: () => (muxer.finalize(), target.buffer) };
}

/** Null where it was cancelled. */
export async function video(container: Container, motion: Motion, watch: Watch): Promise<ArrayBuffer | null> {
  const chosen = await videoCodec(container, motion.draw(0), motion.interval);
  if (typeof chosen === "string") throw new Error(chosen);
  const { width, height } = chosen.config;
  const file = writer(container, chosen.codec, chosen.config, motion.interval);
  let failure: unknown;
  const encoder = new VideoEncoder({
    output: (chunk, about) => { file.add(chunk, about); },
    error: (error) => { failure = error; },
  });
  encoder.configure(chosen.config);
  const onto = sheet(width, height);
  const micro = (k: number): number => Math.round(1e6 * k * motion.interval);
  for (let k = 0; k < motion.count && failure === undefined; k += 1) {
    pixels(motion.draw(k), width, height, onto);
    const frame = new VideoFrame(onto.canvas, { timestamp: micro(k), duration: micro(k + 1) - micro(k) });
    encoder.encode(frame, { keyFrame: k % 100 === 0 });
    frame.close();
    watch.progress((k + 1) / motion.count);
    // An encoder that is slower than the drawing is waited for.
    do await pause(); while (encoder.encodeQueueSize > 4 && failure === undefined);
    if (watch.cancelled) {
      encoder.close();
      return null;
    }
  }
  if (failure === undefined) await encoder.flush();
  if (failure !== undefined) throw failure instanceof Error ? failure : new Error("the browser could not encode the film");
  encoder.close();
  return file.end();
}
