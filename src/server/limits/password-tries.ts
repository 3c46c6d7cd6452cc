/**
 * Checks passwords within limits of wrong ones. A try is counted before it is checked, so that parallel guesses do not
 * bypass a limit, and given back if it was right or could not be checked. Where a limit is reached only together with
 * tries that this server still checks, a further try waits for one of them to end: it may be right.
 */
import { orOnAbort } from '../../base/common/on-abort.ts';
import type { Sql } from '../database/database-interface.ts';
import type { ServerDeps } from '../deps.ts';
import { ProblemError, serverBusy } from '../problem-details.ts';
import { type AttemptTable, attemptCounter, type Place } from './attempt-counter.ts';

/** For each line: the tries of one network at one secret. */
const WAITING_MAX = 64;
const BUSY_RETRY_MS = 1_000;

interface Counted {
  readonly subject: string;
  readonly place: Place;
}

interface Try {
  readonly counted: Counted[];
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/** What a try counts in. `what` starts the sentence of the refusal, such as "Too many wrong passwords". */
export interface TryCounter {
  count(subject: string, place: Place, limit: number, what: string): Promise<void>;
  countSlowly(subject: string, place: Place, limit: number, what: string): Promise<void>;
  /** Refuses none. Resolves with the number of earlier tries. */
  countAlways(subject: string, place: Place): Promise<number>;
}

/** Refused, but some of the tries before are still being checked. */
class NotYetRefused extends Error {
  readonly oneEnded: Promise<void>;

  constructor(oneEnded: Promise<void>) {
    super('Other tries are still being checked.');
    this.oneEnded = oneEnded;
  }
}

/** 429 with Retry-After. */
const tooManyAttempts = (what: string, retryAfterMs: number): ProblemError => {
  const minutes = Math.ceil(retryAfterMs / 60_000);
  const wait = retryAfterMs < 60_000 ? `${Math.ceil(retryAfterMs / 1_000)} seconds` : `${minutes} minutes`;
  return new ProblemError('RATE_LIMITED', `${what}; try again in ${wait}.`, { retryAfterMs });
};

const tooManyChecked = (): ProblemError =>
  serverBusy('Too many passwords are being checked; try again soon.', BUSY_RETRY_MS);

export const createPasswordTries = ({ records, clock }: Pick<ServerDeps, 'records' | 'clock'>, table: AttemptTable) => {
  /** Counted, and not yet known to be wrong or given back. */
  const running = new Set<Try>();
  const lines = new Map<string, { length: number; last: Promise<unknown> }>();

  /** In the transaction that counts: a try that is given back waits for its rows, so none has ended unseen. */
  const refuse = ({ subject, place }: Counted, problem: ProblemError): never => {
    const checked = [...running].filter(({ counted }) =>
      counted.some((one) => one.subject === subject && one.place === place),
    );
    throw checked.length === 0 ? problem : new NotYetRefused(Promise.race(checked.map(({ ended }) => ended)));
  };

  const counterOf = (tx: Sql, counted: Counted[]): TryCounter => {
    const tries = attemptCounter(tx, clock, table);
    const limited =
      (how: 'count' | 'countSlowly') =>
      async (subject: string, place: Place, limit: number, what: string): Promise<void> => {
        const waitMs = await tries[how](subject, place, limit);
        if (waitMs > 0) refuse({ subject, place }, tooManyAttempts(what, waitMs));
        counted.push({ subject, place });
      };
    return {
      count: limited('count'),
      countSlowly: limited('countSlowly'),
      countAlways: async (subject, place) => {
        const before = await tries.countAlways(subject, place);
        counted.push({ subject, place });
        return before;
      },
    };
  };

  const finish = (one: Try): void => {
    running.delete(one);
    one.end();
  };

  /** Counts a try. It is known as running before its counts are committed, where others could see them. */
  const begin = async <Before>(count: (tries: TryCounter) => Promise<Before>) => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const own: Try = { counted: [], ended, end };
    try {
      const before = await records.transaction(async (tx) => {
        running.delete(own);
        own.counted.length = 0;
        const earlier = await count(counterOf(tx, own.counted));
        running.add(own);
        return earlier;
      });
      return { own, before };
    } catch (error) {
      finish(own);
      throw error;
    }
  };

  const beginOnceAllowed = async <Before>(count: (tries: TryCounter) => Promise<Before>, signal: AbortSignal) => {
    while (!signal.aborted) {
      try {
        return await begin(count);
      } catch (error) {
        if (!(error instanceof NotYetRefused)) throw error;
        await orOnAbort(error.oneEnded, signal, () => {});
      }
    }
    throw tooManyChecked();
  };

  /** Runs `work` after all that came before it. */
  const inLine = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(name) ?? { length: 0, last: Promise.resolve() };
    if (line.length >= WAITING_MAX) throw tooManyChecked();
    lines.set(name, line);
    line.length++;
    const turn = line.last.then(work);
    line.last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      line.length--;
      if (line.length === 0) lines.delete(name);
    }
  };

  const giveBack = (counted: readonly Counted[]): Promise<void> =>
    records.transaction(async (tx) => {
      const tries = attemptCounter(tx, clock, table);
      for (const { subject, place } of counted) await tries.giveBack(subject, place);
    });

  return {
    /**
     * Resolves with what `check` does; null is a wrong password, and it alone stays counted. Tries of the same `line` begin
     * in order. Throws RATE_LIMITED once enough were wrong, and UPLOAD_SERVER_BUSY when too many wait or `signal` is aborted.
     */
    attempt: async <Before, T>(
      line: string,
      count: (tries: TryCounter) => Promise<Before>,
      check: (before: Before) => Promise<T | null>,
      signal: AbortSignal,
    ): Promise<T | null> => {
      const { own, before } = await inLine(line, () => beginOnceAllowed(count, signal));
      let isWrong = false;
      try {
        const outcome = await check(before);
        isWrong = outcome === null;
        return outcome;
      } finally {
        try {
          if (!isWrong) await giveBack(own.counted);
        } finally {
          finish(own);
        }
      }
    },
    forget: (tx: Sql, subject: string): Promise<void> => attemptCounter(tx, clock, table).forget(subject),
    sweep: (rowsMax: number): Promise<void> => attemptCounter(records, clock, table).sweep(rowsMax),
  };
};
