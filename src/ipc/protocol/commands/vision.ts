/** Commands that recognise what a picture shows, on this computer. */
import Type from 'typebox';
import { PictureContent, TextLanguage } from '../vision.ts';
import type { Command } from './command.ts';

export const visionCommands = {
  /**
   * Text and codes of a picture. `languages`: all whose data is installed by default. Errors: TEXT_DATA_MISSING,
   * TEXT_NOT_READ, IMAGE_UNREADABLE, IMAGE_VECTOR, SOURCE_*, CANCELLED.
   */
  'vision.readPath': {
    input: Type.Object({
      path: Type.String({ minLength: 1 }),
      languages: Type.Optional(Type.Array(TextLanguage, { minItems: 1 })),
    }),
    output: PictureContent,
    from: 'owner',
  },
} as const satisfies Record<string, Command>;
