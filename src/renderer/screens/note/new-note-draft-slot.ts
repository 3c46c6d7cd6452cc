/**
 * Assigns each page its own slot for the draft of a new note, using web locks, so that pages do not overwrite each
 * other's drafts. Without web locks, or when all slots are taken, pages share the first slot. The next page that starts
 * a new note takes over an abandoned draft.
 */

import { DRAFT_SLOTS } from '../../../ipc/protocol/note-draft.ts';
import type { DraftSlot } from '../../stores/new-notes.ts';
import { takeLock } from './note-locks.ts';

const nameOf = (slot: number): string => `linkshot.note.${slot}`;

const ALL = Array.from({ length: DRAFT_SLOTS }, (_, slot) => slot);

/** The first of these slots that no page has; null: pages have all of them. */
const firstFree = async (locks: LockManager, slots: Iterable<number>): Promise<DraftSlot | null> => {
  for (const slot of slots) {
    const release = await takeLock(locks, nameOf(slot), { ifAvailable: true }).catch(() => null);
    if (release) return { slot, release };
  }
  return null;
};

const shared = (slot: number): DraftSlot => ({ slot, release: () => {} });

/** `kept`: slots with a stored draft. Without web locks (insecure context) all pages share one slot. */
export const takeSlot = async (locks: LockManager | undefined, kept: readonly number[]): Promise<DraftSlot> => {
  if (!locks) return shared(kept[0] ?? 0);
  return (await firstFree(locks, new Set([...kept, ...ALL]))) ?? shared(0);
};

/** A slot without a stored draft; null: all are taken. */
export const takeEmptySlot = async (
  locks: LockManager | undefined,
  kept: readonly number[],
): Promise<DraftSlot | null> => {
  const empty = ALL.filter((slot) => !kept.includes(slot));
  if (locks) return await firstFree(locks, empty);
  const [first] = empty;
  return first === undefined ? null : shared(first);
};
