/** Drafts of new notes, one per page that edits. A draft is kept across restarts until it is published or discarded. */

import { err, ok } from '../../api/errors.ts';
import { DRAFT_SLOTS, NewNote } from '../../ipc/protocol/note-draft.ts';
import { DONE } from '../commands.ts';
import { diskFull, isDiskFull, type Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';
import type { NoteApi } from './note-api.ts';

export const createNewNoteDrafts = (
  profile: Profile,
): Pick<NoteApi, 'unpublished' | 'saveUnpublished' | 'dropUnpublished'> => {
  const draftOf = (slot: number) =>
    createPersistedValue(profile, slot === 0 ? 'newNoteDraft' : `newNoteDraft_${slot}`, NewNote);
  return {
    unpublished: ({ slot = 0 }) =>
      ok({
        draft: draftOf(slot).read(),
        kept: Array.from({ length: DRAFT_SLOTS }, (_, index) => index).filter(
          (index) => draftOf(index).read() !== null,
        ),
      }),
    saveUnpublished({ slot = 0, ...note }) {
      try {
        draftOf(slot).write(note);
        return DONE;
      } catch (error) {
        if (isDiskFull(error)) return err(diskFull());
        throw error;
      }
    },
    dropUnpublished({ slot = 0 }) {
      draftOf(slot).clear();
      return DONE;
    },
  };
};
