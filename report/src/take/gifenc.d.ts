// The part of gifenc that is used here; the package brings no types.

declare module "gifenc" {
  export type Palette = number[][];
  type Format = "rgb565" | "rgb444" | "rgba4444";
  export function quantize(rgba: Uint8Array | Uint8ClampedArray, colours: number, options?: { format?: Format }): Palette;
  export function applyPalette(rgba: Uint8Array | Uint8ClampedArray, palette: Palette, format?: Format): Uint8Array;
  export function GIFEncoder(): {
    writeFrame(indices: Uint8Array, width: number, height: number, options: {
      palette?: Palette; repeat?: number; delay?: number; dispose?: number; transparent?: boolean; transparentIndex?: number;
    }): void;
    finish(): void;
    bytes(): Uint8Array;
  };
}
