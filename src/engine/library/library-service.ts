/**
 * Assembles the library feature: searches, reads, changes, deletes and syncs published items, copies and opens their
 * links, and has the presets of link settings.
 */

import type { Content } from '../../api/content.ts';
import { type Failure, ok, type Result } from '../../api/errors.ts';
import type { AccountId, ItemId } from '../../api/ids.ts';
import { diskFull, isDiskFull } from '../../common/disk-full.ts';
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';
import type { Session } from '../account/account-session.ts';
import type { CommandsOf } from '../command-types.ts';
import { DONE } from '../empty-result.ts';
import type { Clipboard, Clock, Opener, Random } from '../ports.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import { type Changes, createChanges, type LinkedRows } from './change-items.ts';
import { createContentReader } from './content-reader.ts';
import { createLinks } from './copy-or-open-links.ts';
import { createDeletions } from './delayed-deletions.ts';
import type { ItemAnswer, LibraryApi } from './library-interface.ts';
import type { Library } from './library-store.ts';
import { createSync } from './library-sync.ts';
import { createPresets } from './link-presets.ts';
import type { Thumbnails } from './thumbnails.ts';

export interface LibraryServiceDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly clipboard: Clipboard | null;
  readonly opener: Opener;
  readonly library: Library;
  readonly rows: LinkedRows;
  readonly settings: SettingsStore;
  readonly thumbnails: Thumbnails;
  readonly session: (accountId: AccountId | null) => Result<Session>;
  /** Items have changed, so search results may be outdated. */
  readonly onChange: () => void;
  readonly onNewLink: (before: LibraryItem, now: LibraryItem) => void;
  readonly readPictures: LibraryApi['readPictures'];
  readonly notify: (failure: Failure) => void;
  /** Free bytes on the disk of the profile; null: unknown. */
  readonly freeBytes: () => Promise<number | null>;
}

export interface LibraryService {
  readonly commands: LibraryApi;
  readonly links: CommandsOf<'link'>;
  readonly presets: CommandsOf<'preset'>;
  readonly changes: Changes;
  /** Executes deletions that were pending at the end of the last run. */
  start(): void;
  /** Call when the service is reachable: executes pending deletions. */
  connected(): void;
  /** Executes pending deletions, for a few seconds at most. */
  close(): Promise<void>;
}

export const createLibraryService = (deps: LibraryServiceDeps): LibraryService => {
  const { clock, library, settings } = deps;
  const changes = createChanges(deps);
  const deletions = createDeletions({ ...deps, sessionOf: changes.sessionOf });

  /** A full disk is reported for each item that it affects: the rest of a batch may succeed. */
  const onFullDisk = (id: ItemId, error: unknown): ItemAnswer => {
    if (!isDiskFull(error)) throw error;
    return { id, item: library.get(id), failure: diskFull() };
  };

  /** Sequentially: the service counts requests, and a batch must not delay uploads. */
  const each = async (
    ids: readonly ItemId[],
    act: (id: ItemId) => Promise<ItemAnswer>,
  ): Promise<Result<{ answers: ItemAnswer[] }>> => {
    const answers: ItemAnswer[] = [];
    for (const id of ids) answers.push(await act(id).catch((error: unknown) => onFullDisk(id, error)));
    return ok({ answers });
  };

  const commands: LibraryApi = {
    ...createContentReader({ library, sessionOf: changes.sessionOf }),
    search: (query) => ok(library.search(query, clock.now())),
    readPictures: deps.readPictures,
    find: ({ link }) => ok({ item: library.get(link as ItemId) ?? library.byContent(contentIdOf(link)) }),
    refresh: ({ ids }, signal) => each(ids, (id) => changes.refresh(id, signal)),
    update: ({ ids, change }, signal) => each(ids, (id) => changes.update(id, change, signal)),
    delete: ({ ids, when }, signal) => each(ids, (id) => deletions.delete(id, when, signal)),
    undelete({ ids }) {
      return ok({
        answers: ids.map((id) => {
          try {
            return deletions.undelete(id);
          } catch (error) {
            return onFullDisk(id, error);
          }
        }),
      });
    },
    forget({ ids }) {
      library.remove(...ids);
      for (const id of ids) deps.thumbnails.remove(id).catch(() => {});
      deps.onChange();
      return DONE;
    },
    sync: createSync(deps),
    thumbnail: deps.thumbnails.path,
  };
  return {
    start: deletions.wake,
    commands,
    links: createLinks({ ...deps, settings: settings.get }),
    presets: createPresets(deps),
    changes,
    connected: deletions.wake,
    close: deletions.close,
  };
};

/** `https://host/s/abc?v=2` and `abc` identify the same item. */
const contentIdOf = (link: string): Content['id'] => {
  const path = URL.parse(link)?.pathname ?? link;
  return (path.split('/').filter(Boolean).at(-1) ?? '') as Content['id'];
};
