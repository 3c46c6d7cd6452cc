/**
 * Checks the password of an item and limits wrong guesses (429; API decisions 6). For each item, one network may guess
 * wrong a fixed number of times per 15 minutes; all networks together have a larger number, and after it one guess
 * every few seconds. A guess is counted before it is checked, so that parallel guesses do not bypass the limit.
 */
import type { ContentId } from '../../api/ids.ts';
import type { ContentRow } from '../content/content-rows.ts';
import type { Sql } from '../database/database-interface.ts';
import type { ServerDeps } from '../deps.ts';
import type { Networks } from '../limits/address-networks.ts';
import { attemptCounter, EVERYWHERE, tooManyAttempts } from '../limits/attempt-counter.ts';
import { isPassword, normalizePassword, type Passwords } from '../passwords.ts';

export const createPasswordCheck = (
  { records, clock, config }: Pick<ServerDeps, 'records' | 'clock' | 'config'>,
  passwords: Pick<Passwords, 'guess'>,
) => {
  const triesOf = (tx: Sql) => attemptCounter(tx, clock, 'wrongPasswords');

  /** Refused tries are not counted. False: the item was deleted meanwhile. */
  const countTry = async (id: ContentId, networks: Networks): Promise<boolean> => {
    try {
      await records.transaction((tx) => countIn(tx, id, networks));
      return true;
    } catch (error) {
      if (records.dialect.kindOf(error) === 'missing') return false;
      throw error;
    }
  };

  const countIn = async (tx: Sql, id: ContentId, networks: Networks): Promise<void> => {
    const tries = triesOf(tx);
    for (const { network, factor } of networks) {
      const waitMs = await tries.count(id, network, config.limits.wrongPasswordsPer15Minutes * factor);
      if (waitMs > 0) throw tooManyAttempts('Too many wrong passwords', waitMs);
    }
    const waitMs = await tries.countSlowly(id, EVERYWHERE, config.limits.wrongPasswordsPerItemPer15Minutes);
    if (waitMs > 0) throw tooManyAttempts('Too many wrong passwords for this link', waitMs);
  };

  const giveBack = (id: ContentId, networks: Networks): Promise<void> =>
    records.transaction(async (tx) => {
      const tries = triesOf(tx);
      for (const { network } of networks) await tries.giveBack(id, network);
      await tries.giveBack(id, EVERYWHERE);
    });

  return {
    /** Whether `password` opens the item. Throws RATE_LIMITED and UPLOAD_SERVER_BUSY. */
    check: async (row: ContentRow, networks: Networks, password: string): Promise<'right' | 'wrong' | 'gone'> => {
      if (row.passwordHash === null) return 'right';
      if (!(await countTry(row.id, networks))) return 'gone';
      // Text that cannot be a password is not hashed.
      if (!isPassword(password)) return 'wrong';
      let right = false;
      try {
        right = await passwords.guess(row.passwordHash, normalizePassword(password), networks);
      } catch (error) {
        await giveBack(row.id, networks);
        throw error;
      }
      if (right) await giveBack(row.id, networks);
      return right ? 'right' : 'wrong';
    },
    /** The item has a new password, without any guesses yet. */
    startAfresh: (tx: Sql, id: ContentId): Promise<void> => triesOf(tx).forget(id),
    sweep: (): Promise<void> => triesOf(records).sweep(config.limits.rememberedNetworks),
  };
};
