/** What is being written and has not reached the service: over a published note, or a note of its own. */
import Type, { type Static } from 'typebox';
import { Nullable, PasteFormat, PasteLanguage } from '../../api/content.ts';
import { LIMITS } from '../../api/limits.ts';
import { NoteText } from '../../api/note.ts';
import { LinkSettings } from './link-settings.ts';

/** As long as the service takes it; empty: the service finds one. */
export const NoteTitle = Type.String({ maxLength: LIMITS.titleMaxCharacters });

/** What was typed over a published note; `title` null: it stays. `revision` is the one that it began with. */
export const NoteDraft = Type.Object({ ...NoteText.properties, title: Nullable(NoteTitle) });
export type NoteDraft = Static<typeof NoteDraft>;

/** Unpublished notes that a profile keeps at once: one for each page that writes a new one. */
export const DRAFT_SLOTS = 16;
export const DraftSlot = Type.Integer({ minimum: 0, maximum: DRAFT_SLOTS - 1 });

/** A note that is being written and was not published. `format` null: guessed from the text. A password is never part of it. */
export const NewNote = Type.Object({
  title: NoteTitle,
  text: Type.String(),
  format: Nullable(PasteFormat),
  language: Nullable(PasteLanguage),
  share: Type.Pick(LinkSettings, ['visibility', 'ttl', 'oneTime']),
});
export type NewNote = Static<typeof NewNote>;
