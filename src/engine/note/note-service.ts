/**
 * Assembles the note feature: adding, reading and editing notes, and the drafts of unsent text. Also stores the text of
 * a note that was just published.
 */

import { ok } from '../../api/errors.ts';
import { diskFullOrThrow } from '../../common/disk-full.ts';
import { DRAFT_SLOTS, NewNote } from '../../ipc/protocol/note-draft.ts';
import type { QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import { DONE } from '../empty-result.ts';
import type { QueueApi } from '../engine-interface.ts';
import type { Changes } from '../library/change-items.ts';
import type { Library } from '../library/library-store.ts';
import type { Random } from '../ports.ts';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';
import type { OpenSourceAt } from '../upload/upload-source.ts';
import { createNoteAdder } from './add-note.ts';
import { createNoteEditor } from './edit-note.ts';
import type { NoteApi } from './note-interface.ts';
import { createNoteStore } from './note-store.ts';
import { readNoteText } from './read-note-text.ts';

export interface NoteServiceDeps {
  readonly random: Random;
  readonly profile: Profile;
  readonly spoolDir: string;
  readonly library: Library;
  readonly changes: Changes;
  readonly openSource: OpenSourceAt;
  readonly add: QueueApi['add'];
}

export interface NoteService {
  readonly commands: NoteApi;
  /** Stores the text of a note that was just published, while its file still exists. */
  remember(item: QueueItemIn<'linked'>): Promise<void>;
}

export const createNoteService = (deps: NoteServiceDeps): NoteService => {
  const texts = createNoteStore(deps.profile, deps.library);
  return {
    commands: {
      ...createNoteAdder(deps),
      ...createNoteEditor({ ...deps, texts }),
      ...createNewNoteDrafts(deps.profile),
    },
    async remember({ id, job, source, content }) {
      if (job.kind !== 'note') return;
      const text = await readNoteText(source.path, deps.openSource);
      if (text.ok) texts.put(id, content.revision, text.value);
    },
  };
};

/** Drafts of new notes, one per page that edits. A draft is kept across restarts until it is published or discarded. */
const createNewNoteDrafts = (
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
        return diskFullOrThrow(error);
      }
    },
    dropUnpublished({ slot = 0 }) {
      draftOf(slot).clear();
      return DONE;
    },
  };
};
