/** Who can open the link of an item, how often, and until when: the service's own rules (decisions 6), without language. */

import type { ModerationHold } from '../../../api/content.ts';
import type { LibraryItem } from '../../../ipc/protocol/state.ts';

export type Access =
  /** The service has it no more. */
  | { readonly state: 'gone' }
  | { readonly state: 'deleting' }
  | { readonly state: 'expired'; readonly at: Date }
  | { readonly state: 'held'; readonly hold: ModerationHold }
  | { readonly state: 'private'; readonly until: Date | null }
  /** Opened once. `readableUntil`: whoever opened it still sees it. */
  | { readonly state: 'consumed'; readonly at: Date; readonly readableUntil: Date | null }
  | { readonly state: 'exhausted'; readonly limit: number }
  | {
      readonly state: 'open';
      readonly who: 'link' | 'everyone';
      readonly password: 'needed' | 'none';
      /** How often it can still be opened; null: without a limit. */
      readonly times: 'once' | { readonly left: number } | null;
      readonly download: 'allowed' | 'off';
      readonly until: Date | null;
    };

const dateOf = (text: string | null | undefined): Date | null => (text == null ? null : new Date(text));

/** The first that applies, as the service decides. `now`: milliseconds since 1970-01-01 UTC. */
export const accessOf = (
  { content, goneAt, deletingAt }: Pick<LibraryItem, 'content' | 'goneAt' | 'deletingAt'>,
  now: number,
): Access => {
  const until = dateOf(content.expiresAt);
  // An ended item is gone soon after; that it has ended says more.
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

/** Whether the link leads anywhere for anybody but its owner, now or when its state is mended by them. */
export const isOver = ({ state }: Access): boolean => state === 'gone' || state === 'expired' || state === 'deleting';
