/** Enqueues one thing, or continues what an earlier command left in the queue for it. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import { rename, rm } from '../../base/node/retrying-fs.ts';
import type { CommandInput } from '../../ipc/protocol/ipc.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';
import type { Job } from '../../ipc/protocol/queue-item.ts';
import type { EngineClient } from '../client/engine-client.ts';
import type { Input } from '../context.ts';
import { receiveFile } from '../input/standard-input.ts';
import {
  findSpooled,
  findUnfinishedNote,
  findUnprinted,
  isEnteredWith,
  resumeItem,
  unfinishedOf,
} from './find-resumable.ts';

export interface EnqueueOptions {
  readonly share: LinkSettings;
  readonly job: Job;
}

export const enqueuePath = async (
  client: EngineClient,
  path: string,
  options: EnqueueOptions,
): Promise<Result<ItemId>> => {
  const left = unfinishedOf(client, path);
  const same = left.find((item) => isEnteredWith(item, options));
  if (same) {
    await resumeItem(client, [same]);
    return ok(same.id);
  }
  // Earlier commands were to publish it with other settings, which are obsolete: two links would be one too many.
  if (left.length > 0) await client.call('queue.replace', { ids: left.map(({ id }) => id) });
  const unprinted = await findUnprinted(client, path);
  if (unprinted && isEnteredWith(unprinted, options)) return ok(unprinted.id);
  return onlyId(await client.call('queue.addPaths', { paths: [path], awaited: true, ...options }));
};

export const enqueueInput = async (
  client: EngineClient,
  input: Input,
  name: string,
  options: EnqueueOptions,
  signal: AbortSignal,
): Promise<Result<ItemId>> => {
  const path = await receiveFile(input, client, signal);
  return path.ok ? enqueueSpooled(client, path.value, name, options) : path;
};

/**
 * Adds a file that the app owns. It is removed when published, so its name contains the hash by which its bytes are
 * recognised.
 */
export const enqueueSpooled = async (
  client: EngineClient,
  path: string,
  name: string,
  options: EnqueueOptions,
): Promise<Result<ItemId>> => {
  const hash = await hashOf(path);
  const same = findSpooled(client, { hash, name }, options);
  if (same) {
    await rm(path, { force: true });
    await resumeItem(client, [same]);
    return ok(same.id);
  }
  const named = `${path}.${hash}`;
  await rename(path, named);
  const added = await client.call('queue.addSpooled', { path: named, name, awaited: true, ...options });
  if (!added.ok) await rm(named, { force: true });
  return onlyId(added);
};

const hashOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  return hash.digest('hex');
};

export const enqueueNote = async (client: EngineClient, note: CommandInput<'note.add'>): Promise<Result<ItemId>> => {
  const unfinished = await findUnfinishedNote(client, note);
  if (unfinished) {
    await resumeItem(client, [unfinished]);
    return ok(unfinished.id);
  }
  const added = await client.call('note.add', { ...note, awaited: true });
  return added.ok ? ok(added.value.id) : added;
};

const onlyId = (added: Result<{ readonly ids: readonly ItemId[] }>): Result<ItemId> => {
  if (!added.ok) return added;
  const [id] = added.value.ids;
  return id ? ok(id) : err(failure('APP_FAILED', 'It could not be added to the queue. Try again.'));
};
