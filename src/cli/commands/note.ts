/**
 * `linkshot note`: publishes the text of a file or of the standard input as a link; format and language are detected
 * unless options name them.
 */
import { basename } from 'node:path';
import { PASTE_LANGUAGES, type PasteFormat } from '../../api/content.ts';
import { failure } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { choice, command, text } from '../command-definition.ts';
import { readTextArgument, STANDARD_INPUT, type TextLimits } from '../input/read-text-argument.ts';
import { ASK, PUBLISH_OPTIONS } from '../link-options.ts';
import { enqueueNote } from '../publishing/enqueue.ts';
import { publish } from '../publishing/publish.ts';
import { requestedShare } from '../publishing/requested-link-settings.ts';

const FORMATS: readonly PasteFormat[] = ['plain', 'markdown', 'code'];

/** A character has four bytes at most, plus the byte order mark of some files. */
const MOST_BYTES = 4 * LIMITS.noteMaxCharacters + 3;

export const NOTE_TEXT: TextLimits = {
  maxBytes: MOST_BYTES,
  tooLong: failure('NOTE_TOO_LONG', 'The text is longer than a note can be.'),
  notText: failure('NOTE_NOT_TEXT', 'This is not text in UTF-8 or UTF-16.'),
};

export const note = command({
  name: 'note',
  summary: 'share text, Markdown or code as a note',
  group: 'Share',
  arguments: [{ name: 'FILE', summary: 'the text in UTF-8; `-` is the standard input', count: 'one', offers: 'files' }],
  options: {
    format: choice('FORMAT', FORMATS, 'the format; detected from name and text by default'),
    language: choice('LANGUAGE', PASTE_LANGUAGES, 'the language of code; detected by default'),
    ...PUBLISH_OPTIONS,
    name: text('NAME', 'name for the standard input, such as main.rs'),
  },
  description: [
    `A note can have up to ${LIMITS.noteMaxCharacters.toLocaleString('en-US')} characters. Edit it later with linkshot edit; its link stays the same.`,
  ],
  json: ['{"id","url","name","size","type","format","language"}; or {"error":{"code","message","file"}}.'],
  examples: [
    { words: 'note TODO.md', does: 'Markdown, detected from its name' },
    { words: 'note - --language python < script', does: 'code from another program' },
    { words: 'note - --ttl day --one-time', does: 'typed in the terminal, for one reader' },
  ],
  run: async ({ words: [file = STANDARD_INPUT], options }, context, signal) => {
    const { report, input } = context;
    if (options.password === ASK && file === STANDARD_INPUT) {
      const detail = 'The standard input is already used for the note. Set the password in LINKSHOT_PASSWORD.';
      return report.usageError(failure('COMMAND_INVALID', detail));
    }
    const share = await requestedShare(options, context, signal);
    if (!share.ok) return report.failed(null, share.error);
    if (file === STANDARD_INPUT && input.isWatched) report.note('Type the note, and end it with Ctrl+D.');
    const written = await readTextArgument(file, context, NOTE_TEXT, signal);
    if (!written.ok) return report.failed(file, written.error);
    const name = options.name ?? (file === STANDARD_INPUT ? undefined : basename(file));
    const kind = {
      ...(options.format && { format: options.format }),
      ...(options.language && { language: options.language }),
      // Only code has a language.
      ...(options.language && !options.format && { format: 'code' as const }),
    };
    const entry = {
      name: file === STANDARD_INPUT ? (name ?? 'stdin') : file,
      enter: async (client: EngineClient) => {
        const link = share.value(client);
        if (!link.ok) return link;
        return enqueueNote(client, {
          text: written.value,
          ...(name !== undefined && { name }),
          share: link.value,
          ...kind,
        });
      },
    };
    await publish([entry], options, context, signal);
  },
});
