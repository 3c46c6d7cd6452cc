/**
 * Hashes and checks passwords of items with Argon2id. Both cost memory and time on purpose, so only a few run at once
 * and not many may wait: the rest are told that the server is busy (API document, "General statuses": 503).
 */
import { hash, verify } from '@node-rs/argon2';
import { serverBusy } from '../problem.ts';

/** The library's enum is erased at run time. */
const ARGON2ID = 2;
/** OWASP's first choice: 19 MiB, two passes, one lane; about 20 ms. */
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const AT_ONCE = 2;
const WAITING_MAX = 64;

export interface Passwords {
  /** Throws UPLOAD_SERVER_BUSY when too many wait already. */
  hash(password: string): Promise<string>;
  verify(hashed: string, password: string): Promise<boolean>;
}

export const createPasswords = ({ atOnce = AT_ONCE, waitingMax = WAITING_MAX } = {}): Passwords => {
  const waiting: (() => void)[] = [];
  let running = 0;

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) throw serverBusy('Too many passwords are being checked; try again soon.');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      // The place goes straight to the next in line, so that nobody slips in between.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };

  return {
    hash: (password) => inTurn(() => hash(password, COST)),
    verify: (hashed, password) => inTurn(() => verify(hashed, password)),
  };
};
