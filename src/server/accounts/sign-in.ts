/**
 * Checks a name and its password against guessing: so many wrong ones of one address for one account in 15 minutes, ten
 * times as many for all accounts together, then 429. A name that nobody has takes as long as one with a wrong password.
 */
import { LIMITS } from '../../contract/service/limits.ts';
import { isPassword, normalizePassword } from '../content/fields.ts';
import type { ServerDeps } from '../deps.ts';
import { ProblemError } from '../problem.ts';
import type { Passwords } from '../sharing/passwords.ts';
import { type AccountRow, createAccounts } from './accounts.ts';
import { accountBanned } from './auth.ts';

interface Window {
  readonly startedAt: number;
  readonly count: number;
}

/** A name that no account can have. */
const ALL_ACCOUNTS = '';
const ADDRESS_FACTOR = 10;
const NAME_MAX = 64;

export type SignIn = ReturnType<typeof createSignIn>;

export const createSignIn = (
  deps: Pick<ServerDeps, 'database' | 'clock' | 'config' | 'random'>,
  passwords: Passwords,
) => {
  const { database, clock, config, random } = deps;
  const accounts = createAccounts(deps);
  const select = database.prepare<[string, string], Window>(
    'SELECT startedAt, count FROM wrongSignIns WHERE username = ? AND ip = ?',
  );
  const put = database.prepare<[string, string, number, number]>(
    `INSERT INTO wrongSignIns (username, ip, startedAt, count) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET startedAt = excluded.startedAt, count = excluded.count`,
  );
  const giveBack = database.prepare<[string, string]>(
    'UPDATE wrongSignIns SET count = max(0, count - 1) WHERE username = ? AND ip = ?',
  );
  const removeEnded = database.prepare<[number]>('DELETE FROM wrongSignIns WHERE startedAt <= ?');
  /** Checked in place of a hash that an account does not have. */
  let decoy: Promise<string> | undefined;

  /** A try is counted before it is checked, so that parallel guesses cannot slip through together. */
  const countTry = (username: string, ip: string, limit: number): void => {
    const now = clock.now();
    const known = select.get(username, ip);
    const window = known && known.startedAt + LIMITS.wrongPasswordWindowMs > now ? known : { startedAt: now, count: 0 };
    if (window.count >= limit) {
      const retryAfterMs = window.startedAt + LIMITS.wrongPasswordWindowMs - now;
      const minutes = Math.ceil(retryAfterMs / 60_000);
      throw new ProblemError('RATE_LIMITED', `Too many wrong sign-ins; try again in ${minutes} minutes.`, {
        retryAfterMs,
      });
    }
    put.run(username, ip, window.startedAt, window.count + 1);
  };

  const countTries = database.transaction((username: string, ip: string): void => {
    const limit = config.limits.wrongPasswordsPer15Minutes;
    countTry(ALL_ACCOUNTS, ip, limit * ADDRESS_FACTOR);
    countTry(username, ip, limit);
  });

  const forget = (username: string, ip: string): void => {
    giveBack.run(ALL_ACCOUNTS, ip);
    giveBack.run(username, ip);
  };

  const decoyHash = (): Promise<string> => {
    decoy ??= passwords.hash(random.uuid()).catch((error: unknown) => {
      decoy = undefined;
      throw error;
    });
    return decoy;
  };

  const isRight = async (account: AccountRow | undefined, password: string): Promise<boolean> => {
    if (!isPassword(password)) return false;
    const hash = account?.passwordHash ?? (await decoyHash());
    const fits = await passwords.verify(hash, normalizePassword(password));
    return fits && account !== undefined && account.passwordHash !== null;
  };

  return {
    /** Null: the name or the password is wrong. Throws ACCOUNT_BANNED, RATE_LIMITED, UPLOAD_SERVER_BUSY. */
    check: async (name: string, password: string, ip: string): Promise<AccountRow | null> => {
      const username = name.trim().slice(0, NAME_MAX);
      if (username === '') return null;
      countTries.immediate(username, ip);
      const account = accounts.find(username);
      let right = false;
      try {
        right = await isRight(account, password);
      } catch (error) {
        forget(username, ip);
        throw error;
      }
      if (!right || account === undefined) return null;
      forget(username, ip);
      // Told only to whoever knows the password.
      if (account.bannedAt !== null) throw accountBanned();
      return account;
    },
    sweep: (): void => {
      removeEnded.run(clock.now() - LIMITS.wrongPasswordWindowMs);
    },
  };
};
