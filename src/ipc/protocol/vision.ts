/** What is recognised in a picture: its words, and the QR and bar codes with what they hold. */
import Type, { type Static } from 'typebox';
import { literals } from '../../api/content.ts';

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
