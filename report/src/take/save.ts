// Files that the page gives to its reader: made here, of what the page holds, without a network.

/** Gives the browser a file to keep. */
export function save(content: BlobPart, kind: string, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: kind }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // A browser may begin to read it only later.
  window.setTimeout(() => { URL.revokeObjectURL(url); }, 60_000);
}

/** "Offset slider-crank" to "offset-slider-crank", as the program names its files. */
export function fileStem(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}_]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 80) || "mechanism";
}

export async function savePng(canvas: HTMLCanvasElement, name: string): Promise<void> {
  const blob = await new Promise<Blob | null>((done) => { canvas.toBlob(done, "image/png"); });
  if (!blob) throw new Error("this browser makes no picture of so many pixels");
  save(blob, "image/png", name);
}

/** A figure of lines as pixels, twice as many as it says. */
export async function svgToCanvas(svg: string, width: number, height: number): Promise<HTMLCanvasElement> {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(2 * width);
    canvas.height = Math.round(2 * height);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas;
  } finally {
    URL.revokeObjectURL(url);
  }
}
