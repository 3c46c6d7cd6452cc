/** `linkshot text`: prints the text of a picture or of the screen, and what its QR and bar codes hold. */
import { resolve } from 'node:path';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import type { CaptureTarget } from '../../ipc/protocol/capture.ts';
import type { TextLanguage } from '../../ipc/protocol/vision.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import type { CommandContext } from '../command-context.ts';
import { choice, command, flag, type Values } from '../command-definition.ts';
import { SCREEN_OPTIONS, screenPart } from '../input/screen-part-options.ts';
import { receiveFile } from '../input/standard-input.ts';
import { PICTURE_TEXT_JSON, reportPictureText } from '../output/picture-text.ts';
import { printScreenText } from './print-screen-text.ts';

const LANGUAGES = ['eng', 'rus', 'eng+rus'] as const;

const OPTIONS = {
  ...SCREEN_OPTIONS,
  language: choice('LANGUAGE', LANGUAGES, 'the language of the text; by default all that are installed'),
  copy: flag('also copy the text to the clipboard'),
} as const;

type Source = { readonly file: string } | { readonly target: CaptureTarget };

const sourceOf = (words: readonly string[], options: Values<typeof OPTIONS>): Result<Source> => {
  const { region, screen, window, last } = options;
  const isOfScreen = (region ?? screen ?? window ?? last) !== undefined;
  const [file] = words;
  if (!isOfScreen && file !== undefined) return ok({ file });
  if (!isOfScreen)
    return err(
      failure('COMMAND_INVALID', 'Specify an image, or what to read: --region X,Y,W,H, --screen, --window or --last.'),
    );
  if (!screen && file !== undefined)
    return err(failure('COMMAND_INVALID', 'Specify either an image or a part of the screen, not both.'));
  const target = screenPart('text', words, options);
  return target.ok ? ok({ target: target.value }) : target;
};

const readFile = async (
  file: string,
  options: Values<typeof OPTIONS>,
  languages: { languages?: TextLanguage[] },
  context: CommandContext,
  signal: AbortSignal,
): Promise<void> =>
  withEngine(context, 'none', signal, async (client) => {
    const received = file === '-' ? await receiveFile(context.input, client, signal) : null;
    if (received && !received.ok) return received;
    const path = received ? received.value : resolve(context.cwd, file);
    const read = await client.call('vision.readPath', { path, ...languages });
    if (received) await rm(path, { force: true });
    if (read.ok) await reportPictureText(read.value, options, context);
    else context.report.failed(file, read.error);
    return DONE;
  });

export const text = command({
  name: 'text',
  summary: 'print the text and codes in an image or on the screen',
  group: 'Share',
  arguments: [
    {
      name: 'FILE',
      summary: 'an image; `-` is the standard input; with --screen, the number of the screen',
      count: 'at most one',
      offers: 'files',
    },
  ],
  options: OPTIONS,
  description: [
    'The image is read on this computer, and nothing is uploaded. QR codes and barcodes are printed below the text.',
    'English comes with Linkshot. For Russian, install the package tesseract-ocr-rus (Debian, Ubuntu), or put rus.traineddata from Tesseract into the folder tessdata of the profile or into the folder named by LINKSHOT_TESSDATA.',
  ],
  json: [`${PICTURE_TEXT_JSON} Or {"error":{"code","message","file"}}.`],
  examples: [
    { words: 'text screenshot.png', does: 'its words, line by line' },
    { words: 'text --region 100,100,800,600 --copy', does: 'a part of the desktop, text on the clipboard' },
    { words: 'text - --language rus < page.png', does: 'Russian, from the standard input' },
    { words: 'text ticket.jpg --json', does: 'with the position of each word and code' },
  ],
  run: async ({ words, options }, context, signal) => {
    const source = sourceOf(words, options);
    if (!source.ok) return context.report.usageError(source.error);
    const asked = options.language?.split('+') as TextLanguage[] | undefined;
    const languages = asked ? { languages: asked } : {};
    if ('file' in source.value) await readFile(source.value.file, options, languages, context, signal);
    else {
      const request = { target: source.value.target, pointer: 'hide', delaySeconds: 0, ...languages } as const;
      await printScreenText(request, options, context, signal);
    }
  },
});
