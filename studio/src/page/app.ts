// Puts the page together: the session, the panes around it, and what is opened first.

import { h, iconButton } from "../../../report/src/dom";
import { ThemeSwitch } from "../../../report/src/theme";
import type { DrawingArea, MakeArea } from "../area";
import { makeInspector } from "../canvas/inspector";
import { Session } from "../session";
import { startEngine } from "../start_engine";
import { Sketch } from "../text/sketch";
import { publish } from "./api";
import { makeEditor } from "./editor";
import { makeExport } from "./export";
import { Files } from "./files";
import { Gallery, galleryModels } from "./gallery";
import { makeGoals } from "./goals";
import { icons } from "./icons";
import { Keeper, markOf } from "./keep";
import { listenToKeys, makeHelp } from "./keys";
import { makeFold, makeSplitter, makeTabs } from "./layout";
import { makeParameters } from "./parameters";
import { makePlaneArea } from "./plane_area";
import { PlotsPanel } from "./plots_panel";
import { actionButton } from "./popup";
import { makeProblems } from "./problems";
import { fragmentOf, hasModel, plainFile, readFragment, type Shared } from "./share";
import { makeSpaceArea } from "./space_area";
import { makeStatus } from "./status";
import { templates } from "./templates";
import { makeToolbar } from "./toolbar";
import { makeTransport } from "./transport";

export function startStudio(): void {
  const themes = new ThemeSwitch();
  const session = new Session(startEngine());
  const keeper = new Keeper(session);
  const keptTheme = keeper.layout()["theme"];
  if ((keptTheme === "dark" || keptTheme === "light") && keptTheme !== themes.theme) themes.toggle();
  themes.apply();
  const learnt = keeper.layout()["learnt"];
  session.learn(...(["pull", "reshape"] as const).filter((deed) => Array.isArray(learnt) && learnt.includes(deed)));
  session.on("learnt", (deeds) => keeper.setLayout({ learnt: [...deeds] }));

  // What is opened

  /** The address names a model no longer once it is another one: a page that is loaded again shows the work. */
  const forgetLink = (): void => {
    if (location.hash !== "") history.replaceState(null, "", location.href.replace(/#.*$/s, ""));
  };
  session.on("text", ({ from }) => {
    if (from !== "open") forgetLink();
  });

  const open = (model: { text: string; file: string; tables?: Record<string, string>; goals?: Shared["goals"] }): void => {
    keeper.putAside();
    keeper.begin(model.text);
    session.open(model.text, model);
    keeper.keep();
    forgetLink();
    // an empty sheet asks for the first link
    session.setTool(hasBodies(model.text) ? "Select" : "Link");
  };
  const files = new Files(session, (text, file) => open({ text, file }));
  const gallery = new Gallery({ open, earlier: () => keeper.earlier(), engine: startEngine });
  const share = async (): Promise<void> => {
    const fragment = fragmentOf({ file: session.fileName, text: session.text, goals: [...session.goals], tables: session.tables });
    if (fragment === null) return session.say("The model is too large for a link: save it as a file.", "problem");
    const link = location.href.replace(/#.*$/s, "") + fragment;
    history.replaceState(null, "", link);
    try {
      await navigator.clipboard.writeText(link);
      session.say("The link is copied: it holds the whole model.", "done");
    } catch {
      session.say("The address of this page now holds the whole model: copy it from the address bar.", "done");
    }
  };

  // The panes

  const editor = makeEditor(session);
  const home = h("div", { class: "area-home" });
  const areas = new Areas(session, home, themes);
  const plots = new PlotsPanel(session);
  const exporting = makeExport(session, () => areas.current);
  const help = makeHelp();
  const theme = (): void => {
    themes.toggle();
    keeper.setLayout({ theme: themes.theme });
  };
  const undo = actionButton(icons.undo, "Undo", "Undo", () => session.undo(), true);
  const redo = actionButton(icons.redo, "Redo", "Redo", () => session.redo(), true);
  const galleryButton = actionButton(icons.gallery, "Gallery", "Gallery: models and templates", () => (gallery.shown ? gallery.close() : void gallery.open(galleryButton)), true);
  const name = h("h1", {}, "Jounce Studio");
  const file = h("span", { class: "file" });
  const header = h("header", { class: "top-bar" },
    h("div", { class: "brand", "aria-hidden": "true" }, brand(), "Jounce"), h("div", { class: "model-name" }, name, file),
    h("div", { class: "actions" },
      h("div", { class: "group" }, undo, redo),
      h("div", { class: "group" }, galleryButton, actionButton(icons.open, "Open", "Open a model file (Ctrl O)", () => files.ask(), true),
        actionButton(icons.save, "Save", "Save the model file (Ctrl S)", () => void files.save(), true),
        actionButton(icons.share, "Share", "Copy a link that holds the model", () => void share(), true), exporting.element),
      h("div", { class: "group" }, iconButton(icons.moon, "Light or dark", theme, { class: "icon plain" }), help.element)));
  const steps = (): void => {
    for (const [button, what, word] of [[undo, session.undoable, "Undo"], [redo, session.redoable, "Redo"]] as const) {
      button.disabled = what === null;
      button.title = what === null ? word : `${word}: ${what}`;
    }
  };
  session.on("text", steps);
  session.on("goals", steps);
  session.on("study", (study) => {
    if (study.model || !session.good) name.textContent = study.model?.name || "Untitled";
    document.title = `${name.textContent} – Jounce Studio`;
  });
  session.on("opened", () => { file.textContent = session.fileName; });
  steps();

  const stage = h("main", { class: "pane pane-stage" },
    h("div", { class: "stage-home" }, makeToolbar(session), home, gallery.element), makeTransport(session));
  const text = h("section", { class: "pane pane-text", "aria-label": "Text" }, h("div", { class: "editor-home" }, editor.element), makeProblems(session, editor));
  const side = h("section", { class: "pane pane-side", "aria-label": "Results" },
    makeFold(keeper, "selection", "Selection", makeInspector(session, () => areas.current)),
    makeFold(keeper, "parameters", "Parameters", makeParameters(session)), makeFold(keeper, "goals", "Goals", makeGoals(session)),
    h("div", { class: "plots-part" }, plots.element));
  const shell = h("div", { id: "page", class: "studio" }, header, text, makeSplitter(keeper, "text", "Width of the text"), stage,
    makeSplitter(keeper, "side", "Width of the results"), side, makeTabs(keeper), makeStatus(session));
  document.getElementById("page")?.replaceWith(shell);
  themes.onChange((now) => {
    areas.setTheme();
    plots.setTheme(now);
  });
  areas.setTheme();
  plots.setTheme(themes.theme);
  listenToKeys(session, { save: () => void files.save(), open: () => files.ask(), fit: () => areas.current.fit(), theme, gallery: () => void gallery.open(), text: () => editor.focus() }, help);

  // What is there first: what the link holds, what the page was made with, what was worked on last, or a beginning.

  const first = async (): Promise<void> => {
    const given = embedded();
    const work = keeper.work();
    const fragment = decodeURIComponentOrNot(location.hash);
    // said when another model stands there: what is opened begins without a message
    let trouble: string | null = null;
    if (hasModel(fragment)) {
      try {
        const shared = readFragment(fragment);
        keeper.putAside();
        keeper.begin(shared.text);
        session.open(shared.text, shared);
        return;
      } catch (error) {
        trouble = `The link cannot be opened: ${error instanceof Error ? error.message : String(error)}.`;
      }
    }
    const wanted = /^#model=([\w.-]{1,80})$/.exec(fragment)?.[1];
    if (wanted) {
      const found = (await galleryModels().catch(() => [])).find((one) => one.id === wanted);
      if (found) {
        keeper.putAside();
        keeper.begin(found.text);
        session.open(found.text, { file: `${found.id}.toml`, tables: found.tables });
        return;
      }
      trouble = `The gallery has no model '${wanted}'.`;
    }
    if (work && (!given || work.origin === markOf(given.text))) {
      keeper.resume(work);
      session.open(work.text, work);
    } else {
      const start = given ?? { text: templates[1]?.text ?? "", file: "model.toml", tables: {} };
      if (given) keeper.putAside();
      keeper.begin(start.text);
      session.open(start.text, start);
    }
    if (trouble !== null) session.say(trouble, "problem");
  };
  window.addEventListener("hashchange", () => void first());
  const ready = (async (): Promise<void> => {
    await first();
    await session.engine.ready;
    await session.ask();
    document.body.dataset.ready = "true";
  })();
  ready.catch((error: unknown) => { session.say(`The engine does not start: ${error instanceof Error ? error.message : String(error)}`, "problem"); });
  publish(session, () => areas.current, ready);
}

/** Whether there is something to select; of what is no TOML nobody knows. */
function hasBodies(text: string): boolean {
  try {
    return new Sketch(text).bodies.size > 1;
  } catch {
    return true;
  }
}

/** The drawing that fits the space of the model. */
class Areas {
  current: DrawingArea;
  private kind: "plane" | "3d" = "plane";

  constructor(private readonly session: Session, private readonly home: HTMLElement, private readonly themes: ThemeSwitch) {
    this.current = makePlaneArea(session, home);
    session.on("report", (report) => this.use(report.document.model.space));
  }

  private use(kind: "plane" | "3d"): void {
    if (kind === this.kind) return;
    this.kind = kind;
    this.current.dispose();
    const make: MakeArea = kind === "3d" ? makeSpaceArea : makePlaneArea;
    this.current = make(this.session, this.home);
    document.body.dataset.space = kind;
    this.setTheme();
  }

  setTheme(): void {
    this.current.setTheme(this.themes.theme);
  }
}

/** The model that the program has put into the page. */
function embedded(): { text: string; file: string; tables: Record<string, string> } | null {
  try {
    const value: unknown = JSON.parse(document.getElementById("jounce-model")?.textContent ?? "null");
    if (typeof value !== "object" || value === null) return null;
    const { text, file, tables } = value as Record<string, unknown>;
    if (typeof text !== "string") return null;
    return { text, file: plainFile(typeof file === "string" ? file : "model.toml"), tables: typeof tables === "object" && tables !== null ? (tables as Record<string, string>) : {} };
  } catch {
    return null;
  }
}

function decodeURIComponentOrNot(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A crank and a rocker. */
function brand(): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", "M4 18.5 8 8.5 18.5 5.5 20 18.5");
  svg.append(path);
  for (const [x, y] of [["4", "18.5"], ["8", "8.5"], ["18.5", "5.5"], ["20", "18.5"]] as const) {
    const dot = document.createElementNS(space, "circle");
    dot.setAttribute("cx", x);
    dot.setAttribute("cy", y);
    dot.setAttribute("r", "2.1");
    svg.append(dot);
  }
  return svg;
}
