/**
 * Detects whether a Linux desktop shows tray icons: by a host of StatusNotifierItem on the session's D-Bus, or on X11
 * by a tray of the older kind, which owns a selection.
 */

import { BUS, openSessionBus, readProperty, type SessionBus } from './wayland/session-bus.ts';
import { type Environment, isWaylandSession } from './wayland/session-environment.ts';
import { connectX } from './x11/x11-connection.ts';

const WATCHER = 'org.kde.StatusNotifierWatcher';
const PLAIN_SCREEN = '0';

/** Rejects with the signal's reason. */
export const showsTrayIcons = async (environment: Environment, signal: AbortSignal): Promise<boolean> => {
  const bus = await openSessionBus(environment, signal);
  try {
    if (bus !== null && (await hasNotifierHost(bus, signal))) return true;
  } finally {
    await bus?.close();
  }
  return hasTrayOfX11(environment, signal);
};

/** The name is asked for first: a call to a missing service would start it where the bus knows how. */
const hasNotifierHost = async (bus: SessionBus, signal: AbortSignal): Promise<boolean> => {
  const asked = { ...BUS, member: 'NameHasOwner' };
  const isOwned = await bus.call<boolean>({ ...asked, signature: 's', body: [WATCHER] }, signal).catch(() => false);
  signal.throwIfAborted();
  if (!isOwned) return false;
  const watcher = { destination: WATCHER, path: '/StatusNotifierWatcher', interface: WATCHER };
  const property = { ...watcher, name: 'IsStatusNotifierHostRegistered' };
  const isRegistered = await readProperty(bus, property, signal).catch(() => null);
  signal.throwIfAborted();
  // A watcher without this property shows icons itself.
  return isRegistered !== false;
};

const hasTrayOfX11 = async (environment: Environment, signal: AbortSignal): Promise<boolean> => {
  const { DISPLAY: display } = environment;
  if (!display || isWaylandSession(environment)) return false;
  const connected = await connectX({ display, environment }, signal);
  if (!connected.ok) return false;
  const x = connected.value;
  try {
    const name = `_NET_SYSTEM_TRAY_S${/\.(\d+)$/.exec(display)?.[1] ?? PLAIN_SCREEN}`;
    const selection = await x.ask<number>((client, answer) => client.InternAtom(false, name, answer));
    return (await x.ask<number>((client, answer) => client.GetSelectionOwner(selection, answer))) !== 0;
  } catch {
    return false;
  } finally {
    await x.close();
  }
};
