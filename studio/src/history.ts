// What can be undone: the texts that the model had, one step for what a user would call one.

export interface Step {
  before: string;
  after: string;
  label: string;
  together: string | undefined;
}

/** Older steps are forgotten. */
const mostSteps = 500;

export class History {
  private done: Step[] = [];
  private undone: Step[] = [];
  private current: string;
  /** Nothing that happened before an undo is continued after it. */
  private open = false;

  constructor(text: string) {
    this.current = text;
  }

  get text(): string { return this.current; }
  get undoable(): string | null { return this.done.at(-1)?.label ?? null; }
  get redoable(): string | null { return this.undone.at(-1)?.label ?? null; }

  push(after: string, label: string, together?: string): void {
    const last = this.done.at(-1);
    if (this.open && last && together !== undefined && last.together === together) {
      last.after = after;
      last.label = label;
      // there and back again is no step
      if (last.after === last.before) this.done.pop();
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

  restart(text: string): void {
    this.done = [];
    this.undone = [];
    this.open = false;
    this.current = text;
  }
}
