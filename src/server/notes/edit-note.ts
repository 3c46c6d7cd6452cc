/**
 * Edits a note against its `revision` (API document, "What the service does"): only one of two edits of the same
 * revision succeeds; the other one is refused with the number of the current revision. An edit changes neither address
 * nor password nor access.
 */
import type { UpdateContent } from '../../api/content.ts';
import type { AccountRow } from '../accounts/accounts.ts';
import { quotaOf } from '../accounts/plan.ts';
import type { ContentRow, LockedContent } from '../content/content-rows.ts';
import type { NoteKind } from '../content/publish-item.ts';
import { storageUse } from '../content/storage-and-view-counters.ts';
import type { Transaction } from '../database/database-interface.ts';
import type { ServerDeps } from '../deps.ts';
import { bytesGone, invalidInput, ProblemError } from '../problem-details.ts';
import { settleObject } from '../storage/object-rows.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import { discardObject } from '../storage/write-and-discard-object.ts';
import { createNoteObjects } from './note-objects.ts';
import { kindOf, noteBytes, textIssue, withEnding } from './note-rules.ts';

/** A requested edit of a note, checked before the transaction; `text` null if unchanged. */
export type NoteEdit =
  | { readonly kind: 'none' }
  | { readonly kind: 'unchanged'; readonly revision: number }
  | {
      readonly kind: 'changed';
      readonly revision: number;
      readonly note: NoteKind;
      readonly text: { readonly objectId: ObjectId; readonly size: number } | null;
    };

const NOTE_FIELDS = ['text', 'format', 'language', 'revision'] as const satisfies readonly (keyof UpdateContent)[];

const conflict = (currentRevision: number): ProblemError =>
  new ProblemError(
    'PASTE_REVISION_CONFLICT',
    `The note was changed in the meantime; read revision ${currentRevision} and edit that.`,
    { currentRevision },
  );

export const createNoteEditor = (deps: ServerDeps) => {
  const { clock, config, deletions } = deps;
  const noteObjects = createNoteObjects(deps);

  const isSameText = async (row: ContentRow, bytes: Buffer): Promise<boolean> => {
    const { objectId, size } = row;
    if (objectId === null || size !== bytes.length) return false;
    // A text that cannot be read is replaced: so its owner repairs a damaged note.
    const stored = await noteObjects.read({ objectId, size }, new AbortController().signal).catch(() => null);
    return stored?.equals(bytes) ?? false;
  };

  return {
    /**
     * Validates the update and writes a changed text as a new object. Throws INVALID_INPUT and PASTE_REVISION_CONFLICT.
     * A caller that does not `apply` the result must `discard` it.
     */
    prepare: async (row: ContentRow, update: UpdateContent): Promise<NoteEdit> => {
      const noteFields = NOTE_FIELDS.filter((name) => update[name] !== undefined);
      if (noteFields.length === 0) return { kind: 'none' };
      if (row.type !== 'PASTE' || row.pasteFormat === null)
        throw invalidInput(...noteFields.map((name) => ({ path: `/${name}`, message: 'is for notes only' })));
      const { text, revision } = update;
      if (revision === undefined)
        throw invalidInput({ path: '/revision', message: 'is required to change a note: send the one you have read' });
      const issue = text === undefined ? null : textIssue(text);
      if (issue !== null) throw invalidInput(issue);
      const before: NoteKind = { format: row.pasteFormat, language: row.pasteLanguage };
      const note = kindOf(update, before);
      if ('path' in note) throw invalidInput(note);
      if (revision !== row.revision) throw conflict(row.revision);

      const bytes = text === undefined ? null : noteBytes(text);
      if (bytes === null || (await isSameText(row, bytes))) {
        const same = note.format === before.format && note.language === before.language;
        return same ? { kind: 'unchanged', revision } : { kind: 'changed', revision, note, text: null };
      }
      const objectId = await noteObjects.write(bytes);
      return { kind: 'changed', revision, note, text: { objectId, size: bytes.length } };
    },

    /**
     * The row after the edit; enqueues the old text for deletion. `tx` has locked `row` and saves the result. Throws
     * PASTE_REVISION_CONFLICT, QUOTA_EXCEEDED, UPLOAD_SERVER_BUSY.
     */
    apply: async (tx: Transaction, row: LockedContent, edit: NoteEdit, account: AccountRow): Promise<LockedContent> => {
      if (edit.kind === 'none') return row;
      if (row.revision !== edit.revision) throw conflict(row.revision);
      if (edit.kind === 'unchanged') return row;
      const { note, text } = edit;
      if (text !== null) {
        const growth = text.size - row.size;
        if (growth > 0) await storageUse(tx).take(row.accountId, growth, quotaOf(config, account, clock.now()));
        else await storageUse(tx).release(row.accountId, -growth);
        if (!(await settleObject(tx, text.objectId))) throw bytesGone();
        if (row.objectId !== null) await deletions.enqueue(tx, row.objectId);
      }
      return {
        ...row,
        ...text,
        revision: row.revision + 1,
        pasteFormat: note.format,
        pasteLanguage: note.language,
        originalName: withEnding(row.originalName, note),
      };
    },

    /** Removes what `prepare` has written and no commit has kept; `error` is that of the transaction. Does not reject. */
    discard: async (edit: NoteEdit, error: unknown = null): Promise<void> => {
      if (edit.kind === 'changed' && edit.text !== null) await discardObject(deps, edit.text.objectId, error);
    },
  };
};
