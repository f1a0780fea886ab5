// The model file as text: TOML in colours, the program's messages underlined at their place, and undo shared with the drawing.

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, type Text } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Located } from "../engine/contract";
import type { Session } from "../session";
import { completion } from "./complete";
import { drawnComments } from "./drawn_comments";
import { shownInText } from "./shown_in_text";

/** Milliseconds without a key after which typing is a new step of undo. */
const pauseOfTyping = 900;
const fromSession = Annotation.define<boolean>();

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.atom, tags.literal], color: "var(--code-number)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.heading, tags.keyword, tags.typeName], color: "var(--code-section)", fontWeight: "600" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "transparent" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "transparent", border: "0", color: "var(--muted)" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 10px", minWidth: "32px", opacity: "0.75" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--code-line)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--code-selection)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "8px", boxShadow: "var(--shadow)", maxWidth: "34rem" },
  ".cm-diagnostic": { padding: "6px 10px", whiteSpace: "pre-wrap", overflowWrap: "anywhere", fontFamily: "var(--font)", fontSize: "13px", borderLeftWidth: "4px" },
  ".cm-line": { paddingLeft: "calc(6px + 2ch)", textIndent: "-2ch" },
  ".cm-line.cm-drawn:not(.cm-activeLine)": { whiteSpace: "pre", overflow: "hidden", textOverflow: "ellipsis", contain: "inline-size" },
  ".cm-chosen": { backgroundColor: "var(--code-chosen)", boxShadow: "inset 3px 0 var(--accent)" },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "12.5px" },
  ".cm-tooltip-autocomplete ul li": { padding: "3px 8px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { fontFamily: "var(--font)", fontStyle: "normal", opacity: "0.75", marginLeft: "0.9em" },
  ".cm-panels": { backgroundColor: "var(--card)", color: "var(--ink)", borderColor: "var(--line)" },
});

export interface Editor {
  element: HTMLElement;
  /** Puts the caret at a place, counted from 1, and shows it. */
  go(line: number, column: number): void;
  focus(): void;
  /** What is beside the text has changed its size. */
  keepCaretInSight(): void;
}

export function makeEditor(session: Session): Editor {
  const shown = shownInText(session);
  let burst = 0;
  let lastKey = 0;
  const view = new EditorView({
    state: EditorState.create({
      doc: session.text,
      extensions: [
        lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), highlightSpecialChars(), drawSelection(), bracketMatching(), closeBrackets(), highlightSelectionMatches(), search({ top: true }), EditorView.lineWrapping, drawnComments,
        completion(session), shown.extension, StreamLanguage.define(toml), syntaxHighlighting(colours), look, EditorState.tabSize.of(2),
        keymap.of([
          { key: "Mod-z", run: () => { session.undo(); return true; }, preventDefault: true },
          { key: "Mod-y", run: () => { session.redo(); return true; }, preventDefault: true },
          { key: "Mod-Shift-z", run: () => { session.redo(); return true; }, preventDefault: true },
          ...closeBracketsKeymap, ...searchKeymap, ...defaultKeymap,
        ]),
        EditorView.contentAttributes.of({ "aria-label": "Model file", spellcheck: "false", autocorrect: "off", autocapitalize: "off" }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged || update.transactions.some((one) => one.annotation(fromSession))) return;
          const now = performance.now();
          if (now - lastKey > pauseOfTyping) burst += 1;
          lastKey = now;
          session.edit(update.state.doc.toString(), { label: "Edit the text", together: `typing ${burst}`, from: "editor" });
        }),
      ],
    }),
  });
  view.dom.classList.add("editor");
  view.dom.addEventListener("keydown", (event) => {
    // what is open in the editor has had it: then the key leaves the text
    if (event.key === "Escape" && !event.defaultPrevented) view.contentDOM.blur();
  });

  session.on("text", ({ from }) => {
    if (from === "editor") return;
    const change = difference(view.state.doc.toString(), session.text);
    if (change) view.dispatch({ changes: change, annotations: fromSession.of(true), scrollIntoView: false });
    lastKey = 0;
  });
  session.on("study", () => { view.dispatch(setDiagnostics(view.state, session.problems.flatMap((one) => diagnostic(view.state.doc, one)))); });

  shown.attach(view);
  return {
    element: view.dom,
    go: (line, column) => {
      const at = place(view.state.doc, line, column);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
    focus: () => { view.focus(); },
    keepCaretInSight: () => {
      if (view.hasFocus) requestAnimationFrame(() => { view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head) }); });
    },
  };
}

/** What lies between the beginning and the end that two texts share: the caret stays where it is outside of it. */
export function difference(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  while (end < most - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

/** The program counts characters, a text here counts by halves of those beyond the first plane. */
function place(text: Text, line: number, column: number): number {
  const found = text.line(Math.max(1, Math.min(text.lines, line)));
  const before = [...found.text].slice(0, Math.max(0, column - 1)).join("");
  return Math.min(found.to, found.from + before.length);
}

/** What is underlined: the word or the string that a message points at. */
const word = /^(?:"(?:[^"\\]|\\.)*"?|'[^']*'?|\[+[^\]]*\]*|[\p{L}\p{N}_.+-]+|.)/u;

function diagnostic(text: Text, problem: Located): Diagnostic[] {
  if (problem.line < 1) return [];
  const from = place(text, problem.line, problem.column);
  const line = text.lineAt(from);
  const to = Math.min(line.to, from + (word.exec(text.sliceString(from, line.to))?.[0].length ?? 1));
  // at the end of a line there is nothing to underline: the last character before it is
  return [{ from: from === to ? Math.max(line.from, from - 1) : from, to: Math.max(to, from), severity: problem.severity, message: problem.message }];
}
