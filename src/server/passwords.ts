/**
 * Defines the rules for passwords of accounts and items, and hashes and verifies passwords with Argon2id. Only a few
 * of these computations run at once and a limited number waits; others get UPLOAD_SERVER_BUSY (API document, "General
 * statuses": 503). With two slots or more, one is reserved for networks without recent wrong guesses.
 */
import { hash, verify } from '@node-rs/argon2';
import { LIMITS } from '../api/limits.ts';
import { isValidPassword } from '../api/password-rules.ts';
import { systemClock } from './clock-and-random.ts';
import { DEFAULT_CONFIG } from './config/config.ts';
import type { Networks } from './limits/address-networks.ts';
import { createSuspectNetworks, type Lane } from './limits/suspect-networks.ts';
import { invalidInput, serverBusy } from './problem-details.ts';

/** Normalizes a password before hashing and comparing. */
export const normalizePassword = (password: string): string => password.normalize('NFKC');

/** In UTF-16 units: four characters are composed to one at most. */
const LONGEST_SPELLING = LIMITS.passwordMaxCharacters * 4 * 2;

/**
 * Whether a text could be a password that was set before; other text is never hashed. Another keyboard may have written
 * the same letters with more or fewer characters.
 */
export const isPassword = (text: string): boolean => {
  // Normalizing a megabyte takes long.
  if (text.length > LONGEST_SPELLING) return false;
  if (isValidPassword(text)) return true;
  const normal = normalizePassword(text);
  if (isValidPassword(normal)) return true;
  // NFKD is the longest spelling: what is too long already is not made longer.
  return normal.length < LIMITS.passwordMaxCharacters && isValidPassword(normal.normalize('NFKD'));
};

/**
 * The password to hash, or null for the empty string, which removes it. Its characters count as sent. Throws
 * INVALID_INPUT.
 */
export const checkPassword = (password: string): string | null => {
  if (password === '') return null;
  if (isValidPassword(password)) return normalizePassword(password);
  const range = `${LIMITS.passwordMinCharacters} to ${LIMITS.passwordMaxCharacters}`;
  throw invalidInput({ path: '/password', message: `must be empty or have ${range} characters` });
};

/** The library's enum is erased at run time. */
const ARGON2ID = 2;
/** OWASP's first recommendation: 19 MiB, two passes, one lane; about 20 ms. */
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** For each of the two lanes. */
const WAITING_MAX = 64;

export interface Passwords {
  /** Throws UPLOAD_SERVER_BUSY when too many wait already. */
  hash(password: string): Promise<string>;
  /** For an account that has sent its key. */
  verify(hashed: string, password: string): Promise<boolean>;
  /** For an unauthenticated requester from `networks`; a wrong guess moves them behind others for a while. */
  guess(hashed: string, password: string, networks: Networks): Promise<boolean>;
}

export const createPasswords = ({
  atOnce = LIMITS.passwordChecksAtOnce as number,
  waitingMax = WAITING_MAX,
  rememberedNetworks = DEFAULT_CONFIG.limits.rememberedNetworks,
  clock = systemClock,
} = {}): Passwords => {
  const suspicion = createSuspectNetworks(clock, rememberedNetworks);
  const waiting: Readonly<Record<Lane, (() => void)[]>> = { clean: [], suspect: [] };
  const running: Record<Lane, number> = { clean: 0, suspect: 0 };
  const suspectMax = Math.max(1, atOnce - 1);

  const mayRun = (lane: Lane): boolean =>
    running.clean + running.suspect < atOnce && (lane === 'clean' || running.suspect < suspectMax);

  /** Hands the slot directly to the next in line, so that no other takes it. */
  const startNext = (): void => {
    for (const lane of ['clean', 'suspect'] as const) {
      while (mayRun(lane)) {
        const start = waiting[lane].shift();
        if (start === undefined) break;
        running[lane]++;
        start();
      }
    }
  };

  const inTurn = async <T>(lane: Lane, work: () => Promise<T>): Promise<T> => {
    if (mayRun(lane) && waiting[lane].length === 0) running[lane]++;
    else {
      if (waiting[lane].length >= waitingMax) throw serverBusy('Too many passwords are being checked; try again soon.');
      await new Promise<void>((resolve) => waiting[lane].push(resolve));
    }
    try {
      return await work();
    } finally {
      running[lane]--;
      startNext();
    }
  };

  return {
    hash: (password) => inTurn('clean', () => hash(password, COST)),
    verify: (hashed, password) => inTurn('clean', () => verify(hashed, password)),
    guess: async (hashed, password, networks) => {
      const guess = suspicion.begin(networks);
      let outcome: 'right' | 'wrong' | 'unknown' = 'unknown';
      try {
        const isRight = await inTurn(guess.lane, () => verify(hashed, password));
        outcome = isRight ? 'right' : 'wrong';
        return isRight;
      } finally {
        guess.end(outcome);
      }
    },
  };
};
