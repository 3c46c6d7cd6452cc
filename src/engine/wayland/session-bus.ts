/**
 * Calls methods, reads properties and receives signals on the session's D-Bus. Every call is answered or fails, even
 * when the bus ends.
 */
import { onAbort } from '../../base/common/on-abort.ts';
import { busAddress, type Environment } from './session-environment.ts';

/** One call; `signature` and `body` are absent where it has no arguments. */
interface BusCall {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly body?: unknown[];
}

/** One property of an interface. */
interface BusProperty extends Pick<BusCall, 'destination' | 'path' | 'interface'> {
  readonly name: string;
}

interface BusSignal {
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly body: readonly unknown[];
}

export interface SessionBus {
  /** The name of this connection, such as `:1.42`. */
  readonly name: string;
  /** Resolves to the only value of the answer, or to all of them; rejects with a BusError. */
  call<T>(call: BusCall, signal: AbortSignal): Promise<T>;
  /**
   * Reports signals, those that this rule matches among them; resolves when the bus sends these. Rejects with a BusError,
   * or with the signal's reason.
   */
  listen(rule: string, hear: (heard: BusSignal) => void, signal: AbortSignal): Promise<void>;
  /** Aborted when the connection ends for any reason. */
  readonly over: AbortSignal;
  /** Ends the connection; a bus that does not answer is left after a second. */
  close(): Promise<void>;
}

/** `dbusName`: such as `org.freedesktop.DBus.Error.ServiceUnknown`; absent where the bus itself failed. */
export interface BusError extends Error {
  readonly dbusName?: string;
}

const CLOSE_MS = 1_000;
/** The bus itself. */
export const BUS = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
};

/** Null: there is no bus, or it refuses. Rejects with the signal's reason. */
export const openSessionBus = async (environment: Environment, signal: AbortSignal): Promise<SessionBus | null> => {
  const address = busAddress(environment);
  if (address === null) return null;
  // Loaded only where a bus is used.
  const { default: dbus } = await import('dbus-native');
  signal.throwIfAborted();
  const over = new AbortController();
  const bus = clientOf(dbus, address);
  if (bus === null) return null;
  bus.connection.on('error', () => over.abort());
  bus.connection.on('close', () => over.abort());
  const call: SessionBus['call'] = ({ body, ...message }, calling) =>
    Promise.resolve(bus.invoke({ ...message, ...(body && { body }) }, { signal: calling, timeout: 0 }));
  // It may never answer, and closing would then wait as long.
  const drop = () => void bus.connection.stream.destroy();
  const close = async (): Promise<void> => {
    over.abort();
    const late = setTimeout(drop, CLOSE_MS);
    await bus.close().catch(() => {});
    clearTimeout(late);
  };
  const hearers = new Set<(signal: BusSignal) => void>();
  bus.connection.on('message', ({ type, path = '', interface: from = '', member = '', body = [] }) => {
    if (type === dbus.messageType.signal) for (const hear of hearers) hear({ path, interface: from, member, body });
  });
  const unfollow = onAbort(signal, drop);
  const hello = await Promise.resolve(bus.getId()).catch(() => null);
  unfollow();
  if (hello === null || bus.name === undefined || signal.aborted) {
    drop();
    await close();
    signal.throwIfAborted();
    return null;
  }
  return {
    name: bus.name,
    call,
    async listen(rule, hear, listening) {
      hearers.add(hear);
      try {
        // Not by the library's own method, which waits 25 s for a bus that does not answer.
        await call({ ...BUS, member: 'AddMatch', signature: 's', body: [rule] }, listening);
      } catch (error) {
        hearers.delete(hear);
        listening.throwIfAborted();
        throw error;
      }
    },
    over: over.signal,
    close,
  };
};

/** Rejects as `call` does. */
export const readProperty = (
  bus: SessionBus,
  { destination, path, interface: owner, name }: BusProperty,
  signal: AbortSignal,
): Promise<unknown> => {
  const properties = { destination, path, interface: 'org.freedesktop.DBus.Properties' };
  return bus.call({ ...properties, member: 'Get', signature: 'ss', body: [owner, name] }, signal);
};

/** Null: an address of a kind that the library does not know. */
const clientOf = (dbus: typeof import('dbus-native'), busAddress: string) => {
  try {
    return dbus.createClient({ busAddress, authMethods: ['EXTERNAL'] });
  } catch {
    return null;
  }
};
