/** Schemas of text that has not reached the service: an edit of a published note, or a new note. */
import Type, { type Static } from 'typebox';
import { PasteFormat, PasteLanguage } from '../../api/content.ts';
import { LIMITS } from '../../api/limits.ts';
import { NoteText } from '../../api/note.ts';
import { Nullable } from '../../api/nullable-and-literals.ts';
import { LinkSettings } from './link-settings.ts';

/** The service's length limit; empty: the service derives one. */
export const NoteTitle = Type.String({ maxLength: LIMITS.titleMaxCharacters });

/** An edit of a published note; `title` null: unchanged. `revision` is the one it is based on. */
export const NoteDraft = Type.Object({ ...NoteText.properties, title: Nullable(NoteTitle) });
export type NoteDraft = Static<typeof NoteDraft>;

/** Unpublished new notes that a profile keeps at the same time: one for each page that writes one. */
export const DRAFT_SLOTS = 16;
export const DraftSlot = Type.Integer({ minimum: 0, maximum: DRAFT_SLOTS - 1 });

/**
 * An unpublished new note. `format` null: detected from the text. It never contains a password; `passwordId` says that
 * it had one, which only the page that knows it by this id can restore.
 */
export const NewNote = Type.Object({
  title: NoteTitle,
  text: Type.String(),
  format: Nullable(PasteFormat),
  language: Nullable(PasteLanguage),
  share: Type.Pick(LinkSettings, ['visibility', 'ttl', 'oneTime']),
  passwordId: Type.Optional(Type.String({ maxLength: 64 })),
});
export type NewNote = Static<typeof NewNote>;
