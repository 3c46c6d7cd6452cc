/**
 * Counts wrong guesses of a secret (the password of an item or an account) in windows of 15 minutes, in a table that
 * survives a restart. The column `ip` contains a network, or `EVERYWHERE` for all networks together.
 */
import type Database from 'better-sqlite3';
import { LIMITS } from '../../api/limits.ts';
import type { Clock } from '../clock-and-random.ts';
import { ProblemError } from '../problem.ts';
import type { Network } from './network.ts';

interface Window {
  readonly startedAt: number;
  readonly count: number;
}

/** Not a valid network. */
export const EVERYWHERE = '*';
type Place = Network | typeof EVERYWHERE;

const WINDOW_MS = LIMITS.wrongPasswordWindowMs;
/** Maximum rows of a table after a sweep: the newest ones stay. */
const ROWS_MAX = 100_000;

/** The counting tables, each with the column that identifies the secret. */
const SUBJECTS = { wrongPasswords: 'contentId', wrongSignIns: 'username' } as const;

/** 429 with Retry-After. `what` starts the sentence, such as "Too many wrong passwords". */
export const tooManyAttempts = (what: string, retryAfterMs: number): ProblemError => {
  const minutes = Math.ceil(retryAfterMs / 60_000);
  const wait = retryAfterMs < 60_000 ? `${Math.ceil(retryAfterMs / 1_000)} seconds` : `${minutes} minutes`;
  return new ProblemError('RATE_LIMITED', `${what}; try again in ${wait}.`, { retryAfterMs });
};

export const createAttemptCounter = (
  { database, clock }: { readonly database: Database.Database; readonly clock: Clock },
  table: keyof typeof SUBJECTS,
) => {
  const column = SUBJECTS[table];
  const select = database.prepare<[string, Place], Window>(
    `SELECT startedAt, count FROM ${table} WHERE ${column} = ? AND ip = ?`,
  );
  const put = database.prepare<[string, Place, number, number]>(
    `INSERT INTO ${table} (${column}, ip, startedAt, count) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET startedAt = excluded.startedAt, count = excluded.count`,
  );
  const decrease = database.prepare<[string, Place]>(
    `UPDATE ${table} SET count = max(0, count - 1) WHERE ${column} = ? AND ip = ?`,
  );
  const removeBySubject = database.prepare<[string]>(`DELETE FROM ${table} WHERE ${column} = ?`);
  const removeEnded = database.prepare<[number]>(`DELETE FROM ${table} WHERE startedAt <= ?`);
  const removeOldest = database.prepare<[number]>(
    `DELETE FROM ${table} WHERE startedAt <= (SELECT startedAt FROM ${table} ORDER BY startedAt DESC LIMIT 1 OFFSET ?)`,
  );

  const windowOf = (subject: string, place: Place, now: number): Window => {
    const known = select.get(subject, place);
    return known !== undefined && known.startedAt + WINDOW_MS > now ? known : { startedAt: now, count: 0 };
  };

  return {
    /**
     * Counts a try. Returns 0, or the milliseconds until the next try is accepted, and then this one was not counted.
     */
    count: (subject: string, place: Place, limit: number): number => {
      const now = clock.now();
      const window = windowOf(subject, place, now);
      if (window.count >= limit) return window.startedAt + WINDOW_MS - now;
      put.run(subject, place, window.startedAt, window.count + 1);
      return 0;
    },
    /**
     * The same as a leaky bucket: a burst of `limit` tries, and then as many spread over each window. The next one
     * waits seconds and not minutes.
     */
    countSlowly: (subject: string, place: Place, limit: number): number => {
      const now = clock.now();
      const known = select.get(subject, place) ?? { startedAt: now, count: 0 };
      const gapMs = Math.max(1, Math.ceil(WINDOW_MS / limit));
      const drained = Math.max(0, Math.floor((now - known.startedAt) / gapMs));
      const count = Math.max(0, known.count - drained);
      const startedAt = count === 0 ? now : known.startedAt + drained * gapMs;
      if (count >= limit) return startedAt + gapMs - now;
      put.run(subject, place, startedAt, count + 1);
      return 0;
    },
    /** Counts a try without refusing it. Returns the number of earlier ones. */
    countAlways: (subject: string, place: Place): number => {
      const window = windowOf(subject, place, clock.now());
      put.run(subject, place, window.startedAt, window.count + 1);
      return window.count;
    },
    /** Uncounts a try that was right. */
    giveBack: (subject: string, place: Place): void => {
      decrease.run(subject, place);
    },
    forget: (subject: string): void => {
      removeBySubject.run(subject);
    },
    sweep: (): void => {
      removeEnded.run(clock.now() - WINDOW_MS);
      removeOldest.run(ROWS_MAX);
    },
  };
};
