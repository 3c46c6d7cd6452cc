/**
 * Stores which item each Idempotency-Key of a single-request upload, a folder or a note has created, per account and
 * route, for `limits.idempotencySeconds` (API decisions 3). Builds the response to a repeated request, and the error
 * while the first request with the same key is still running. Also validates the fields of an item and computes their
 * digest, which tells whether two requests ask for the same.
 */

import { createHash, scrypt } from 'node:crypto';
import type { Content, ShareFields, Visibility } from '../../api/content.ts';
import type { ContentId } from '../../api/ids.ts';
import type { AccountRow } from '../accounts/accounts.ts';
import { oneTimeNotPublic } from '../content/publish-item.ts';
import { checkTags, checkTitle } from '../content/title-and-tags.ts';
import type { Sql } from '../database/database-interface.ts';
import { sql } from '../database/sql-template.ts';
import type { ServerDeps } from '../deps.ts';
import { checkPassword } from '../passwords.ts';
import { ProblemError } from '../problem-details.ts';

export interface IdempotencyRecord {
  readonly digest: string;
  readonly contentId: ContentId;
}

/** The scope of a key. */
export interface IdempotencyScope {
  readonly account: AccountRow;
  readonly route: string;
  readonly key: string;
}

export const idempotencyStore = (records: Sql, { clock, config }: Pick<ServerDeps, 'clock' | 'config'>) => {
  const oldest = (): number => clock.now() - config.limits.idempotencySeconds * 1_000;
  return {
    find: ({ account, route, key }: IdempotencyScope): Promise<IdempotencyRecord | undefined> =>
      records.get<IdempotencyRecord>(
        sql`SELECT "digest", "contentId" FROM "idempotencyRecords"
          WHERE "accountId" = ${account.id} AND "route" = ${route} AND "key" = ${key} AND "createdAt" > ${oldest()}`,
      ),
    /**
     * In the transaction that publishes the item. Takes the place of an expired record of the key. Throws
     * IDEMPOTENCY_CONFLICT when a twin at another process has published meanwhile.
     */
    record: async (
      { account, route, key }: IdempotencyScope,
      { digest, contentId }: IdempotencyRecord,
    ): Promise<void> => {
      await records.run(
        sql`DELETE FROM "idempotencyRecords"
          WHERE "accountId" = ${account.id} AND "route" = ${route} AND "key" = ${key} AND "createdAt" <= ${oldest()}`,
      );
      const inserted = await records.run(
        sql`INSERT INTO "idempotencyRecords" ("accountId", "route", "key", "digest", "contentId", "createdAt")
          VALUES (${account.id}, ${route}, ${key}, ${digest}, ${contentId}, ${clock.now()})
          ON CONFLICT ("accountId", "route", "key") DO NOTHING`,
      );
      if (inserted === 0) throw twinRunning();
    },
    /** Removes expired records. */
    purge: (): Promise<number> => records.run(sql`DELETE FROM "idempotencyRecords" WHERE "createdAt" <= ${oldest()}`),
  };
};

/**
 * The response to a repeated request. `titleOf` is the default title of the item. Throws IDEMPOTENCY_CONFLICT for another
 * request, CONTENT_GONE for a deleted item.
 */
export const replayed = async (
  before: IdempotencyRecord,
  request: DigestedRequest,
  contentOf: (id: ContentId) => Promise<Content | null>,
  titleOf: (item: Content) => string,
): Promise<Content> => {
  const content = await contentOf(before.contentId);
  const defaults = content && { title: titleOf(content), visibility: defaultVisibilityOf(content) };
  if (!(await isSameRequest(before.digest, request, async () => defaults))) {
    throw new ProblemError(
      'IDEMPOTENCY_CONFLICT',
      'This Idempotency-Key was used for other bytes or other fields; use a new key.',
    );
  }
  if (content !== null) return content;
  throw new ProblemError('CONTENT_GONE', 'The item of this Idempotency-Key was deleted or has expired; use a new key.');
};

/** The error for the twin of a running request. */
export const twinRunning = (): ProblemError =>
  new ProblemError(
    'IDEMPOTENCY_CONFLICT',
    'A request with this Idempotency-Key is still running; wait for its answer, or send it again later.',
  );

// Detects whether two completions request the same, without storing a password in a form that could be guessed
// quickly.

/** What an omitted field stands for; null: unknown. */
export interface FieldDefaults {
  readonly title: string;
  readonly visibility: Visibility | null;
}

/** A request with the digest of its fields as they were sent, and the one that it has with other fields. */
export interface DigestedRequest {
  readonly fields: ShareFields;
  readonly digest: string;
  readonly digestWith: (fields: ShareFields) => Promise<string>;
}

export const digestedRequest = async (
  fields: ShareFields,
  digestWith: DigestedRequest['digestWith'],
): Promise<DigestedRequest> => ({ fields, digestWith, digest: await digestWith(fields) });

/** What an omission stood for when the item was made, as far as the item still shows it; it never stands for public. */
export const defaultVisibilityOf = (item: Pick<Content, 'accessVersion' | 'visibility'>): Visibility | null =>
  item.accessVersion === 1 && item.visibility !== 'public' ? item.visibility : null;

/** A value that equals the default, and its omission, each as both. */
const bothForms = <T>(value: T, omitted: T, fallback: NonNullable<T> | null): readonly T[] =>
  fallback === null || (value !== omitted && value !== fallback) ? [value] : [omitted, fallback];

/**
 * Whether a request asks for the same as one with the digest `recorded`, where a default equals its omission. The account's
 * default may change between the two, so those of the item that was made count. Null: it is not there any more.
 */
export const isSameRequest = async (
  recorded: string | null,
  { fields, digest, digestWith }: DigestedRequest,
  defaultsOf: () => Promise<FieldDefaults | null>,
): Promise<boolean> => {
  if (recorded === digest) return true;
  const defaults = recorded === null ? null : await defaultsOf();
  if (defaults === null) return false;
  const { visibility: wanted, ...others } = fields;
  for (const title of bothForms(checkTitle(fields.title ?? ''), '', defaults.title))
    for (const visibility of bothForms(wanted, undefined, defaults.visibility)) {
      const form = { ...others, title, ...(visibility && { visibility }) };
      if ((await digestWith(form)) === recorded) return true;
    }
  return false;
};

/**
 * Equal for equal fields in their stored form: their order and that of the tags are irrelevant, and a constant default
 * equals an omission; for the other defaults see `isSameRequest`. `salt` is the upload's own. Throws INVALID_INPUT and ONE_TIME_NOT_PUBLIC for invalid fields, so that these
 * errors come before any about the bytes.
 */
export const fieldsDigest = async (salt: string, fields: ShareFields): Promise<string> => {
  const password = checkPassword(fields.password ?? '');
  if (fields.oneTime && fields.visibility === 'public') throw oneTimeNotPublic();
  const canonical = JSON.stringify([
    checkTitle(fields.title ?? ''),
    [...checkTags(fields.tags ?? [])].sort(),
    fields.visibility ?? null,
    fields.ttl ?? 'forever',
    fields.oneTime ?? false,
    password,
  ]);
  if (password === null) return createHash('sha256').update(canonical).digest('base64url');
  return await new Promise((resolve, reject) => {
    scrypt(canonical, salt, 32, (error, digest) =>
      error === null ? resolve(digest.toString('base64url')) : reject(error),
    );
  });
};
