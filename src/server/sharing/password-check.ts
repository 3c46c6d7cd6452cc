/**
 * Checks the password of an item against guessing: so many wrong ones per item and address in 15 minutes, then 429
 * (decisions 6). A try is counted before it is checked, so that parallel guesses cannot slip through together.
 */
import type { ContentId } from '../../contract/ids.ts';
import { LIMITS } from '../../contract/service/limits.ts';
import { isPassword, normalizePassword } from '../content/fields.ts';
import type { ContentRow } from '../content/store.ts';
import type { ServerDeps } from '../deps.ts';
import { ProblemError } from '../problem.ts';
import type { Passwords } from './passwords.ts';

interface Window {
  readonly startedAt: number;
  readonly count: number;
}

export const createPasswordCheck = ({ database, clock, config }: ServerDeps, passwords: Passwords) => {
  const select = database.prepare<[string, string], Window>(
    'SELECT startedAt, count FROM wrongPasswords WHERE contentId = ? AND ip = ?',
  );
  const put = database.prepare<[string, string, number, number]>(
    `INSERT INTO wrongPasswords (contentId, ip, startedAt, count) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET startedAt = excluded.startedAt, count = excluded.count`,
  );
  const giveBack = database.prepare<[string, string]>(
    'UPDATE wrongPasswords SET count = max(0, count - 1) WHERE contentId = ? AND ip = ?',
  );
  const removeByContent = database.prepare<[string]>('DELETE FROM wrongPasswords WHERE contentId = ?');
  const removeEnded = database.prepare<[number]>('DELETE FROM wrongPasswords WHERE startedAt <= ?');

  const countTry = (id: string, ip: string): void => {
    const now = clock.now();
    const known = select.get(id, ip);
    const window = known && known.startedAt + LIMITS.wrongPasswordWindowMs > now ? known : { startedAt: now, count: 0 };
    if (window.count >= config.limits.wrongPasswordsPer15Minutes) {
      const retryAfterMs = window.startedAt + LIMITS.wrongPasswordWindowMs - now;
      const minutes = Math.ceil(retryAfterMs / 60_000);
      throw new ProblemError('RATE_LIMITED', `Too many wrong passwords; try again in ${minutes} minutes.`, {
        retryAfterMs,
      });
    }
    put.run(id, ip, window.startedAt, window.count + 1);
  };

  return {
    /** Whether `password` opens the item. Throws RATE_LIMITED and UPLOAD_SERVER_BUSY. */
    isRight: async (row: ContentRow, ip: string, password: string): Promise<boolean> => {
      if (row.passwordHash === null) return true;
      countTry(row.id, ip);
      // What cannot be a password costs no hashing.
      if (!isPassword(password)) return false;
      let right = false;
      try {
        right = await passwords.verify(row.passwordHash, normalizePassword(password));
      } catch (error) {
        giveBack.run(row.id, ip);
        throw error;
      }
      if (right) giveBack.run(row.id, ip);
      return right;
    },
    /** The item has another password, which nobody has guessed at yet. */
    startAfresh: (id: ContentId): void => {
      removeByContent.run(id);
    },
    sweep: (now: number): void => {
      removeEnded.run(now - LIMITS.wrongPasswordWindowMs);
    },
  };
};
