// Writes the pictures of reports that the documents show: node tests/screenshots.mjs [FOLDER [NAME...]], in report/, after the program is built. NAME: of a
// model, or of a template of the guide; without one, all of them.
// The moving one needs ffmpeg, and is left as it is without it.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { desk, Folder, launch, modelFile, open, scrub } from "./helpers.mjs";

const figures = process.argv[2] ?? fileURLToPath(new URL("../../docs/figures/", import.meta.url));

const only = process.argv.slice(3);
const wanted = (name) => only.length === 0 || only.includes(name);

/** Where in the run a picture is taken, and which layers are switched over for it. */
const shots = [
  { model: "quick-return", part: 0.3, layers: ["velocity"] },
  { model: "planetary", part: 0.35, layers: [] },
  { model: "jansen-leg", part: 0.4, layers: [] },
  { model: "andrews-squeezer", part: 0.6, layers: [] },
  { model: "seven-joint-arm", part: 0.45, layers: [] },
  { model: "six-link-swimmer", part: 0.5, layers: [] },
];

/** Reports that the first pages of the guide show, of templates, on light and on dark ground. */
const guides = [{ template: "four-bar", name: "wiper", file: "report-first-mechanism", part: 0.3 }];

/** One round of a model in this many pictures, as an endless GIF. */
const film = { model: "quick-return", pictures: 42, perSecond: 20, width: 880, layers: ["velocity"] };

async function animate(browser, folder) {
  const { html } = folder.report(modelFile(film.model), `${film.model}-film`);
  const { page, close } = await open(browser, html, { viewport: desk, colorScheme: "light" });
  for (const layer of film.layers) await page.getByTestId(`layer-${layer}`).click();
  const last = Number(await page.getByTestId("scrub").getAttribute("max"));
  for (let k = 0; k < film.pictures; k++) {
    await scrub(page, Math.round((k * last) / film.pictures));
    await page.waitForTimeout(100);
    await page.screenshot({ path: folder.file(`film-${String(k).padStart(3, "0")}.png`) });
  }
  await close();
  const file = join(figures, `report-${film.model}.gif`);
  const palette = "split[a][b];[a]palettegen=max_colors=64[p];[b][p]paletteuse=dither=none:diff_mode=rectangle";
  const made = spawnSync("ffmpeg", ["-loglevel", "error", "-y", "-framerate", String(film.perSecond), "-i", folder.file("film-%03d.png"),
    "-vf", `scale=${film.width}:-1:flags=lanczos,${palette}`, "-loop", "0", file]);
  console.log(made.status === 0 ? file : `${file}: not written (${made.error?.message ?? made.stderr})`);
}

const folder = new Folder();
const browser = await launch();
try {
  for (const { model, part, layers } of shots.filter((shot) => wanted(shot.model))) {
    const { html } = folder.report(modelFile(model), model);
    const { page, close } = await open(browser, html, { viewport: desk, colorScheme: "light" });
    for (const layer of layers) await page.getByTestId(`layer-${layer}`).click();
    const last = Number(await page.getByTestId("scrub").getAttribute("max"));
    await scrub(page, Math.round(part * last));
    await page.waitForTimeout(1000);
    const file = join(figures, `report-${model}.png`);
    await page.screenshot({ path: file });
    // a palette makes a picture of lines and text a third as large; without pngquant it stays as it is
    spawnSync("pngquant", ["--force", "--ext", ".png", "--speed", "1", "--strip", "256", file]);
    await close();
    console.log(file);
  }
  for (const { template, name, file: stem, part } of guides.filter((guide) => wanted(guide.name))) {
    const { html } = folder.report(folder.fresh(name, template), name);
    for (const [colorScheme, ending] of [["light", ""], ["dark", "-dark"]]) {
      const { page, close } = await open(browser, html, { viewport: desk, colorScheme });
      await scrub(page, Math.round(part * Number(await page.getByTestId("scrub").getAttribute("max"))));
      await page.waitForTimeout(1000);
      const file = join(figures, `${stem}${ending}.png`);
      await page.screenshot({ path: file });
      spawnSync("pngquant", ["--force", "--ext", ".png", "--speed", "1", "--strip", "256", file]);
      await close();
      console.log(file);
    }
  }
  if (wanted(film.model)) await animate(browser, folder);
} finally {
  await browser.close();
  folder.remove();
}
