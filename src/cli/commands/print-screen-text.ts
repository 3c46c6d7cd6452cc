/**
 * Reads the screen or a part of it, and prints the text and the contents of the QR and bar codes found there. Used by
 * `linkshot text` and `linkshot capture --text`.
 */
import type { CommandInput } from '../../ipc/protocol/command-table.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import type { CommandContext } from '../command-context.ts';
import { announceQuestion, withEarlyScreenshot } from '../input/early-screenshot.ts';
import { reportPictureText, type TextOptions } from '../output/picture-text.ts';
import { noteScrolled } from '../output/scroll-outcome.ts';

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
