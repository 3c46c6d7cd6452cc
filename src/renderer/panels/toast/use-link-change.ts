/** Hook that changes the link settings of the item of a capture toast, and shows them before the service confirms. */
import { useId, useState } from 'react';
import { TTLS, type Ttl, type Visibility } from '../../../api/content.ts';
import type { Failure } from '../../../api/errors.ts';
import type { LinkSettings } from '../../../ipc/protocol/link-settings.ts';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import type { LinkChange, LinkOptionsValue } from '../../components/links/link-options.tsx';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';

/** Changes link settings, before or after publication. */
export const useLinkChange = (item: QueueItem) => {
  const { engine } = useAppStores();
  const visibility = useApp(({ effective }) => effective.visibility);
  const panelId = useId();
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  /** Applied optimistically; the item has the result when the response arrives. */
  const [pending, setPending] = useState<Partial<LinkOptionsValue>>({});
  const value = { ...linkOf(item, visibility), ...pending };
  const ids = [item.id];
  const change = async (update: LinkChange) => {
    setPending((others) => ({ ...others, ...update }));
    const asked =
      item.state === 'linked'
        ? await engine.ask('library.update', { ids, change: update })
        : await engine.ask('queue.setShare', { ids, change: update });
    // A change that was made meanwhile is still pending.
    setPending((others) => without(others, update));
    setFailure(asked.ok ? (asked.value.answers[0]?.failure ?? null) : asked.error);
  };
  return { panelId, isOpen, value, failure, change, toggle: () => setOpen((open) => !open) };
};

const without = (pending: Partial<LinkOptionsValue>, settled: LinkChange): Partial<LinkOptionsValue> =>
  Object.fromEntries(Object.entries(pending).filter(([name, value]) => settled[name as keyof LinkChange] !== value));

const DAY_MS = 86_400_000;
const TTL_MS: Record<Ttl, number> = { forever: 0, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS };
/** Tolerance for expiries: the service counts from publication, not from the item's creation. */
const NEAR_MS = DAY_MS / 2;

const termOf = (createdAt: string, expiresAt: string | null | undefined): Ttl | null => {
  if (expiresAt == null) return 'forever';
  const length = Date.parse(expiresAt) - Date.parse(createdAt);
  return TTLS.find((ttl) => ttl !== 'forever' && Math.abs(TTL_MS[ttl] - length) < NEAR_MS) ?? null;
};

/** The link settings of an item: as published, else as requested. */
export const linkOf = (item: QueueItem, visibility: Visibility | null): LinkOptionsValue => {
  if (item.state === 'linked') {
    const { content } = item;
    const endsAt = content.expiresAt == null ? null : new Date(content.expiresAt);
    const ttl = termOf(content.createdAt, content.expiresAt);
    return { visibility: content.visibility, ttl, oneTime: content.oneTime, endsAt };
  }
  const requested: LinkSettings = { ...item.share, ...item.postPublish };
  return {
    visibility: requested.visibility ?? visibility,
    ttl: requested.expiresAt == null ? (requested.ttl ?? 'forever') : null,
    oneTime: requested.oneTime ?? false,
    endsAt: requested.expiresAt == null ? null : new Date(requested.expiresAt),
  };
};
