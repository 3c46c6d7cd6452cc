/**
 * Schemas of notes: the request that creates one, and the reply with its text. The API calls notes `PASTE` (API
 * document, "What the service does"; API decisions 3, "POST /pastes").
 */
import Type, { type Static } from 'typebox';
import { PasteFormat, PasteLanguage, ShareFields } from './content.ts';
import { LIMITS } from './limits.ts';
import { Nullable } from './nullable-and-literals.ts';

/** Body of `POST /api/v1/pastes`. `language` applies to the format `code` and defaults to `text`. */
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
