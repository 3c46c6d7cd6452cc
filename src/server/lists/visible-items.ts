/**
 * The access table (decisions 6) as conditions of a query, so that a page is filled with what the asker may see. A row
 * is `listed`; `@asker` is an account and `@now` the time. Values are bound within sub-selects: SQLite (built with STAT4)
 * plans a join anew for every value that is bound directly, which takes longer than reading the page.
 */

const ALIVE = '(listed.expiresAt IS NULL OR listed.expiresAt > (SELECT @now))';

/** Without rows 3, 5, 8, 9 and 11; what a banned account owns is held. One-time items of others stand in no list, not even locked ones (protection rule 4). */
const SHOWN = `(${ALIVE} AND listed.moderationHold IS NULL AND listed.authorBannedAt IS NULL AND listed.oneTime = 0
  AND (listed.viewLimit IS NULL OR listed.views < listed.viewLimit))`;

/** What everyone may come across: public items. */
export const PUBLIC = `(listed.visibility = 'public' AND ${SHOWN})`;

export const OWN = `(listed.accountId = (SELECT @asker) AND ${ALIVE})`;

/** What `GET /content/{id}` answers, whole or as a locked card: own items, and public ones of others. */
export const READABLE = `(${OWN} OR ${PUBLIC})`;

/** Whether a search may tell that it has found the item: of a locked card not even that (protection rule 3). */
export const SEARCHABLE = '(listed.accountId = (SELECT @asker) OR listed.passwordHash IS NULL)';
