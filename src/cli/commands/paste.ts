/** `linkshot paste`: publishes what is on the clipboard: files and folders, a picture, or text as a note. */
import { stat } from 'node:fs/promises';
import { err, failure, ok, type Result, unreachable } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { Job } from '../../ipc/protocol/queue-item.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { command } from '../command-definition.ts';
import { PUBLISH_OPTIONS } from '../link-options.ts';
import { enqueueNote, enqueuePath, enqueueSpooled } from '../publishing/enqueue.ts';
import { type Entry, publish } from '../publishing/publish.ts';
import { requestedShare, type Share } from '../publishing/requested-link-settings.ts';

const PICTURE = 'clipboard.png';

const FILE: Job = { kind: 'file', fit: null };
const FOLDER: Job = { kind: 'folder' };

const EMPTY = failure('COMMAND_INVALID', 'Nothing on the clipboard can be shared. Copy an image, files or text first.');

/** Clipboard content is enqueued like named files, so that a command that was killed publishes nothing twice. */
const enter = async (client: EngineClient, share: Share): Promise<Result<ItemId | readonly Entry[]>> => {
  const link = share(client);
  if (!link.ok) return link;
  const read = await client.call('intake.clipboard', {});
  if (!read.ok) return read.error.code === 'NOTE_EMPTY' ? err(EMPTY) : read;
  const { copied } = read.value;
  const how = { share: link.value, job: FILE };
  switch (copied.kind) {
    case 'files':
      return ok(
        copied.paths.map((path) => ({
          name: path,
          enter: async () => enqueuePath(client, path, { ...how, job: (await isFolder(path)) ? FOLDER : FILE }),
        })),
      );
    case 'picture':
      return enqueueSpooled(client, copied.path, PICTURE, how);
    case 'text':
      return enqueueNote(client, { text: copied.text, share: link.value });
    default:
      return unreachable(copied);
  }
};

const isFolder = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isDirectory() ?? false;

export const paste = command({
  name: 'paste',
  summary: 'upload the clipboard and print its link',
  group: 'Share',
  arguments: [],
  options: PUBLISH_OPTIONS,
  description: [
    'Prefers files copied in a file manager, then an image, then text, which becomes a note. On Windows and macOS the terminal can only read text: use the Linkshot tray icon for the rest, or this command while the desktop app is running.',
  ],
  json: ['{"id","url","name","size","type"} for each item, or {"error":{"code","message"}}.'],
  examples: [
    { words: 'paste', does: 'the current clipboard' },
    { words: 'paste --copy', does: 'replaces it with its link' },
  ],
  run: async ({ options }, context, signal) => {
    const share = await requestedShare(options, context, signal);
    if (!share.ok) return context.report.failed(null, share.error);
    const entry: Entry = { name: null, enter: (client) => enter(client, share.value) };
    await publish([entry], options, context, signal);
  },
});
