/**
 * Checks the name and password of a sign-in, and takes as long for an unknown name as for a wrong password, so that
 * timing does not reveal which names exist. Limits the wrong guesses of each network per name and in total
 * (RATE_LIMITED). Wrong guesses at one name from many networks only delay further sign-ins with that name, so an
 * attacker cannot lock out its owner.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../../api/limits.ts';
import type { ServerDeps } from '../deps.ts';
import type { Networks } from '../limits/address-networks.ts';
import { EVERYWHERE } from '../limits/attempt-counter.ts';
import { createPasswordTries, type TryCounter } from '../limits/password-tries.ts';
import { isPassword, normalizePassword, type Passwords } from '../passwords.ts';
import { type AccountRow, accountStore, lowerCaseName } from './accounts.ts';
import { accountBanned } from './authenticate.ts';

/** A name that no account can have. */
const ALL_ACCOUNTS = '';
const ALL_ACCOUNTS_FACTOR = 10;
const NAME_MAX = 64;
/** Further sign-ins are not delayed: a delay must neither fill the memory nor refuse a user. */
const DELAYED_MAX = 256;

/** The delay of a sign-in after `before` wrong ones of its name: 1 s above `limit`, doubled four times per limit. */
const delayOf = (before: number, limit: number, maxMs: number): number => {
  if (before < limit) return 0;
  const doublings = Math.floor((before - limit) / Math.max(1, limit / 4));
  return Math.min(maxMs, LIMITS.signInFirstDelayMs * 2 ** doublings);
};

export type SignIn = ReturnType<typeof createSignIn>;

export const createSignIn = (
  deps: Pick<ServerDeps, 'records' | 'clock' | 'config' | 'random'>,
  passwords: Pick<Passwords, 'hash' | 'guess'>,
  wait: (ms: number) => Promise<unknown> = sleep,
) => {
  const { records, config, random } = deps;
  const accounts = accountStore(records);
  const tries = createPasswordTries(deps, 'wrongSignIns');
  /** Verified instead of a missing hash. */
  let decoy: Promise<string> | undefined;
  let delayed = 0;

  /** Returns the number of earlier wrong ones for the name, from all networks. */
  const countIn = async (counter: TryCounter, username: string, networks: Networks): Promise<number> => {
    const limit = config.limits.wrongPasswordsPer15Minutes;
    const what = 'Too many wrong sign-ins';
    for (const { network, factor } of networks) {
      await counter.count(ALL_ACCOUNTS, network, limit * factor * ALL_ACCOUNTS_FACTOR, what);
      await counter.count(username, network, limit * factor, what);
    }
    return await counter.countAlways(username, EVERYWHERE);
  };

  const slowDown = async (before: number): Promise<void> => {
    const { wrongSignInsPerNamePer15Minutes: limit, signInDelaySeconds } = config.limits;
    const delayMs = delayOf(before, limit, signInDelaySeconds * 1_000);
    if (delayMs === 0 || delayed >= DELAYED_MAX) return;
    delayed++;
    try {
      await wait(delayMs);
    } finally {
      delayed--;
    }
  };

  const decoyHash = (): Promise<string> => {
    decoy ??= passwords.hash(random.uuid()).catch((error: unknown) => {
      decoy = undefined;
      throw error;
    });
    return decoy;
  };

  const isRight = async (account: AccountRow | undefined, password: string, networks: Networks): Promise<boolean> => {
    if (!isPassword(password)) return false;
    const hash = account?.passwordHash ?? (await decoyHash());
    const fits = await passwords.guess(hash, normalizePassword(password), networks);
    return fits && account !== undefined && account.passwordHash !== null;
  };

  /** Null: the name or the password is wrong. */
  const accountOf = async (name: string, password: string, networks: Networks): Promise<AccountRow | null> => {
    const account = await accounts.find(name);
    const right = await isRight(account, password, networks);
    // The password may have changed during the check.
    const now = account && (await accounts.byId(account.id));
    return right && now !== undefined && now.passwordHash === account?.passwordHash ? now : null;
  };

  return {
    /** Null: the name or the password is wrong. Throws ACCOUNT_BANNED, RATE_LIMITED, UPLOAD_SERVER_BUSY. */
    check: async (
      name: string,
      password: string,
      networks: Networks,
      signal: AbortSignal,
    ): Promise<AccountRow | null> => {
      const username = name.trim().slice(0, NAME_MAX);
      if (username === '') return null;
      const lowerCase = lowerCaseName(username);
      const account = await tries.attempt(
        `${lowerCase} ${networks[0].network}`,
        (counter) => countIn(counter, lowerCase, networks),
        async (before) => {
          await slowDown(before);
          return await accountOf(username, password, networks);
        },
        signal,
      );
      // Only disclosed to a user who knows the password.
      if (account !== null && account.bannedAt !== null) throw accountBanned();
      return account;
    },
    sweep: (): Promise<void> => tries.sweep(config.limits.rememberedNetworks),
  };
};
