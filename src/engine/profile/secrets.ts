/** Where keys rest: the operating system's key store where one really keeps them, else this process's memory. */
import { err, failure, ok, type Result } from '../../contract/errors.ts';
import type { SecretStore } from '../ports.ts';

const SERVICE = 'linkshot';
const PROBE = 'probe';

/** Forgets everything when the process ends. */
export const sessionSecrets = (): SecretStore => {
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
 * The system's key store if a probe can write, read back and delete; else `sessionSecrets`. On Linux it is pinned to the
 * Secret Service: unpinned, the library falls back to the kernel's keyring, which seems to work and keeps nothing.
 */
export const openSecrets = async (): Promise<SecretStore> => {
  const store = await keyringSecrets();
  if (!store) return sessionSecrets();
  const value = `${process.pid}`;
  const written = await store.set(PROBE, value);
  const read = written.ok ? await store.get(PROBE) : written;
  const kept = read.ok && read.value === value;
  const deleted = kept ? (await store.delete(PROBE)).ok : false;
  return deleted ? store : sessionSecrets();
};

const keyringSecrets = async (): Promise<SecretStore | null> => {
  const library = await import('@napi-rs/keyring').catch(() => null);
  if (!library) return null;
  const entry = (name: string) => new library.AsyncEntry(SERVICE, name, { linux: { store: 'secret-service' } });
  return {
    place: 'keyring',
    get: (name) => guarded(async () => (await entry(name).getPassword()) ?? null),
    set: (name, secret) => guarded(async () => void (await entry(name).setPassword(secret))),
    delete: (name) => guarded(async () => void (await entry(name).deletePassword())),
  };
};

/** The library throws plain errors, also from its constructor; their text is safe to show, the secret is never in it. */
const guarded = async <T>(use: () => Promise<T>): Promise<Result<T>> => {
  try {
    return ok(await use());
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return err(failure('KEY_STORE_FAILED', `The system's key store did not answer: ${reason}`));
  }
};
