/** `linkshot paste`: what was copied becomes a link: files, a picture, or text as a note. */
import { Readable } from 'node:stream';
import { type Result, unreachable } from '../../contract/errors.ts';
import type { ItemId } from '../../contract/ids.ts';
import type { LinkSettings } from '../../contract/link-settings.ts';
import type { Job } from '../../contract/queue-item.ts';
import { command } from '../command.ts';
import type { Desk } from '../desk/desk.ts';
import { type Copied, readClipboard } from '../input/clipboard.ts';
import { PUBLISH_OPTIONS } from '../link-options.ts';
import { enterInput, enterNote, enterPath } from '../publishing/enter.ts';
import { type Entry, publish } from '../publishing/publish.ts';
import { askedShare, type Share } from '../publishing/settings.ts';

const FILE: Job = { kind: 'file', fit: null };
const PICTURE = 'clipboard.png';

export const paste = command({
  name: 'paste',
  summary: 'upload what is on the clipboard and print its link',
  group: 'Share',
  arguments: [],
  options: PUBLISH_OPTIONS,
  description: [
    'Files that were copied in a file manager come first, then a picture, then text, which becomes a note. On Windows and macOS the terminal reaches text only: the tray of Linkshot uploads the rest.',
  ],
  json: ['{"id","url","name","size","type"} for each thing, or {"error":{"code","message"}}.'],
  examples: [
    { words: 'paste', does: 'what was copied last' },
    { words: 'paste --copy', does: 'its link in its place' },
  ],
  run: async ({ options }, surroundings, signal) => {
    const { report, platform, environment } = surroundings;
    const copied = await readClipboard(platform, environment);
    if (!copied.ok) return report.failed(null, copied.error);
    const share = await askedShare(options, surroundings, signal);
    if (!share.ok) return report.failed(null, share.error);
    await publish(entriesOf(copied.value, share.value, signal), options, surroundings, signal);
  },
});

type Enter = (desk: Desk, link: LinkSettings) => Promise<Result<ItemId>>;

const entriesOf = (copied: Copied, share: Share, signal: AbortSignal): readonly Entry[] => {
  const entry = (name: string | null, enter: Enter): Entry => ({
    name,
    enter: async (desk) => {
      const link = share(desk);
      return link.ok ? enter(desk, link.value) : link;
    },
  });
  switch (copied.kind) {
    case 'files':
      return copied.paths.map((path) => entry(path, (desk, link) => enterPath(desk, path, { share: link, job: FILE })));
    case 'picture':
      return [
        entry(PICTURE, (desk, link) => {
          const input = { stream: Readable.from([copied.png]), isWatched: false };
          return enterInput(desk, input, PICTURE, { share: link, job: FILE }, signal);
        }),
      ];
    case 'text':
      return [entry(null, (desk, link) => enterNote(desk, { text: copied.text, share: link }))];
    default:
      return unreachable(copied);
  }
};
