/** Puts the links of what was published on the clipboard, one a line. */
import type { QueueItemIn } from '../../contract/queue-item.ts';
import { copyToClipboard } from '../output/clipboard.ts';
import type { Surroundings } from '../surroundings.ts';

const NO_CLIPBOARD =
  'The clipboard cannot be reached from here. On Linux, install wl-clipboard, xclip or xsel; over ssh there is none.';

export const copyLinks = async (
  published: readonly QueueItemIn<'linked'>[],
  { report, platform, environment }: Surroundings,
): Promise<void> => {
  if (published.length === 0) return;
  const links = published.map(({ content }) => content.url).join('\n');
  if (!(await copyToClipboard(links, platform, environment))) report.note(NO_CLIPBOARD);
};
