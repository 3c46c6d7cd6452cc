/** Slots of single-request uploads: at most `uploadsAtOnce` per account, and one request per Idempotency-Key. */
import type { AccountId } from '../../api/ids.ts';
import { ProblemError } from '../problem.ts';
import { twinRunning } from './idempotency-store.ts';

const BUSY_RETRY_MS = 2_000;

export interface SingleRequestSlots {
  /**
   * Runs `work` in one of the account's slots. Throws IDEMPOTENCY_CONFLICT while a request with the same `twin` runs,
   * and UPLOAD_USER_BUSY when the account has no free slot; `twin` is null without an Idempotency-Key.
   */
  run<T>(accountId: AccountId, twin: string | null, work: () => Promise<T>): Promise<T>;
}

export const createSingleRequestSlots = (uploadsAtOnce: number): SingleRequestSlots => {
  const active = new Map<AccountId, number>();
  const running = new Set<string>();

  return {
    run: async (accountId, twin, work) => {
      if (twin !== null && running.has(twin)) throw twinRunning();
      const places = active.get(accountId) ?? 0;
      if (places >= uploadsAtOnce) {
        throw new ProblemError(
          'UPLOAD_USER_BUSY',
          `The account sends ${places} files already; send this one when one of them is done.`,
          { retryAfterMs: BUSY_RETRY_MS },
        );
      }
      active.set(accountId, places + 1);
      if (twin !== null) running.add(twin);
      try {
        return await work();
      } finally {
        const left = (active.get(accountId) ?? 1) - 1;
        if (left > 0) active.set(accountId, left);
        else active.delete(accountId);
        if (twin !== null) running.delete(twin);
      }
    },
  };
};
