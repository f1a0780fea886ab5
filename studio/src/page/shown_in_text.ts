// What is selected in the drawing is marked in the text, and the other way round: where the caret goes into an element, it is selected.

import { RangeSetBuilder, StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView, type DecorationSet } from "@codemirror/view";
import { ModelText } from "../text/model_text";
import type { Range, TableNode } from "../text/toml";
import type { Selected, Session } from "../session";

const kinds: [string, Selected["kind"]][] = [["bodies", "body"], ["joints", "joint"], ["loops", "joint"], ["couplings", "joint"], ["drivers", "driver"], ["forces", "force"], ["parameters", "parameter"]];

interface Written {
  selected: Selected;
  range: Range;
}

/** Where the elements of a model are written; of a text that is no TOML nothing is known. */
function elements(text: string): Written[] {
  const found: Written[] = [];
  try {
    const model = new ModelText(text);
    for (const [section, kind] of kinds)
      for (const [name, entry] of model.table(section)?.entries ?? []) {
        const node = entry.value;
        const whole = node.kind === "table" && node.writing === "header" ? node.range : entry.range;
        found.push({ selected: { kind, name }, range: whole });
        if (kind === "body" && node.kind === "table") found.push(...points(name, node));
      }
  } catch {
    return [];
  }
  return found;
}

function points(body: string, node: TableNode): Written[] {
  const table = node.entries.get("points")?.value;
  if (table?.kind !== "table") return [];
  return [...table.entries].map(([name, entry]) => ({ selected: { kind: "point", name: `${body}.${name}` }, range: entry.range }));
}

const mark = StateEffect.define<Range[]>();
const line = Decoration.line({ class: "cm-chosen" });

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, transaction) => {
    let now = before.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(mark)) continue;
      const builder = new RangeSetBuilder<Decoration>();
      const { doc } = transaction.state;
      const lines = new Set<number>();
      for (const [from, to] of effect.value)
        for (let k = doc.lineAt(Math.min(doc.length, from)).number; k <= doc.lineAt(Math.min(doc.length, Math.max(from, to - 1))).number; k += 1)
          if (doc.line(k).text.trim() !== "") lines.add(k);
      for (const k of [...lines].sort((a, b) => a - b)) builder.add(doc.line(k).from, doc.line(k).from, line);
      now = builder.finish();
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function shownInText(session: Session): { extension: Extension; attach(view: EditorView): void } {
  let silent = false;
  const extension = [marks, EditorView.updateListener.of((update) => {
    if (!update.selectionSet || update.docChanged || !update.view.hasFocus || silent) return;
    const at = update.state.selection.main.head;
    // the smallest of what the caret is in
    const found = elements(update.state.doc.toString()).filter(({ range }) => range[0] <= at && at <= range[1]).sort((a, b) => a.range[1] - a.range[0] - (b.range[1] - b.range[0]))[0];
    const now = session.selection;
    if (found ? now.length === 1 && session.isSelected(found.selected) : now.length === 0) return;
    silent = true;
    session.select(...(found ? [found.selected] : []));
    silent = false;
  })];
  const attach = (view: EditorView): void => {
    const show = (scroll: boolean): void => {
      const all = session.selection.length > 0 ? elements(view.state.doc.toString()) : [];
      const ranges = session.selection.flatMap((one) => all.filter(({ selected }) => selected.kind === one.kind && selected.name === one.name).map(({ range }) => range));
      const first = ranges[0];
      view.dispatch({ effects: [mark.of(ranges), ...(scroll && first && !silent && !view.hasFocus ? [EditorView.scrollIntoView(first[0], { y: "center" })] : [])] });
    };
    session.on("selection", () => show(true));
    session.on("text", () => { if (session.selection.length > 0) show(false); });
  };
  return { extension, attach };
}
