// What can be undone: the states that the model had, its text and its goals, one step for what a user would call one.

import type { GoalText } from "./engine/contract";

export interface State {
  readonly text: string;
  readonly goals: readonly GoalText[];
}

export interface Step {
  before: State;
  after: State;
  label: string;
  together: string | undefined;
}

/** Older steps are forgotten. */
const mostSteps = 500;

const same = (a: State, b: State): boolean => a.text === b.text && JSON.stringify(a.goals) === JSON.stringify(b.goals);

export class History {
  private done: Step[] = [];
  private undone: Step[] = [];
  private current: State;
  /** Nothing that happened before an undo is continued after it. */
  private open = false;

  constructor(text: string) {
    this.current = { text, goals: [] };
  }

  get text(): string { return this.current.text; }
  get goals(): readonly GoalText[] { return this.current.goals; }
  get undoable(): string | null { return this.done.at(-1)?.label ?? null; }
  get redoable(): string | null { return this.undone.at(-1)?.label ?? null; }

  push(change: Partial<State>, label: string, together?: string): void {
    const after = { ...this.current, ...change };
    const last = this.done.at(-1);
    if (this.open && last && together !== undefined && last.together === together) {
      last.after = after;
      last.label = label;
      // there and back again is no step
      if (same(last.after, last.before)) this.done.pop();
    } else {
      this.done.push({ before: this.current, after, label, together });
      if (this.done.length > mostSteps) this.done.shift();
    }
    this.undone = [];
    this.open = true;
    this.current = after;
  }

  undo(): Step | null {
    const step = this.done.pop();
    if (!step) return null;
    this.undone.push(step);
    this.open = false;
    this.current = step.before;
    return step;
  }

  redo(): Step | null {
    const step = this.undone.pop();
    if (!step) return null;
    this.done.push(step);
    this.open = false;
    this.current = step.after;
    return step;
  }

  restart(state: State): void {
    this.done = [];
    this.undone = [];
    this.open = false;
    this.current = state;
  }
}
