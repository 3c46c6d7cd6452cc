/**
 * Makes the thumbnails of items as they are added, prepared and published. A run of the command line makes none; the
 * previews of its images and videos are later downloaded from the service. Also makes the missing ones of unpublished
 * items, when the app starts and after the thumbnails were cleared.
 */

import type { ItemId } from '../../api/ids.ts';
import type { QueueItem, QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { ServiceThumbnails } from '../library/download-thumbnails.ts';
import type { Thumbnails } from '../library/thumbnails.ts';
import type { Prepare } from '../upload/preparation-types.ts';
import { hasWork } from './queue-item-states.ts';
import type { QueueStore } from './queue-store.ts';

export interface ItemThumbnailsDeps {
  readonly thumbnails: Pick<Thumbnails, 'make' | 'replace' | 'linked'>;
  readonly serviceThumbnails: Pick<ServiceThumbnails, 'add'>;
  /** A command shows no list: it leaves the thumbnails to the service's previews. */
  readonly isCommand: boolean;
  /** Whether items get their links soon; their thumbnails then wait for that. */
  readonly isUploading: () => boolean;
}

export interface ItemThumbnails {
  added(items: readonly QueueItem[]): void;
  /** The user has made another picture of it, without what the first one showed. */
  replaced(item: QueueItem): void;
  /** The preparation, followed by the thumbnail of what it made. */
  afterPreparing(prepare: Prepare): Prepare;
  linked(item: QueueItemIn<'linked'>): void;
}

export const createItemThumbnails = (deps: ItemThumbnailsDeps): ItemThumbnails => {
  const { thumbnails, serviceThumbnails, isCommand, isUploading } = deps;
  const when = () => (isUploading() ? 'once linked' : 'now');
  const make = (id: ItemId, path: string): void => {
    if (!isCommand) thumbnails.make(id, path, when());
  };
  return {
    added(items) {
      for (const { id, source } of items) make(id, source.path);
    },
    replaced: ({ id, source }) => thumbnails.replace(id, source.path, when()),
    afterPreparing: (prepare) => async (item, context, signal) => {
      const body = await prepare(item, context, signal);
      if (body.ok && body.value) make(item.id, body.value.path);
      return body;
    },
    linked({ id, content: { type } }) {
      if (isCommand && (type === 'IMAGE' || type === 'VIDEO')) serviceThumbnails.add(id);
      else thumbnails.linked(id);
    },
  };
};

/** Renders the thumbnails that unpublished items lack. */
export const makeMissingThumbnails = (store: QueueStore, thumbnails: Thumbnails): void => {
  for (const item of store.all()) {
    if (hasWork(item) && thumbnails.path(item.id) === null)
      thumbnails.make(item.id, item.body?.path ?? item.source.path, 'now');
  }
};
