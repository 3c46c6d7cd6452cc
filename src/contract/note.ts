/** Notes, `PASTE` on the wire (API document, "What the service does"; decisions 3, "POST /pastes"). */
import Type, { type Static } from 'typebox';
import { Nullable, PasteFormat, PasteLanguage, ShareFields } from './content.ts';
import { LIMITS } from './limits.ts';
import { LinkSettings } from './link-settings.ts';

/** Body of `POST /api/v1/pastes`. `language` belongs to the format `code` and is `text` when it is left out. */
export const CreateNote = Type.Object(
  {
    text: Type.String({
      description: `1 to ${LIMITS.noteMaxCharacters} characters (code points), kept as they are. The quota counts their UTF-8 bytes.`,
    }),
    format: PasteFormat,
    language: Type.Optional(Nullable(PasteLanguage)),
    ...ShareFields.properties,
  },
  { additionalProperties: false },
);
export type CreateNote = Static<typeof CreateNote>;

/** The text of a note with the `revision` that an edit of it must name. */
export const NoteText = Type.Object({
  text: Type.String(),
  format: PasteFormat,
  language: Nullable(PasteLanguage),
  revision: Type.Integer({ minimum: 1 }),
});
export type NoteText = Static<typeof NoteText>;

/** As long as the service takes it; empty: the service finds one. */
export const NoteTitle = Type.String({ maxLength: LIMITS.titleMaxCharacters });

/** What was typed over a published note; `title` null: it stays. `revision` is the one that it began with. */
export const NoteDraft = Type.Object({ ...NoteText.properties, title: Nullable(NoteTitle) });
export type NoteDraft = Static<typeof NoteDraft>;

/** A note that is being written and was not published. `format` null: guessed from the text. A password is never part of it. */
export const NewNote = Type.Object({
  title: NoteTitle,
  text: Type.String(),
  format: Nullable(PasteFormat),
  language: Nullable(PasteLanguage),
  share: Type.Pick(LinkSettings, ['visibility', 'ttl', 'oneTime']),
});
export type NewNote = Static<typeof NewNote>;
