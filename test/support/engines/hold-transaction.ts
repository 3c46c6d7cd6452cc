/** A transaction of another node, which is committed once something waits for it. */
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { queryPostgres } from './databases.ts';

const WAITING = `SELECT 1 FROM pg_stat_activity WHERE "wait_event_type" = 'Lock' AND "datname" = current_database()`;

/**
 * Runs the statements in a transaction, calls `work`, and commits when that waits for a lock, after `meanwhile`. Resolves
 * with the result of `work`.
 */
export const overtake = async <T>(
  url: string,
  statements: readonly (readonly [text: string, ...values: unknown[]])[],
  work: () => Promise<T>,
  meanwhile: () => void | Promise<void> = () => {},
): Promise<T> => {
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query('BEGIN');
  for (const [text, ...values] of statements) await other.query(text, values);
  const result = work();
  result.catch(() => {});
  await expect.poll(() => queryPostgres(url, WAITING)).toHaveLength(1);
  await meanwhile();
  await other.query('COMMIT');
  return await result;
};
