/**
 * Reads from the environment whether this is a Wayland session, the name of its desktop, and where the sockets of its
 * compositor and its D-Bus are.
 */
import { isAbsolute, join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** An X server inside a Wayland session shows only its own windows, so DISPLAY alone does not decide. */
export const isWaylandSession = ({ DISPLAY, WAYLAND_DISPLAY, XDG_SESSION_TYPE }: Environment): boolean =>
  Boolean(WAYLAND_DISPLAY) && (XDG_SESSION_TYPE === 'wayland' || !DISPLAY);

const NAMES: Readonly<Record<string, string>> = { gnome: 'GNOME', kde: 'KDE Plasma', sway: 'Sway' };

/** As a user calls it; `XDG_CURRENT_DESKTOP` lists names from the most specific to the most general. */
export const desktopName = ({ XDG_CURRENT_DESKTOP = '' }: Environment): string => {
  const names = XDG_CURRENT_DESKTOP.split(':').filter(Boolean);
  const known = names.map((name) => NAMES[name.toLowerCase()]).find((name) => name !== undefined);
  return known ?? names[0] ?? 'This desktop';
};

/** Null: there is no such socket without a folder for those of this user. */
export const waylandSocket = ({ WAYLAND_DISPLAY, XDG_RUNTIME_DIR }: Environment): string | null => {
  const name = WAYLAND_DISPLAY || 'wayland-0';
  if (isAbsolute(name)) return name;
  return XDG_RUNTIME_DIR ? join(XDG_RUNTIME_DIR, name) : null;
};

/** Null: this session has no bus. */
export const busAddress = ({ DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR }: Environment): string | null =>
  DBUS_SESSION_BUS_ADDRESS || (XDG_RUNTIME_DIR ? `unix:path=${XDG_RUNTIME_DIR}/bus` : null);
