/**
 * Commands that recognise, on this computer, text, codes and what looks secret in pictures and on the screen, and that
 * save a copy of a picture without its secrets. Also those that stop a recognition, copy its text, and open a web
 * address that a code holds.
 */
import Type from 'typebox';
import { CaptureId, ItemId, SourceToken } from '../../../api/ids.ts';
import { Nullable } from '../../../api/nullable-and-literals.ts';
import { CaptureRequest } from '../capture.ts';
import { ScrollOutcome } from '../scroll.ts';
import { PictureContent, ReadingId, Redaction, SecretKind, TextLanguage } from '../vision.ts';
import { type Command, None } from './command.ts';

/** All whose data is installed by default. */
const Languages = Type.Optional(Type.Array(TextLanguage, { minItems: 1 }));

export const visionCommands = {
  /**
   * Text and codes of a picture. Errors: TEXT_DATA_MISSING, TEXT_NOT_READ, IMAGE_UNREADABLE, IMAGE_VECTOR, SOURCE_*,
   * CANCELLED.
   */
  'vision.readPath': {
    input: Type.Object({ path: Type.String({ minLength: 1 }), languages: Languages }),
    output: PictureContent,
    from: 'owner',
  },
  /**
   * Finds what looks secret in a picture, of all kinds by default, and saves a copy as a PNG without it; `out` null:
   * only finds it. Errors: those of `vision.readPath`, SAVE_FAILED where `out` exists or cannot be written, DISK_FULL,
   * COMMAND_INVALID for an animation, SECRETS_NOT_HIDDEN where the copy still shows something: then nothing is saved.
   */
  'vision.redact': {
    input: Type.Object({
      path: Type.String({ minLength: 1 }),
      kinds: Type.Optional(Type.Array(SecretKind, { minItems: 1 })),
      out: Nullable(Type.String({ minLength: 1 })),
    }),
    output: Redaction,
    from: 'owner',
  },
  /** Text and codes of the screen. Errors: those of `capture.take` before anything is queued, TEXT_DATA_MISSING, TEXT_NOT_READ. */
  'vision.readScreen': {
    input: Type.Object({ ...CaptureRequest.properties, languages: Languages }),
    output: Type.Object({ ...PictureContent.properties, scrolled: Type.Optional(ScrollOutcome) }),
    from: 'owner',
  },
  /**
   * The same of an item of the queue or the library, whose bytes the service has. Errors: those of `vision.readPath`, of
   * the service and the network.
   */
  'vision.readItem': {
    input: Type.Object({ id: ItemId, reading: ReadingId }),
    output: PictureContent,
    from: 'page',
  },
  /**
   * The same of the screenshot in the editor, as it was captured. Errors: CAPTURE_GONE, DRAWING_NOT_APPLIED where
   * something is drawn on it, those of `vision.readPath`.
   */
  'vision.readCapture': {
    input: Type.Object({ id: CaptureId, reading: ReadingId }),
    output: PictureContent,
    from: 'page',
  },
  /**
   * Finds what looks secret in the screenshot in the editor, as it was captured. Nothing is hidden. Errors:
   * CAPTURE_GONE, those of `vision.readPath`.
   */
  'vision.findSecrets': {
    input: Type.Object({ id: CaptureId, reading: ReadingId }),
    output: Redaction,
    from: 'page',
  },
  /** The same text and codes of a file of the page; a copy of it in the spool is removed. Errors: those of `vision.readPath`. */
  'vision.readFile': {
    input: Type.Object({ token: SourceToken, reading: ReadingId }),
    output: PictureContent,
    from: 'page',
    by: 'host',
  },
  /** The reading is answered with CANCELLED, unless it is done. */
  'vision.stop': { input: Type.Object({ reading: ReadingId }), output: None, from: 'page' },
  /** Copies text where the host reaches the clipboard. Errors: COMMAND_INVALID where it does not, APP_FAILED. */
  'vision.copy': {
    input: Type.Object({ text: Type.String({ minLength: 1, maxLength: 1_000_000 }) }),
    output: None,
    from: 'page',
  },
  /**
   * Opens the web address that a code holds in the user's browser: only one that was read since the start. Errors:
   * ADDRESS_INVALID.
   */
  'vision.open': {
    input: Type.Object({ address: Type.String({ minLength: 1, maxLength: 8_192 }) }),
    output: None,
    from: 'page',
  },
} as const satisfies Record<string, Command>;
