// Pictures of a page, one after the other, as an endless GIF: the browser reads them, gifenc writes them. Only what changes from one
// picture to the next is written, which makes a film of a page small.

import { Buffer } from "node:buffer";
import gifenc from "gifenc";

const { applyPalette, GIFEncoder, quantize } = gifenc;

/** The pixels of a PNG in a width, by a page of the browser that took it. */
async function pixels(page, png, width) {
  const made = await page.evaluate(async ([text, wide]) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
    const high = Math.round((wide * picture.height) / picture.width);
    const canvas = new OffscreenCanvas(wide, high);
    const onto = canvas.getContext("2d");
    onto.imageSmoothingQuality = "high";
    onto.drawImage(picture, 0, 0, wide, high);
    const data = onto.getImageData(0, 0, wide, high).data;
    let bytes = "";
    for (let i = 0; i < data.length; i += 32768) bytes += String.fromCharCode(...data.subarray(i, i + 32768));
    return { high, text: btoa(bytes) };
  }, [png.toString("base64"), width]);
  return { height: made.high, data: new Uint8Array(Buffer.from(made.text, "base64")) };
}

/** The bytes of a GIF: `pictures` are PNGs, each with the milliseconds for which it stays. */
export async function gif(browser, pictures, { width, colours = 96, tolerance = 0 }) {
  const page = await browser.newPage();
  const read = [];
  for (const { png, stays } of pictures) read.push({ ...await pixels(page, png, width), stays });
  await page.close();
  const { height } = read[0];

  // the colours of some pictures: of the first, the last, and those between
  const looked = [0, 0.25, 0.5, 0.75, 1].map((part) => read[Math.round(part * (read.length - 1))].data);
  const all = new Uint8Array(looked.length * looked[0].length);
  looked.forEach((one, k) => all.set(one, k * one.length));
  const palette = quantize(all, colours, { format: "rgb565" });
  const unchanged = palette.length;

  const out = GIFEncoder();
  let before = null;
  let shown = null;
  read.forEach(({ data, stays }, k) => {
    const now = applyPalette(data, palette, "rgb565");
    const written = now.slice();
    if (before) {
      for (let i = 0; i < written.length; i += 1) {
        const near = Math.max(Math.abs(data[4 * i] - before[4 * i]), Math.abs(data[4 * i + 1] - before[4 * i + 1]), Math.abs(data[4 * i + 2] - before[4 * i + 2]));
        if (now[i] === shown[i] || near <= tolerance) { written[i] = unchanged; now[i] = shown[i]; }
      }
    }
    out.writeFrame(written, width, height, {
      ...(k === 0 ? { palette: [...palette, [0, 0, 0]], repeat: 0 } : {}), delay: stays, dispose: 1, transparent: k > 0, transparentIndex: unchanged,
    });
    before = data;
    shown = now;
  });
  out.finish();
  return Buffer.from(out.bytes());
}
