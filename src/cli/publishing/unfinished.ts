/** What earlier commands left in the queue: it goes on instead of being published twice. */
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { CommandInput } from '../../contract/app/ipc.ts';
import type { LinkSettings } from '../../contract/app/link-settings.ts';
import type { Job, QueueItem } from '../../contract/app/queue-item.ts';
import type { Desk } from '../desk/desk.ts';

export const isLeft = (item: QueueItem): boolean =>
  item.state !== 'linked' && item.state !== 'unreadable' && item.intent !== 'cancel';

/** Takes away what holds the items back: a pause, or a trouble that waited for a person. */
export const goOn = async (desk: Desk, items: readonly QueueItem[]): Promise<void> => {
  const paused = items.filter(({ intent }) => intent === 'pause').map(({ id }) => id);
  const stuck = items.filter(({ trouble }) => trouble !== null).map(({ id }) => id);
  if (paused.length > 0) await desk.call('queue.resume', { ids: paused });
  if (stuck.length > 0) await desk.call('queue.retry', { ids: stuck });
};

/** Of this account, or of none yet. */
const leftOfAccount = (desk: Desk): readonly QueueItem[] => {
  const { connection, queue } = desk.state();
  const account = connection.state === 'none' ? undefined : connection.account?.user.id;
  return queue.items.filter((item) => isLeft(item) && (item.accountId === null || item.accountId === account));
};

/** The same file or folder from an earlier command that was interrupted. */
export const findUnfinished = (desk: Desk, path: string): QueueItem | undefined =>
  leftOfAccount(desk).find(({ source }) => source.owner === 'person' && source.path === path);

/** The same text from an earlier command that was interrupted. */
export const findUnfinishedNote = async (
  desk: Desk,
  { text, share = {}, format, language }: CommandInput<'note.add'>,
): Promise<QueueItem | undefined> => {
  for (const item of leftOfAccount(desk)) {
    const { job, source } = item;
    if (job.kind !== 'note' || source.owner !== 'spool') continue;
    const wanted = { ...job, ...(format && { format }), ...(language && { language }) };
    if (isEnteredWith(item, { share, job: wanted }) && (await readFile(source.path, 'utf8').catch(() => null)) === text)
      return item;
  }
  return undefined;
};

/** Whether the item was entered with everything that is wanted now. Passwords cannot be compared, so one never was. */
export const isEnteredWith = (
  item: QueueItem,
  { share: { password, ...wanted }, job }: { readonly share: LinkSettings; readonly job: Job },
): boolean =>
  password === undefined &&
  isDeepStrictEqual(item.job, job) &&
  isDeepStrictEqual({ ...item.share, ...item.afterwards, ...wanted }, { ...item.share, ...item.afterwards });
