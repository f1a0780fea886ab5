// A model file that is being changed: single values are put in place of others, entries come and go in the way in which their neighbours are
// written, and every other character stays.

import { keyText, literalText, type Literal } from "./literals";
import { find, readToml, type ArrayNode, type Entry, type Node, type Range, type TableNode } from "./toml";

export type Path = readonly (string | number)[];

/** In which sections stand in a file. */
const order = ["units", "parameters", "ground", "base", "bodies", "joints", "loops", "couplings", "drivers", "actuators", "forces", "stops", "measures", "goals", "events", "run"];
/** Whose elements are a section each; those of others are lines in one, where the file does not show another way. */
const sectionsOfTheirOwn = new Set(["bodies"]);

const isBlank = (line: string): boolean => line.trim() === "";
const isComment = (line: string): boolean => line.trimStart().startsWith("#");

export class ModelText {
  private tree: TableNode | null = null;

  constructor(private written: string) {}

  get text(): string { return this.written; }

  /** Throws a TomlError where the text is no TOML. */
  get root(): TableNode {
    this.tree ??= readToml(this.written);
    return this.tree;
  }

  find(...path: Path): Node | undefined {
    return find(this.root, path);
  }

  table(...path: Path): TableNode | undefined {
    const node = this.find(...path);
    return node?.kind === "table" ? node : undefined;
  }

  has(...path: Path): boolean {
    return this.find(...path) !== undefined;
  }

  private splice([from, to]: Range, text: string): void {
    if (this.written.slice(from, to) === text) return;
    this.written = this.written.slice(0, from) + text + this.written.slice(to);
    this.tree = null;
  }

  /** Several values at once, each in its own place. */
  replace(changes: readonly { node: Node; text: string }[]): void {
    for (const { node, text } of [...changes].sort((a, b) => b.node.range[0] - a.node.range[0])) {
      const [from, to] = node.range;
      this.keepComment(to, to - from - text.length);
      this.splice(node.range, text);
    }
  }

  /** A comment behind a value that becomes longer or shorter stays in its column as long as there is room before it. */
  private keepComment(to: number, shorter: number): void {
    const rest = /^([^\n"'#]*?)( {2,})#/.exec(this.written.slice(to, this.endOfLine(to)));
    if (!rest || shorter === 0) return;
    const at = to + (rest[1] ?? "").length;
    const space = (rest[2] ?? "").length;
    this.splice([at, at + space], " ".repeat(Math.max(1, space + shorter)));
  }

  /** Writes a value where its path says, in place of what is there. */
  set(path: Path, value: Literal): void {
    const here = this.find(...path);
    if (here && !(here.kind === "table" && here.writing !== "inline")) {
      this.replace([{ node: here, text: literalText(value) }]);
      return;
    }
    const [key] = path.slice(-1);
    const parentPath = path.slice(0, -1);
    const parent = this.find(...parentPath);
    if (typeof key === "number") {
      if (parent?.kind === "array") this.addItem(parent, literalText(value));
      return;
    }
    if (key === undefined) return;
    if (parent?.kind === "table" && parent.writing !== "implied") this.addEntry(parent, parentPath, key, literalText(value));
    else if (!parent && parentPath.length === 1) this.addSection(parentPath as string[], { [key]: value });
    else if (!parent && parentPath.length > 0) this.set(parentPath, { [key]: value });
    else this.addSection(path as string[], value as Record<string, Literal>);
  }

  /** A new element of a group, written as its neighbours are. */
  addElement(group: string, name: string, fields: Record<string, Literal>): void {
    const table = this.table(group);
    const inLines = table?.writing === "header" || table?.writing === "root" || (!table && !sectionsOfTheirOwn.has(group));
    if (!inLines) this.addSection([group, name], fields);
    else if (table) this.addEntry(table, [group], name, literalText(fields));
    else this.addSection([group], { [name]: fields });
  }

  private addItem(array: ArrayNode, text: string): void {
    const last = array.items.at(-1);
    if (last) this.splice([last.range[1], last.range[1]], `, ${text}`);
    else this.splice(array.range, `[${text}]`);
  }

  private addEntry(table: TableNode, path: Path, key: string, text: string): void {
    const last = table.lines.at(-1);
    if (table.writing === "inline") {
      if (last) this.splice([last[1], last[1]], `, ${keyText(key)} = ${text}`);
      else this.splice(table.range, `{ ${keyText(key)} = ${text} }`);
      return;
    }
    const prefix = table.writing === "dotted" && last ? this.prefixOf(last, path) : "";
    const after = last ?? table.header ?? [0, 0];
    const end = this.endOfLine(after[1]);
    const { before, column } = this.styleOf(table);
    const line = `${`${before}${prefix}${keyText(key)} `.padEnd(column)}= ${text}`;
    // a first line of a file that has none
    if (!last && !table.header) this.splice([0, 0], `${line}\n`);
    else this.splice([end, end], `${this.newline}${line}`);
  }

  /** What stands before the last key of a line of keys with dots. */
  private prefixOf(line: Range, path: Path): string {
    const [last] = path.slice(-1);
    const written = this.written.slice(line[0], line[1]);
    const until = written.indexOf(String(last)) + String(last).length;
    return `${written.slice(0, until).replace(/\s*\.\s*$/, "")}.`;
  }

  /** How the lines of a table begin, and the column of their equals signs, where they have it in common. */
  private styleOf(table: TableNode): { before: string; column: number } {
    const places = table.lines.map(([from]) => {
      const start = this.startOfLine(from);
      const line = this.written.slice(start, this.endOfLine(from));
      return { indent: this.written.slice(start, from), at: line.indexOf("=") };
    });
    const before = places.at(-1)?.indent ?? "";
    const common = places[0]?.at ?? 0;
    return { before: isBlank(before) ? before : "", column: places.length > 1 && places.every(({ at }) => at === common) ? common : 0 };
  }

  /** A section of its own, behind the others of its group. */
  addSection(path: readonly string[], fields: Record<string, Literal>): void {
    const widest = Math.max(0, ...Object.keys(fields).map((key) => keyText(key).length));
    const lines = Object.entries(fields).map(([key, value]) => `${keyText(key).padEnd(widest)} = ${literalText(value)}`);
    const section = [`[${path.map(keyText).join(".")}]`, ...lines].join(this.newline);
    const at = this.placeFor(path[0] ?? "");
    const before = this.written.slice(0, at);
    const gap = before === "" ? "" : before.endsWith("\n") ? this.newline : this.newline + this.newline;
    const after = this.written.slice(at);
    const behind = after === "" ? this.newline : after.startsWith("\n") || after.startsWith("\r") ? "" : this.newline + this.newline;
    this.splice([at, at], gap + section + behind);
  }

  /** Behind the last section that comes before a group, or is of it. */
  private placeFor(group: string): number {
    const rank = order.indexOf(group) < 0 ? order.length - 1.5 : order.indexOf(group);
    const last = (key: string, node: Node): number => {
      if (node.kind === "table" && node.writing === "inline") return -1;
      if (node.kind === "value" || (node.kind === "array" && !node.items.some((item) => item.kind === "table" && item.header))) return -1;
      const own = node.kind === "table" ? (node.lines.at(-1) ?? node.header)?.[1] ?? -1 : -1;
      const parts = node.kind === "table" ? [...node.entries.values()].map((entry) => last(key, entry.value)) : node.items.map((item) => last(key, item));
      return Math.max(own, ...parts);
    };
    let at = this.root.lines.filter((line) => !this.underHeader(line)).at(-1)?.[1] ?? -1;
    for (const [key, entry] of this.root.entries) {
      const place = order.indexOf(key);
      if ((place < 0 ? order.length - 1.5 : place) > rank) continue;
      at = Math.max(at, last(key, entry.value));
    }
    if (at >= 0) return this.endOfLine(at);
    // before the first section that there is
    const first = Math.min(...[...this.root.entries.values()].map((entry) => entry.range[0]));
    return Number.isFinite(first) ? this.commentsAbove(this.startOfLine(first)) : this.written.length;
  }

  private underHeader([from]: Range): boolean {
    return [...this.root.entries.values()].some(({ value }) => value.kind === "table" && value.header && value.range[0] <= from && from < value.range[1]);
  }

  /** Gives an entry another key, in all its headers and lines. */
  renameKey(path: readonly string[], to: string): void {
    const entry = this.table(...path.slice(0, -1))?.entries.get(path.at(-1) ?? "");
    if (!entry) return;
    for (const { range } of placesOf(entry).sort((a, b) => b.range[0] - a.range[0])) {
      const key = this.written.slice(...range);
      const at = keyAt(key, path);
      if (at) this.splice([range[0] + at[0], range[0] + at[1]], keyText(to));
    }
  }

  /** Takes away what stands at a path, with its line or its commas. */
  remove(path: Path): void {
    const [key] = path.slice(-1);
    const parent = this.find(...path.slice(0, -1));
    if (parent?.kind === "array" && typeof key === "number") {
      this.removeFrom(parent.items.map((item) => item.range), key);
      return;
    }
    if (parent?.kind !== "table" || typeof key !== "string") return;
    const entry = parent.entries.get(key);
    if (!entry) return;
    if (parent.writing === "inline") {
      const at = parent.lines.findIndex((range) => range[0] === entry.range[0]);
      if (parent.lines.length === 1) this.splice(parent.range, "{}");
      else this.removeFrom(parent.lines, at);
      return;
    }
    for (const place of placesOf(entry).sort((a, b) => b.range[0] - a.range[0])) this.removeLines(place);
  }

  private removeFrom(ranges: readonly Range[], at: number): void {
    const here = ranges[at];
    if (!here) return;
    const next = ranges[at + 1];
    const before = ranges[at - 1];
    if (next) this.splice([here[0], next[0]], "");
    else if (before) this.splice([before[1], here[1]], "");
    else this.splice(here, "");
  }

  /** Lines and, of a section, the comments on top of it; the space around it becomes that of one. */
  private removeLines({ range: [from, to], section }: Place): void {
    let start = this.startOfLine(from);
    let end = this.nextLine(to);
    if (section) {
      start = this.commentsAbove(start);
      while (end < this.written.length && isBlank(this.lineAt(end))) end = this.nextLine(end);
      if (end >= this.written.length) while (start > 0 && isBlank(this.lineAt(start - 1))) start = this.startOfLine(start - 1);
    }
    this.splice([start, end], "");
  }

  private commentsAbove(start: number): number {
    let from = start;
    while (from > 0 && isComment(this.lineAt(from - 1))) from = this.startOfLine(from - 1);
    // comments at the very top are about the file
    return from === 0 ? start : from;
  }

  private get newline(): string {
    return this.written.includes("\r\n") ? "\r\n" : "\n";
  }

  private startOfLine(at: number): number {
    return at > 0 ? this.written.lastIndexOf("\n", at - 1) + 1 : 0;
  }

  /** Before the line's end, so that what is put there has the end behind it. */
  private endOfLine(at: number): number {
    const end = this.written.indexOf("\n", at);
    if (end < 0) return this.written.length;
    return this.written[end - 1] === "\r" ? end - 1 : end;
  }

  private nextLine(at: number): number {
    const end = this.written.indexOf("\n", at);
    return end < 0 ? this.written.length : end + 1;
  }

  private lineAt(at: number): string {
    return this.written.slice(this.startOfLine(at), this.endOfLine(at));
  }
}

interface Place {
  range: Range;
  section: boolean;
}

const hasHeader = (node: Node): boolean => node.kind === "table" && node.header !== undefined;

/** All places where an entry is written: lines, and sections with what is below them. */
function placesOf(entry: Entry): Place[] {
  const { value } = entry;
  const section = (table: TableNode): Place[] =>
    table.header ? [{ range: [table.header[0], table.lines.at(-1)?.[1] ?? table.header[1]], section: true }] : [];
  if (value.kind === "table" && (value.writing === "header" || value.writing === "implied")) {
    const below = [...value.entries.values()].filter(({ value: part }) =>
      part.kind === "table" ? part.writing === "header" || part.writing === "implied" : part.kind === "array" && part.items.some(hasHeader));
    return [...section(value), ...below.flatMap(placesOf)];
  }
  if (value.kind === "array" && value.items.some(hasHeader)) return value.items.flatMap((item) => (item.kind === "table" ? section(item) : []));
  if (value.kind === "table" && value.writing === "dotted") return value.lines.map((range) => ({ range, section: false }));
  return [{ range: entry.range, section: false }];
}

/** Where the last part of a path stands in a header, or before an equals sign. */
function keyAt(text: string, path: readonly string[]): Range | null {
  const part = /[\s.[]*("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)/y;
  const header = text.startsWith("[");
  for (let k = 0; ; k += 1) {
    const match = part.exec(text);
    const [, key] = match ?? [];
    if (key === undefined) return null;
    const name = key.startsWith('"') || key.startsWith("'") ? key.slice(1, -1) : key;
    if (header ? k === path.length - 1 : name === path.at(-1)) return [part.lastIndex - key.length, part.lastIndex];
  }
}
