/** Undo and redo over immutable documents. */
import type { Document } from './document.ts';

/** More steps than anyone undoes; each shares all unchanged data with the one before. */
const STEPS = 300;

export interface History {
  readonly past: readonly Document[];
  readonly present: Document;
  readonly future: readonly Document[];
  /** Name of the last step's action; a following step of the same name is merged into it. */
  readonly ongoing: string | null;
}

export const beginHistory = (present: Document): History => ({ past: [], present, future: [], ongoing: null });

/** `ongoing` names steps that belong together, e.g. arrow key presses on one mark; null: a step of its own. */
export const perform = (history: History, next: Document, ongoing: string | null = null): History => {
  const { past, present } = history;
  if (next === present) return history;
  const continues = ongoing !== null && ongoing === history.ongoing;
  return { past: continues ? past : [...past, present].slice(-STEPS), present: next, future: [], ongoing };
};

/** The next change starts a new step, even under the same name. */
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
