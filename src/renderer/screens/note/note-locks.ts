/**
 * Web locks of the note editor, so that pages do not overwrite each other's drafts. The browser releases a lock when its
 * page ends in any way.
 */

import type { ItemId } from '../../../api/ids.ts';

type Release = () => void;

/** Resolves to what releases the lock; null: another page has it, and `ifAvailable` was asked for. */
export const takeLock = (locks: LockManager, name: string, options: LockOptions): Promise<Release | null> =>
  new Promise((resolve, reject) => {
    locks
      .request(name, options, (lock) => {
        if (lock === null) return resolve(null);
        return new Promise<void>((release) => resolve(release));
      })
      .catch(reject);
  });

/** The right to edit a published note, which one page has at a time. */
export interface NoteLock {
  isHeld(): boolean;
  /** Also ends the wait for it. */
  release(): void;
}

/** `onHeld` is called where another page had it first. Without web locks (insecure context) every page has it. */
export const lockNote = async (locks: LockManager | undefined, id: ItemId, onHeld: () => void): Promise<NoteLock> => {
  const name = `linkshot.note.${id}`;
  const free: Release = () => {};
  let release = locks ? await takeLock(locks, name, { ifAvailable: true }).catch(() => free) : free;
  const waiting = new AbortController();
  const wait = async (all: LockManager): Promise<void> => {
    release = await takeLock(all, name, { signal: waiting.signal });
    if (waiting.signal.aborted) release?.();
    else onHeld();
  };
  // Only the end of the wait rejects.
  if (locks && release === null) wait(locks).catch(() => {});
  return {
    isHeld: () => release !== null,
    release: () => {
      waiting.abort();
      release?.();
    },
  };
};
