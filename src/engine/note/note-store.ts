/** Stores the last known texts of published notes, for search and comparison, and drafts until the service has them. */

import { ok, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import { diskFullOrThrow } from '../../common/disk-full.ts';
import { createValidator } from '../../ipc/protocol/create-validator.ts';
import { NoteDraft } from '../../ipc/protocol/note-draft.ts';
import type { Library } from '../library/library-store.ts';
import type { Profile } from '../profile/database.ts';

/** The edited note, and the text that the edit is based on. */
export interface Draft {
  readonly note: NoteDraft;
  readonly base: string | null;
}

export interface NoteStore {
  /** Null: unknown. */
  get(id: ItemId): { readonly revision: number; readonly text: string } | null;
  /** Ignores a revision older than the stored one. */
  put(id: ItemId, revision: number, text: string): void;
  draft(id: ItemId): Draft | null;
  /** Errors: DISK_FULL. */
  saveDraft(id: ItemId, draft: Draft): Result<void>;
  dropDraft(id: ItemId): void;
}

interface DraftRow {
  readonly revision: number;
  readonly text: string;
  readonly format: string;
  readonly language: string | null;
  readonly base: string | null;
  readonly title: string | null;
}

const isNote = createValidator(NoteDraft);

export const createNoteStore = ({ database }: Profile, library: Library): NoteStore => {
  const select = database.prepare<[string], { revision: number; text: string }>(
    'SELECT revision, text FROM note_text WHERE item_id = ?',
  );
  const upsert = database.prepare<[string, number, string]>(
    `INSERT INTO note_text (item_id, revision, text) VALUES (?, ?, ?)
     ON CONFLICT (item_id) DO UPDATE SET revision = excluded.revision, text = excluded.text
     WHERE excluded.revision >= note_text.revision`,
  );
  const selectDraft = database.prepare<[string], DraftRow>('SELECT * FROM draft WHERE item_id = ?');
  const upsertDraft = database.prepare<[string, number, string, string, string | null, string | null, string | null]>(
    `INSERT INTO draft (item_id, revision, text, format, language, base, title) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (item_id) DO UPDATE SET revision = excluded.revision, text = excluded.text, format = excluded.format,
       language = excluded.language, base = excluded.base, title = excluded.title`,
  );
  const removeDraft = database.prepare<[string]>('DELETE FROM draft WHERE item_id = ?');

  return {
    get: (id) => select.get(id) ?? null,
    put: database.transaction((id, revision, text) => {
      if (!library.get(id)) return;
      upsert.run(id, revision, text);
      library.reindex(id);
    }),
    draft(id) {
      const row = selectDraft.get(id);
      if (!row) return null;
      const { base, revision, text, format, language, title } = row;
      const note = { revision, text, format, language, title };
      return isNote(note) ? { note, base } : null;
    },
    saveDraft(id, { note: { revision, text, format, language, title }, base }) {
      try {
        upsertDraft.run(id, revision, text, format, language, base, title);
        return ok(undefined);
      } catch (error) {
        return diskFullOrThrow(error);
      }
    },
    dropDraft: (id) => void removeDraft.run(id),
  };
};
