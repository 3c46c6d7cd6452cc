/** Builds one page of a list of items: shows each item as the requester may see it, and leaves out those without access. */
import type { ItemPage, ListedItem } from '../../api/item-lists.ts';
import type { AccountRow } from '../accounts/accounts.ts';
import { presentContent, presentLocked, presentToOthers } from '../content/present-content.ts';
import type { ServerDeps } from '../deps.ts';
import { standingOf } from '../sharing/access-rules.ts';
import { itemState } from '../sharing/requester-access.ts';
import { isListed } from './list-eligibility.ts';
import type { ListedRow, PageRequest } from './list-store.ts';
import { cutPage, readCursor } from './pagination.ts';

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

export const createItemLists = (deps: Pick<ServerDeps, 'webOrigin' | 'clock'>) => ({
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
