// A TOML text as a tree in which everything knows where it is written, so that one value can be changed and all else stays as it is.

import { ParseError, parseTOML, type AST } from "toml-eslint-parser";

/** From a first character to behind the last one. */
export type Range = readonly [number, number];

export interface ValueNode {
  kind: "value";
  range: Range;
  value: string | number | boolean;
}

export interface ArrayNode {
  kind: "array";
  range: Range;
  items: Node[];
}

export interface Entry {
  key: string;
  value: Node;
  /** From the key to the end of the value; of what has a header of its own that header. */
  range: Range;
}

/** How a table is written: the file itself, under a header, in braces, by keys with dots, or only as part of the headers of others. */
export type Writing = "root" | "header" | "inline" | "dotted" | "implied";

export interface TableNode {
  kind: "table";
  writing: Writing;
  /** In braces: of them; under a header: of the header with all its lines. */
  range: Range;
  /** Of the header alone. */
  header?: Range;
  entries: Map<string, Entry>;
  /** Ranges of the lines that stand under its header or in its braces, in their order. */
  lines: Range[];
}

export type Node = ValueNode | ArrayNode | TableNode;

/** A text that is no TOML: what is wrong, and where (1-based). */
export class TomlError extends Error {
  constructor(message: string, readonly line: number, readonly column: number) {
    super(message);
    this.name = "TomlError";
  }
}

export function readToml(text: string): TableNode {
  let program: AST.TOMLProgram;
  try {
    program = parseTOML(text);
  } catch (error) {
    if (error instanceof ParseError) throw new TomlError(error.message, error.lineNumber, error.column + 1);
    throw error;
  }
  const top = program.body[0];
  const root: TableNode = { kind: "table", writing: "root", range: [0, text.length], entries: new Map(), lines: [] };
  for (const part of top.body) {
    if (part.type === "TOMLTable") addSection(root, part);
    else addKeyValue(root, part);
  }
  return root;
}

function emptyTable(writing: Writing, range: Range): TableNode {
  return { kind: "table", writing, range, entries: new Map(), lines: [] };
}

function addSection(root: TableNode, section: AST.TOMLTable): void {
  let table = root;
  const { resolvedKey: path } = section;
  const header: Range = [section.range[0], section.key.range[1] + (section.kind === "array" ? 2 : 1)];
  path.forEach((part, k) => {
    const last = k === path.length - 1;
    if (typeof part === "number") {
      // one table of an array of tables: the array is its parent's entry
      return;
    }
    const next = path[k + 1];
    if (typeof next === "number") {
      const known = table.entries.get(part)?.value;
      const array: ArrayNode = known?.kind === "array" ? known : { kind: "array", range: [section.range[0], section.range[1]], items: [] };
      if (!known) table.entries.set(part, { key: part, value: array, range: header });
      const made = array.items[next];
      const item = made?.kind === "table" ? made : emptyTable("header", section.range);
      if (!made) array.items[next] = item;
      item.header = item.header ?? header;
      table = item;
      return;
    }
    const known = table.entries.get(part)?.value;
    if (known?.kind === "table") {
      if (last) Object.assign(known, { writing: "header", range: section.range, header });
      table = known;
      return;
    }
    const made = emptyTable(last ? "header" : "implied", section.range);
    if (last) made.header = header;
    table.entries.set(part, { key: part, value: made, range: header });
    table = made;
  });
  for (const line of section.body) addKeyValue(table, line);
}

function addKeyValue(into: TableNode, line: AST.TOMLKeyValue): void {
  const keys = line.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
  let table = into;
  into.lines.push(line.range);
  keys.forEach((key, k) => {
    if (k === keys.length - 1) {
      table.entries.set(key, { key, value: nodeOf(line.value), range: line.range });
      return;
    }
    const known = table.entries.get(key)?.value;
    if (known?.kind === "table") {
      known.lines.push(line.range);
      table = known;
      return;
    }
    const made = emptyTable("dotted", line.range);
    made.lines.push(line.range);
    table.entries.set(key, { key, value: made, range: line.range });
    table = made;
  });
}

function nodeOf(content: AST.TOMLContentNode): Node {
  if (content.type === "TOMLArray") return { kind: "array", range: content.range, items: content.elements.map(nodeOf) };
  if (content.type === "TOMLInlineTable") {
    const table = emptyTable("inline", content.range);
    for (const line of content.body) addKeyValue(table, line);
    return table;
  }
  const { value } = content;
  return { kind: "value", range: content.range, value: typeof value === "object" ? String(content.value) : value };
}

/** What stands at a path, or nothing. Numbers count the items of arrays. */
export function find(root: Node, path: readonly (string | number)[]): Node | undefined {
  let node: Node | undefined = root;
  for (const part of path) {
    if (typeof part === "number") node = node?.kind === "array" ? node.items[part] : undefined;
    else node = node?.kind === "table" ? node.entries.get(part)?.value : undefined;
  }
  return node;
}

/** The tree as plain values, for comparisons and for reading. */
export function plain(node: Node): unknown {
  if (node.kind === "value") return node.value;
  if (node.kind === "array") return node.items.map(plain);
  return Object.fromEntries([...node.entries].map(([key, entry]) => [key, plain(entry.value)]));
}
