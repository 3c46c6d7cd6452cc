/** Cuts lists into pages, and reads and writes the cursors of the next page. */
import { LIMITS } from '../../api/limits.ts';
import { invalidInput } from '../problem-details.ts';

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

/** Cuts `rows`, which include one more than a page, to a page. */
export const cutPage = <Row extends { readonly place: number }>(
  rows: readonly Row[],
): { readonly rows: readonly Row[]; readonly nextCursor: string | null } => {
  const page = rows.slice(0, LIMITS.pageItems);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > page.length && last !== undefined ? cursorAfter(last.place) : null };
};
