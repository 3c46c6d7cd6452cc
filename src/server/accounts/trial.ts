/** The trial of a paid plan (API document, "BillingTrial"): once per account, and rarely from one network. */
import { isIPv4 } from 'node:net';
import type { AccountId } from '../../contract/ids.ts';
import type { BillingTrial } from '../../contract/service/account.ts';
import { LIMITS } from '../../contract/service/limits.ts';
import type { ServerDeps } from '../deps.ts';
import { ProblemError } from '../problem.ts';
import { type AccountRow, createAccounts } from './accounts.ts';
import { PLAN_NAMES, TRIAL_PLAN } from './plan.ts';

const DAY_MS = 86_400_000;

type State = Pick<BillingTrial, 'state' | 'daysLeft' | 'reason' | 'notice'>;

/** Whether the asker's network has taken a trial of late; it matters only to accounts that never had one. */
type NetworkUse = 'unused' | 'used';

const stateOf = (account: AccountRow, now: number, network: NetworkUse): State => {
  const none = { daysLeft: null, reason: null, notice: null };
  const { planUntil, trialStartsAt, trialEndsAt } = account;
  if (trialStartsAt === null || trialEndsAt === null) {
    if (planUntil !== null) return { ...none, state: 'unavailable', reason: 'subscribed' };
    return network === 'used' ? { ...none, state: 'unavailable', reason: 'limit' } : { ...none, state: 'available' };
  }
  // Who had a plan before gets no trial, so a plan of someone who had one came after it.
  if (planUntil !== null) return { ...none, state: 'used' };
  const left = trialEndsAt - now;
  if (left <= 0) return { ...none, state: 'ended', notice: -left <= LIMITS.trialEndedNoticeMs ? 'ended' : null };
  const notice = left <= LIMITS.trialEndingMs ? 'ending' : null;
  return { ...none, state: 'active', daysLeft: Math.ceil(left / DAY_MS), notice };
};

const timeOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

/** The trial as it stands for the account at `now`. Pure. */
const trialOf = (account: AccountRow, now: number, network: NetworkUse): BillingTrial => ({
  ...stateOf(account, now, network),
  planCode: TRIAL_PLAN,
  planName: PLAN_NAMES[TRIAL_PLAN],
  days: LIMITS.trialDays,
  planQuota: true,
  startsAt: timeOf(account.trialStartsAt),
  endsAt: timeOf(account.trialEndsAt),
});

/** The last instant of the day that is running, counted back from the end, and the end itself. */
const daysOf = (end: number, now: number): readonly number[] => [
  end - (Math.ceil((end - now) / DAY_MS) - 1) * DAY_MS,
  end,
];

const IPV4_IN_IPV6 = /^::ffff:(?=\d+\.)/i;

/** The first three bytes of an IPv4 address, the first three groups of an IPv6 address: what one household or office has. */
export const networkOf = (ip: string): string => {
  const address = ip.replace(IPV4_IN_IPV6, '');
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const groups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups(head).length - groups(tail).length);
  const all = [...groups(head), ...Array.from({ length: zeros }, () => '0'), ...groups(tail ?? '')];
  const first = all.slice(0, 3).map((group) => Number.parseInt(group, 16).toString(16));
  return `${first.join(':')}::/48`;
};

export type Trials = ReturnType<typeof createTrials>;

export const createTrials = (deps: Pick<ServerDeps, 'database' | 'clock' | 'random'>) => {
  const { database, clock } = deps;
  const accounts = createAccounts(deps);
  const selectNetwork = database.prepare<[string, number], { takenAt: number }>(
    'SELECT takenAt FROM trialNetworks WHERE network = ? AND takenAt > ?',
  );
  const putNetwork = database.prepare<[string, number]>(
    'INSERT INTO trialNetworks (network, takenAt) VALUES (?, ?) ON CONFLICT DO UPDATE SET takenAt = excluded.takenAt',
  );
  const removeOld = database.prepare<[number]>('DELETE FROM trialNetworks WHERE takenAt <= ?');
  const updateTrial = database.prepare<[number, number, AccountId]>(
    'UPDATE accounts SET trialStartsAt = ?, trialEndsAt = ? WHERE id = ?',
  );

  /** When the network that `ip` is in has taken a trial of late; what cannot matter to the account is not looked up. */
  const takenAt = ({ planUntil, trialStartsAt }: AccountRow, ip: string, now: number): number | undefined =>
    planUntil === null && trialStartsAt === null
      ? selectNetwork.get(networkOf(ip), now - LIMITS.trialNetworkMs)?.takenAt
      : undefined;

  const read = (account: AccountRow, ip: string): BillingTrial => {
    const now = clock.now();
    return trialOf(account, now, takenAt(account, ip, now) === undefined ? 'unused' : 'used');
  };

  return {
    /** The trial as `ip` may take it. */
    read,
    /** The next instant after `now` at which `read` may answer something else though nothing was written. */
    changesAt: (account: AccountRow, ip: string, now: number): number => {
      const taken = takenAt(account, ip, now);
      const { trialEndsAt } = account;
      const instants = [
        ...(taken === undefined ? [] : [taken + LIMITS.trialNetworkMs]),
        ...(trialEndsAt === null ? [] : [...daysOf(trialEndsAt, now), trialEndsAt + LIMITS.trialEndedNoticeMs + 1]),
      ];
      return Math.min(...instants.filter((instant) => instant > now));
    },
    /** Starts it; while it runs, a repeat changes nothing. Throws TRIAL_UNAVAILABLE with `params.state` and `params.reason`. */
    start: database.transaction((id: AccountId, ip: string): AccountRow => {
      const account = accounts.byId(id);
      if (account === undefined) throw new Error(`The account ${id} is gone.`);
      const { state, reason } = read(account, ip);
      if (state === 'active') return account;
      if (state !== 'available') {
        throw new ProblemError('TRIAL_UNAVAILABLE', 'This account cannot start a trial.', {
          params: { state, reason },
        });
      }
      const now = clock.now();
      updateTrial.run(now, now + LIMITS.trialDays * DAY_MS, id);
      putNetwork.run(networkOf(ip), now);
      return accounts.byId(id) ?? account;
    }).immediate,
    /** Forgets networks whose time is over. */
    sweep: (): void => {
      removeOld.run(clock.now() - LIMITS.trialNetworkMs);
    },
  };
};
