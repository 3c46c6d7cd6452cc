/** Hands a link to the person once: to the clipboard if they want that, to the page, and as a notice. */
import type { QueueItemIn } from '../contract/queue-item.ts';
import type { Effective } from '../contract/settings.ts';
import type { EngineEvent } from './door.ts';
import type { Clipboard, Clock, Notifier } from './ports.ts';
import type { QueueStore } from './queue/store.ts';

export interface DeliveryDeps {
  readonly clock: Clock;
  readonly clipboard: Clipboard | null;
  readonly notifier: Notifier;
  readonly store: QueueStore;
  readonly effective: () => Effective;
  readonly emit: (event: EngineEvent) => void;
}

export interface Delivery {
  deliver(item: QueueItemIn<'linked'>): Promise<void>;
  /** After a crash between the link and its delivery. A link from long ago must not overwrite today's clipboard. */
  deliverLeftOver(): void;
}

const LEFT_OVER_MS = 5 * 60_000;

export const createDelivery = (deps: DeliveryDeps): Delivery => {
  const { clock, store } = deps;
  const deliver = async (item: QueueItemIn<'linked'>) => {
    const { id, name, content } = item;
    deps.emit({ type: 'linked', id, url: content.url, name });
    deps.notifier.linked({ id, name, url: content.url });
    const copied = deps.effective().copyLink ? await deps.clipboard?.writeText(content.url) : undefined;
    const now = store.get(id);
    if (now?.state === 'linked' && copied?.ok !== false) store.note({ ...now, deliveredAt: clock.now() });
  };
  return {
    deliver,
    deliverLeftOver() {
      for (const item of store.all()) {
        const isLeft = item.state === 'linked' && item.deliveredAt === null;
        if (isLeft && clock.now() - item.linkedAt < LEFT_OVER_MS) deliver(item).catch(() => {});
      }
    },
  };
};
