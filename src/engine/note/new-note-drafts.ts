/** Drafts of new notes, one per page that edits. A draft is kept across restarts until it is published or discarded. */

import { err, ok } from '../../api/errors.ts';
import { DRAFT_SLOTS, NewNote } from '../../ipc/protocol/draft.ts';
import { diskFull, isDiskFull, type Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';
import type { NoteApi } from './note-api.ts';

export const createNewNoteDrafts = (
  profile: Profile,
): Pick<NoteApi, 'unpublishedNote' | 'unpublishedSlots' | 'saveUnpublished' | 'dropUnpublished'> => {
  const draftOf = (slot: number) =>
    createPersistedValue(profile, slot === 0 ? 'unpublished_note' : `unpublished_note_${slot}`, NewNote);
  return {
    unpublishedNote: (slot = 0) => draftOf(slot).read(),
    unpublishedSlots: () =>
      Array.from({ length: DRAFT_SLOTS }, (_, slot) => slot).filter((slot) => draftOf(slot).read() !== null),
    saveUnpublished(note, slot = 0) {
      try {
        draftOf(slot).write(note);
        return ok(undefined);
      } catch (error) {
        if (isDiskFull(error)) return err(diskFull());
        throw error;
      }
    },
    dropUnpublished: (slot = 0) => draftOf(slot).clear(),
  };
};
