/**
 * Stores keys in the operating system's key store, or in memory where there is none; never in a file. A locked store
 * counts as available: every call waits for the user to unlock it, for two minutes at most.
 *
 * Entry names: on Windows a generic credential `<name>.linkshot`, on macOS a keychain item of the service `linkshot`,
 * on Linux an item of the Secret Service with the attributes `service` and `username`.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { messageOf } from '../../base/common/error-text.ts';
import type { SecretStore } from '../ports.ts';
import { whenCallIsLost } from './detect-lost-key-store-call.ts';

const SERVICE = 'linkshot';
const PROBE = 'probe';

/** A store that takes longer is asking the user to unlock it. */
const PROBE_MS = 3_000;
/** Time for the user to unlock the store. */
const ANSWER_MS = 120_000;
/** The pool has four threads. */
const MAX_LOST = 1;

/** Keeps keys in memory until the process ends. */
export const createMemoryKeyStore = (): SecretStore => {
  const secrets = new Map<string, string>();
  return {
    place: 'session',
    get: (name) => Promise.resolve(ok(secrets.get(name) ?? null)),
    set(name, secret) {
      secrets.set(name, secret);
      return Promise.resolve(ok(undefined));
    },
    delete(name) {
      secrets.delete(name);
      return Promise.resolve(ok(undefined));
    },
  };
};

/**
 * The system's key store, or `createMemoryKeyStore` where a probe shows that it is missing or does not persist. On
 * Linux it is pinned to the Secret Service: unpinned, the library falls back to the kernel's keyring, which appears to
 * work but loses everything when the computer restarts.
 */
export const openSystemKeyStore = async (probeMs = PROBE_MS): Promise<SecretStore> => {
  const store = await keyringSecrets();
  return store ? storeOrMemory(store, probeMs) : createMemoryKeyStore();
};

/** `store`, or `createMemoryKeyStore` where a probe of at most this long shows that it does not work. */
export const storeOrMemory = async (store: SecretStore, probeMs: number): Promise<SecretStore> => {
  const waiting = new AbortController();
  const late = delay(probeMs, 'locked' as const, { signal: waiting.signal });
  const found = await Promise.race([probe(store), late]);
  waiting.abort();
  late.catch(() => {});
  return found === 'none' ? createMemoryKeyStore() : store;
};

type Found = 'works' | 'locked' | 'none';

/**
 * The entry that all processes share may be changed by another one meanwhile, so only an entry of this process alone
 * shows that there is no store. The shared one comes first: what a killed process leaves there, the next one removes.
 */
const probe = async (store: SecretStore): Promise<Found> => {
  const value = randomUUID();
  const found = await probeEntry(store, PROBE, value);
  return found === 'none' ? probeEntry(store, `${PROBE} ${value}`, value) : found;
};

const probeEntry = async (store: SecretStore, name: string, value: string): Promise<Found> => {
  const written = await store.set(name, value);
  if (!written.ok) return isLocked(written.error.detail) ? 'locked' : 'none';
  const read = await store.get(name);
  if (!read.ok || read.value !== value) return 'none';
  return (await store.delete(name)).ok ? 'works' : 'none';
};

/**
 * Matches messages of the Secret Service ("unlock prompt was dismissed", "locked collection") and of the macOS
 * keychain.
 */
const isLocked = (detail: string): boolean => /lock|dismissed|not allowed|user name or passphrase/i.test(detail);

const keyringSecrets = async (): Promise<SecretStore | null> => {
  const library = await import('@napi-rs/keyring').catch(() => null);
  if (!library) return null;
  const entry = (name: string) => new library.AsyncEntry(SERVICE, name, { linux: { store: 'secret-service' } });
  const inTurn = createTurns();
  return {
    place: 'keyring',
    get: (name) => inTurn(async () => (await entry(name).getPassword()) ?? null),
    set: (name, secret) => inTurn(async () => void (await entry(name).setPassword(secret))),
    delete: (name) => inTurn(async () => void (await entry(name).deletePassword())),
  };
};

/**
 * Serializes the calls: each occupies a thread of the pool that also reads files, and a locked store blocks it until
 * the user answers. A lost call keeps its thread until the process ends; it is repeated while there are enough of them.
 */
const createTurns = () => {
  let last: Promise<unknown> = Promise.resolve();
  let lost = 0;
  const untilAnswered = async <T>(use: () => Promise<T>): Promise<Result<T>> => {
    while (lost <= MAX_LOST) {
      const answer = await unlessLost(use);
      if (answer !== 'lost') return answer;
      lost++;
    }
    return err(failure('KEY_STORE_FAILED', "The system's key store hangs. Quit Linkshot and start it again."));
  };
  return <T>(use: () => Promise<T>): Promise<Result<T>> => {
    const turn = last.then(() => untilAnswered(use));
    last = turn;
    return inTime(turn);
  };
};

const unlessLost = async <T>(use: () => Promise<T>): Promise<Result<T> | 'lost'> => {
  const answered = new AbortController();
  const answer = guarded(use);
  if (process.platform !== 'linux') return answer;
  try {
    return await Promise.race([answer, whenCallIsLost(process.env, answered.signal).then(() => 'lost' as const)]);
  } finally {
    answered.abort();
  }
};

/** The library throws plain errors, also from its constructor; their text never contains the secret. */
const guarded = async <T>(use: () => Promise<T>): Promise<Result<T>> => {
  try {
    return ok(await use());
  } catch (cause) {
    const reason = messageOf(cause);
    return err(failure('KEY_STORE_FAILED', `The system's key store did not answer: ${reason}`));
  }
};

const inTime = async <T>(turn: Promise<Result<T>>): Promise<Result<T>> => {
  const waiting = new AbortController();
  const late = delay(ANSWER_MS, undefined, { signal: waiting.signal, ref: false }).then(() =>
    err(failure('KEY_STORE_FAILED', "The system's key store is waiting to be unlocked.")),
  );
  late.catch(() => {});
  const answer = await Promise.race([turn, late]);
  waiting.abort();
  return answer;
};
