/**
 * Detects that a call to the Secret Service, the key store of Linux desktops, is lost. A service that ends while it
 * asks the user to unlock it never answers, and the keyring library has no time limit of its own.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type BusError, openSessionBus, readProperty, type SessionBus } from '../wayland/session-bus.ts';
import type { Environment } from '../wayland/session-environment.ts';

const SERVICE = 'org.freedesktop.secrets';
const COLLECTION = 'org.freedesktop.Secret.Collection';
const POLL_MS = 500;
/** A call that waits this often while nothing is to be unlocked is lost. */
const POLLS = 3;

/** Resolves when a call that began before is lost; rejects with the signal's reason. */
export const whenCallIsLost = async (environment: Environment, signal: AbortSignal): Promise<void> => {
  await delay(POLL_MS, undefined, { signal });
  const bus = await openSessionBus(environment, signal);
  try {
    for (let idle = 0; idle < POLLS; ) {
      await delay(POLL_MS, undefined, { signal });
      if (bus !== null) idle = (await isWaitingForUser(bus, signal)) ? 0 : idle + 1;
    }
  } finally {
    await bus?.close();
  }
};

/** False: it is unlocked, or is not there. What cannot be known counts as true. */
const isWaitingForUser = async (bus: SessionBus, signal: AbortSignal): Promise<boolean> => {
  const path = '/org/freedesktop/secrets/aliases/default';
  const property = { destination: SERVICE, path, interface: COLLECTION, name: 'Locked' };
  const isLocked = await readProperty(bus, property, signal).catch(isThere);
  return isLocked !== false;
};

const isThere = ({ dbusName = '' }: BusError): boolean => !/\.(ServiceUnknown|NameHasNoOwner|NoReply)$/.test(dbusName);
