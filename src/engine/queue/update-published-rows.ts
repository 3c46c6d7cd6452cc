/**
 * Updates the queue rows of published items when the library changes an item: replaces the content, marks the link as
 * copied, or removes the row. Also checks whether a published item still waits for link settings that are applied
 * after publishing.
 */

import { ok } from '../../api/errors.ts';
import type { LinkedRows } from '../library/change-items.ts';
import type { Clock } from '../ports.ts';
import type { QueueStore } from './queue-store.ts';

export interface LinkedRowsDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly store: QueueStore;
}

export const createLinkedRows = ({ clock, store }: LinkedRowsDeps): LinkedRows => ({
  update(id, content) {
    const item = store.get(id);
    if (item?.state === 'linked') store.note({ ...item, content });
  },
  markCopied(id) {
    const item = store.get(id);
    if (item?.state === 'linked' && !item.isCopied)
      store.note({ ...item, deliveredAt: item.deliveredAt ?? clock.now(), isCopied: true });
  },
  remove: (id) => (store.get(id)?.state === 'linked' ? store.remove(id, null) : ok(undefined)),
  isPublishing: (id) => store.all().some((item) => item.state === 'published' && item.content.id === id),
});
