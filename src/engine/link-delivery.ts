/**
 * Delivers a finished link to the user: by an event for the page, a notification and, if enabled, the clipboard. In an
 * engine that the command line opened itself, nothing is copied, and the link counts as delivered once the command
 * confirms it. Also delivers links of the last five minutes that a crash left undelivered, and replaces a changed link
 * that is still on the clipboard.
 */

import { formatLinks, type LinkItem } from '../ipc/protocol/format-links.ts';
import { isRecentLink } from '../ipc/protocol/link-age.ts';
import type { QueueItemIn } from '../ipc/protocol/queue-item.ts';
import type { Effective, Settings } from '../ipc/protocol/settings.ts';
import type { CommandsOf } from './command-types.ts';
import { DONE } from './empty-result.ts';
import type { EngineDeps, EngineEvent } from './engine-interface.ts';
import type { Clipboard, Clock, Notifier } from './ports.ts';
import type { QueueStore } from './queue/queue-store.ts';

export interface DeliveryDeps {
  /** As in `EngineDeps`. */
  readonly by: EngineDeps['delivery'];
  readonly clock: Clock;
  readonly clipboard: Clipboard | null;
  readonly notifier: Notifier;
  readonly store: QueueStore;
  readonly settings: () => Settings;
  readonly effective: () => Effective;
  readonly emit: (event: EngineEvent) => void;
}

export interface LinkDelivery {
  deliver(item: QueueItemIn<'linked'>): Promise<void>;
  /**
   * Marks the links as printed by a command, which no longer waits for them. Records a timeline event only where the
   * command is the one that delivers.
   */
  readonly markDelivered: CommandsOf<'queue'>['markDelivered'];
  /** After a crash between publishing and delivery. */
  deliverPending(): void;
  /**
   * Call when an item's link has changed: replaces the old link on the clipboard, if it is still there and can be read.
   */
  replace(before: LinkItem, now: LinkItem): void;
}

export const createLinkDelivery = (deps: DeliveryDeps): LinkDelivery => {
  const { clock, clipboard, store } = deps;
  const textOf = (item: LinkItem) => {
    const { linkFormat, linkTemplate } = deps.settings();
    return formatLinks([item], { format: linkFormat, template: linkTemplate });
  };
  const deliver = async (item: QueueItemIn<'linked'>) => {
    const { id, name, content } = item;
    const text = textOf(item);
    deps.emit({ type: 'linked', id, url: content.url, name, text });
    deps.notifier.linked({ id, name, url: content.url });
    if (deps.by === 'by command') return;
    const copied = deps.effective().copyLink ? await deps.clipboard?.writeText(text) : undefined;
    const now = store.get(id);
    if (now?.state !== 'linked' || copied?.ok === false) return;
    const delivered = { ...now, deliveredAt: clock.now(), ...(copied && { isCopied: true as const }) };
    store.note(delivered, { kind: 'delivered', how: copied ? 'copied' : 'shown' });
  };
  const replace = async (before: LinkItem, now: LinkItem) => {
    const current = await clipboard?.readText?.();
    if (current?.ok && current.value === textOf(before)) await clipboard?.writeText(textOf(now));
  };
  return {
    deliver,
    markDelivered({ ids }) {
      for (const id of ids) {
        const item = store.get(id);
        if (item?.state !== 'linked') continue;
        const { printPending, ...printed } = item;
        if (deps.by === 'by command' && item.deliveredAt === null)
          store.note({ ...printed, deliveredAt: clock.now() }, { kind: 'delivered', how: 'shown' });
        else if (printPending) store.note(printed);
      }
      return DONE;
    },
    replace: (before, now) => void replace(before, now).catch(() => {}),
    deliverPending() {
      for (const item of store.all()) {
        const isLeft = item.state === 'linked' && item.deliveredAt === null;
        if (isLeft && isRecentLink(item.linkedAt, clock.now())) deliver(item).catch(() => {});
      }
    },
  };
};
