/** The only door to the app's behaviour. A host gives ports and a profile folder; everything else happens inside. */

import type { ShareFields } from '../contract/content.ts';
import { type Failure, ok, type Result } from '../contract/errors.ts';
import type { ItemId } from '../contract/ids.ts';
import type { AppEvent, AppState, CommandInput, CommandOutput, Connection } from '../contract/ipc.ts';
import type { QueueItem, Source } from '../contract/queue-item.ts';
import type { Settings } from '../contract/settings.ts';
import { createConnection } from './account/connection.ts';
import { createDelivery } from './deliver.ts';
import { createEvents } from './events.ts';
import { createLinks } from './library/links.ts';
import { createLibrary } from './library/store.ts';
import { createThumbnails } from './library/thumbnails.ts';
import type { Clipboard, Clock, Notifier, Opener, Random, SecretStore } from './ports.ts';
import { openProfile } from './profile/database.ts';
import { lockProfile } from './profile/lock.ts';
import { createNotices } from './profile/notices.ts';
import { makePrivateDir, openSpool } from './profile/spool.ts';
import { addItems } from './queue/add.ts';
import { createQueueCommands } from './queue/commands.ts';
import { createLiveItems } from './queue/live.ts';
import { createPasswords } from './queue/passwords.ts';
import { createPausedFact } from './queue/paused.ts';
import { createRunner } from './queue/runner.ts';
import { waitUntilSettled } from './queue/settled.ts';
import { createQueueStore } from './queue/store.ts';
import { makeMissingThumbnails, recoverSpool, releaseItem, trimQueue } from './queue/upkeep.ts';
import { createSettings } from './settings/store.ts';
import { createBuffers } from './upload/buffers.ts';

export interface EngineDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: SecretStore;
  /** Null where only the page reaches the clipboard; it then follows the `linked` event. */
  readonly clipboard: Clipboard | null;
  readonly notifier: Notifier;
  readonly opener: Opener;
  /** Folder of the profile (made with mode 0700): queue, library, settings, spool, thumbnails, lock. */
  readonly profileDir: string;
  readonly version: string;
}

/** A file to publish. A `spool` source must lie in `engine.spoolDir` and is removed once published. */
export interface NewItem {
  readonly source: Source;
  readonly name: string;
  readonly share?: ShareFields;
}

/** What the engine knows; the host adds its capabilities to make the whole `AppState`. */
export type EngineState = Omit<AppState, 'capabilities'>;
export type EngineEvent =
  | { readonly type: 'state'; readonly state: EngineState }
  | Exclude<AppEvent, { type: 'state' }>;

export interface ConnectRequest {
  /** Address of the service; https, or http on loopback only. */
  readonly server: string;
  readonly key: string;
  /** `store`: in the SecretStore. `embedded`, `session`: in memory only, and the stored connection is left as it is. */
  readonly keep: 'store' | 'session' | 'embedded';
}

export interface Engine {
  /** Folder for files that the app owns, mode 0700; files in it are 0600. */
  readonly spoolDir: string;
  state(): EngineState;
  /** Full snapshots, at most ten a second, and each link. Answers its own undo. */
  on(listener: (event: EngineEvent) => void): () => void;

  /** Checks each file and writes its row before it answers; from then on a crash loses nothing. */
  add(items: readonly NewItem[]): Promise<Result<readonly ItemId[]>>;
  pause(ids: readonly ItemId[]): void;
  resume(ids: readonly ItemId[]): void;
  retry(ids: readonly ItemId[]): void;
  cancel(ids: readonly ItemId[]): void;
  dismiss(ids: readonly ItemId[]): void;
  move(id: ItemId, before: ItemId | null): void;
  pauseAll(): void;
  resumeAll(): void;

  search(query: CommandInput<'library.search'>): CommandOutput<'library.search'>;
  copyLink(id: ItemId): Promise<Result<{ readonly url: string }>>;
  openLink(id: ItemId): Promise<Result<void>>;

  /** Checks address and key with the service before it stores anything. */
  connect(request: ConnectRequest, signal: AbortSignal): Promise<Result<Connection>>;
  disconnect(): Promise<Connection>;
  /** Reads the account again: after a wait, from a sleep, or because the person asked. */
  refresh(signal: AbortSignal): Promise<Connection>;

  updateSettings(change: Partial<Settings>): Result<Settings>;
  dismissNotices(): void;
  /** Path of the item's thumbnail (WebP, at most 320 px), or null where there is none (yet). */
  thumbnail(id: ItemId): string | null;

  /**
   * Waits until the item is linked, is cancelled, or has a trouble that only a person can mend. A passing fault is
   * waited out for `patienceMs` without progress, then its failure is answered; the item stays in the queue.
   */
  settled(id: ItemId, patienceMs: number, signal: AbortSignal): Promise<Result<QueueItem, Failure>>;

  /** Stops the work in flight and closes the profile. Everything is already durable; what runs is resumed next time. */
  close(): Promise<void>;
}

/**
 * Opens the profile and goes on with whatever its queue holds. Errors: PROFILE_BUSY (another process owns it),
 * PROFILE_NEWER, DISK_FULL.
 */
export const createEngine = async (deps: EngineDeps): Promise<Result<Engine>> => {
  const { clock, random, secrets, profileDir } = deps;
  makePrivateDir(profileDir);
  const lock = lockProfile(profileDir);
  if (!lock.ok) return lock;
  const opened = openProfile(profileDir, clock);
  if (!opened.ok) {
    lock.value.release();
    return opened;
  }
  const profile = opened.value;

  const state = (): EngineState => ({
    version: deps.version,
    connection: connection.state(),
    queue: { items: [...store.all()], live: live.all(), paused: paused.read() },
    settings: settings.get(),
    notices: [...notices.all()],
  });
  const events = createEvents(clock, state);
  const { changed } = events;

  const settings = createSettings(profile, changed);
  const notices = createNotices(profile, changed);
  const library = createLibrary(profile);
  const thumbnails = createThumbnails(profileDir, events.moved);
  const spool = openSpool(profileDir, clock);
  const store = createQueueStore(profile, library, changed);
  const live = createLiveItems(clock, events.moved);
  const passwords = createPasswords(profile, secrets);
  const paused = createPausedFact(profile);
  const held = { spool, passwords, thumbnails };
  const delivery = createDelivery({ ...deps, store, settings: settings.get, emit: events.emit });
  const connection = await createConnection({
    ...deps,
    profile,
    onChange: changed,
    onConnected: () => runner.connected(),
  });
  const runner = createRunner({
    ...{ clock, random, store, live, passwords, buffers: createBuffers() },
    session: connection.session,
    itemsAtOnce: () => settings.get().itemsAtOnce,
    paused: paused.read,
    report: connection.report,
    onLinked(item) {
      delivery.deliver(item).catch(() => {});
      releaseItem(item, held);
      connection.refreshSoon();
    },
    onCancelled(item) {
      releaseItem(item, held);
      thumbnails.remove(item.id).catch(() => {});
      events.emit({ type: 'cancelled', id: item.id });
    },
  });

  if (profile.damage) {
    notices.add(profile.damage);
    await recoverSpool({ clock, random, store, spool });
  }
  trimQueue(store);
  makeMissingThumbnails(store, thumbnails);
  spool.sweep((path) => store.all().some(({ source }) => source.path === path)).catch(() => {});
  delivery.deliverLeftOver();
  runner.wake();

  return ok({
    spoolDir: spool.dir,
    state,
    on: events.on,
    async add(items) {
      const added = await addItems({ clock, random, store, spool, passwords, settings: settings.get }, items);
      if (!added.ok) return added;
      for (const { id, source, size } of added.value) thumbnails.make(id, source.path, size);
      runner.wake();
      return ok(added.value.map(({ id }) => id));
    },
    ...createQueueCommands(store, runner, paused, changed),
    search: library.search,
    ...createLinks(deps, library, store),
    connect: connection.connect,
    disconnect: connection.disconnect,
    refresh: connection.refresh,
    updateSettings(change) {
      const updated = settings.update(change);
      runner.wake();
      return updated;
    },
    dismissNotices: notices.dismiss,
    thumbnail: thumbnails.path,
    settled: (id, patienceMs, signal) => waitUntilSettled({ store, events, clock }, id, patienceMs, signal),
    async close() {
      events.close();
      await Promise.all([runner.close(), connection.close(), thumbnails.close()]);
      profile.database.close();
      lock.value.release();
    },
  });
};
