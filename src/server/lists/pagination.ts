/**
 * Builds one page of a list from rows: keeps at most one page of rows, shows each item as the requester may see it,
 * and reads and writes cursors.
 */
import type { ItemPage, ListedItem } from '../../api/item-lists.ts';
import { LIMITS } from '../../api/limits.ts';
import type { AccountRow } from '../accounts/accounts.ts';
import { presentContent, presentLocked, presentToOthers } from '../content/content-reply.ts';
import type { ServerDeps } from '../deps.ts';
import { invalidInput } from '../problem-details.ts';
import { standingOf } from '../sharing/access-table.ts';
import { itemState } from '../sharing/requester-access.ts';
import { isListed } from './list-eligibility.ts';
import type { ListedRow, PageRequest } from './list-store.ts';

const VERSION = 'c1';

/**
 * Cursors of lists: opaque to clients, and stable while items are added and deleted, because they encode an item's
 * position.
 */
export const cursorAfter = (seq: number): string => Buffer.from(`${VERSION}:${seq}`).toString('base64url');

/** The position of a cursor; null without one. Throws INVALID_INPUT for an invalid cursor. */
export const readCursor = (cursor: string | undefined): number | null => {
  if (cursor === undefined) return null;
  const [, seq] = /^c1:([1-9]\d{0,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (seq === undefined || cursorAfter(Number(seq)) !== cursor)
    throw invalidInput({ path: '/cursor', message: 'must be a nextCursor of an earlier page' });
  return Number(seq);
};

/** The view of `requester` on the item; null: no access, whatever the query returned. */
const present = (
  deps: Pick<ServerDeps, 'webOrigin'>,
  row: ListedRow,
  { requester, now }: Omit<PageRequest, 'before'>,
): ListedItem | null => {
  const owned = row.accountId === requester;
  const marks = { favorite: row.favorite === 1, owned };
  const standing = standingOf(itemState(row, now), {
    who: owned ? 'owner' : 'other',
    grant: 'none',
    password: 'none',
  });
  if (!isListed(row, standing)) return null;
  if (standing === 'locked') return { ...presentLocked(row), ...marks };
  return { ...(owned ? presentContent(deps, row) : presentToOthers(deps, row)), ...marks };
};

/** Cuts `rows`, which include one more than a page, to a page. */
export const cutPage = <Row extends { readonly place: number }>(
  rows: readonly Row[],
): { readonly rows: readonly Row[]; readonly nextCursor: string | null } => {
  const page = rows.slice(0, LIMITS.pageItems);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > page.length && last !== undefined ? cursorAfter(last.place) : null };
};

export const createPages = (deps: Pick<ServerDeps, 'webOrigin' | 'clock'>) => ({
  /** Throws INVALID_INPUT for an invalid cursor. */
  request: ({ id }: AccountRow, cursor: string | undefined): PageRequest => ({
    requester: id,
    now: deps.clock.now(),
    before: readCursor(cursor),
  }),
  answer: (listed: readonly ListedRow[], request: PageRequest): ItemPage => {
    const { rows, nextCursor } = cutPage(listed);
    return { items: rows.map((row) => present(deps, row, request)).filter((item) => item !== null), nextCursor };
  },
});
