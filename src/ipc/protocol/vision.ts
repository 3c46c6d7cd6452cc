/**
 * Schemas of what is recognised in a picture: its text and words, the QR and bar codes with what they hold, and what
 * looks secret. Also the result of reading the text of a selected area of the screen.
 */
import Type, { type Static } from 'typebox';
import { Failure } from '../../api/errors.ts';
import { literals } from '../../api/nullable-and-literals.ts';

/** The languages of the text, in the names of Tesseract's data files. */
export const TextLanguage = literals('eng', 'rus');
export type TextLanguage = Static<typeof TextLanguage>;

/** In pixels of the picture as it is shown, from its upper left corner. */
const Box = { x: Type.Integer(), y: Type.Integer(), width: Type.Integer(), height: Type.Integer() };

export const PictureContent = Type.Object({
  /** Lines as in the picture; empty: no text was found. */
  text: Type.String(),
  /** In reading order. `confidence`: from 0 to 100. */
  words: Type.Array(Type.Object({ text: Type.String(), ...Box, confidence: Type.Number() })),
  /** `format` as the standard calls it, such as QRCode or EAN13. */
  codes: Type.Array(Type.Object({ format: Type.String(), text: Type.String(), ...Box })),
  /** Languages whose data is not installed, if the caller named none. */
  missing: Type.Array(TextLanguage),
});
export type PictureContent = Static<typeof PictureContent>;

/** What looks secret in a picture. `card`: of a bank; `ip`: an address of a network. */
export const SecretKind = literals('email', 'phone', 'card', 'ip', 'key', 'token', 'password', 'iban');
export type SecretKind = Static<typeof SecretKind>;

/** `confidence`: from 0 to 100, of its least legible word. */
export const FoundSecret = Type.Object({ kind: SecretKind, ...Box, confidence: Type.Number() });
export type FoundSecret = Static<typeof FoundSecret>;

/** What was hidden, or would be; `missing` as of `PictureContent`. */
export const Redaction = Type.Object({ found: Type.Array(FoundSecret), missing: Type.Array(TextLanguage) });
export type Redaction = Static<typeof Redaction>;

/** Names one reading, so that its progress is told and it can be stopped. */
export const ReadingId = Type.String({ minLength: 8, maxLength: 64, pattern: '^[\\w-]+$' });
export type ReadingId = Static<typeof ReadingId>;

/** What became of reading a selection on the frozen screen. */
export const CapturedText = Type.Union([
  Type.Object({ state: Type.Literal('reading') }),
  Type.Object({ state: Type.Literal('read'), content: PictureContent, copied: Type.Boolean() }),
  Type.Object({ state: Type.Literal('failed'), failure: Failure }),
]);
export type CapturedText = Static<typeof CapturedText>;
