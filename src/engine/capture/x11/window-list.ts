/**
 * Lists the visible windows of an X desktop as its window manager reports them (EWMH). Also reads the title of a
 * window.
 */
import type { Area, OpenWindow } from '../../../ipc/protocol/capture.ts';
import { isXError, type XConnection } from '../../x11/x11-connection.ts';
import { overlapOf } from '../areas.ts';
import { rootArea } from './displays.ts';
import { readProperties, type XProperties } from './window-properties.ts';

const ON_ALL_DESKTOPS = 0xffff_ffff;
const VIEWABLE = 2;

/** The frontmost first; empty without a window manager. Each is clipped to the X screen. */
export const readWindows = async (x: XConnection): Promise<readonly OpenWindow[]> => {
  const properties = readProperties(x);
  const { root } = x.screen;
  const [screen, stacked, [active], [desktop], hidden, wallpaper] = await Promise.all([
    rootArea(x),
    properties.numbers(root, '_NET_CLIENT_LIST_STACKING'),
    properties.numbers(root, '_NET_ACTIVE_WINDOW'),
    properties.numbers(root, '_NET_CURRENT_DESKTOP'),
    properties.atom('_NET_WM_STATE_HIDDEN'),
    properties.atom('_NET_WM_WINDOW_TYPE_DESKTOP'),
  ]);
  const readWindow = async (id: number): Promise<readonly OpenWindow[]> => {
    try {
      const [area, states, [on], types, title] = await Promise.all([
        shownArea(x, properties, id),
        properties.numbers(id, '_NET_WM_STATE'),
        properties.numbers(id, '_NET_WM_DESKTOP'),
        properties.numbers(id, '_NET_WM_WINDOW_TYPE'),
        titleOf(properties, id),
      ]);
      const shown = area && overlapOf(area, screen);
      const isElsewhere = on !== undefined && desktop !== undefined && on !== desktop && on !== ON_ALL_DESKTOPS;
      if (!shown || isElsewhere || states.includes(hidden) || types.includes(wallpaper)) return [];
      return [{ ...shown, title, hasKeyboard: id === active }];
    } catch (error) {
      // The window was closed meanwhile.
      if (isXError(error)) return [];
      throw error;
    }
  };
  return (await Promise.all(stacked.toReversed().map(readWindow))).flat();
};

/** With the window manager's frame and without the client-side shadow; null: the window is not visible. */
const shownArea = async (x: XConnection, properties: XProperties, id: number): Promise<Area | null> => {
  const { root } = x.screen;
  const [attributes, position, size, frame, shadow] = await Promise.all([
    x.ask<{ mapState: number }>((client, answer) => client.GetWindowAttributes(id, answer)),
    x.ask<{ destX: number; destY: number }>((client, answer) => client.TranslateCoordinates(id, root, 0, 0, answer)),
    x.ask<{ width: number; height: number }>((client, answer) => client.GetGeometry(id, answer)),
    properties.numbers(id, '_NET_FRAME_EXTENTS'),
    properties.numbers(id, '_GTK_FRAME_EXTENTS'),
  ]);
  if (attributes.mapState !== VIEWABLE) return null;
  const [left, right, top, bottom] = [0, 1, 2, 3].map((side) => (frame[side] ?? 0) - (shadow[side] ?? 0)) as Sides;
  const width = size.width + left + right;
  const height = size.height + top + bottom;
  return width > 0 && height > 0 ? { x: position.destX - left, y: position.destY - top, width, height } : null;
};

type Sides = [left: number, right: number, top: number, bottom: number];

export const titleOf = async (properties: XProperties, id: number): Promise<string> =>
  (await properties.text(id, '_NET_WM_NAME')) ?? (await properties.bytes(id, 'WM_NAME'))?.toString('latin1') ?? '';
