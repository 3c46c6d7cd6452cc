/**
 * Adds new items to the queue, all or none: checks each source and its link settings, and persists the items before the
 * call resolves.
 */
import { basename, resolve } from 'node:path';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';
import type { Job, QueueItem, QueueItemIn, Source } from '../../ipc/protocol/queue-item.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { ItemOwner } from '../account/connections.ts';
import type { AddedBy, NewItem, QueueApi } from '../engine-interface.ts';
import type { Clock, Random } from '../ports.ts';
import type { Spool } from '../profile/spool.ts';
import { isLocked, type OpenSource, type OpenSourceAt } from '../upload/upload-source.ts';
import type { Passwords } from './link/link-passwords.ts';
import { type RequestedSettings, requestedSettingsOf } from './link/requested-link-settings.ts';
import type { QueueStore } from './queue-store.ts';

export interface AddDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: QueueStore;
  readonly spool: Spool;
  readonly passwords: Passwords;
  readonly openSource: OpenSourceAt;
  readonly isFolder: (path: string) => Promise<boolean>;
  readonly settings: () => Settings;
  /** An item added under an account is never sent under another one. */
  readonly owner: () => ItemOwner;
  readonly onAdded: (items: readonly QueueItem[]) => void;
}

const FILE: Job = { kind: 'file', fit: null };
const FOLDER: Job = { kind: 'folder' };

const ATTEMPTS = 8;
const RETRY_MS = 250;
const NEVER = new AbortController().signal;

/** All or nothing. Errors: as `queue.add`. */
const addItems = async (deps: AddDeps, added: readonly NewItem[], by: AddedBy): Promise<Result<readonly ItemId[]>> => {
  const guarded: ItemId[] = [];
  const items = await insertItems(deps, added, { by, guarded });
  if (!items.ok) {
    for (const id of guarded) await deps.passwords.discard(id);
    return items;
  }
  deps.onAdded(items.value);
  return ok(items.value.map(({ id }) => id));
};

const settingsOf = ({ settings, owner, clock }: AddDeps, share: LinkSettings): RequestedSettings =>
  requestedSettingsOf(share, settings(), { account: owner().account, now: clock.now() });

/** Adds to `guarded` the items whose password is kept. */
const insertItems = async (
  deps: AddDeps,
  added: readonly NewItem[],
  { by, guarded }: { readonly by: AddedBy; readonly guarded: ItemId[] },
): Promise<Result<readonly QueueItem[]>> => {
  const items: QueueItemIn<'queued'>[] = [];
  for (const { source, name, share = {}, job: requestedJob, origin, isReviewed, printPending } of added) {
    const path = resolve(source.path);
    const found = await inspect(deps, { ...source, path }, requestedJob);
    if (!found.ok) return err({ ...found.error, params: { ...found.error.params, name } });
    const { job, size } = found.value;
    const admitted = source.owner === 'spool' ? await deps.spool.admit(path) : null;
    if (admitted?.ok === false) return admitted;
    const id = deps.random.uuid() as ItemId;
    const { account, meantFor } = deps.owner();
    const { password, fields, postPublish, refusal } = settingsOf(deps, share);
    if (refusal?.of === 'user') return err(refusal.failure);
    if (password) {
      const kept = await deps.passwords.keep(id, password);
      if (!kept.ok) return kept;
      guarded.push(id);
    }
    items.push({
      id,
      state: 'queued',
      accountId: account?.user.id ?? null,
      ...(meantFor && { meantFor }),
      // It is published: a path would tell the user's folders. A note has a title instead of a file name.
      name: (job.kind === 'note' ? name : basename(name)) || 'file',
      size,
      source: { owner: source.owner, path },
      ...(origin && { origin }),
      ...(isReviewed && { isReviewed }),
      ...(printPending && { printPending }),
      job,
      body: null,
      share: fields,
      postPublish,
      position: deps.store.end() + items.length,
      createdAt: deps.clock.now(),
      intent: 'run',
      attempts: 0,
      error: refusal && { failure: refusal.failure, since: deps.clock.now(), retryAt: null },
    });
  }
  const inserted = deps.store.insert(items, ({ origin, size }) => ({ kind: 'added', by: origin ?? by, size }));
  return inserted.ok ? ok(items) : inserted;
};

export interface ItemAdder extends Pick<QueueApi, 'add' | 'addPaths' | 'addSpooled'> {
  /** Why `add` would refuse these link settings now; null: it would not. */
  refusalOf(share: LinkSettings): Failure | null;
}

export const createItemAdder = (deps: AddDeps): ItemAdder => {
  const addByCommand = async (items: readonly NewItem[]): Promise<Result<{ ids: ItemId[] }>> => {
    const added = await addItems(deps, items, 'command');
    return added.ok ? ok({ ids: [...added.value] }) : added;
  };
  return {
    refusalOf(share) {
      const { refusal } = settingsOf(deps, share);
      return refusal?.of === 'user' ? refusal.failure : null;
    },
    add: (items, by = 'window') => addItems(deps, items, by),
    addPaths: ({ paths, ...how }) =>
      addByCommand(paths.map((path) => ({ source: { owner: 'user', path }, name: basename(path), ...how }))),
    addSpooled: ({ path, name, ...how }) => addByCommand([{ source: { owner: 'spool', path }, name, ...how }]),
  };
};

/** Determines the job for a path and its size in bytes. The size of a folder is known only once it is packed. */
const inspect = async (
  deps: AddDeps,
  { owner, path }: Source,
  requestedJob: Job | undefined,
): Promise<Result<{ readonly job: Job; readonly size: number }>> => {
  const isFolder = await deps.isFolder(path);
  const job = requestedJob ?? (isFolder ? FOLDER : FILE);
  if (job.kind === 'folder' && isFolder) return ok({ job, size: 0 });
  const found = await openUnlocked(deps, path);
  if (!found.ok) return found;
  await found.value.close();
  // A folder in the spool is one bundle file from a page.
  return job.kind === 'folder' && owner === 'user'
    ? err(failure('SOURCE_NOT_A_FOLDER', 'This is a file, not a folder.'))
    : ok({ job, size: found.value.size });
};

/** Retries while a virus scanner locks a file that was just saved. */
const openUnlocked = async ({ openSource, clock }: AddDeps, path: string): Promise<Result<OpenSource>> => {
  let opened = await openSource(path);
  for (let attempt = 0; attempt < ATTEMPTS && !opened.ok && isLocked(opened.error); attempt++) {
    await clock.sleep(RETRY_MS, NEVER);
    opened = await openSource(path);
  }
  return opened;
};
