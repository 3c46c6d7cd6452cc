/** The note feature: adding, reading, editing and drafts. */
import type { QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { QueueApi } from '../engine-api.ts';
import type { Changes } from '../library/change-items.ts';
import type { Library } from '../library/library-store.ts';
import type { Random } from '../ports.ts';
import type { Profile } from '../profile/database.ts';
import type { OpenSourceAt } from '../upload/upload-source.ts';
import { createNoteAdder } from './add-note.ts';
import { createNoteEditor } from './edit-note.ts';
import { readText } from './find-published-note.ts';
import { createNewNoteDrafts } from './new-note-drafts.ts';
import type { NoteApi } from './note-api.ts';
import { createNoteStore } from './note-store.ts';

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
      const text = await readText(source.path, deps.openSource);
      if (text.ok) texts.put(id, content.revision, text.value);
    },
  };
};
