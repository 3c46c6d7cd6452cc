/**
 * Counts wrong passwords of items and of sign-ins, per network and over all networks, in windows of 15 minutes or as a
 * leaky bucket. `password-tries.ts` counts a guess before it is checked, and takes it back (`giveBack`) if it was right or
 * could not be checked. The counts are in the database, so that they survive a restart; a guess whose server dies while it
 * checks it stays counted.
 */
import { LIMITS } from '../../api/limits.ts';
import { isBeyond } from '../../base/common/wall-clock.ts';
import type { Clock } from '../clock-and-random.ts';
import type { Sql } from '../database/database-interface.ts';
import { raw, sql } from '../database/sql-template.ts';
import type { Network } from './address-networks.ts';

interface Window {
  readonly startedAt: number;
  readonly count: number;
}

/** All networks together, in the column `ip`, which otherwise contains a network. */
export const EVERYWHERE = '*';
export type Place = Network | typeof EVERYWHERE;

const WINDOW_MS = LIMITS.wrongPasswordWindowMs;

/** The counting tables, each with the column that identifies the secret. */
const SUBJECTS = { wrongPasswords: 'contentId', wrongSignIns: 'username' } as const;

export type AttemptTable = keyof typeof SUBJECTS;

/** Counts in the transaction `tx`, in which parallel tries wait for each other. */
export const attemptCounter = (tx: Sql, clock: Clock, table: AttemptTable) => {
  const [name, subjectColumn] = [raw(`"${table}"`), raw(`"${SUBJECTS[table]}"`)];

  /** The row of the tries so far, locked; a new one has a count of 0. One statement: a sweep between two would remove it. */
  const lock = async (subject: string, place: Place, now: number): Promise<Window> => {
    const row = await tx.get<Window>(
      sql`INSERT INTO ${name} (${subjectColumn}, "ip", "startedAt", "count") VALUES (${subject}, ${place}, ${now}, 0)
        ON CONFLICT (${subjectColumn}, "ip") DO UPDATE SET "count" = ${name}."count" RETURNING "startedAt", "count"`,
    );
    if (row === undefined) throw new Error(`The tries of ${table} have no row.`);
    // Else a clock that was set back would refuse every try until it has caught up.
    return isBeyond(row.startedAt, now, WINDOW_MS) ? { startedAt: now, count: 0 } : row;
  };

  const put = (subject: string, place: Place, { startedAt, count }: Window): Promise<number> =>
    tx.run(
      sql`UPDATE ${name} SET "startedAt" = ${startedAt}, "count" = ${count}
        WHERE ${subjectColumn} = ${subject} AND "ip" = ${place}`,
    );

  const windowOf = async (subject: string, place: Place, now: number): Promise<Window> => {
    const known = await lock(subject, place, now);
    return known.startedAt + WINDOW_MS > now ? known : { startedAt: now, count: 0 };
  };

  return {
    /**
     * Counts a try. Resolves with 0, or the milliseconds until the next try is accepted, and then this one was not
     * counted.
     */
    count: async (subject: string, place: Place, limit: number): Promise<number> => {
      const now = clock.now();
      const { startedAt, count } = await windowOf(subject, place, now);
      if (count >= limit) return startedAt + WINDOW_MS - now;
      await put(subject, place, { startedAt, count: count + 1 });
      return 0;
    },
    /**
     * The same as a leaky bucket: a burst of `limit` tries, and then as many spread over each window. The next one
     * waits seconds and not minutes.
     */
    countSlowly: async (subject: string, place: Place, limit: number): Promise<number> => {
      const now = clock.now();
      const known = await lock(subject, place, now);
      const gapMs = Math.max(1, Math.ceil(WINDOW_MS / limit));
      const drained = Math.max(0, Math.floor((now - known.startedAt) / gapMs));
      const count = Math.max(0, known.count - drained);
      const startedAt = count === 0 ? now : known.startedAt + drained * gapMs;
      if (count >= limit) return startedAt + gapMs - now;
      await put(subject, place, { startedAt, count: count + 1 });
      return 0;
    },
    /** Counts a try without refusing it. Resolves with the number of earlier ones. */
    countAlways: async (subject: string, place: Place): Promise<number> => {
      const { startedAt, count } = await windowOf(subject, place, clock.now());
      await put(subject, place, { startedAt, count: count + 1 });
      return count;
    },
    /** Uncounts a try that was right. A network without a wrong one is forgotten. */
    giveBack: async (subject: string, place: Place): Promise<void> => {
      const row = sql`${subjectColumn} = ${subject} AND "ip" = ${place}`;
      // Locks the row: no try is counted in it before it is deleted.
      await tx.run(sql`UPDATE ${name} SET "count" = "count" - 1 WHERE ${row} AND "count" > 0`);
      await tx.run(sql`DELETE FROM ${name} WHERE ${row} AND "count" = 0`);
    },
    forget: async (subject: string): Promise<void> => {
      await tx.run(sql`DELETE FROM ${name} WHERE ${subjectColumn} = ${subject}`);
    },
    /** Forgets windows that are over, and all but the newest `rowsMax`. */
    sweep: async (rowsMax: number): Promise<void> => {
      const now = clock.now();
      await tx.run(
        sql`DELETE FROM ${name} WHERE "startedAt" > ${now + WINDOW_MS} OR "startedAt" <= ${now - WINDOW_MS}`,
      );
      await tx.run(
        sql`DELETE FROM ${name} WHERE "startedAt" <=
          (SELECT "startedAt" FROM ${name} ORDER BY "startedAt" DESC LIMIT 1 OFFSET ${rowsMax})`,
      );
    },
  };
};
