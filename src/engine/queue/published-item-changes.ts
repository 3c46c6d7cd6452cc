/**
 * Applies changes of published items to their rows in the queue. Also tells whether link settings of a published item
 * are still to be applied.
 */

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
  markDelivered(id) {
    const item = store.get(id);
    if (item?.state === 'linked' && item.deliveredAt === null) store.note({ ...item, deliveredAt: clock.now() });
  },
  remove(id) {
    if (store.get(id)?.state === 'linked') store.remove(id, null);
  },
  isPublishing: (id) => store.all().some((item) => item.state === 'published' && item.content.id === id),
});
