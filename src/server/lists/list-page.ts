/** Turns rows into the page that the asker gets: each item as far as the access table lets, and the cursor of the next. */

import { LIMITS } from '../../api/limits.ts';
import type { ItemPage, ListedItem } from '../../api/lists.ts';
import type { AccountRow } from '../accounts/accounts.ts';
import { presentContent, presentLocked, presentToOthers } from '../content/content-reply.ts';
import { cursorAfter, readCursor } from '../content/cursor.ts';
import type { ServerDeps } from '../deps.ts';
import { standingOf } from '../sharing/access-table.ts';
import { itemFacts } from '../sharing/request-access.ts';
import { isListed } from './list-eligibility.ts';
import type { ListedRow, PageRequest } from './list-store.ts';

/** The item in the eyes of `asker`; null: none of their business, whatever a query let through. */
const present = (
  deps: Pick<ServerDeps, 'webOrigin'>,
  row: ListedRow,
  { asker, now }: Omit<PageRequest, 'before'>,
): ListedItem | null => {
  const owned = row.accountId === asker;
  const marks = { favorite: row.favorite === 1, owned };
  const standing = standingOf(itemFacts(row, now), {
    who: owned ? 'owner' : 'other',
    grant: 'none',
    password: 'none',
  });
  if (!isListed(row, standing)) return null;
  if (standing === 'locked') return { ...presentLocked(row), ...marks };
  return { ...(owned ? presentContent(deps, row) : presentToOthers(deps, row)), ...marks };
};

/** Cuts `rows`, of which one more than a page was asked for, to a page. */
export const cutPage = <Row extends { readonly place: number }>(
  rows: readonly Row[],
): { readonly rows: readonly Row[]; readonly nextCursor: string | null } => {
  const page = rows.slice(0, LIMITS.pageItems);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > page.length && last !== undefined ? cursorAfter(last.place) : null };
};

export const createPages = (deps: Pick<ServerDeps, 'webOrigin' | 'clock'>) => ({
  /** Throws INVALID_INPUT for a cursor that is none of ours. */
  request: ({ id }: AccountRow, cursor: string | undefined): PageRequest => ({
    asker: id,
    now: deps.clock.now(),
    before: readCursor(cursor),
  }),
  answer: (listed: readonly ListedRow[], request: PageRequest): ItemPage => {
    const { rows, nextCursor } = cutPage(listed);
    return { items: rows.map((row) => present(deps, row, request)).filter((item) => item !== null), nextCursor };
  },
});
