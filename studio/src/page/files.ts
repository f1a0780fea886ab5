// Model files in and out: a file that is chosen or dropped on the page, and the file that is saved: a download, or, where it was dropped and
// the browser lets it, in its place.

import { fileStem, save } from "../../../report/src/take/save";
import { list } from "../canvas/drag";
import type { Session } from "../session";
import { plainFile } from "./share";

const mostBytes = 4_000_000;

/** A file that the page may write to; not every browser has them. */
interface FileHandle {
  kind: "file" | "directory";
  name: string;
  createWritable(): Promise<{ write(text: string): Promise<void>; close(): Promise<void> }>;
}
interface HandleItem {
  getAsFileSystemHandle?(): Promise<FileHandle | null>;
}

/** Null: what is there is not text. */
async function textOf(file: File): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}

export class Files {
  private handle: FileHandle | null = null;
  private readonly input = document.createElement("input");

  /** `open`: puts a model into the session. */
  constructor(private readonly session: Session, private readonly open: (text: string, file: string) => void) {
    this.input.type = "file";
    this.input.accept = ".toml,.csv,text/plain,application/toml";
    this.input.multiple = true;
    this.input.hidden = true;
    this.input.addEventListener("change", () => {
      void this.take([...(this.input.files ?? [])]);
      this.input.value = "";
    });
    document.body.append(this.input);
    session.on("opened", () => { this.handle = null; });
    this.listenToDrops();
  }

  /** Asks for a file. */
  ask(): void {
    this.input.click();
  }

  /** A model, and tables that it or the model of the page reads. */
  async take(files: File[]): Promise<void> {
    const tables = files.filter((file) => /\.(csv|txt|dat|tsv)$/i.test(file.name));
    const model = files.find((file) => !tables.includes(file));
    for (const file of files)
      if (file.size > mostBytes) return this.session.say(`'${plainFile(file.name)}' is too large for a model (${(file.size / 1e6).toFixed(1)} MB).`, "problem");
    if (model) {
      const text = await textOf(model);
      if (text === null || text.includes("\0")) return this.session.say(`'${plainFile(model.name)}' is no text in UTF-8: a model is a .toml file.`, "problem");
      this.open(text.replaceAll("\r\n", "\n"), plainFile(model.name));
    }
    if (tables.length === 0) return;
    const { session } = this;
    // a model that was just opened says what it reads, with its folders
    const missing = (await session.ask())?.missing ?? [];
    const read: Record<string, string> = {};
    const idle: string[] = [];
    for (const file of tables) {
      const name = plainFile(file.name);
      const path = [...missing, ...Object.keys(session.tables)].find((one) => plainFile(one) === name);
      const text = await textOf(file);
      if (text === null) return session.say(`'${name}' is no text in UTF-8: a table is a .csv file.`, "problem");
      if (path === undefined) idle.push(name);
      else read[path] = text;
    }
    if (Object.keys(read).length > 0) {
      session.setTables({ ...session.tables, ...read });
      session.say(`The model reads ${list(Object.keys(read))} now.`, "done");
    }
    if (idle.length > 0) session.say(`The model reads no table ${list(idle.map((name) => `'${name}'`))}.`, "problem");
  }

  /** Writes the model to the file that was dropped on the page, or gives it to the browser to keep. */
  async save(): Promise<void> {
    const { session } = this;
    const name = session.fileName === "model.toml" ? `${fileStem(session.study?.model?.name ?? "model")}.toml` : session.fileName.replace(/(\.toml)?$/i, ".toml");
    if (this.handle) {
      try {
        const file = await this.handle.createWritable();
        await file.write(session.text);
        await file.close();
        session.say(`Saved ${this.handle.name}`, "done");
        return;
      } catch {
        this.handle = null;
      }
    }
    save(session.text, "application/toml", name);
    session.say(`Saved ${name}`, "done");
  }

  private listenToDrops(): void {
    const files = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    document.addEventListener("dragover", (event) => {
      if (!files(event)) return;
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) document.body.classList.remove("dropping");
    });
    document.addEventListener("drop", (event) => {
      document.body.classList.remove("dropping");
      if (!files(event)) return;
      event.preventDefault();
      const all = [...(event.dataTransfer?.files ?? [])];
      const item = event.dataTransfer?.items[0] as HandleItem | undefined;
      const handle = all.length === 1 ? item?.getAsFileSystemHandle?.().catch(() => null) : undefined;
      void this.take(all).then(async () => {
        const found = (await handle) ?? null;
        if (found?.kind === "file" && plainFile(found.name) === this.session.fileName) this.handle = found;
      });
    });
  }
}
