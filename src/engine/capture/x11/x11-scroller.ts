/**
 * Scrolls what is at an area of an X11 screen with the buttons of a mouse wheel (XTEST). Then moves the pointer out of
 * the area, unless the area fills the screen, so that nothing in it is highlighted.
 */
import type { Area } from '../../../ipc/protocol/capture.ts';
import type { ScrollDirection } from '../../../ipc/protocol/scroll.ts';
import type { XConnection } from '../../x11/x11-connection.ts';
import { contains } from '../areas.ts';
import { rootArea } from './displays.ts';

const FAKE_INPUT = 2;
const FAKE_INPUT_BYTES = 36;
const QUERY_POINTER = 38;
const EVENT = { press: 4, release: 5, motion: 6 } as const;
const BUTTON = { up: 4, down: 5, left: 6, right: 7 } as const;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Negative clicks scroll back. Returns false: the server has no XTEST. */
export const scrollOnX11 = async (
  x: XConnection,
  area: Area,
  direction: ScrollDirection,
  clicks: number,
): Promise<boolean> => {
  const xtest = await x.extension('XTEST');
  if (xtest === null) return false;
  const fake = (type: number, detail: number, point: Point = { x: 0, y: 0 }): Promise<void> => {
    const request = Buffer.alloc(FAKE_INPUT_BYTES);
    request.set([xtest, FAKE_INPUT, FAKE_INPUT_BYTES / 4, 0, type, detail]);
    request.writeInt16LE(point.x, 24);
    request.writeInt16LE(point.y, 26);
    return x.sendBytes(request);
  };
  const [before, screen] = await Promise.all([pointerOf(x), rootArea(x)]);
  const centre = { x: area.x + (area.width >> 1), y: area.y + (area.height >> 1) };
  const button =
    direction === 'down' ? (clicks > 0 ? BUTTON.down : BUTTON.up) : clicks > 0 ? BUTTON.right : BUTTON.left;
  await fake(EVENT.motion, 0, centre);
  for (let click = 0; click < Math.abs(clicks); click++) {
    await fake(EVENT.press, button);
    await fake(EVENT.release, button);
  }
  await fake(EVENT.motion, 0, outside(area, screen, before));
  return true;
};

/** Where it was, or else a corner of the screen; inside only if the area fills the screen. */
const outside = (area: Area, { width, height }: Area, before: Point): Point => {
  const corners = [
    { x: width - 1, y: height - 1 },
    { x: 0, y: height - 1 },
    { x: width - 1, y: 0 },
    { x: 0, y: 0 },
  ];
  return [before, ...corners].find((point) => !contains(area, point)) ?? { x: width - 1, y: height - 1 };
};

const pointerOf = async (x: XConnection): Promise<Point> => {
  const request = Buffer.from([QUERY_POINTER, 0, 2, 0, 0, 0, 0, 0]);
  request.writeUInt32LE(x.screen.root, 4);
  const reply = await x.askBytes(request);
  return { x: reply.readInt16LE(8), y: reply.readInt16LE(10) };
};
