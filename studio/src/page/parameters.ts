// The parameters of the model as sliders: while one is dragged the whole motion follows, and when it is let go its line in the text does.

import { h } from "../../../report/src/dom";
import { shortNumber, sixDigits } from "../../../report/src/format";
import type { Session } from "../session";
import { parametersOf, writeParameter, type WrittenParameter } from "./parameter_text";

const stepsOfSlider = 200;

interface Row {
  element: HTMLElement;
  slider: HTMLInputElement;
  shown: HTMLInputElement;
  /** In SI, from the text and the engine. */
  show(value: number): void;
}

/** A range around a value with round ends: a reader may type what lies outside of it. */
export function rangeAround(value: number): { min: number; max: number; step: number } {
  const size = Math.abs(value) || 1;
  const power = 10 ** Math.floor(Math.log10(2 * size));
  const most = [1, 2, 2.5, 4, 5, 8, 10].map((one) => one * power).find((one) => one >= 2 * size * (1 - 1e-12)) ?? 10 * power;
  const step = most / stepsOfSlider;
  if (value > 0) return { min: step, max: most, step };
  return value < 0 ? { min: -most, max: -step, step } : { min: -most, max: most, step };
}

export function makeParameters(session: Session): HTMLElement {
  const rows = h("div", { class: "parameter-rows", role: "group", "aria-label": "Parameters" });
  const none = h("p", { class: "note" }, "None in this model. A line in [parameters], such as arm = 0.2, becomes a slider; \"arm\" then stands for it in every length and angle.");
  const element = h("div", {}, rows, none);
  const made = new Map<string, Row>();
  let names = "";

  const write = (name: string, value: number, unit: WrittenParameter["unit"]): void => {
    const text = writeParameter(session.text, name, value, unit);
    if (text !== null) session.edit(text, { label: `Set ${name}` });
    else session.say(`The text gives '${name}' in a way that only the text can change.`, "problem");
  };

  const row = (name: string, written: WrittenParameter, value: number): Row => {
    const factor = written.unit.factor;
    let dragged = false;
    let pressed = false;
    /** Keys are ahead of the engine: what answers an older text is not shown. */
    let ahead = false;
    const range = rangeAround(value / factor);
    const widen = (to: { min: number; max: number }): void => {
      slider.min = String(to.min);
      slider.max = String(to.max);
    };
    const largest = (): number => Math.max(Math.abs(Number(slider.min)), Math.abs(Number(slider.max)));
    const slider = h("input", { type: "range", "aria-label": name, min: String(range.min), max: String(range.max), step: "any" });
    const shown = h("input", { type: "text", class: "number", "aria-label": `Value of ${name}`, inputmode: "decimal", spellcheck: "false" });
    const unit = h("span", { class: "unit" }, written.unit.name);
    const label = h("span", { class: "name", title: written.comment ? `${name}: ${written.comment}` : name }, name);
    // what follows from others has no slider of its own
    const formula = written.formula === undefined ? null : h("span", { class: "formula", title: `${name} = ${written.formula}` }, written.formula);
    const element = h("div", { class: "parameter" }, label, formula ?? slider, shown, unit);
    shown.disabled = formula !== null;
    const tell = (of: number): void => {
      slider.setAttribute("aria-valuetext", `${sixDigits(of)}${written.unit.name ? ` ${written.unit.name}` : ""}`);
    };
    const show = (si: number): void => {
      if (dragged || (ahead && session.studied !== session.text)) return;
      ahead = false;
      const of = si / factor;
      // a range that was widened for a number is narrow again when that is gone
      if (of >= range.min && of <= range.max) widen(range);
      else if (of < Number(slider.min) || of > Number(slider.max)) widen(rangeAround(of));
      slider.value = String(of);
      if (document.activeElement !== shown) shown.value = sixDigits(of);
      tell(of);
    };
    // a hand moves it by steps, a program to any number
    const snapped = (): number => {
      if (!pressed) return Number(Number(slider.value).toPrecision(9));
      const { step } = rangeAround(largest() / 2);
      return Number((Math.round(Number(slider.value) / step) * step).toPrecision(6));
    };
    slider.addEventListener("pointerdown", () => { pressed = true; });
    slider.addEventListener("input", () => {
      const of = snapped();
      if (!dragged) session.hand(true);
      dragged = true;
      shown.value = sixDigits(of);
      tell(of);
      session.override(name, of * factor);
    });
    slider.addEventListener("change", () => {
      if (!dragged) return;
      dragged = false;
      const of = snapped();
      pressed = false;
      session.override(name, null);
      write(name, of, written.unit);
      session.hand(false);
    });
    // without a way between steps of its own a slider has none for keys
    slider.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
      if (by === undefined || slider.disabled) return;
      event.preventDefault();
      const { step } = rangeAround(largest() / 2);
      const next = Number((Number(slider.value) + by * step).toPrecision(9));
      const text = writeParameter(session.text, name, next, written.unit);
      ahead = true;
      slider.value = String(next);
      if (text !== null) session.edit(text, { label: `Set ${name}`, together: `keys ${name}` });
    });
    const typed = (): void => {
      const of = Number(shown.value.replace(",", "."));
      if (shown.value.trim() === "" || !Number.isFinite(of)) {
        shown.value = sixDigits(Number(slider.value));
        return;
      }
      if (sixDigits(of) !== sixDigits(Number(slider.value))) write(name, of, written.unit);
    };
    shown.addEventListener("change", typed);
    show(value);
    return { element, slider, shown, show };
  };

  session.on("study", (study) => {
    const values = study.model?.parameters ?? (session.good ? null : {});
    if (!values) return;
    const written = parametersOf(session.text);
    // in the order of the text
    const found = [...new Set([...written.keys(), ...Object.keys(values)])].filter((name) => name in values);
    const key = JSON.stringify(found.map((name) => [name, written.get(name)?.formula, written.get(name)?.unit.name]));
    none.hidden = found.length > 0;
    if (key !== names) {
      names = key;
      made.clear();
      for (const name of found) made.set(name, row(name, written.get(name) ?? { unit: { name: "", factor: 1 }, comment: "", formula: shortNumber(values[name] ?? 0) }, values[name] ?? 0));
      rows.replaceChildren(...[...made.values()].map((one) => one.element));
    }
    for (const [name, one] of made) one.show(values[name] ?? 0);
  });
  return element;
}
