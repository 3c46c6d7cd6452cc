/** `linkshot text`: prints the text of a picture and what its codes hold. */
import { resolve } from 'node:path';
import { rm } from '../../base/node/retrying-fs.ts';
import type { PictureContent, TextLanguage } from '../../ipc/protocol/vision.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { choice, command } from '../command.ts';
import { receiveFile } from '../input/standard-input.ts';

const LANGUAGES = ['eng', 'rus', 'eng+rus'] as const;

/** Codes below the text, one a line. */
const shown = ({ text, codes }: PictureContent): string =>
  [...(text ? [text] : []), ...codes.map((code) => `${code.format}: ${code.text}`)].join('\n');

export const text = command({
  name: 'text',
  summary: 'print the text and the codes in a picture',
  group: 'Share',
  arguments: [{ name: 'FILE', summary: 'a picture, or - for the standard input', count: 'one', offers: 'files' }],
  options: {
    language: choice('LANGUAGE', LANGUAGES, 'of the text; by default all that are installed'),
  },
  description: [
    'The picture is read on this computer, and nothing is uploaded. QR and bar codes follow below the text.',
    'English comes with Linkshot. Russian needs the package tesseract-ocr-rus (Debian, Ubuntu), or rus.traineddata of Tesseract in the folder tessdata of the profile or in the folder that LINKSHOT_TESSDATA names.',
  ],
  json: [
    '{"text","words":[{"text","x","y","width","height","confidence"}],"codes":[{"format","text","x","y","width","height"}],"missing"}, in pixels of the picture; "missing" lists languages that are not installed. Or {"error":{"code","message","file"}}.',
  ],
  examples: [
    { words: 'text screenshot.png', does: 'its words, line by line' },
    { words: 'text - --language rus < page.png', does: 'Russian, from the standard input' },
    { words: 'text ticket.jpg --json', does: 'with the place of each word and code' },
  ],
  run: ({ words: [file = ''], options }, context, signal) =>
    withEngine(context, 'none', signal, async (client) => {
      const { report, cwd, input } = context;
      const received = file === '-' ? await receiveFile(input, client, signal) : null;
      if (received && !received.ok) return received;
      const path = received ? received.value : resolve(cwd, file);
      const languages = options.language?.split('+') as TextLanguage[] | undefined;
      const read = await client.call('vision.readPath', { path, ...(languages && { languages }) });
      if (received) await rm(path, { force: true });
      if (!read.ok) {
        report.failed(file, read.error);
        return DONE;
      }
      const { value } = read;
      const found = shown(value);
      report.say(value, found === '' ? null : found);
      if (found === '') report.note('No text and no codes were found.');
      if (value.missing.includes('rus'))
        report.note(
          'Russian text is not read: the package tesseract-ocr-rus is not installed. See linkshot help text.',
        );
      return DONE;
    }),
});
