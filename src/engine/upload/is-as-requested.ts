/**
 * Compares an item of the account with the request that may have published it. Pure. Compares what the request alone
 * decides: its account decides the visibility where the request names none, and the service an omitted title. The
 * settings that are applied after publishing are not in effect yet.
 */

import type { Content } from '../../api/content.ts';
import type { ItemId } from '../../api/ids.ts';
import { TTL_MS } from '../../api/limits.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import { cleanText } from '../api-client/sanitize-reply.ts';

export type Requested = Pick<QueueItem, 'id' | 'share'>;

/** `withPassword`: the items that have a password. */
export const isAsRequested = (content: Content, { id, share }: Requested, withPassword: readonly ItemId[]): boolean => {
  const title = withoutGaps(share.title ?? '');
  return (
    (share.visibility === undefined ? content.visibility !== 'public' : content.visibility === share.visibility) &&
    content.passwordProtected === withPassword.includes(id) &&
    content.oneTime === (share.oneTime ?? false) &&
    hasLifetime(content, share.ttl ?? 'forever') &&
    (title === '' || withoutGaps(content.title) === title)
  );
};

/** The service replaces control characters in a title, and trims it. */
const withoutGaps = (title: string): string => cleanText(title).replace(/\s+/gu, ' ').trim();

/** A third more or less: the service may count from another moment, or months by the calendar. */
const TOLERANCE = 1 / 3;

const hasLifetime = ({ createdAt, expiresAt }: Content, ttl: NonNullable<Requested['share']['ttl']>): boolean => {
  if (ttl === 'forever' || expiresAt == null) return ttl === 'forever' && expiresAt == null;
  return Math.abs((Date.parse(expiresAt) - Date.parse(createdAt)) / TTL_MS[ttl] - 1) < TOLERANCE;
};
