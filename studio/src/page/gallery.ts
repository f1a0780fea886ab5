// The models that come with the program, beginnings of new ones, and what was worked on before: each is one click away. Small drawings are
// made by the engine itself, one after the other, for what can be seen.

import { h, icon } from "../../../report/src/dom";
import type { RunningEngine } from "../start_engine";
import { pieceText } from "../pieces";
import { icons } from "./icons";
import type { Kept } from "./keep";
import { templates } from "./templates";

export interface GalleryModel {
  /** The folder of models/ that it lies in. */
  id: string;
  name: string;
  space: "plane" | "3d";
  /** What it is, in a sentence. */
  words: string;
  text: string;
  tables: Record<string, string>;
}

export interface GalleryActions {
  open(model: { file: string; text: string; tables: Record<string, string>; goals?: Kept["goals"] }): void;
  earlier(): Kept[];
  /** An engine for the small drawings, apart from that of the page. */
  engine(): RunningEngine;
}

/** All models of the page; none where it was made without them. */
export async function galleryModels(): Promise<GalleryModel[]> {
  return JSON.parse(await pieceText("gallery")) as GalleryModel[];
}

export class Gallery {
  readonly element = h("section", { class: "gallery", "aria-label": "Gallery", tabindex: "-1" });
  private readonly search = h("input", { type: "search", placeholder: "Search: four-bar, gear, arm …", "aria-label": "Search models" });
  private readonly body = h("div", { class: "gallery-body" });
  private readonly artist: Artist;
  private models: GalleryModel[] = [];
  private returnTo: HTMLElement | null = null;

  constructor(private readonly actions: GalleryActions) {
    this.artist = new Artist(actions.engine);
    const close = h("button", { type: "button", class: "icon plain stroked", "aria-label": "Close the gallery", title: "Close (Esc)" }, icon(icons.remove));
    close.addEventListener("click", () => this.close());
    this.element.append(h("div", { class: "gallery-head" }, h("h2", {}, "Gallery"), this.search, close), this.body);
    this.element.hidden = true;
    this.search.addEventListener("input", () => this.fill());
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close();
    });
  }

  get shown(): boolean { return !this.element.hidden; }

  async open(from: HTMLElement | null = null): Promise<void> {
    this.returnTo = from;
    this.element.hidden = false;
    this.search.value = "";
    this.fill();
    this.search.focus();
    if (this.models.length > 0) return;
    try {
      this.models = await galleryModels();
    } catch (error) {
      this.body.append(h("p", { class: "note" }, error instanceof Error ? error.message : String(error)));
      return;
    }
    this.fill();
  }

  close(): void {
    if (!this.shown) return;
    this.element.hidden = true;
    this.artist.rest();
    this.returnTo?.focus();
  }

  private fill(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const fits = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
    const group = (title: string, cards: HTMLElement[]): HTMLElement[] => (cards.length > 0 ? [h("h3", {}, title), h("div", { class: "cards" }, ...cards)] : []);
    this.artist.forget();
    const starts = templates.filter((one) => fits(`${one.name} ${one.words} new template`)).map((one) => this.card({ ...one, id: "", tables: {} }, "model.toml"));
    const before = this.actions.earlier().filter((one) => fits(`${one.file} ${nameOf(one.text)}`)).map((one) => this.card(
      { id: "", name: nameOf(one.text) || one.file, words: `${one.file}, ${when(one.when)}`, text: one.text, tables: one.tables, space: "plane" }, one.file, one.goals));
    const of = (space: "plane" | "3d"): HTMLElement[] => this.models.filter((one) => one.space === space && fits(`${one.name} ${one.id} ${one.words} ${space === "3d" ? "space 3d" : "plane"}`)).map((one) => this.card(one, `${one.id}.toml`));
    const all = [...group("Start", starts), ...group("Worked on before", before), ...group("In the plane", of("plane")), ...group("In space", of("3d"))];
    this.body.replaceChildren(...(all.length > 0 ? all : [h("p", { class: "note" }, "Nothing here is called so.")]));
    this.artist.look();
  }

  private card(model: GalleryModel, file: string, goals: Kept["goals"] = []): HTMLElement {
    const picture = h("img", { alt: "", class: "thumb", decoding: "async" });
    const made = h("button", { type: "button", class: "model-card" }, h("span", { class: "thumb-home" }, picture), h("span", { class: "name" }, model.name), h("span", { class: "words" }, model.words));
    made.addEventListener("click", () => {
      this.actions.open({ file, text: model.text, tables: model.tables, goals });
      this.close();
    });
    this.artist.add(made, picture, model);
    return made;
  }
}

const nameOf = (text: string): string => /^\s*name\s*=\s*"([^"\\]*)"/m.exec(text)?.[1] ?? "";

function when(milliseconds: number): string {
  return new Date(milliseconds).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** Draws what can be seen of the gallery with an engine of its own, which goes when the gallery closes. */
class Artist {
  private engine: RunningEngine | null = null;
  private readonly drawn = new Map<string, string>();
  private readonly wanted = new Map<Element, { picture: HTMLImageElement; model: GalleryModel }>();
  private readonly queue: { picture: HTMLImageElement; model: GalleryModel }[] = [];
  private working = false;
  private readonly watch = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const job = this.wanted.get(entry.target);
      if (!entry.isIntersecting || !job) continue;
      this.watch.unobserve(entry.target);
      this.wanted.delete(entry.target);
      this.queue.push(job);
    }
    void this.work();
  }, { rootMargin: "200px" });

  constructor(private readonly makeEngine: GalleryActions["engine"]) {}

  add(card: HTMLElement, picture: HTMLImageElement, model: GalleryModel): void {
    const known = this.drawn.get(model.text);
    if (known === undefined) this.wanted.set(card, { picture, model });
    else if (known) picture.src = known;
  }

  look(): void {
    for (const card of this.wanted.keys()) this.watch.observe(card);
  }

  forget(): void {
    this.watch.disconnect();
    this.wanted.clear();
    this.queue.length = 0;
  }

  rest(): void {
    this.forget();
    this.engine?.stop();
    this.engine = null;
  }

  private async work(): Promise<void> {
    if (this.working) return;
    this.working = true;
    for (let job = this.queue.shift(); job; job = this.queue.shift()) {
      const { picture, model } = job;
      try {
        this.engine ??= this.makeEngine();
        const study = await this.engine.study({ text: model.text, tables: model.tables, steps: 1, to: 1e-3 });
        const svg = study?.model ? await this.engine.drawing(0) : "";
        const url = svg ? URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })) : "";
        this.drawn.set(model.text, url);
        if (url) picture.src = url;
      } catch {
        // a card without a picture opens all the same
        this.drawn.set(model.text, "");
      }
    }
    this.working = false;
  }
}
