/**
 * Reads and starts the trial of a paid plan (API document, "BillingTrial"). An account has one trial at most, and none
 * after a paid plan; a network starts one trial at most in 30 days.
 */

import type { BillingTrial } from '../../api/account.ts';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import type { Sql } from '../database/database-interface.ts';
import { sql } from '../database/sql-template.ts';
import type { ServerDeps } from '../deps.ts';
import type { TrialNetwork } from '../limits/address-networks.ts';
import { ProblemError } from '../problem-details.ts';
import { type AccountRow, accountStore } from './accounts.ts';
import { PLAN_NAMES, TRIAL_PLAN } from './plan.ts';

const DAY_MS = 86_400_000;

type State = Pick<BillingTrial, 'state' | 'daysLeft' | 'reason' | 'notice'>;

/** Whether the requester's network has used a trial recently; relevant only to accounts that never had one. */
type NetworkUse = 'unused' | 'used';

const stateOf = (account: AccountRow, now: number, network: NetworkUse): State => {
  const none = { daysLeft: null, reason: null, notice: null };
  const { planUntil, trialStartsAt, trialEndsAt } = account;
  if (trialStartsAt === null || trialEndsAt === null) {
    if (planUntil !== null) return { ...none, state: 'unavailable', reason: 'subscribed' };
    return network === 'used' ? { ...none, state: 'unavailable', reason: 'limit' } : { ...none, state: 'available' };
  }
  // An account that had a plan gets no trial; after a trial, a plan came later.
  if (planUntil !== null) return { ...none, state: 'used' };
  const left = trialEndsAt - now;
  if (left <= 0) return { ...none, state: 'ended', notice: -left <= LIMITS.trialEndedNoticeMs ? 'ended' : null };
  const notice = left <= LIMITS.trialEndingMs ? 'ending' : null;
  return { ...none, state: 'active', daysLeft: Math.ceil(left / DAY_MS), notice };
};

const timeOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

/** The trial of the account at `now`. Pure. */
const trialOf = (account: AccountRow, now: number, network: NetworkUse): BillingTrial => ({
  ...stateOf(account, now, network),
  planCode: TRIAL_PLAN,
  planName: PLAN_NAMES[TRIAL_PLAN],
  days: LIMITS.trialDays,
  planQuota: true,
  startsAt: timeOf(account.trialStartsAt),
  endsAt: timeOf(account.trialEndsAt),
});

/** The last instant of the current day, counted back from the end, and the end itself. */
const daysOf = (end: number, now: number): readonly number[] => [
  end - (Math.ceil((end - now) / DAY_MS) - 1) * DAY_MS,
  end,
];

export type Trials = ReturnType<typeof createTrials>;

export const createTrials = (deps: Pick<ServerDeps, 'records' | 'clock'>) => {
  const { records, clock } = deps;

  /** When the network `from` last used a trial; not looked up if it is irrelevant to the account. */
  const takenAt = async (
    sqlOf: Sql,
    { planUntil, trialStartsAt }: AccountRow,
    from: TrialNetwork,
    now: number,
  ): Promise<number | undefined> => {
    if (planUntil !== null || trialStartsAt !== null) return undefined;
    const row = await sqlOf.get<{ takenAt: number }>(
      sql`SELECT "takenAt" FROM "trialNetworks" WHERE "network" = ${from} AND "takenAt" > ${now - LIMITS.trialNetworkMs}`,
    );
    return row?.takenAt;
  };

  const readAt = async (sqlOf: Sql, account: AccountRow, from: TrialNetwork): Promise<BillingTrial> => {
    const now = clock.now();
    const taken = await takenAt(sqlOf, account, from, now);
    return trialOf(account, now, taken === undefined ? 'unused' : 'used');
  };

  return {
    /** The trial as available to `from`. */
    read: (account: AccountRow, from: TrialNetwork): Promise<BillingTrial> => readAt(records, account, from),
    /** The next instant after `now` at which the result of `read` may change without a write. */
    changesAt: async (account: AccountRow, from: TrialNetwork, now: number): Promise<number> => {
      const taken = await takenAt(records, account, from, now);
      const { trialEndsAt } = account;
      const instants = [
        ...(taken === undefined ? [] : [taken + LIMITS.trialNetworkMs]),
        ...(trialEndsAt === null ? [] : [...daysOf(trialEndsAt, now), trialEndsAt + LIMITS.trialEndedNoticeMs + 1]),
      ];
      return Math.min(...instants.filter((instant) => instant > now));
    },
    /**
     * Starts it; while it runs, a repeat changes nothing. Throws TRIAL_UNAVAILABLE with `params.state` and
     * `params.reason`.
     */
    start: (id: AccountId, from: TrialNetwork): Promise<AccountRow> =>
      records.transaction(async (tx) => {
        const accounts = accountStore(tx);
        // The network first: accounts that start a trial from there at the same time wait for each other.
        await tx.run(
          sql`INSERT INTO "trialNetworks" ("network", "takenAt") VALUES (${from}, 0)
            ON CONFLICT ("network") DO UPDATE SET "takenAt" = "trialNetworks"."takenAt"`,
        );
        const account = await accounts.lock(id);
        if (account === undefined) throw new Error(`The account ${id} is gone.`);
        const { state, reason } = await readAt(tx, account, from);
        if (state === 'active') return account;
        if (state !== 'available') {
          throw new ProblemError('TRIAL_UNAVAILABLE', 'This account cannot start a trial.', {
            params: { state, reason },
          });
        }
        const now = clock.now();
        await tx.run(
          sql`UPDATE "accounts" SET "trialStartsAt" = ${now}, "trialEndsAt" = ${now + LIMITS.trialDays * DAY_MS}
            WHERE "id" = ${id}`,
        );
        await tx.run(sql`UPDATE "trialNetworks" SET "takenAt" = ${now} WHERE "network" = ${from}`);
        return (await accounts.byId(id)) ?? account;
      }),
    /** Removes networks whose period is over. */
    sweep: async (): Promise<void> => {
      await records.run(sql`DELETE FROM "trialNetworks" WHERE "takenAt" <= ${clock.now() - LIMITS.trialNetworkMs}`);
    },
  };
};
