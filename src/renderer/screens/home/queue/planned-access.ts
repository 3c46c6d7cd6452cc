/** Access of an unpublished item's link: its own settings, otherwise those of the app and the account. Pure. */

import type { PostPublishSettings } from '../../../../ipc/protocol/link-settings.ts';
import type { QueueItem } from '../../../../ipc/protocol/queue-item.ts';
import type { AppState } from '../../../../ipc/protocol/state.ts';
import { type Access, accessOf } from '../../item/link-access.ts';

/** Null if no account is known. `now`: milliseconds since 1970-01-01 UTC. */
export const plannedAccess = (
  item: QueueItem,
  { guarded, effective }: Pick<AppState, 'guarded' | 'effective'>,
  now: number,
): Access | null => {
  if (item.state === 'linked') return accessOf({ content: item.content, goneAt: null, deletingAt: null }, now);
  const requested: PostPublishSettings = { ...item.share, ...item.afterwards };
  const visibility = requested.visibility ?? effective.visibility;
  const until = requested.expiresAt == null ? null : new Date(requested.expiresAt);
  if (visibility === null) return null;
  if (visibility === 'private') return { state: 'private', until };
  return {
    state: 'open',
    who: visibility === 'public' ? 'everyone' : 'link',
    password: guarded.includes(item.id) ? 'needed' : 'none',
    times: requested.oneTime ? 'once' : requested.viewLimit == null ? null : { left: requested.viewLimit },
    download: requested.allowDownload === false ? 'off' : 'allowed',
    until,
  };
};
