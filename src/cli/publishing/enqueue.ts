/**
 * Adds a file, folder or note to the queue, or returns the item that an earlier command left unfinished, or published
 * without printing its link, with the same settings. An unfinished item of the same path is replaced if the command
 * requests a password or other settings than the item has. Also resumes paused or failed items.
 */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import { readFile, rename, rm } from '../../base/node/retrying-fs.ts';
import type { CommandInput } from '../../ipc/protocol/command-table.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';
import type { Job, QueueItem, QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { EngineClient } from '../client/engine-client.ts';
import type { Input } from '../command-context.ts';
import { receiveFile } from '../input/standard-input.ts';

// Finds items that earlier commands left in the queue, so that they continue instead of being published twice.

export const isLeft = (item: QueueItem): boolean =>
  item.state !== 'linked' && item.state !== 'unreadable' && item.intent !== 'cancel';

/** Published by a command that ended before it printed the link, even if a running Linkshot has delivered it since. */
export const isUnprinted = (item: QueueItem): item is QueueItemIn<'linked'> =>
  item.state === 'linked' && (item.deliveredAt === null || item.printPending === true);

/** Removes a pause, an error that waits for the user, or the wait for another service or key. */
export const resumeItem = async (client: EngineClient, items: readonly QueueItem[]): Promise<void> => {
  const paused = items.filter(({ intent }) => intent === 'pause').map(({ id }) => id);
  const stuck = items.filter(({ error, meantFor }) => error !== null || meantFor).map(({ id }) => id);
  if (paused.length > 0) await client.call('queue.resume', { ids: paused });
  if (stuck.length > 0) await client.call('queue.retry', { ids: stuck });
};

/** Of this account, or not assigned yet. */
const ofAccount = (client: EngineClient): readonly QueueItem[] => {
  const { connection, queue } = client.state();
  const account = connection.state === 'none' ? undefined : connection.account?.user.id;
  return queue.items.filter((item) => item.accountId === null || item.accountId === account);
};
const leftOfAccount = (client: EngineClient): readonly QueueItem[] => ofAccount(client).filter(isLeft);

/** Unfinished items of the same file or folder, from interrupted commands or added in the app. */
const unfinishedOf = (client: EngineClient, path: string): readonly QueueItem[] =>
  leftOfAccount(client).filter(({ source }) => source.owner === 'user' && source.path === path);

/** The same, unchanged file or folder, published by an earlier command that was killed before it printed the link. */
const findUnprinted = async (client: EngineClient, path: string): Promise<QueueItem | undefined> => {
  const item = ofAccount(client).find(
    (one) => isUnprinted(one) && one.source.owner === 'user' && one.source.path === path,
  );
  if (!item) return undefined;
  const real = await realpath(path).catch(() => path);
  return (await isUntouched(path, item.createdAt)) && (await isUntouched(real, item.createdAt)) ? item : undefined;
};

/** Whether nothing in it was written, renamed or removed since the instant. Symbolic links are not followed. */
const isUntouched = async (path: string, since: number): Promise<boolean> => {
  const facts = await lstat(path).catch(() => null);
  if (!facts || facts.ctimeMs >= since) return false;
  if (!facts.isDirectory()) return true;
  for (const name of await readdir(path).catch(() => []))
    if (!(await isUntouched(join(path, name), since))) return false;
  return true;
};

/**
 * The same bytes under the same name, from an earlier command that was interrupted, or killed before it printed the
 * link.
 */
const findSpooled = (
  client: EngineClient,
  { hash, name }: { readonly hash: string; readonly name: string },
  how: { readonly share: LinkSettings; readonly job: Job },
): QueueItem | undefined =>
  ofAccount(client).find(
    (item) =>
      (isLeft(item) || isUnprinted(item)) &&
      item.source.owner === 'spool' &&
      extname(item.source.path) === `.${hash}` &&
      item.name === name &&
      isEnteredWith(item, how),
  );

/** The same text from an earlier command that was interrupted, or killed before it printed the link. */
const findUnfinishedNote = async (
  client: EngineClient,
  { text, share = {}, format, language }: CommandInput<'note.add'>,
): Promise<QueueItem | undefined> => {
  for (const item of ofAccount(client).filter((one) => isLeft(one) || isUnprinted(one))) {
    const { job } = item;
    if (job.kind !== 'note') continue;
    const wanted = { ...job, ...(format && { format }), ...(language && { language }) };
    if (isEnteredWith(item, { share, job: wanted }) && (await noteTextOf(client, item)) === text) return item;
  }
  return undefined;
};

/** Null: unknown. */
const noteTextOf = async (client: EngineClient, item: QueueItem): Promise<string | null> => {
  if (isLeft(item)) return item.source.owner === 'spool' ? readFile(item.source.path, 'utf8').catch(() => null) : null;
  const read = await client.call('note.read', { id: item.id, orElse: 'remembered' });
  return read.ok ? read.value.note.text : null;
};

/**
 * Whether the item has the requested job and settings; it may have more settings. Passwords cannot be compared, so a
 * request with one never matches.
 */
const isEnteredWith = (
  item: QueueItem,
  { share: { password, ...wanted }, job }: { readonly share: LinkSettings; readonly job: Job },
): boolean =>
  password === undefined &&
  isDeepStrictEqual(item.job, job) &&
  isDeepStrictEqual({ ...item.share, ...item.postPublish, ...wanted }, { ...item.share, ...item.postPublish });

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
  return onlyId(await client.call('queue.addPaths', { paths: [path], printPending: true, ...options }));
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
 * recognised. Of `named`, which may be a path, only the name of the file is published.
 */
export const enqueueSpooled = async (
  client: EngineClient,
  path: string,
  named: string,
  options: EnqueueOptions,
): Promise<Result<ItemId>> => {
  const name = basename(named);
  const hash = await hashOf(path);
  const same = findSpooled(client, { hash, name }, options);
  if (same) {
    await rm(path, { force: true });
    await resumeItem(client, [same]);
    return ok(same.id);
  }
  const hashed = `${path}.${hash}`;
  await rename(path, hashed);
  const added = await client.call('queue.addSpooled', { path: hashed, name, printPending: true, ...options });
  if (!added.ok) await rm(hashed, { force: true });
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
  const added = await client.call('note.add', { ...note, printPending: true });
  return added.ok ? ok(added.value.id) : added;
};

const onlyId = (added: Result<{ readonly ids: readonly ItemId[] }>): Result<ItemId> => {
  if (!added.ok) return added;
  const [id] = added.value.ids;
  return id ? ok(id) : err(failure('APP_FAILED', 'It could not be added to the queue. Try again.'));
};
