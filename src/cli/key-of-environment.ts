/**
 * Where both are set, the key of the environment is for the service of the environment: it is not stored for another
 * one. A command that stores nothing may take it for the service that its line names. Without a key, the service of the
 * environment can only be the one of the profile.
 */
import { normaliseAddress } from '../api/service-address.ts';
import type { Connection } from '../ipc/protocol/app-state.ts';

/** Why LINKSHOT_KEY must not be sent to this service to be stored, as a sentence; null: it may be. */
export const keyIsForAnother = (
  server: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | null => {
  const { LINKSHOT_SERVER: own, LINKSHOT_KEY: key } = environment;
  if (!own || !key?.trim() || isSameService(own, server)) return null;
  return `LINKSHOT_KEY is for ${own} (LINKSHOT_SERVER) and is not sent to ${server}. Set both for ${server}, or unset LINKSHOT_KEY.`;
};

/** The address of the profile's service, if that is another one than `server`; else null. */
export const otherService = (connection: Connection, server: string | undefined): string | null =>
  server === undefined || connection.state === 'none' || isSameService(connection.server, server)
    ? null
    : connection.server;

/** Not all of 127.0.0.0/8: another address of it may be another service. */
const THIS_MACHINE = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** One address for all names of a service. */
const serviceOf = (typed: string): string => {
  const address = normaliseAddress(typed);
  if (!address.ok) return typed.trim();
  const url = new URL(address.value);
  if (THIS_MACHINE.test(url.hostname)) url.hostname = 'localhost';
  return url.href;
};

const isSameService = (one: string, other: string): boolean => serviceOf(one) === serviceOf(other);
