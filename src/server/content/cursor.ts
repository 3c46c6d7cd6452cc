/**
 * Cursors of lists: opaque to clients, and stable while items are added and deleted, because they encode an item's
 * position.
 */
import { invalidInput } from '../problem.ts';

const VERSION = 'c1';

export const cursorAfter = (seq: number): string => Buffer.from(`${VERSION}:${seq}`).toString('base64url');

/** The position of a cursor; null without one. Throws INVALID_INPUT for an invalid cursor. */
export const readCursor = (cursor: string | undefined): number | null => {
  if (cursor === undefined) return null;
  const [, seq] = /^c1:([1-9]\d{0,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (seq === undefined || cursorAfter(Number(seq)) !== cursor)
    throw invalidInput({ path: '/cursor', message: 'must be a nextCursor of an earlier page' });
  return Number(seq);
};
