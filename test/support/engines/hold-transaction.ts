/** A transaction of another node, which is committed once something waits for it. */
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { queryPostgres } from './databases.ts';

/** What waits for the transaction itself: others may wait behind that, as a node that renews its row. */
const WAITING = 'SELECT 1 FROM pg_stat_activity WHERE $1::int = ANY(pg_blocking_pids("pid"))';

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
  const own = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS "pid"');
  for (const [text, ...values] of statements) await other.query(text, values);
  const result = work();
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  result.then(over, over);
  const isWaiting = async () => (await queryPostgres(url, WAITING, [own.rows[0]?.pid])).length > 0;
  await expect.poll(async () => isOver || (await isWaiting())).toBe(true);
  if (isOver) throw new Error(`It did not wait for the transaction: ${JSON.stringify(await result)}`);
  await meanwhile();
  await other.query('COMMIT');
  return await result;
};
