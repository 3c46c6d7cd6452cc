/** Derives who can open an item's link by the service's rules (API decisions 6), as data without texts. */

import type { ModerationHold } from '../../../api/content.ts';
import type { LibraryItem } from '../../../ipc/protocol/library-item.ts';

export type Access =
  /** No longer on the service. */
  | { readonly state: 'gone' }
  | { readonly state: 'deleting' }
  | { readonly state: 'expired'; readonly at: Date }
  | { readonly state: 'held'; readonly hold: ModerationHold }
  | { readonly state: 'private'; readonly until: Date | null }
  /** Opened once. `readableUntil`: until when the viewer who opened it can still see it. */
  | { readonly state: 'consumed'; readonly at: Date; readonly readableUntil: Date | null }
  | { readonly state: 'exhausted'; readonly limit: number }
  | {
      readonly state: 'open';
      readonly who: 'link' | 'everyone';
      readonly password: 'needed' | 'none';
      /** Remaining views; null: unlimited. */
      readonly times: 'once' | { readonly left: number } | null;
      readonly download: 'allowed' | 'off';
      readonly until: Date | null;
    };

const dateOf = (text: string | null | undefined): Date | null => (text == null ? null : new Date(text));

/** The first state that applies, in the service's order. `now`: milliseconds since 1970-01-01 UTC. */
export const accessOf = (
  { content, goneAt, deletingAt }: Pick<LibraryItem, 'content' | 'goneAt' | 'deletingAt'>,
  now: number,
): Access => {
  const until = dateOf(content.expiresAt);
  // An expired item is deleted soon afterwards; "expired" says more.
  if (until !== null && until.getTime() <= now) return { state: 'expired', at: until };
  if (goneAt !== null) return { state: 'gone' };
  if (deletingAt !== null) return { state: 'deleting' };
  if (content.moderationHold) return { state: 'held', hold: content.moderationHold };
  if (content.visibility === 'private') return { state: 'private', until };
  const consumed = dateOf(content.consumedAt);
  if (content.oneTime && consumed !== null) {
    const end = dateOf(content.readExpiresAt);
    return { state: 'consumed', at: consumed, readableUntil: end !== null && end.getTime() > now ? end : null };
  }
  const limit = content.viewLimit ?? null;
  const left = limit === null ? null : Math.max(0, limit - content.views);
  if (limit !== null && (left === 0 || content.viewLimitReachedAt != null)) return { state: 'exhausted', limit };
  return {
    state: 'open',
    who: content.visibility === 'public' ? 'everyone' : 'link',
    password: content.passwordProtected ? 'needed' : 'none',
    times: content.oneTime ? 'once' : left === null ? null : { left },
    download: content.allowDownload ? 'allowed' : 'off',
    until,
  };
};

/** Whether the link has ended for good: its item is gone, expired or being deleted. */
export const isOver = ({ state }: Access): boolean => state === 'gone' || state === 'expired' || state === 'deleting';
