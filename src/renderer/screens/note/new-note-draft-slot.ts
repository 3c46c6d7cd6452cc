/**
 * Assigns each page its own slot for the draft of a new note, using web locks, so that pages do not overwrite each
 * other's drafts. Without web locks, or when all slots are taken, pages share the first slot. The next page that starts
 * a new note takes over an abandoned draft.
 */

import { DRAFT_SLOTS } from '../../../ipc/protocol/note-draft.ts';
import { takeLock } from './note-locks.ts';

export interface DraftSlot {
  readonly slot: number;
  /** Lets another page continue the draft. */
  release(): void;
}

const nameOf = (slot: number): string => `linkshot.note.${slot}`;

/** `kept`: slots with a stored draft. Without web locks (insecure context) all pages share one slot. */
export const takeSlot = async (locks: LockManager | undefined, kept: readonly number[]): Promise<DraftSlot> => {
  const all = Array.from({ length: DRAFT_SLOTS }, (_, slot) => slot);
  for (const slot of locks ? new Set([...kept, ...all]) : []) {
    const release = await takeLock(locks as LockManager, nameOf(slot), { ifAvailable: true }).catch(() => null);
    if (release) return { slot, release };
  }
  return { slot: 0, release: () => {} };
};
