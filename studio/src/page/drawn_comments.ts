// Drawings in comments stay drawings, and a remark behind a short line stays behind it: such lines are cut off at the edge, until the caret is
// in them. All others are wrapped.

import { RangeSetBuilder, type Extension } from "@codemirror/state";
import { Decoration, ViewPlugin, type DecorationSet, type EditorView, type ViewUpdate } from "@codemirror/view";

const drawn = Decoration.line({ class: "cm-drawn" });
/** Little before, and a remark after it. */
const hasRemark = (line: string): boolean => (/^([^#\s][^#]*?)\s+#/.exec(line)?.[1]?.length ?? Infinity) <= mostBefore;
const mostBefore = 34;
/** A comment whose words stand far apart, or that is more strokes than words. */
const isDrawn = (line: string): boolean => hasRemark(line) || /^\s*#/.test(line) && (/\S\s{4,}\S|^\s*#\s{8,}\S/.test(line) || /[|\\/_=.'`-]{3,}|^[\s#|\\/_=.'`()+-]+$/.test(line));

function decorate(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges)
    for (let at = from; at <= to;) {
      const line = view.state.doc.lineAt(at);
      if (isDrawn(line.text)) builder.add(line.from, line.from, drawn);
      at = line.to + 1;
    }
  return builder.finish();
}

export const drawnComments: Extension = ViewPlugin.fromClass(class {
  decorations: DecorationSet;

  constructor(view: EditorView) {
    this.decorations = decorate(view);
  }

  update(update: ViewUpdate): void {
    if (update.docChanged || update.viewportChanged) this.decorations = decorate(update.view);
  }
}, { decorations: (plugin) => plugin.decorations });
