/**
 * Downloads the service's previews as thumbnails for items that the command line has published. The command line does
 * not render thumbnails, because its caller waits; the app fetches them the next time it runs.
 */
import { buffer } from 'node:stream/consumers';
import Type from 'typebox';
import type { Result } from '../../api/errors.ts';
import { ItemId } from '../../api/ids.ts';
import type { Session } from '../account/account-session.ts';
import type { Clock } from '../ports.ts';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';
import type { Library } from './library-store.ts';
import type { Thumbnails } from './thumbnails.ts';

export interface ServiceThumbnails {
  /** Adds an item that gets no thumbnail locally. */
  add(id: ItemId): void;
  /** Downloads the previews of the added items. Missing ones are requested again with increasing pauses. */
  download(signal: AbortSignal): Promise<void>;
  /** Items that have got theirs since the process began, the last 200. */
  downloaded(): readonly ItemId[];
}

export interface ServiceThumbnailsDeps {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly profile: Profile;
  readonly library: Pick<Library, 'get'>;
  readonly thumbnails: Pick<Thumbnails, 'path' | 'put'>;
  readonly sessionOf: (id: ItemId) => Result<Session>;
}

/** Older entries belong to items that the user has not seen for months. */
const PENDING_MAX = 200;
/** Pause before missing previews are requested again; doubled each time. */
const PAUSE_MS = 5_000;
/**
 * Maximum number of rounds, 43 minutes in total. An item that has no preview in the last one counts as one without;
 * after other failures the next connection starts again.
 */
const PAUSES = 10;
/** Larger replies are not previews. */
const BYTES_MAX = 1024 * 1024;

export const createServiceThumbnails = (deps: ServiceThumbnailsDeps): ServiceThumbnails => {
  const { clock, profile, library, thumbnails, sessionOf } = deps;
  const persisted = createPersistedValue(profile, 'missingThumbnails', Type.Array(ItemId));
  const pending = (): readonly ItemId[] => persisted.read() ?? [];
  let downloaded: readonly ItemId[] = [];
  let isDownloading = false;

  /** False: the preview may be available later. */
  const downloadOne = async (id: ItemId, isLastTry: boolean, signal: AbortSignal): Promise<boolean> => {
    const item = library.get(id);
    if (!item || item.goneAt !== null || thumbnails.path(id) !== null) return true;
    const session = sessionOf(id);
    if (!session.ok) return false;
    const reply = await session.value.client.media({ id: item.content.id, kind: 'preview', range: null }, signal);
    // No preview, or not yet: the reply does not distinguish them.
    if (!reply.ok) return reply.error.code === 'CONTENT_GONE' || (isLastTry && reply.error.code === 'NOT_FOUND');
    const { type, length, body } = reply.value;
    if (type !== 'image/webp' || length === null || length > BYTES_MAX) {
      body.destroy();
      return true;
    }
    const preview = await buffer(body);
    // It may have been deleted meanwhile.
    if (library.get(id)) {
      downloaded = [...downloaded, id].slice(-PENDING_MAX);
      await thumbnails.put(id, preview);
    }
    return true;
  };

  return {
    add: (id) => persisted.note([...pending().filter((other) => other !== id), id].slice(-PENDING_MAX)),
    async download(signal) {
      if (isDownloading) return;
      isDownloading = true;
      try {
        for (let pause = 0; pause < PAUSES && pending().length > 0; pause++) {
          if (pause > 0) await clock.sleep(PAUSE_MS * 2 ** (pause - 1), signal);
          // The newest first, because they are at the top of the lists.
          for (const id of pending().toReversed()) {
            const isOver = await downloadOne(id, pause === PAUSES - 1, signal).catch(() => false);
            if (signal.aborted) return;
            if (isOver) persisted.note(pending().filter((other) => other !== id));
          }
        }
      } finally {
        isDownloading = false;
      }
    },
    downloaded: () => downloaded,
  };
};
