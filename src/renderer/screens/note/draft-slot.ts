/**
 * Which of the unpublished notes a page writes. Promise: no two pages of a browser write the same one; what a page has left
 * behind is taken up by the next that writes a new note.
 */

import { DRAFT_SLOTS } from '../../../ipc/protocol/draft.ts';

export interface DraftSlot {
  readonly slot: number;
  /** Another page may go on with it. */
  release(): void;
}

const nameOf = (slot: number): string => `linkshot.note.${slot}`;

/** Null: another page has it. It is given back with the page at the latest, however that ends. */
const hold = (locks: LockManager, slot: number): Promise<DraftSlot | null> =>
  new Promise((resolve, reject) => {
    locks
      .request(nameOf(slot), { ifAvailable: true }, (lock) => {
        if (lock === null) return resolve(null);
        return new Promise<void>((release) => resolve({ slot, release }));
      })
      .catch(reject);
  });

/** `kept`: where something was left. Without locks, as in a page that is no secure context, there is one slot for all. */
export const takeSlot = async (locks: LockManager | undefined, kept: readonly number[]): Promise<DraftSlot> => {
  const all = Array.from({ length: DRAFT_SLOTS }, (_, slot) => slot);
  for (const slot of locks ? new Set([...kept, ...all]) : []) {
    const held = await hold(locks as LockManager, slot).catch(() => null);
    if (held) return held;
  }
  return { slot: 0, release: () => {} };
};
