/**
 * Reads and edits published notes. Edits are persisted before they are sent and kept until the service has them; an
 * edit never overwrites a revision that its author has not seen.
 */

import { isDeepStrictEqual } from 'node:util';
import type { UpdateContent } from '../../api/content.ts';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { NoteText } from '../../api/note.ts';
import { ignoringFullDisk } from '../../common/disk-full.ts';
import type { CommandInput, CommandOutput } from '../../ipc/protocol/command-table.ts';
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';
import type { NoteDraft } from '../../ipc/protocol/note-draft.ts';
import { DONE, done } from '../empty-result.ts';
import { type Changes, unknownItem } from '../library/change-items.ts';
import type { Library } from '../library/library-store.ts';
import type { NoteApi } from './note-interface.ts';
import type { Draft, NoteStore } from './note-store.ts';
import { validateNoteText } from './validate-note-text.ts';

export interface EditDeps {
  readonly library: Library;
  readonly texts: NoteStore;
  readonly changes: Changes;
}

type Edit = CommandInput<'note.edit'>;
type Outcome = CommandOutput<'note.edit'>;

export const createNoteEditor = ({
  library,
  texts,
  changes,
}: EditDeps): Pick<NoteApi, 'read' | 'edit' | 'saveDraft' | 'dropDraft'> => {
  const noteOf = (id: ItemId): Result<LibraryItem> => {
    const item = library.get(id);
    if (!item) return err(unknownItem());
    return item.content.type === 'PASTE' ? ok(item) : err(failure('COMMAND_INVALID', 'This item is not a note.'));
  };

  const read = async (item: LibraryItem, signal: AbortSignal): Promise<Result<NoteText>> => {
    const session = changes.sessionOf(item.id);
    if (!session.ok) return session;
    const reply = await session.value.client.call('readNoteText', { params: { id: item.content.id } }, signal);
    if (!reply.ok) return reply;
    const { revision, text } = reply.value;
    // Only the search and the comparison of versions need the stored text.
    ignoringFullDisk(() => texts.put(item.id, revision, text));
    return reply;
  };

  /** The last known text; where only a draft is left, the draft's base. */
  const remembered = ({ id, content }: LibraryItem): NoteText | null => {
    const draft = texts.draft(id);
    const last = texts.get(id) ?? (draft && { text: draft.base ?? draft.note.text, revision: draft.note.revision });
    const format = content.pasteFormat ?? 'plain';
    return last && { ...last, format, language: format === 'code' ? (content.pasteLanguage ?? 'text') : null };
  };

  /** The complete edit, as a draft needs it: fields that it omits have the values last known here. */
  const completeEdit = ({ text, revision, format, language, title }: Edit, { content }: LibraryItem): NoteDraft => {
    const kind = format ?? content.pasteFormat ?? 'plain';
    const before = content.pasteFormat === 'code' ? (content.pasteLanguage ?? null) : null;
    const now = title === undefined || title === content.title ? null : title;
    return {
      text,
      revision,
      format: kind,
      language: kind === 'code' ? (language ?? before ?? 'text') : null,
      title: now,
    };
  };

  /** The complete edit with its base text, so that a conflict can show all three versions. */
  const draftOf = (item: LibraryItem, edit: Edit): Draft => {
    const known = texts.get(item.id);
    const before = texts.draft(item.id);
    const base =
      known?.revision === edit.revision ? known.text : before?.note.revision === edit.revision ? before.base : null;
    return { note: completeEdit(edit, item), base };
  };

  /**
   * `kept` is the draft persisted before sending, if any. Text typed since then stays as a draft of the saved version;
   * a draft that the edit has left alone stays one of the version it was typed in.
   */
  const saved = (item: LibraryItem, mine: NoteText, kept: NoteDraft | null): Outcome => {
    const { id, content } = item;
    texts.put(id, content.revision, mine.text);
    if (kept === null) return { outcome: 'saved', item };
    const now = texts.draft(id)?.note ?? kept;
    if (isDeepStrictEqual(now, kept)) texts.dropDraft(id);
    else if (now.revision === kept.revision) {
      const title = now.title === content.title ? null : now.title;
      texts.saveDraft(id, { note: { ...now, title, revision: content.revision }, base: mine.text });
    }
    return { outcome: 'saved', item };
  };

  /** Another edit was saved first, or an earlier attempt of this one, whose reply was lost. */
  const conflict = async (
    item: LibraryItem,
    {
      edit,
      base,
      kept,
      ...edited
    }: { readonly edit: Edit; readonly mine: NoteDraft; readonly base: string | null; readonly kept: NoteDraft | null },
    signal: AbortSignal,
  ): Promise<Result<Outcome>> => {
    const theirs = await read(item, signal);
    if (!theirs.ok) return theirs;
    const { format, language } = theirs.value;
    const mine =
      edit.format === undefined && edit.language === undefined ? { ...edited.mine, format, language } : edited.mine;
    if (!isSame(theirs.value, mine)) return ok({ outcome: 'conflict', mine, theirs: theirs.value, base });
    if (mine.title === null) await changes.refresh(item.id, signal);
    else {
      const sent = await changes.send(item, { title: mine.title }, signal);
      if (!sent.ok) return sent;
    }
    return ok(saved(library.get(item.id) ?? item, mine, kept));
  };

  return {
    async read({ id, orElse }, signal) {
      const item = noteOf(id);
      if (!item.ok) return item;
      const note = await read(item.value, signal);
      const draft = texts.draft(id)?.note ?? null;
      if (note.ok) return ok({ note: note.value, draft, unread: null });
      const known = orElse === 'remembered' ? remembered(item.value) : null;
      return known ? ok({ note: known, draft, unread: note.error }) : note;
    },
    async edit(edit, signal) {
      const item = noteOf(edit.id);
      if (!item.ok) return item;
      const { note, base } = draftOf(item.value, edit);
      const kept = edit.draft === 'leave' ? null : note;
      const persisted = kept ? texts.saveDraft(edit.id, { note: kept, base }) : ok(undefined);
      if (!persisted.ok) return persisted;
      const mine = { ...note, text: edit.text.toWellFormed() };
      const refusal: Failure | null = validateNoteText(mine.text);
      if (refusal) return err(refusal);
      const { text, format, language, revision, title } = mine;
      // The kind may have been changed elsewhere since it was last read: the service keeps what is not sent.
      const isKindGiven = edit.format !== undefined || edit.language !== undefined;
      const change: UpdateContent = {
        ...{ text, revision },
        ...(isKindGiven && { format }),
        ...(isKindGiven && language !== null && { language }),
        ...(title !== null && { title }),
      };
      const sent = await changes.send(item.value, change, signal);
      if (sent.ok) return ok(saved(sent.value, mine, kept));
      if (sent.error.code !== 'PASTE_REVISION_CONFLICT') return sent;
      return await conflict(item.value, { edit, mine, base, kept }, signal);
    },
    saveDraft(edit) {
      const item = noteOf(edit.id);
      return done(item.ok ? texts.saveDraft(edit.id, draftOf(item.value, edit)) : item);
    },
    dropDraft({ id }) {
      texts.dropDraft(id);
      return DONE;
    },
  };
};

const isSame = (a: NoteText, b: NoteText): boolean =>
  a.text === b.text && a.format === b.format && a.language === b.language;
