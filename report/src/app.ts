// Puts the page together: reads the document, makes the regions, and ties them to one time cursor.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { h, iconButton } from "./dom";
import { makeDrawing } from "./drawing";
import { helpDialog, listenToKeys } from "./keyboard";
import { ModePlay } from "./modes";
import { Player, speeds } from "./player";
import { PlotStack } from "./plots";
import { readDocument, Report } from "./report";
import { events, header, problems, source, stateTable, summary } from "./tables";
import { takeAlong } from "./take/take";
import { publish } from "./testing";
import { ThemeSwitch } from "./theme";
import type { MakeView } from "./view";

/** Starts the page once it has been painted, so that a long unpacking does not leave it empty. */
export function start(makeView: MakeView): void {
  const note = h("p", { class: "loading", role: "status" }, "Unpacking the results …");
  document.body.append(note);
  const themes = new ThemeSwitch();
  themes.apply();
  window.setTimeout(() => {
    try {
      build(new Report(readDocument()), makeView, themes);
      note.remove();
    } catch (error) {
      note.className = "loading failed";
      note.textContent = `This report cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
      throw error;
    }
  }, 30);
}

function build(report: Report, makeView: MakeView, themes: ThemeSwitch): void {
  document.title = `${report.document.model.name} – Jounce`;
  const { modes } = report.document;
  const swing = modes && report.samples === 1 ? new ModePlay(report.document, modes) : null;
  const player = new Player(swing?.timeline ?? report);
  const drawing = makeDrawing(report, player, makeView, swing);
  const plots = report.samples > 1 ? new PlotStack(report, player) : null;
  const help = helpDialog(report.document.model.space === "3d");
  const moon = iconButton("M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM8 3a5 5 0 0 1 0 10z", "Light or dark (t)", () => themes.toggle(), { "data-testid": "theme" });
  const keys = iconButton("M6 6.2a2.1 2.1 0 1 1 3 1.9c-.7.3-1 .8-1 1.5v.4M8 12.2v.6", "Keys (?)", () => help.showModal(), { "data-testid": "help", class: "icon stroked" });
  const seek = (t: number): void => {
    player.pause();
    player.setTime(t);
  };
  const main = h("main", {},
    h("div", { class: "work" }, drawing.element, plots ? plots.element : stateTable(report)),
    h("div", { class: "reading" }, ...[problems(report), summary(report), events(report, seek), source(report)].filter((part) => part !== null)));
  document.body.append(h("a", { class: "skip", href: "#plots" }, "Skip to the plots"), header(report, [takeAlong(report, player, drawing.view, plots), moon, keys]), main,
    h("footer", {}, `Made by ${report.document.generator}`));
  themes.onChange((theme) => {
    drawing.view.setTheme(theme);
    plots?.setTheme(theme);
  });
  plots?.fill();
  themes.apply();
  drawing.view.resize();
  player.setTime(player.start);
  listenToKeys(player, {
    fit: () => drawing.view.fit(),
    theme: () => themes.toggle(),
    speed: (faster) => player.setSpeed(nextSpeed(player, faster)),
  }, help);
  window.addEventListener("beforeprint", fitCharts);
  publish(report, player, plots);
}

/** Width in pixels of what fits on a sheet of A4 or Letter. */
const sheet = 660;

/** Charts have the width of the screen; a printed one that is too wide is made smaller. */
function fitCharts(): void {
  for (const chart of document.querySelectorAll<HTMLElement>(".chart"))
    chart.style.setProperty("--shrink", String(Math.min(1, sheet / Math.max(1, chart.querySelector(".uplot")?.clientWidth ?? sheet))));
}

function nextSpeed(player: Player, faster: boolean): number {
  const { offered } = speeds(player.end - player.start);
  const found = faster ? offered.find((speed) => speed > player.speed) : [...offered].reverse().find((speed) => speed < player.speed);
  return found ?? player.speed;
}
