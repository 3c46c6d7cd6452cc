/** Puts links on the clipboard, one a line; where none can be reached, that is said and nothing else fails. */

import type { CommandContext } from '../context.ts';
import { copyToClipboard } from '../output/clipboard.ts';

const NO_CLIPBOARD =
  'The clipboard cannot be reached from here. On Linux, install wl-clipboard, xclip or xsel; over ssh there is none.';

export const copyText = async (
  text: string,
  { report, platform, environment, copyByCaller }: CommandContext,
): Promise<void> => {
  if (copyByCaller) return copyByCaller(text, report.output === 'json' ? null : NO_CLIPBOARD);
  if (!(await copyToClipboard(text, platform, environment))) report.note(NO_CLIPBOARD);
};
