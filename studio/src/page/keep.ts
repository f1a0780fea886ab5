// What the browser keeps: the model that is worked on, what was opened before it, and how the page is laid out. Where it keeps nothing
// (forbidden, or full) the page works all the same and says so once.

import type { GoalText } from "../engine/contract";
import type { Session } from "../session";

export interface Kept {
  file: string;
  text: string;
  goals: GoalText[];
  tables: Readonly<Record<string, string>>;
  /** Milliseconds of the clock. */
  when: number;
  /** Of which model of the page it is the work: a mark of the text that it began with. */
  origin: string;
}

const workKey = "jounce-studio-work";
const earlierKey = "jounce-studio-earlier";
const layoutKey = "jounce-studio-layout";
const mostEarlier = 12;
const delay = 400;

/** A short mark of a text. */
export function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let k = 0; k < text.length; k += 1) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193) >>> 0;
  return `${text.length}-${hash.toString(36)}`;
}

export class Keeper {
  private said = false;
  private waiting = 0;
  private origin = "";
  /** The work as this tab has seen it last: another tab may have written over it. */
  private seen: string | undefined;
  /** What the browser did not keep: it is there as long as the page. */
  private readonly unkept = new Map<string, unknown>();

  constructor(private readonly session: Session) {
    const later = (): void => {
      window.clearTimeout(this.waiting);
      this.waiting = window.setTimeout(() => this.keep(), delay);
    };
    session.on("text", ({ from }) => {
      if (from !== "open") later();
    });
    session.on("goals", later);
    session.on("tables", later);
    window.addEventListener("pagehide", () => this.flush());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.flush();
    });
  }

  /** The work that begins now has begun with this text; what was there before goes to the earlier ones. */
  begin(text: string): void {
    this.origin = markOf(text);
    this.seen = this.work()?.text;
  }

  /** The work that was kept goes on. */
  resume(work: Kept): void {
    this.origin = work.origin;
    this.seen = work.text;
  }

  /** Writes what is there. */
  keep(): void {
    window.clearTimeout(this.waiting);
    this.waiting = 0;
    const { fileName, text, goals, tables } = this.session;
    const there = this.work();
    if (there && there.text !== this.seen && there.text !== text) this.aside(there);
    this.seen = text;
    this.write(workKey, { file: fileName, text, goals, tables, when: Date.now(), origin: this.origin });
  }

  private flush(): void {
    if (this.waiting) this.keep();
  }

  /** What was worked on last. */
  work(): Kept | null {
    const found = this.read(workKey);
    return isKept(found) ? found : null;
  }

  earlier(): Kept[] {
    const found = this.read(earlierKey);
    return Array.isArray(found) ? found.filter(isKept) : [];
  }

  /** Puts the work aside before another model is opened, unless it is nothing of the user's own. */
  putAside(): void {
    this.flush();
    const work = this.work();
    if (work) this.aside(work);
  }

  private aside(work: Kept): void {
    if (markOf(work.text) === work.origin || work.text.trim() === "") return;
    this.write(earlierKey, [work, ...this.earlier().filter((one) => one.text !== work.text)].slice(0, mostEarlier));
  }

  layout(): Record<string, unknown> {
    const found = this.read(layoutKey);
    return typeof found === "object" && found !== null ? (found as Record<string, unknown>) : {};
  }

  setLayout(change: Record<string, unknown>): void {
    this.write(layoutKey, { ...this.layout(), ...change });
  }

  private read(key: string): unknown {
    if (this.unkept.has(key)) return this.unkept.get(key);
    try {
      return JSON.parse(localStorage.getItem(key) ?? "null") as unknown;
    } catch {
      return null;
    }
  }

  private write(key: string, value: unknown): void {
    try {
      localStorage.setItem(key, JSON.stringify(value));
      this.unkept.delete(key);
    } catch {
      this.unkept.set(key, value);
      if (this.said) return;
      this.said = true;
      this.session.say("This browser keeps nothing for the page: save the model as a file before you close it.", "problem");
    }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function isKept(value: unknown): value is Kept {
  if (!isObject(value)) return false;
  const { text, file, goals, tables, when, origin } = value;
  return [text, file, origin].every((one) => typeof one === "string") && typeof when === "number" && Array.isArray(goals) && goals.every((one) => isObject(one) && typeof one["name"] === "string" && typeof one["text"] === "string") &&
    isObject(tables) && Object.values(tables).every((one) => typeof one === "string");
}
