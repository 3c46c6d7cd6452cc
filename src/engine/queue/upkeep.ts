/** Keeps the profile in order: frees what a finished item held, and finds again what a damaged database forgot. */
import { failure } from '../../contract/errors.ts';
import type { ItemId } from '../../contract/ids.ts';
import type { QueueItem } from '../../contract/queue-item.ts';
import type { Thumbnails } from '../library/thumbnails.ts';
import type { Clock, Random } from '../ports.ts';
import type { Spool } from '../profile/spool.ts';
import { hasWork } from './item.ts';
import type { Passwords } from './passwords.ts';
import type { QueueStore } from './store.ts';

export interface Held {
  readonly spool: Spool;
  readonly passwords: Passwords;
  readonly thumbnails: Thumbnails;
}

/**
 * The item needs its password and its spooled files no more. Runs in the background; a file that stays behind is swept
 * at a later start.
 */
export const releaseItem = (item: QueueItem, { spool, passwords, thumbnails }: Held): void => {
  const owned = [item.source.owner === 'spool' ? item.source.path : null, item.body?.path ?? null];
  const freed = thumbnails
    .made()
    .then(() => Promise.all(owned.map((path) => (path === null ? undefined : spool.remove(path)))));
  Promise.all([passwords.forget(item.id), freed]).catch(() => {});
};

/** Small pictures for items that were added just before a crash. */
export const makeMissingThumbnails = (store: QueueStore, thumbnails: Thumbnails): void => {
  for (const item of store.all()) {
    if (hasWork(item) && thumbnails.path(item.id) === null) thumbnails.make(item.id, item.source.path, item.size);
  }
};

/** Puts the files of the spool back into an emptied queue: paused, because nobody knows what was wanted of them. */
export const recoverSpool = async ({
  clock,
  random,
  store,
  spool,
}: {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: QueueStore;
  readonly spool: Spool;
}): Promise<void> => {
  const files = await spool.list();
  store.insert(
    files.map(({ path, name, size }, index) => ({
      id: random.uuid() as ItemId,
      state: 'queued',
      accountId: null,
      name,
      size,
      source: { owner: 'spool', path },
      job: { kind: 'file', fit: null },
      body: null,
      share: {},
      position: store.end() + index,
      createdAt: clock.now(),
      intent: 'pause',
      attempts: 0,
      trouble: {
        failure: failure(
          'PROFILE_DAMAGED',
          'This file was found again after the list of uploads was damaged. Continue or remove it.',
        ),
        since: clock.now(),
        retryAt: null,
      },
    })),
  );
};

/** Finished items that the queue goes on showing; all of them are in the library. */
const FINISHED_SHOWN = 100;

export const trimQueue = (store: QueueStore): void => {
  const finished = store.all().filter((item) => item.state === 'linked' && item.deliveredAt !== null);
  for (const { id } of finished.slice(0, Math.max(0, finished.length - FINISHED_SHOWN))) store.remove(id, null);
};

/** Whether a file of the spool is an item's: its source, or what was made of it. */
export const isHeld = (store: QueueStore, path: string): boolean =>
  store.all().some(({ source, body }) => source.path === path || body?.path === path);
