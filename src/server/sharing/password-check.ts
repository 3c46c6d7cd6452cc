/**
 * Checks the password of an item and limits wrong guesses (429; API decisions 6). For each item, one network may guess
 * wrong a fixed number of times per 15 minutes; all networks together have a larger number, and after it one guess
 * every few seconds.
 */
import type { ContentId } from '../../api/ids.ts';
import type { ContentRow } from '../content/content-rows.ts';
import type { Sql } from '../database/database-interface.ts';
import type { ServerDeps } from '../deps.ts';
import type { Networks } from '../limits/address-networks.ts';
import { EVERYWHERE } from '../limits/attempt-counter.ts';
import { createPasswordTries, type TryCounter } from '../limits/password-tries.ts';
import { isPassword, normalizePassword, type Passwords } from '../passwords.ts';

export const createPasswordCheck = (
  deps: Pick<ServerDeps, 'records' | 'clock' | 'config'>,
  passwords: Pick<Passwords, 'guess'>,
) => {
  const { records, config } = deps;
  const tries = createPasswordTries(deps, 'wrongPasswords');

  const countIn = async (counter: TryCounter, id: ContentId, networks: Networks): Promise<void> => {
    const { wrongPasswordsPer15Minutes: limit, wrongPasswordsPerItemPer15Minutes: itemLimit } = config.limits;
    for (const { network, factor } of networks)
      await counter.count(id, network, limit * factor, 'Too many wrong passwords');
    await counter.countSlowly(id, EVERYWHERE, itemLimit, 'Too many wrong passwords for this link');
  };

  return {
    /**
     * Whether `password` opens the item; `gone`: it was deleted meanwhile. Throws RATE_LIMITED and UPLOAD_SERVER_BUSY.
     */
    check: async (
      { id, passwordHash }: ContentRow,
      networks: Networks,
      password: string,
      signal: AbortSignal,
    ): Promise<'right' | 'wrong' | 'gone'> => {
      if (passwordHash === null) return 'right';
      // Text that cannot be a password is not hashed.
      const isRight = async (): Promise<boolean> =>
        isPassword(password) && (await passwords.guess(passwordHash, normalizePassword(password), networks));
      try {
        const right = await tries.attempt(
          `${id} ${networks[0].network}`,
          (counter) => countIn(counter, id, networks),
          async () => ((await isRight()) ? 'right' : null),
          signal,
        );
        return right ?? 'wrong';
      } catch (error) {
        if (records.dialect.kindOf(error) === 'missing') return 'gone';
        throw error;
      }
    },
    /** The item has a new password, without any guesses yet. */
    startAfresh: (tx: Sql, id: ContentId): Promise<void> => tries.forget(tx, id),
    sweep: (): Promise<void> => tries.sweep(config.limits.rememberedNetworks),
  };
};
