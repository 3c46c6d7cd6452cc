/**
 * Copies text that a command prints, such as links, to the clipboard: in this process, or through the launcher
 * (`bin/linkshot`) that sent the command. Without a clipboard it prints a message.
 */
import { copyToClipboard } from '../../host/copy-text-with-programs.ts';
import type { CommandContext } from '../command-context.ts';

const NO_CLIPBOARD =
  'The clipboard is not accessible. On Linux, install wl-clipboard, xclip or xsel; over ssh there is no clipboard.';

/** Without a clipboard, prints a note and continues. */
export const copyText = async (
  text: string,
  { report, platform, environment, copyByCaller }: CommandContext,
): Promise<void> => {
  if (copyByCaller) return copyByCaller(text, report.output === 'json' ? null : NO_CLIPBOARD);
  if (!(await copyToClipboard(text, platform, environment))) report.note(NO_CLIPBOARD);
};
