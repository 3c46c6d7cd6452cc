/**
 * Builds the account response with plan, limits and trial, and the subscription response (API document, "Account
 * response"). Also describes an API key as the `credential` of a response, and caches whole account responses.
 */
import type { Account, ApiCredential, Subscription, User } from '../../api/account.ts';
import { NO_END_MS } from '../../api/never-expires.ts';
import { createVersionedCache, whenKnown } from '../database/versioned-cache.ts';
import type { ServerDeps } from '../deps.ts';
import type { TrialNetwork } from '../limits/address-networks.ts';
import type { AccountRow } from './accounts.ts';
import { type KeyRow, scopesOf } from './api-keys.ts';
import type { KeyHolder } from './authenticate.ts';
import { entitlementsOf, limitsOf, planOf, quotaOf } from './plan.ts';
import type { Trials } from './plan-trial.ts';

const ANSWERS_REMEMBERED = 1_000;

/** A whole response as text. Valid from `since` to before `until`, unless something is written. */
interface ReadyAnswer {
  readonly json: string;
  readonly since: number;
  readonly until: number;
}

export const createAccountReplies = ({ config, clock }: Pick<ServerDeps, 'config' | 'clock'>, trials: Trials) => {
  const recall = createVersionedCache<ReadyAnswer>(ANSWERS_REMEMBERED);

  const accountOf = async (account: AccountRow, from: TrialNetwork): Promise<Omit<Account, 'credential'>> => {
    const trial = await trials.read(account, from);
    const now = clock.now();
    return {
      user: { ...profileOf(account), quotaBytes: quotaOf(config, account, now), plan: planOf(account, now) },
      limits: limitsOf(config, account, now),
      entitlements: entitlementsOf(config, account, now, trial),
    };
  };

  const makeJson = async ({ account, key }: KeyHolder, from: TrialNetwork): Promise<ReadyAnswer> => {
    const now = clock.now();
    const json = JSON.stringify({ ...(await accountOf(account, from)), credential: credentialOf(key) });
    const planEnd = account.planUntil !== null && account.planUntil > now ? account.planUntil : Infinity;
    return { json, since: now, until: Math.min(planEnd, await trials.changesAt(account, from, now)) };
  };

  return {
    /** `from` decides whether a trial is available there. Without `credential`. */
    account: accountOf,
    /** The whole response for the holder of a key. Requested often, and rarely changed. */
    accountJson: (holder: KeyHolder, from: TrialNetwork): string | Promise<string> => {
      const make = () => makeJson(holder, from);
      return whenKnown(recall.get(holder.version, `${holder.key.id} ${from}`, make), ({ json, since, until }) => {
        const now = clock.now();
        return since <= now && now < until ? json : make().then((made) => made.json);
      });
    },
    subscription: async (account: AccountRow, from: TrialNetwork): Promise<Subscription> => {
      const trial = await trials.read(account, from);
      const now = clock.now();
      return { plan: planOf(account, now), entitlements: entitlementsOf(config, account, now, trial), trial };
    },
  };
};
export type AccountReplies = ReturnType<typeof createAccountReplies>;

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
