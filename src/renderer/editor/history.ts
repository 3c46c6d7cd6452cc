/** Undo and redo over documents. A document is never changed, so going back is exact. */
import type { Document } from './document.ts';

/** More steps than anyone takes back; each shares all but what it changed with the one before. */
const STEPS = 300;

export interface History {
  readonly past: readonly Document[];
  readonly present: Document;
  readonly future: readonly Document[];
  /** What the last step was part of; a step of the same name becomes one with it. */
  readonly ongoing: string | null;
}

export const beginHistory = (present: Document): History => ({ past: [], present, future: [], ongoing: null });

/** `ongoing` names what belongs together, e.g. the presses of an arrow key on one mark; null: a step of its own. */
export const perform = (history: History, next: Document, ongoing: string | null = null): History => {
  const { past, present } = history;
  if (next === present) return history;
  const continues = ongoing !== null && ongoing === history.ongoing;
  return { past: continues ? past : [...past, present].slice(-STEPS), present: next, future: [], ongoing };
};

/** What comes after is a step of its own, even if it has the same name. */
export const pause = (history: History): History =>
  history.ongoing === null ? history : { ...history, ongoing: null };

export const undo = (history: History): History => {
  const before = history.past.at(-1);
  if (!before) return history;
  const { past, present, future } = history;
  return { past: past.slice(0, -1), present: before, future: [present, ...future], ongoing: null };
};

export const redo = (history: History): History => {
  const [next, ...future] = history.future;
  if (!next) return history;
  return { past: [...history.past, history.present], present: next, future, ongoing: null };
};
