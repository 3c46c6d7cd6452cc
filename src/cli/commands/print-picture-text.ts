/**
 * Prints the text of a picture or of the screen and what its QR and bar codes hold, and copies the text if requested;
 * `linkshot text` and `capture --text` use it. Also describes the JSON of this output.
 */
import type { CommandInput } from '../../ipc/protocol/command-table.ts';
import type { PictureContent } from '../../ipc/protocol/vision.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import type { CommandContext } from '../command-context.ts';
import { announceQuestion, withEarlyScreenshot } from '../input/early-screenshot.ts';
import { copyText } from '../output/copy-text.ts';
import { noteMissing } from '../output/found-secrets.ts';
import { noteScrolled } from '../output/scroll-outcome.ts';

/** Codes below the text, one a line. */
const shown = ({ text, codes }: PictureContent): string =>
  [...(text ? [text] : []), ...codes.map((code) => `${code.format}: ${code.text}`)].join('\n');

interface TextOptions {
  readonly copy: true | undefined;
}

export const reportPictureText = async (
  content: PictureContent,
  { copy }: TextOptions,
  context: CommandContext,
): Promise<void> => {
  const { report } = context;
  const found = shown(content);
  report.say(content, found === '' ? null : found);
  if (found === '') report.note('No text or codes were found.');
  noteMissing(content.missing, report);
  if (copy && content.text !== '') await copyText(content.text, context);
};

/** The same of the screen. */
export const printScreenText = async (
  request: CommandInput<'vision.readScreen'>,
  options: TextOptions,
  context: CommandContext,
  signal: AbortSignal,
): Promise<void> => {
  await announceQuestion(context, signal);
  await withEngine(withEarlyScreenshot(request, context, signal), 'none', signal, async (client) => {
    const read = await client.call('vision.readScreen', request);
    if (!read.ok) return read;
    noteScrolled(read.value.scrolled, context.report);
    await reportPictureText(read.value, options, context);
    return DONE;
  });
};

export const PICTURE_TEXT_JSON =
  '{"text","words":[{"text","x","y","width","height","confidence"}],"codes":[{"format","text","x","y","width","height"}],"missing"}, in pixels of the image; "missing" lists languages that are not installed.';
