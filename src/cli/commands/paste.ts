/** `linkshot paste`: what was copied becomes a link: files, a picture, or text as a note. */
import { err, failure, ok, type Result } from '../../contract/errors.ts';
import type { ItemId } from '../../contract/ids.ts';
import { command } from '../command.ts';
import type { Desk } from '../desk/desk.ts';
import { PUBLISH_OPTIONS } from '../link-options.ts';
import { type Entry, publish } from '../publishing/publish.ts';
import { askedShare, type Share } from '../publishing/settings.ts';

const PICTURE = 'clipboard.png';

const EMPTY = failure(
  'COMMAND_INVALID',
  'Nothing on the clipboard can be shared. Copy a picture, files or text first.',
);

const enter = async (desk: Desk, share: Share): Promise<Result<readonly ItemId[]>> => {
  const link = share(desk);
  if (!link.ok) return link;
  const added = await desk.call('queue.addClipboard', { share: link.value, pictureName: PICTURE });
  if (added.ok) return ok(added.value.ids);
  return added.error.code === 'NOTE_EMPTY' ? err(EMPTY) : added;
};

export const paste = command({
  name: 'paste',
  summary: 'upload what is on the clipboard and print its link',
  group: 'Share',
  arguments: [],
  options: PUBLISH_OPTIONS,
  description: [
    'Files that were copied in a file manager come first, then a picture, then text, which becomes a note. On Windows and macOS the terminal reaches text only: the tray of Linkshot uploads the rest, and so does this command while the desktop app runs.',
  ],
  json: ['{"id","url","name","size","type"} for each thing, or {"error":{"code","message"}}.'],
  examples: [
    { words: 'paste', does: 'what was copied last' },
    { words: 'paste --copy', does: 'its link in its place' },
  ],
  run: async ({ options }, surroundings, signal) => {
    const share = await askedShare(options, surroundings, signal);
    if (!share.ok) return surroundings.report.failed(null, share.error);
    const entry: Entry = { name: null, enter: (desk) => enter(desk, share.value) };
    await publish([entry], options, surroundings, signal);
  },
});
