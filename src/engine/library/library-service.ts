/** The library feature: search, change, delete, sync and link published items. */

import type { Content } from '../../api/content.ts';
import type { Failure, Result } from '../../api/errors.ts';
import type { AccountId, ItemId } from '../../api/ids.ts';
import type { LibraryItem } from '../../ipc/protocol/state.ts';
import type { Session } from '../account/account-session.ts';
import type { Clipboard, Clock, Opener, Random } from '../ports.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import { type Changes, createChanges, type LinkedRows } from './change-items.ts';
import { createContentReader } from './content-reader.ts';
import { createLinks } from './copy-link.ts';
import { createDeletions } from './delayed-deletions.ts';
import type { ItemAnswer, LibraryApi } from './library-api.ts';
import type { Library } from './library-store.ts';
import { createSync } from './library-sync.ts';
import { createPresets } from './presets.ts';
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
  readonly notify: (failure: Failure) => void;
  /** Free bytes on the disk of the profile; null: unknown. */
  readonly freeBytes: () => Promise<number | null>;
}

export interface LibraryService {
  readonly commands: LibraryApi;
  readonly changes: Changes;
  /** Call when the service is reachable: executes pending deletions. */
  connected(): void;
  /** Executes pending deletions, for a few seconds at most. */
  close(): Promise<void>;
}

export const createLibraryService = (deps: LibraryServiceDeps): LibraryService => {
  const { clock, library, settings } = deps;
  const changes = createChanges(deps);
  const deletions = createDeletions({ ...deps, sessionOf: changes.sessionOf });

  const commands: LibraryApi = {
    ...createLinks({ ...deps, settings: settings.get }),
    ...createContentReader({ library, sessionOf: changes.sessionOf }),
    ...createPresets(deps),
    search: (query) => library.search(query, clock.now()),
    findItem: (link) => library.get(link as ItemId) ?? library.byContent(contentIdOf(link)),
    refreshItems: (ids, signal) => each(ids, (id) => changes.refresh(id, signal)),
    updateItems: (ids, change, signal) => each(ids, (id) => changes.update(id, change, signal)),
    deleteItems: (ids, when, signal) => each(ids, (id) => deletions.delete(id, when, signal)),
    undeleteItems: (ids) => ids.map(deletions.undelete),
    forgetItems(ids) {
      for (const id of ids) {
        library.remove(id);
        deps.thumbnails.remove(id).catch(() => {});
      }
      deps.onChange();
    },
    syncLibrary: createSync(deps),
  };
  deletions.wake();
  return { commands, changes, connected: deletions.wake, close: deletions.close };
};

/** Sequentially: the service counts requests, and a batch must not delay uploads. */
const each = async (ids: readonly ItemId[], act: (id: ItemId) => Promise<ItemAnswer>): Promise<ItemAnswer[]> => {
  const answers: ItemAnswer[] = [];
  for (const id of ids) answers.push(await act(id));
  return answers;
};

/** `https://host/s/abc?v=2` and `abc` identify the same item. */
const contentIdOf = (link: string): Content['id'] => {
  const path = URL.parse(link)?.pathname ?? link;
  return (path.split('/').filter(Boolean).at(-1) ?? '') as Content['id'];
};
