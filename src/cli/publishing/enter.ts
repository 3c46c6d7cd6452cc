/** Puts one thing into the queue. What an earlier command left there of the same thing goes on instead. */

import type { CommandInput } from '../../contract/app/ipc.ts';
import type { LinkSettings } from '../../contract/app/link-settings.ts';
import type { Job } from '../../contract/app/queue-item.ts';
import { err, failure, ok, type Result } from '../../contract/errors.ts';
import type { ItemId } from '../../contract/ids.ts';
import type { Desk } from '../desk/desk.ts';
import { receiveFile } from '../input/standard-input.ts';
import type { Input } from '../surroundings.ts';
import { findUnfinished, findUnfinishedNote, findUntold, goOn, isEnteredWith } from './unfinished.ts';

export interface How {
  readonly share: LinkSettings;
  readonly job: Job;
}

export const enterPath = async (desk: Desk, path: string, how: How): Promise<Result<ItemId>> => {
  const unfinished = findUnfinished(desk, path);
  if (unfinished && isEnteredWith(unfinished, how)) {
    await goOn(desk, [unfinished]);
    return ok(unfinished.id);
  }
  // It was to be published in another way, which is no longer wanted: two links of one file would be one too many.
  if (unfinished) await desk.call('queue.cancel', { ids: [unfinished.id] });
  const untold = await findUntold(desk, path);
  if (untold && isEnteredWith(untold, how)) return ok(untold.id);
  return onlyId(await desk.call('queue.addPaths', { paths: [path], ...how }));
};

export const enterInput = async (
  desk: Desk,
  input: Input,
  name: string,
  how: How,
  signal: AbortSignal,
): Promise<Result<ItemId>> => {
  const path = await receiveFile(input, desk, signal);
  return path.ok ? onlyId(await desk.call('queue.addSpooled', { path: path.value, name, ...how })) : path;
};

export const enterNote = async (desk: Desk, note: CommandInput<'note.add'>): Promise<Result<ItemId>> => {
  const unfinished = await findUnfinishedNote(desk, note);
  if (unfinished) {
    await goOn(desk, [unfinished]);
    return ok(unfinished.id);
  }
  const added = await desk.call('note.add', note);
  return added.ok ? ok(added.value.id) : added;
};

const onlyId = (added: Result<{ readonly ids: readonly ItemId[] }>): Result<ItemId> => {
  if (!added.ok) return added;
  const [id] = added.value.ids;
  return id ? ok(id) : err(failure('APP_FAILED', 'It got no place in the queue. Try again.'));
};
