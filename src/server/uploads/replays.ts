/** Remembers what each Idempotency-Key has made, for `limits.idempotencySeconds` and per account and route (decisions 3). */
import type { ContentId } from '../../contract/ids.ts';
import type { AccountRow } from '../accounts/accounts.ts';
import type { ServerDeps } from '../deps.ts';

export interface Replay {
  readonly digest: string;
  readonly contentId: ContentId;
}

/** Where a key counts. */
export interface ReplayPlace {
  readonly account: AccountRow;
  readonly route: string;
  readonly key: string;
}

export const createReplays = ({ database, clock, config }: Pick<ServerDeps, 'database' | 'clock' | 'config'>) => {
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
    /** Call it in the transaction that publishes the item. Old ones go at the same time. */
    record: ({ account, route, key }: ReplayPlace, { digest, contentId }: Replay): void => {
      purge.run(oldest());
      insert.run(account.id, route, key, digest, contentId, clock.now());
    },
  };
};
