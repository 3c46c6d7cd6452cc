/**
 * Prints the text of a picture and what its QR and bar codes hold, and copies the text if requested. Also describes the
 * JSON of this output.
 */
import type { PictureContent } from '../../ipc/protocol/vision.ts';
import type { CommandContext } from '../command-context.ts';
import { copyText } from './copy-text.ts';
import { noteMissing } from './found-secrets.ts';

/** Codes below the text, one a line. */
const shown = ({ text, codes }: PictureContent): string =>
  [...(text ? [text] : []), ...codes.map((code) => `${code.format}: ${code.text}`)].join('\n');

export interface TextOptions {
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

export const PICTURE_TEXT_JSON =
  '{"text","words":[{"text","x","y","width","height","confidence"}],"codes":[{"format","text","x","y","width","height"}],"missing"}, in pixels of the image; "missing" lists languages that are not installed.';
