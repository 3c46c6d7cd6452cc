/** Link settings of a queued or published item. Pure. */

import { TTLS, type Ttl, type Visibility } from '../../../api/content.ts';
import type { LinkSettings } from '../../../ipc/protocol/link-settings.ts';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import type { LinkOptionsValue } from '../../components/links/link-options.tsx';

const DAY_MS = 86_400_000;
const TTL_MS: Record<Ttl, number> = { forever: 0, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS };
/** Tolerance for expiries: the service counts from publication, not from the item's creation. */
const NEAR_MS = DAY_MS / 2;

const termOf = (createdAt: string, expiresAt: string | null | undefined): Ttl | null => {
  if (expiresAt == null) return 'forever';
  const length = Date.parse(expiresAt) - Date.parse(createdAt);
  return TTLS.find((ttl) => ttl !== 'forever' && Math.abs(TTL_MS[ttl] - length) < NEAR_MS) ?? null;
};

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
