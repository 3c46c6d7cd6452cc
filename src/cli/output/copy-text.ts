/** Puts the links of a command on the clipboard, in this process or through the launcher that sent the command. */
import { copyToClipboard } from '../../host/clipboard-writer.ts';
import type { CommandContext } from '../command-context.ts';

const NO_CLIPBOARD =
  'The clipboard is not accessible. On Linux, install wl-clipboard, xclip or xsel; over ssh there is no clipboard.';

/** Copies links to the clipboard, one per line; without a clipboard, prints a note and continues. */
export const copyText = async (
  text: string,
  { report, platform, environment, copyByCaller }: CommandContext,
): Promise<void> => {
  if (copyByCaller) return copyByCaller(text, report.output === 'json' ? null : NO_CLIPBOARD);
  if (!(await copyToClipboard(text, platform, environment))) report.note(NO_CLIPBOARD);
};
