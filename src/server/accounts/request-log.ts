/**
 * The request log (API document, "Limits"): the latest 100 requests of an account's keys from 30 days. Entries are
 * buffered and written in batches, so that no request waits for its own; a crash loses the last second of them.
 */

import type Database from 'better-sqlite3';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import type { Clock } from '../clock-and-random.ts';
import type { App } from '../http/route-of-endpoint.ts';
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

export type RequestLog = ReturnType<typeof createRequestLog>;

export const createRequestLog = ({
  database,
  clock,
  log,
}: {
  readonly database: Database.Database;
  readonly clock: Clock;
  readonly log: Log;
}) => {
  const insert = database.prepare<LoggedRequest & { accountId: AccountId }>(
    `INSERT INTO requestLog (accountId, method, path, status, keyName, time)
     VALUES (@accountId, @method, @path, @status, @keyName, @time)`,
  );
  const removeBeyond = database.prepare<[AccountId, AccountId, number]>(
    `DELETE FROM requestLog WHERE accountId = ? AND id <=
       (SELECT id FROM requestLog WHERE accountId = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`,
  );
  const removeOld = database.prepare<[number]>('DELETE FROM requestLog WHERE time <= ?');
  const select = database.prepare<[AccountId, number, number], LoggedRequest>(
    `SELECT method, path, status, keyName, time FROM requestLog WHERE accountId = ? AND time > ?
     ORDER BY id DESC LIMIT ?`,
  );
  const waiting = new Map<AccountId, LoggedRequest[]>();

  const write = database.transaction((): void => {
    for (const [accountId, entries] of waiting) {
      for (const entry of entries) insert.run({ ...entry, accountId });
      removeBeyond.run(accountId, accountId, LIMITS.requestLogEntries);
    }
    removeOld.run(clock.now() - LIMITS.requestLogMs);
  });

  const flush = (): void => {
    if (waiting.size === 0) return;
    write.immediate();
    waiting.clear();
  };

  const timer = setInterval(() => {
    try {
      flush();
    } catch (error) {
      log(`Writing the request log failed and will be tried again: ${String(error)}`, { level: 'warn' });
    }
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
    latest: (accountId: AccountId): readonly LoggedRequest[] => {
      const written = select.all(accountId, clock.now() - LIMITS.requestLogMs, LIMITS.requestLogEntries);
      return [...(waiting.get(accountId) ?? []).toReversed(), ...written].slice(0, LIMITS.requestLogEntries);
    },
    close: (): void => {
      clearInterval(timer);
      flush();
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
