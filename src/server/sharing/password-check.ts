/**
 * Checks the password of an item against guessing: so many wrong ones per item and network in 15 minutes, then 429
 * (decisions 6), and so many per item from everywhere, then one every few seconds. A try is counted before it is checked,
 * so that parallel guesses cannot slip through together. Owners and viewers with a live grant never come here.
 */
import type { ContentId } from '../../api/ids.ts';
import type { ContentRow } from '../content/content-store.ts';
import { isPassword, normalizePassword } from '../content/share-fields.ts';
import type { ServerDeps } from '../deps.ts';
import { createAttemptCounter, EVERYWHERE, tooManyAttempts } from '../limits/attempt-counter.ts';
import type { Networks } from '../limits/network.ts';
import type { Passwords } from './password-hashing.ts';

export const createPasswordCheck = (
  deps: Pick<ServerDeps, 'database' | 'clock' | 'config'>,
  passwords: Pick<Passwords, 'guess'>,
) => {
  const { database, config } = deps;
  const tries = createAttemptCounter(deps, 'wrongPasswords');

  /** What is refused is not counted anywhere. */
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
      // What cannot be a password costs no hashing.
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
    /** The item has another password, at which no guess was made yet. */
    startAfresh: (id: ContentId): void => {
      tries.forget(id);
    },
    sweep: (): void => {
      tries.sweep();
    },
  };
};
