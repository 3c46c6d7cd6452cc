/**
 * Stores the request log (API document, "Limits"): the latest 100 requests with the keys of an account, none older than
 * 30 days. A request is recorded after its response; entries are buffered and written once a second, so a crash, or a stop
 * while the database is away, loses the buffered ones. A node that was cut off writes its entries later than others, so
 * their times have the order.
 */

import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import { ageMs } from '../../base/common/wall-clock.ts';
import type { Clock } from '../clock-and-random.ts';
import type { ServerDatabase } from '../database/database-interface.ts';
import { inLockOrder, join, type Query, sql } from '../database/sql-template.ts';
import type { App } from '../http/app-type.ts';
import type { Log } from '../log.ts';

/** `path` has no query, `time` is milliseconds since 1970. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly keyName: string;
  readonly time: number;
}

const FLUSH_EVERY_MS = 1_000;
const PATH_MAX = 256;

/** Newest first, by the age of `ageMs`: after a clock was set back, new entries are not the oldest ones. */
const newestFirst = (now: number): Query => sql`ORDER BY abs("time" - ${now}), "id" DESC`;

export type RequestLog = ReturnType<typeof createRequestLog>;

export const createRequestLog = ({
  records,
  clock,
  log,
}: {
  readonly records: ServerDatabase;
  readonly clock: Clock;
  readonly log: Log;
}) => {
  const waiting = new Map<AccountId, LoggedRequest[]>();
  /** Batches that were begun. */
  let flushes = 0;
  let isWriting = false;

  const write = (batch: ReadonlyMap<AccountId, readonly LoggedRequest[]>): Promise<void> =>
    records.transaction(async (tx) => {
      for (const [accountId, entries] of inLockOrder([...batch], ([id]) => id)) {
        const rows = entries.map(
          ({ method, path, status, keyName, time }) =>
            sql`(${accountId}, ${method}, ${path}, ${status}, ${keyName}, ${time})`,
        );
        await tx.run(
          sql`INSERT INTO "requestLog" ("accountId", "method", "path", "status", "keyName", "time")
            VALUES ${join(rows)}`,
        );
        await tx.run(
          sql`DELETE FROM "requestLog" WHERE "accountId" = ${accountId} AND "id" NOT IN
            (SELECT "id" FROM "requestLog" WHERE "accountId" = ${accountId}
              ${newestFirst(clock.now())} LIMIT ${LIMITS.requestLogEntries})`,
        );
      }
      await tx.run(sql`DELETE FROM "requestLog" WHERE "time" <= ${clock.now() - LIMITS.requestLogMs}`);
    });

  const add = (accountId: AccountId, added: readonly LoggedRequest[]): void => {
    waiting.set(accountId, [...(waiting.get(accountId) ?? []), ...added].slice(-LIMITS.requestLogEntries));
  };

  /** One batch at a time. */
  const flush = async (): Promise<void> => {
    if (waiting.size === 0 || isWriting) return;
    const batch = new Map(waiting);
    isWriting = true;
    flushes += 1;
    waiting.clear();
    try {
      await write(batch);
    } catch (error) {
      const later = [...waiting];
      waiting.clear();
      for (const [accountId, entries] of [...batch, ...later]) add(accountId, entries);
      throw error;
    } finally {
      isWriting = false;
    }
  };

  let last: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    if (isWriting) return;
    last = flush().catch((error: unknown) => {
      log(`Writing the request log failed and will be tried again: ${String(error)}`, { level: 'warn' });
    });
  }, FLUSH_EVERY_MS).unref();

  return {
    record: (accountId: AccountId, entry: LoggedRequest): void => {
      const entries = waiting.get(accountId);
      if (entries === undefined) waiting.set(accountId, [entry]);
      else {
        entries.push(entry);
        if (entries.length > LIMITS.requestLogEntries) entries.shift();
      }
    },
    /** Newest first, including buffered entries. */
    latest: async (accountId: AccountId): Promise<readonly LoggedRequest[]> => {
      for (;;) {
        await last;
        const [batches, now] = [flushes, clock.now()];
        const buffered = (waiting.get(accountId) ?? []).toReversed();
        const written = await records.all<LoggedRequest>(
          sql`SELECT "method", "path", "status", "keyName", "time" FROM "requestLog"
            WHERE "accountId" = ${accountId} AND "time" > ${now - LIMITS.requestLogMs}
            ${newestFirst(now)} LIMIT ${LIMITS.requestLogEntries}`,
        );
        // Else a batch was being moved from the buffer to the table, and would be counted twice or not at all.
        if (batches === flushes) {
          const entries = [...buffered, ...written].toSorted((a, b) => ageMs(a.time, now) - ageMs(b.time, now));
          return entries.slice(0, LIMITS.requestLogEntries);
        }
      }
    },
    /** Writes what is buffered. Does not reject: a server stops also while its database is away. */
    close: async (): Promise<void> => {
      clearInterval(timer);
      await last;
      await flush().catch((error: unknown) => {
        log(`The last entries of the request log are lost: ${String(error)}`, { level: 'warn' });
      });
    },
  };
};

/** Records every request with a valid key after its response. */
export const registerRequestLog = (app: App, requestLog: RequestLog, clock: Clock): void => {
  app.addHook('onResponse', ({ requester, method, url }, reply, done) => {
    // Without a requester the pipeline refused the request before identifying it.
    if (requester?.kind === 'key') {
      const query = url.indexOf('?');
      const path = url.slice(0, Math.min(query < 0 ? url.length : query, PATH_MAX));
      const entry = { method, path, status: reply.statusCode, keyName: requester.key.name, time: clock.now() };
      requestLog.record(requester.account.id, entry);
    }
    done();
  });
};
