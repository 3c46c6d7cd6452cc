/** Puts one thing into the queue. What an earlier command left there of the same thing goes on instead. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, rm } from '../../base/node/retrying-fs.ts';
import type { CommandInput } from '../../ipc/protocol/ipc.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';
import type { Job } from '../../ipc/protocol/queue-item.ts';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { Desk } from '../client/engine-client.ts';
import { receiveFile } from '../input/standard-input.ts';
import type { Input } from '../context.ts';
import { findHandedOver, findUnfinishedNote, findUntold, goOn, isEnteredWith, unfinishedOf } from './find-resumable.ts';

export interface How {
  readonly share: LinkSettings;
  readonly job: Job;
}

export const enterPath = async (desk: Desk, path: string, how: How): Promise<Result<ItemId>> => {
  const left = unfinishedOf(desk, path);
  const same = left.find((item) => isEnteredWith(item, how));
  if (same) {
    await goOn(desk, [same]);
    return ok(same.id);
  }
  // Commands that ended were to publish it in another way, which is no longer wanted: two links would be one too many.
  if (left.length > 0) await desk.call('queue.replace', { ids: left.map(({ id }) => id) });
  const untold = await findUntold(desk, path);
  if (untold && isEnteredWith(untold, how)) return ok(untold.id);
  return onlyId(await desk.call('queue.addPaths', { paths: [path], awaited: true, ...how }));
};

export const enterInput = async (
  desk: Desk,
  input: Input,
  name: string,
  how: How,
  signal: AbortSignal,
): Promise<Result<ItemId>> => {
  const path = await receiveFile(input, desk, signal);
  return path.ok ? enterSpooled(desk, path.value, name, how) : path;
};

/** Hands a file over that is the app's own. It goes when it is published, so its name keeps by what its bytes are known again. */
export const enterSpooled = async (desk: Desk, path: string, name: string, how: How): Promise<Result<ItemId>> => {
  const hash = await hashOf(path);
  const same = findHandedOver(desk, { hash, name }, how);
  if (same) {
    await rm(path, { force: true });
    await goOn(desk, [same]);
    return ok(same.id);
  }
  const named = `${path}.${hash}`;
  await rename(path, named);
  const added = await desk.call('queue.addSpooled', { path: named, name, awaited: true, ...how });
  if (!added.ok) await rm(named, { force: true });
  return onlyId(added);
};

const hashOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  return hash.digest('hex');
};

export const enterNote = async (desk: Desk, note: CommandInput<'note.add'>): Promise<Result<ItemId>> => {
  const unfinished = await findUnfinishedNote(desk, note);
  if (unfinished) {
    await goOn(desk, [unfinished]);
    return ok(unfinished.id);
  }
  const added = await desk.call('note.add', { ...note, awaited: true });
  return added.ok ? ok(added.value.id) : added;
};

const onlyId = (added: Result<{ readonly ids: readonly ItemId[] }>): Result<ItemId> => {
  if (!added.ok) return added;
  const [id] = added.value.ids;
  return id ? ok(id) : err(failure('APP_FAILED', 'It got no place in the queue. Try again.'));
};
