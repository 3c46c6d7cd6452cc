/** The trial of a paid plan (API document, "BillingTrial"): once per account, and limited per network. */

import type { BillingTrial } from '../../api/account.ts';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import type { ServerDeps } from '../deps.ts';
import type { TrialNetwork } from '../limits/network.ts';
import { ProblemError } from '../problem.ts';
import { type AccountRow, createAccounts } from './accounts.ts';
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

export const createTrials = (deps: Pick<ServerDeps, 'database' | 'clock' | 'random'>) => {
  const { database, clock } = deps;
  const accounts = createAccounts(deps);
  const selectNetwork = database.prepare<[TrialNetwork, number], { takenAt: number }>(
    'SELECT takenAt FROM trialNetworks WHERE network = ? AND takenAt > ?',
  );
  const putNetwork = database.prepare<[TrialNetwork, number]>(
    'INSERT INTO trialNetworks (network, takenAt) VALUES (?, ?) ON CONFLICT DO UPDATE SET takenAt = excluded.takenAt',
  );
  const removeOld = database.prepare<[number]>('DELETE FROM trialNetworks WHERE takenAt <= ?');
  const updateTrial = database.prepare<[number, number, AccountId]>(
    'UPDATE accounts SET trialStartsAt = ?, trialEndsAt = ? WHERE id = ?',
  );

  /** When the network `from` last used a trial; not looked up if it is irrelevant to the account. */
  const takenAt = ({ planUntil, trialStartsAt }: AccountRow, from: TrialNetwork, now: number): number | undefined =>
    planUntil === null && trialStartsAt === null
      ? selectNetwork.get(from, now - LIMITS.trialNetworkMs)?.takenAt
      : undefined;

  const read = (account: AccountRow, from: TrialNetwork): BillingTrial => {
    const now = clock.now();
    return trialOf(account, now, takenAt(account, from, now) === undefined ? 'unused' : 'used');
  };

  return {
    /** The trial as available to `from`. */
    read,
    /** The next instant after `now` at which the result of `read` may change without a write. */
    changesAt: (account: AccountRow, from: TrialNetwork, now: number): number => {
      const taken = takenAt(account, from, now);
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
    start: database.transaction((id: AccountId, from: TrialNetwork): AccountRow => {
      const account = accounts.byId(id);
      if (account === undefined) throw new Error(`The account ${id} is gone.`);
      const { state, reason } = read(account, from);
      if (state === 'active') return account;
      if (state !== 'available') {
        throw new ProblemError('TRIAL_UNAVAILABLE', 'This account cannot start a trial.', {
          params: { state, reason },
        });
      }
      const now = clock.now();
      updateTrial.run(now, now + LIMITS.trialDays * DAY_MS, id);
      putNetwork.run(from, now);
      return accounts.byId(id) ?? account;
    }).immediate,
    /** Removes networks whose period is over. */
    sweep: (): void => {
      removeOld.run(clock.now() - LIMITS.trialNetworkMs);
    },
  };
};
