/**
 * Sends requests to xdg-desktop-portal (org.freedesktop.portal.Desktop), the D-Bus service through which programs use a
 * Wayland desktop. The desktop may ask the user for permission before it answers. `rememberedAnswer` reads the stored
 * permission for screenshots, and `ASK_AGAIN` is the command that makes the desktop ask again.
 */
import { randomUUID } from 'node:crypto';
import { err, ok, type Result } from '../../api/errors.ts';
import { onAbort } from '../../base/common/on-abort.ts';
import { type BusError, readProperty, type SessionBus } from './session-bus.ts';

const PORTAL = 'org.freedesktop.portal.Desktop';
const PATH = '/org/freedesktop/portal/desktop';
const REQUEST = 'org.freedesktop.portal.Request';

const portalInterface = (name: PortalName): string => `org.freedesktop.portal.${name}`;
export type PortalName = 'Screenshot' | 'ScreenCast' | 'GlobalShortcuts' | 'Notification';

/** An answer of the portal: what it returned, or why it did not. */
export type PortalAnswer = Result<Readonly<Record<string, unknown>>, PortalRefusal>;

export interface PortalRefusal {
  /** `missing`: no portal, or it lacks this interface. `gone`: it ended before it answered. */
  readonly why: 'refused' | 'failed' | 'missing' | 'gone';
  readonly detail: string;
}

/** Version of one interface; null: the desktop does not have it. Rejects with the signal's reason. */
export const portalVersion = async (bus: SessionBus, name: PortalName, signal: AbortSignal): Promise<number | null> => {
  const property = { destination: PORTAL, path: PATH, interface: portalInterface(name), name: 'version' };
  const version = await readProperty(bus, property, signal).catch(() => null);
  signal.throwIfAborted();
  return typeof version === 'number' ? version : null;
};

export interface PortalRequest {
  readonly portal: PortalName;
  readonly member: string;
  /** Of the arguments before the options. */
  readonly signature: string;
  readonly body: readonly unknown[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** Waits until the user has answered. Rejects with the signal's reason; the desktop then closes its question. */
export const askPortal = async (
  bus: SessionBus,
  request: PortalRequest,
  signal: AbortSignal,
): Promise<PortalAnswer> => {
  signal.throwIfAborted();
  const { Variant } = await import('dbus-native');
  const token = `linkshot_${randomUUID().replaceAll('-', '')}`;
  const path = `${PATH}/request/${bus.name.slice(1).replaceAll('.', '_')}/${token}`;
  const answered = Promise.withResolvers<PortalAnswer>();
  await bus.listen(
    `type='signal',interface='${REQUEST}',member='Response',path='${path}'`,
    (heard) => {
      if (heard.path === path && heard.member === 'Response') answered.resolve(answerOf(heard.body));
    },
    signal,
  );
  await bus.listen(
    `type='signal',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='${PORTAL}'`,
    ({ member, body: [name, before] }) => {
      if (member === 'NameOwnerChanged' && name === PORTAL && before !== '') answered.resolve(err(GONE));
    },
    signal,
  );
  signal.throwIfAborted();
  const unfollow = [
    onAbort(bus.over, () => answered.resolve(err(GONE))),
    onAbort(signal, () => answered.reject(signal.reason)),
  ];
  const begun = bus.call(
    {
      ...{ destination: PORTAL, path: PATH, interface: portalInterface(request.portal), member: request.member },
      signature: `${request.signature}a{sv}`,
      body: [...request.body, { ...request.options, handle_token: new Variant('s', token) }],
    },
    signal,
  );
  begun.catch((error: BusError) => answered.resolve(err(refusalOf(error))));
  try {
    return await answered.promise;
  } finally {
    for (const undo of unfollow) undo();
    if (signal.aborted) await closeRequest(bus, path);
  }
};

const CLOSE_MS = 1_000;
const closeRequest = (bus: SessionBus, path: string): Promise<unknown> =>
  bus
    .call({ destination: PORTAL, path, interface: REQUEST, member: 'Close' }, AbortSignal.timeout(CLOSE_MS))
    .catch(() => {});

/** `path`: of a session. One that is no longer there is closed. */
export const closePortalSession = (bus: SessionBus, path: string): Promise<unknown> =>
  bus
    .call(
      { destination: PORTAL, path, interface: 'org.freedesktop.portal.Session', member: 'Close' },
      AbortSignal.timeout(CLOSE_MS),
    )
    .catch(() => {});

const GONE: PortalRefusal = { why: 'gone', detail: 'its portal ended before it answered' };

/** 0: done. 1: the user said no. 2: it ended in another way. */
const answerOf = ([code, results]: readonly unknown[]): PortalAnswer => {
  if (code === 0) return ok(results as Readonly<Record<string, unknown>>);
  return err(
    code === 1
      ? { why: 'refused', detail: 'the question was answered with no' }
      : { why: 'failed', detail: 'its portal gave no reason' },
  );
};

const MISSING = new Set(['ServiceUnknown', 'NameHasNoOwner', 'UnknownMethod', 'UnknownInterface', 'UnknownObject']);
const GONE_NAMES = new Set(['NoReply', 'Disconnected']);

const refusalOf = ({ dbusName, message }: BusError): PortalRefusal => {
  const last = dbusName?.split('.').at(-1) ?? '';
  if (dbusName === undefined || GONE_NAMES.has(last)) return GONE;
  if (MISSING.has(last) || dbusName.includes('.Spawn.')) return { why: 'missing', detail: message };
  return { why: 'failed', detail: message };
};

// The permission store remembers the answers of the user. It is no part of the portal, but desktops share it.

const STORE = 'org.freedesktop.impl.portal.PermissionStore';
const STORE_PATH = '/org/freedesktop/impl/portal/PermissionStore';

/** The remembered answer for screenshots of programs outside of a sandbox; null: none, so the desktop may ask. */
export const rememberedAnswer = async (bus: SessionBus, signal: AbortSignal): Promise<'yes' | 'no' | null> => {
  const body = ['screenshot', 'screenshot'];
  const call = { destination: STORE, path: STORE_PATH, interface: STORE, member: 'Lookup', signature: 'ss', body };
  const answers = await bus.call<unknown>(call, signal).catch(() => null);
  signal.throwIfAborted();
  const [permissions] = Array.isArray(answers) ? answers : [];
  const [answer] = (permissions as Readonly<Record<string, readonly string[]>> | undefined)?.[''] ?? [];
  return answer === 'yes' || answer === 'no' ? answer : null;
};

/** The command that makes the desktop ask again after a no. */
export const ASK_AGAIN = `busctl --user call ${STORE} ${STORE_PATH} ${STORE} DeletePermission sss screenshot screenshot ''`;
