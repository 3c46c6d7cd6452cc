/**
 * Stores what each Idempotency-Key has created, for `limits.idempotencySeconds` and per account and route (decisions
 * 3).
 */

import type { Content } from '../../api/content.ts';
import type { ContentId } from '../../api/ids.ts';
import type { AccountRow } from '../accounts/accounts.ts';
import type { ServerDeps } from '../deps.ts';
import { ProblemError } from '../problem.ts';

export interface Replay {
  readonly digest: string;
  readonly contentId: ContentId;
}

/** The scope of a key. */
export interface ReplayPlace {
  readonly account: AccountRow;
  readonly route: string;
  readonly key: string;
}

export const createIdempotencyStore = ({
  database,
  clock,
  config,
}: Pick<ServerDeps, 'database' | 'clock' | 'config'>) => {
  const select = database.prepare<[string, string, string, number], Replay>(
    'SELECT digest, contentId FROM replays WHERE accountId = ? AND route = ? AND key = ? AND createdAt > ?',
  );
  const insert = database.prepare<[string, string, string, string, ContentId, number]>(
    'INSERT OR REPLACE INTO replays (accountId, route, key, digest, contentId, createdAt) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const purge = database.prepare<[number]>('DELETE FROM replays WHERE createdAt <= ?');
  const oldest = (): number => clock.now() - config.limits.idempotencySeconds * 1_000;

  return {
    find: ({ account, route, key }: ReplayPlace): Replay | undefined => select.get(account.id, route, key, oldest()),
    /** Call it in the transaction that publishes the item. Also removes expired keys. */
    record: ({ account, route, key }: ReplayPlace, { digest, contentId }: Replay): void => {
      purge.run(oldest());
      insert.run(account.id, route, key, digest, contentId, clock.now());
    },
  };
};

/**
 * The response to a repeated request. Throws IDEMPOTENCY_CONFLICT for another digest, CONTENT_GONE for a deleted item.
 */
export const replayed = (before: Replay, digest: string, contentOf: (id: ContentId) => Content | null): Content => {
  if (before.digest !== digest) {
    throw new ProblemError(
      'IDEMPOTENCY_CONFLICT',
      'This Idempotency-Key was used for other bytes or other fields; use a new key.',
    );
  }
  const content = contentOf(before.contentId);
  if (content !== null) return content;
  throw new ProblemError('CONTENT_GONE', 'The item of this Idempotency-Key was deleted or has expired; use a new key.');
};

/** The error for the twin of a running request. */
export const twinRunning = (): ProblemError =>
  new ProblemError(
    'IDEMPOTENCY_CONFLICT',
    'A request with this Idempotency-Key is still running; wait for its answer, or send it again later.',
  );
