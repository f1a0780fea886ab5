// What can be taken along from the page as a whole: the drawing as it is shown, its motion, the table, and the plots.

import { button, h } from "../dom";
import { sixDigits } from "../format";
import type { Player } from "../player";
import type { PlotStack } from "../plots";
import { standsStill, type Report } from "../report";
import type { View } from "../view";
import { gif, video, videoCodec, type Container } from "./film";
import { makeMenu, type Choice } from "./menu";
import { fileStem, save, savePng } from "./save";
import { csv } from "./table";

const fps = 25;
/** Of a film: what would take longer than this plays too fast, and the reader is told. */
const mostFrames = 1500;

export function takeAlong(report: Report, player: Player, view: View, plots: PlotStack | null): HTMLElement {
  const stem = fileStem(report.document.model.name);
  const at = (): string => (report.samples > 1 ? `-at-${report.told(player.time, report.alongUnit).replace(/[^\w.-]/g, "")}` : "");
  let cancelled = false;
  let busy = false;
  const cancel = button("Stop", "Stop making the film", () => { cancelled = true; }, { "data-testid": "take-stop" });
  cancel.hidden = true;

  /** Frames for the way from the first to the last instant, at the speed that is chosen for playing. */
  const timing = (): { count: number; interval: number; seconds: number } => {
    const seconds = (player.end - player.start) / player.speed;
    const count = Math.max(2, Math.min(mostFrames, Math.round(seconds * fps)));
    return { count, interval: seconds / count, seconds };
  };
  const filmed = async (kind: "gif" | Container): Promise<void> => {
    const picture = view.picture?.bind(view);
    if (busy || !picture) return;
    busy = true;
    cancelled = false;
    cancel.hidden = false;
    player.pause();
    const { count, interval } = timing();
    const before = player.time;
    const motion = {
      count, interval,
      draw: (k: number) => picture(report.sampleAt(player.start + ((player.end - player.start) * k) / count)),
    };
    const watch = {
      get cancelled() { return cancelled; },
      progress: (part: number) => { menu.say(`Making ${kind === "gif" ? "the GIF" : "the film"}: ${Math.floor(100 * part)} %`); },
    };
    try {
      const bytes = kind === "gif" ? await gif(motion, watch) : await video(kind, motion, watch);
      if (bytes) save(bytes as BlobPart, kind === "gif" ? "image/gif" : `video/${kind}`, `${stem}.${kind}`);
      menu.say(bytes ? `${stem}.${kind}: ${(bytes.byteLength / 1e6).toPrecision(2)} MB, ${count} pictures` : "Stopped: nothing was made");
    } finally {
      busy = false;
      cancel.hidden = true;
      player.setTime(before);
    }
  };
  const drawing = (): Choice[] => [
    {
      text: "SVG", id: "take-svg",
      hint: view.svg ? "lines, for documents and for drawing programs" : "a drawing in space is a picture and no lines: take PNG, or jounce draw --view",
      ...(view.svg ? {} : { impossible: () => Promise.resolve("a drawing in space is pixels and no lines: take PNG, or use jounce draw") }),
      take: () => { if (view.svg) save(view.svg(player.sample), "image/svg+xml", `${stem}${at()}.svg`); },
    },
    {
      text: "PNG", hint: "a picture, as it is shown now", id: "take-png",
      take: async () => { if (view.picture) await savePng(view.picture(player.sample), `${stem}${at()}.png`); },
    },
  ];
  const film = (): Choice[] => {
    const { seconds } = timing();
    const long = `${sixDigits(Number(seconds.toPrecision(3)))} s at ${player.speed}×`;
    const encoded = (kind: Container) => async (): Promise<string | null> => {
      const codec = await videoCodec(kind, { width: 1280, height: 720 }, 1 / fps);
      return typeof codec === "string" ? codec : null;
    };
    return [
      { text: "GIF", hint: `plays everywhere, on and on; ${long}`, id: "take-gif", take: () => filmed("gif") },
      { text: "MP4", hint: `for slides and films; ${long}`, id: "take-mp4", take: () => filmed("mp4"), impossible: encoded("mp4") },
      { text: "WebM", hint: `for pages and browsers; ${long}`, id: "take-webm", take: () => filmed("webm"), impossible: encoded("webm") },
    ];
  };
  // As the program's table, which leaves out what stands still.
  const columns = report.document.columns.filter((column) => !standsStill(column)).map((column) => column.name);
  const table = (): Choice[] => [{
    text: "CSV", id: "take-csv", hint: `all ${columns.length} columns, ${report.samples} rows`,
    take: () => { save(csv(report, columns), "text/csv", `${stem}.csv`); },
  }];
  const curves = (): Choice[] => plots ? [
    { text: "SVG", hint: "each plot as a file", id: "take-plots-svg", take: () => plots.each((plot) => plot.taken.save("svg")) },
    { text: "PNG", hint: "each plot as a file", id: "take-plots-png", take: () => plots.each((plot) => plot.taken.save("png")) },
  ] : [];
  const menu = makeMenu("Take along", "Take along: pictures, films and tables of this page", "take",
    () => [["Drawing", view.picture ? drawing() : []], ["Film of the motion", view.picture && report.samples > 1 ? film() : []], ["Table", table()], ["Plots", curves()]], [h("div", {}, cancel)]);
  return menu.element;
}
