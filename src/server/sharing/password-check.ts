/**
 * Checks the password of an item, with limits against guessing: a number of wrong ones per item and network in 15
 * minutes, then 429 (API decisions 6), and a number per item over all networks, then one every few seconds. A try is
 * counted before it is checked, so that parallel guesses do not bypass the limit. Owners and viewers with a valid grant
 * are not checked.
 */
import type { ContentId } from '../../api/ids.ts';
import type { ContentRow } from '../content/content-store.ts';
import type { ServerDeps } from '../deps.ts';
import { createAttemptCounter, EVERYWHERE, tooManyAttempts } from '../limits/attempt-counter.ts';
import type { Networks } from '../limits/network.ts';
import { isPassword, normalizePassword, type Passwords } from '../passwords.ts';

export const createPasswordCheck = (
  deps: Pick<ServerDeps, 'database' | 'clock' | 'config'>,
  passwords: Pick<Passwords, 'guess'>,
) => {
  const { database, config } = deps;
  const tries = createAttemptCounter(deps, 'wrongPasswords');

  /** Refused tries are not counted. */
  const countTry = database.transaction((id: ContentId, networks: Networks): void => {
    for (const { network, factor } of networks) {
      const waitMs = tries.count(id, network, config.limits.wrongPasswordsPer15Minutes * factor);
      if (waitMs > 0) throw tooManyAttempts('Too many wrong passwords', waitMs);
    }
    const waitMs = tries.countSlowly(id, EVERYWHERE, config.limits.wrongPasswordsPerItemPer15Minutes);
    if (waitMs > 0) throw tooManyAttempts('Too many wrong passwords for this link', waitMs);
  });

  const giveBack = database.transaction((id: ContentId, networks: Networks): void => {
    for (const { network } of networks) tries.giveBack(id, network);
    tries.giveBack(id, EVERYWHERE);
  });

  return {
    /** Whether `password` opens the item. Throws RATE_LIMITED and UPLOAD_SERVER_BUSY. */
    isRight: async (row: ContentRow, networks: Networks, password: string): Promise<boolean> => {
      if (row.passwordHash === null) return true;
      countTry.immediate(row.id, networks);
      // Text that cannot be a password is not hashed.
      if (!isPassword(password)) return false;
      let right = false;
      try {
        right = await passwords.guess(row.passwordHash, normalizePassword(password), networks);
      } catch (error) {
        giveBack.immediate(row.id, networks);
        throw error;
      }
      if (right) giveBack.immediate(row.id, networks);
      return right;
    },
    /** The item has a new password, without any guesses yet. */
    startAfresh: (id: ContentId): void => {
      tries.forget(id);
    },
    sweep: (): void => {
      tries.sweep();
    },
  };
};
