/** The account as the API tells it (API document, "Account response"). */
import type { Account, ApiCredential, Subscription, User } from '../../contract/service/account.ts';
import { NO_END_MS } from '../../contract/service/no-end.ts';
import { createRecall } from '../database-version.ts';
import type { ServerDeps } from '../deps.ts';
import type { AccountRow } from './accounts.ts';
import type { KeyHolder } from './auth.ts';
import { type KeyRow, scopesOf } from './keys.ts';
import { entitlementsOf, limitsOf, planOf, quotaOf } from './plan.ts';
import type { Trials } from './trial.ts';

const ANSWERS_REMEMBERED = 1_000;

/** A whole answer as text. It holds from `from` to before `until`, unless something is written. */
interface ReadyAnswer {
  readonly json: string;
  readonly from: number;
  readonly until: number;
}

export const createAccountAnswers = ({ config, clock }: Pick<ServerDeps, 'config' | 'clock'>, trials: Trials) => {
  const recall = createRecall<ReadyAnswer>(ANSWERS_REMEMBERED);

  const accountOf = (account: AccountRow, ip: string): Omit<Account, 'credential'> => {
    const now = clock.now();
    return {
      user: { ...profileOf(account), quotaBytes: quotaOf(config, account, now), plan: planOf(account, now) },
      limits: limitsOf(config, account, now),
      entitlements: entitlementsOf(config, account, now, trials.read(account, ip)),
    };
  };

  const makeJson = ({ account, key }: KeyHolder, ip: string): ReadyAnswer => {
    const from = clock.now();
    const json = JSON.stringify({ ...accountOf(account, ip), credential: credentialOf(key) });
    const planEnd = account.planUntil !== null && account.planUntil > from ? account.planUntil : Infinity;
    return { json, from, until: Math.min(planEnd, trials.changesAt(account, ip, from)) };
  };

  return {
    /** `ip` decides whether a trial may be taken from there. Without `credential`. */
    account: accountOf,
    /** The whole answer to who holds a key. It is asked often and seldom changes. */
    accountJson: (holder: KeyHolder, ip: string): string => {
      const { json, from, until } = recall.get(holder.version, `${holder.key.id} ${ip}`, () => makeJson(holder, ip));
      const now = clock.now();
      return from <= now && now < until ? json : makeJson(holder, ip).json;
    },
    subscription: (account: AccountRow, ip: string): Subscription => {
      const now = clock.now();
      const trial = trials.read(account, ip);
      return { plan: planOf(account, now), entitlements: entitlementsOf(config, account, now, trial), trial };
    },
  };
};
export type AccountAnswers = ReturnType<typeof createAccountAnswers>;

const profileOf = (account: AccountRow): Omit<User, 'quotaBytes' | 'plan'> => ({
  id: account.id,
  username: account.username,
  name: account.name,
  palette: account.palette,
  bio: account.bio,
  copyLink: account.copyLink === 1,
  privateByDefault: account.privateByDefault === 1,
  unlistedPreviews: account.unlistedPreviews === 1,
  previewAuthor: account.previewAuthor === 1,
  captureHotkey: account.captureHotkey,
  avatarUrl: account.avatarUrl,
  avatarRevision: account.avatarRevision,
  storageUsed: account.storageUsed,
  createdAt: new Date(account.createdAt).toISOString(),
});

/** `credential` (API document, "credential"): `expiresAt` is always a time there. */
export const credentialOf = (key: KeyRow): ApiCredential => ({
  id: key.id,
  name: key.name,
  scopes: [...scopesOf(key)],
  expiresAt: new Date(key.expiresAt ?? key.createdAt + NO_END_MS).toISOString(),
  client: key.client,
  deviceName: key.deviceName,
});
