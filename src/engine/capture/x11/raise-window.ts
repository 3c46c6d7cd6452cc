/**
 * Finds a window of another program by a part of its title, and asks the window manager to bring it to the front and
 * give it the keyboard.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createSharedX11Connection } from '../../x11/shared-x11-connection.ts';
import type { XConnection, XServer } from '../../x11/x11-connection.ts';
import { titleOf } from './window-list.ts';
import { readProperties } from './window-properties.ts';

/** As a taskbar asks, whom window managers let steal the keyboard. */
const FROM_PAGER = 2;
const CLIENT_MESSAGE = 33;
const SUBSTRUCTURE = (1 << 20) | (1 << 19);
const AGAIN_MS = 100;
const PATIENCE_MS = 2_000;

/**
 * Resolves to whether there was such a window in time; the title may be about to change. Without a window manager true:
 * nobody lists the windows, and nothing says that the window is hidden.
 */
export type RaiseWindow = (titles: readonly string[], signal: AbortSignal) => Promise<boolean>;

/** Null without an X server, or under Wayland, which lets no program do so. */
export const createRaiseWindow = (
  environment: XServer['environment'],
  patienceMs = PATIENCE_MS,
): RaiseWindow | null => {
  const { DISPLAY: display, WAYLAND_DISPLAY, XDG_SESSION_TYPE } = environment;
  if (!display || WAYLAND_DISPLAY || XDG_SESSION_TYPE === 'wayland') return null;
  const session = createSharedX11Connection({ display, environment });
  return async (titles, signal) => {
    const raised = await session.use((x) => raise(x, titles, patienceMs, signal), signal);
    return raised.ok && raised.value;
  };
};

const raise = async (
  x: XConnection,
  titles: readonly string[],
  patienceMs: number,
  signal: AbortSignal,
): Promise<boolean> => {
  const properties = readProperties(x);
  const { root } = x.screen;
  if ((await properties.bytes(root, '_NET_SUPPORTING_WM_CHECK')) === null) return true;
  const isWanted = async (id: number): Promise<boolean> => {
    // A window that was closed meanwhile has no title.
    const shown = await titleOf(properties, id).catch(() => '');
    return titles.some((title) => shown.includes(title));
  };
  const message = await properties.atom('_NET_ACTIVE_WINDOW');
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += AGAIN_MS) {
    for (const wid of await properties.numbers(root, '_NET_CLIENT_LIST')) {
      if (!(await isWanted(wid))) continue;
      const notice = { name: 'ClientMessage', type: CLIENT_MESSAGE, seq: 0, format: 32 } as const;
      const event = { ...notice, wid, message_type: message, data: [FROM_PAGER, 0, 0, 0, 0] };
      await x.ask((client, answer) => client.SendEvent(root, 0, SUBSTRUCTURE, event, answer));
      return true;
    }
    await delay(AGAIN_MS, undefined, { signal });
  }
  return false;
};
