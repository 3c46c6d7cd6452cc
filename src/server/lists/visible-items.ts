/**
 * The access table (decisions 6) as conditions of a query, so that pages contain only what the requester may see. A row
 * is `listed`; `@requester` is an account and `@now` the time. Values are bound within sub-selects: SQLite (built with
 * STAT4) plans a join again for every directly bound value, which takes longer than reading the page.
 */

const ALIVE = '(listed.expiresAt IS NULL OR listed.expiresAt > (SELECT @now))';

/**
 * Without rows 3, 5, 8, 9 and 11; items of a banned account are on hold. One-time items of others are in no list, not
 * even as locked cards (protection rule 4).
 */
const SHOWN = `(${ALIVE} AND listed.moderationHold IS NULL AND listed.authorBannedAt IS NULL AND listed.oneTime = 0
  AND (listed.viewLimit IS NULL OR listed.views < listed.viewLimit))`;

/** Items that everyone may find: public ones. */
export const PUBLIC = `(listed.visibility = 'public' AND ${SHOWN})`;

export const OWN = `(listed.accountId = (SELECT @requester) AND ${ALIVE})`;

/** What `GET /content/{id}` returns, in full or as a locked card: own items, and public ones of others. */
export const READABLE = `(${OWN} OR ${PUBLIC})`;

/** Whether a search may reveal that it matches the item: not for a locked card (protection rule 3). */
export const SEARCHABLE = '(listed.accountId = (SELECT @requester) OR listed.passwordHash IS NULL)';
