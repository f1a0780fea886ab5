// What can be taken from the page: a report, tables, drawings, films. All of it is made here.

import { h } from "../../../report/src/dom";
import { sixDigits } from "../../../report/src/format";
import { gif, video, videoCodec, type Container } from "../../../report/src/take/film";
import type { Choice } from "../../../report/src/take/menu";
import { fileStem, save, savePng } from "../../../report/src/take/save";
import type { DrawingArea } from "../area";
import { pieceText } from "../pieces";
import type { Session } from "../session";
import { icons } from "./icons";
import { makePopup, type Popup } from "./popup";

const fps = 25;
const mostFrames = 1500;
const dataMark = '"__JOUNCE_DATA__"';

export function makeExport(session: Session, area: () => DrawingArea): Popup {
  const status = h("p", { class: "note", "aria-live": "polite" });
  const stop = h("button", { type: "button" }, "Stop");
  stop.hidden = true;
  let cancelled = false;
  let busy = false;
  stop.addEventListener("click", () => { cancelled = true; });
  const stem = (): string => fileStem(session.good?.model?.name ?? "mechanism");

  const filmed = async (kind: "gif" | Container): Promise<void> => {
    const { report } = session;
    if (busy || !report) return;
    busy = true;
    cancelled = false;
    stop.hidden = false;
    session.pause();
    const before = session.time;
    const count = Math.max(2, Math.min(mostFrames, Math.round(((session.end - session.start) / session.speed) * fps)));
    const interval = (session.end - session.start) / session.speed / count;
    try {
      const motion = {
        count, interval,
        draw: (k: number): HTMLCanvasElement => {
          const picture = area().picture(report.sampleAt(session.start + ((session.end - session.start) * k) / count));
          if (!picture) throw new Error("there is no drawing to film");
          return picture;
        },
      };
      const watch = {
        get cancelled() { return cancelled; },
        progress: (part: number) => { status.textContent = `Making the film: ${Math.floor(100 * part)} %`; },
      };
      const bytes = kind === "gif" ? await gif(motion, watch) : await video(kind, motion, watch);
      if (bytes) save(bytes as BlobPart, kind === "gif" ? "image/gif" : `video/${kind}`, `${stem()}.${kind}`);
      status.textContent = bytes ? `${stem()}.${kind}: ${(bytes.byteLength / 1e6).toPrecision(2)} MB` : "Stopped: nothing was made.";
    } finally {
      busy = false;
      stop.hidden = true;
      session.setTime(before);
    }
  };

  const encoded = (container: Container) => async (): Promise<string | null> => {
    const codec = await videoCodec(container, { width: 1280, height: 720 }, 1 / fps);
    return typeof codec === "string" ? codec : null;
  };
  const groups = (): [string, Choice[]][] => {
    const { report, good } = session;
    if (!report || !good) return [];
    const space = good.model?.space === "3d";
    const moving = report.samples > 1;
    const long = `${sixDigits(Number(((session.end - session.start) / session.speed).toPrecision(3)))} s at ${session.speed}×`;
    const at = (): string => (moving ? `-at-${sixDigits(Number(session.time.toPrecision(6))).replace(/[^\w.-]/g, "")}s` : "");
    return [
      ["The whole motion", [
        { text: "Report", hint: "a page that plays and plots it, for anybody", id: "export-report", take: async () => {
          const template = await pieceText(space ? "report-space" : "report-plane");
          const data = await session.engine.report();
          // a function: the dollar signs of the data are no patterns
          save(template.replace(dataMark, () => data), "text/html", `${stem()}.html`);
        } },
        { text: "CSV", hint: `all columns, ${report.samples} rows, as the program writes them`, id: "export-csv", take: async () => { save(await session.engine.csv(), "text/csv", `${stem()}.csv`); } },
        ...(moving ? [
          { text: "GIF", hint: `plays everywhere; ${long}`, id: "export-gif", take: () => filmed("gif") },
          { text: "MP4", hint: `for slides; ${long}`, id: "export-mp4", take: () => filmed("mp4"), impossible: encoded("mp4") },
          { text: "WebM", hint: `for pages and browsers; ${long}`, id: "export-webm", take: () => filmed("webm"), impossible: encoded("webm") },
        ] : []),
      ]],
      ["This instant", [
        { text: "SVG", hint: space ? "the technical drawing" : "the drawing as it is shown, as lines", id: "export-svg", take: async () => { save(area().svg(session.sample) ?? await session.engine.drawing(session.time), "image/svg+xml", `${stem()}${at()}.svg`); } },
        { text: "PNG", hint: "the drawing as it is shown", id: "export-png", take: async () => {
          const picture = area().picture(session.sample);
          if (picture) await savePng(picture, `${stem()}${at()}.png`);
        } },
        ...(space ? [] : [{ text: "Technical drawing", hint: "SVG with symbols for print, as jounce draw", id: "export-drawing", take: async () => { save(await session.engine.drawing(session.time), "image/svg+xml", `${stem()}-drawing.svg`); } }]),
      ]],
    ];
  };

  const popup = makePopup({ path: icons.send, words: "Export", title: "Export: report, tables, drawings, films", strokes: true }, (panel) => {
    if (!busy) status.textContent = "";
    const parts: HTMLElement[] = [];
    for (const [title, choices] of groups()) {
      parts.push(h("h3", {}, title));
      for (const choice of choices) {
        const hint = h("span", { class: "hint" }, choice.hint);
        const made = h("button", { type: "button", class: "choice", "data-testid": choice.id }, h("span", {}, choice.text), hint);
        made.addEventListener("click", () => {
          void (async () => {
            try {
              await choice.take();
            } catch (error) {
              status.textContent = error instanceof Error ? error.message : String(error);
            }
          })();
        });
        void choice.impossible?.().then((why) => {
          if (why === null) return;
          made.disabled = true;
          hint.textContent = why;
        });
        parts.push(made);
      }
    }
    if (parts.length === 0) parts.push(h("p", { class: "note" }, "There is no mechanism yet."));
    panel.replaceChildren(...parts, stop, status);
  }, "menu");
  return popup;
}
