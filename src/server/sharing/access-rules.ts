/**
 * Decides who may do what with a shared item: the table of API decisions 6, as data and pure functions. The first
 * matching row decides. A GET or HEAD never counts a view and never uses up a link.
 */
import type { Visibility } from '../../api/content.ts';

/** The state of an item that the decision depends on. */
export interface ItemState {
  readonly expired: boolean;
  /** By a moderator, or because the owner's account is banned. */
  readonly held: boolean;
  readonly visibility: Visibility;
  readonly passwordProtected: boolean;
  readonly oneTime: 'no' | 'unused' | 'consumed';
  readonly viewLimit: 'none' | 'views-left' | 'reached';
}

export interface RequesterState {
  readonly who: 'owner' | 'other';
  /** Of this browser for this item, in its current accessVersion. */
  readonly grant: 'none' | 'live';
  /** `proven`: this very request contained the right password. */
  readonly password: 'none' | 'proven';
}

/**
 * The rows of the table: the relation between an item and a requester. Through the API, another account can never read
 * an unlisted item.
 */
export type Standing =
  | 'unknown'
  | 'expired'
  | 'owner'
  | 'held'
  | 'private'
  | 'granted'
  | 'consumed'
  | 'limit-reached'
  | 'locked'
  | 'locked-unlisted'
  | 'one-time'
  | 'limited'
  | 'limited-unlisted'
  | 'public'
  | 'unlisted';

/** `item` null: it does not exist. */
export const standingOf = (item: ItemState | null, requester: RequesterState): Standing => {
  if (item === null) return 'unknown';
  if (item.expired) return 'expired';
  if (requester.who === 'owner') return 'owner';
  if (item.held) return 'held';
  if (item.visibility === 'private') return 'private';
  if (requester.grant === 'live') return 'granted';
  if (item.oneTime === 'consumed') return 'consumed';
  if (item.viewLimit === 'reached') return 'limit-reached';
  const isPublic = item.visibility === 'public';
  if (item.passwordProtected && requester.password === 'none') return isPublic ? 'locked' : 'locked-unlisted';
  if (item.oneTime === 'unused') return 'one-time';
  if (item.viewLimit === 'views-left') return isPublic ? 'limited' : 'limited-unlisted';
  return isPublic ? 'public' : 'unlisted';
};

export interface Answers {
  /** `/s/{id}`. `lock` and `button` show no metadata of the item. */
  readonly page: 'show' | 'lock' | 'button' | 'unavailable';
  /** `POST /api/share/{id}/open`. `welcome` counts nothing; `count` and `consume` give a grant. */
  readonly open: 'welcome' | 'ask-password' | 'count' | 'consume' | 'unavailable';
  /** `/api/media/{id}`. */
  readonly media: 'serve' | 'open-first' | 'unavailable';
  /** `GET /api/v1/content/{id}`, always with a key, never with a grant. */
  readonly api: 'show' | 'locked-card' | 'gone-to-owner' | 'unavailable';
}

const HIDDEN: Answers = { page: 'unavailable', open: 'unavailable', media: 'unavailable', api: 'unavailable' };

export const ANSWERS: Readonly<Record<Standing, Answers>> = {
  unknown: HIDDEN,
  expired: { ...HIDDEN, api: 'gone-to-owner' },
  owner: { page: 'show', open: 'welcome', media: 'serve', api: 'show' },
  held: HIDDEN,
  private: HIDDEN,
  granted: { page: 'show', open: 'welcome', media: 'serve', api: 'unavailable' },
  consumed: HIDDEN,
  'limit-reached': HIDDEN,
  locked: { page: 'lock', open: 'ask-password', media: 'open-first', api: 'locked-card' },
  'locked-unlisted': { page: 'lock', open: 'ask-password', media: 'open-first', api: 'unavailable' },
  'one-time': { page: 'button', open: 'consume', media: 'open-first', api: 'unavailable' },
  limited: { page: 'button', open: 'count', media: 'open-first', api: 'show' },
  'limited-unlisted': { page: 'button', open: 'count', media: 'open-first', api: 'unavailable' },
  public: { page: 'show', open: 'count', media: 'serve', api: 'show' },
  unlisted: { page: 'show', open: 'count', media: 'serve', api: 'unavailable' },
};

/**
 * Whether a link preview (Open Graph) may describe the item: only unprotected items, unlisted ones as the owner chose.
 */
export const mayPreview = (standing: Standing, owner: { readonly unlistedPreviews: 0 | 1 }): boolean =>
  standing === 'public' || (standing === 'unlisted' && owner.unlistedPreviews === 1);

/** Whether search engines may index what this requester is shown: only what everybody is. */
export const mayIndex = (standing: Standing): boolean => standing === 'public';
