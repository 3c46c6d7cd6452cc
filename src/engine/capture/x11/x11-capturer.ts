/**
 * Captures the screen of an X11 session, lists its displays and windows, and scrolls an area of it. A screenshot has
 * unchanged pixels of one instant, with the mouse pointer drawn over them if requested.
 */

import { err, failure, ok } from '../../../api/errors.ts';
import type { Area, Display } from '../../../ipc/protocol/capture.ts';
import type { Pixels, PointerChoice, ScreenCapturer } from '../../ports.ts';
import { createSharedX11Connection } from '../../x11/shared-x11-connection.ts';
import type { XConnection, XServer } from '../../x11/x11-connection.ts';
import { desktopOf, overlapOf } from '../areas.ts';
import { crop, type Frame } from '../crop.ts';
import { readDisplays } from './displays.ts';
import { decodeImage, layoutOf, type PixelLayout } from './image-pixels.ts';
import { readWindows } from './window-list.ts';
import { scrollOnX11 } from './x11-scroller.ts';

const WHOLE_PIXELS = 2;
const ALL_PLANES = 0xffff_ffff;
const GET_CURSOR_IMAGE = 4;

export const createX11Capturer = (server: XServer): ScreenCapturer => {
  const session = createSharedX11Connection(server);
  return {
    displays: (signal) => session.use(readDisplays, signal),
    windows: (signal) => session.use(readWindows, signal),
    async freeze(pointer, signal) {
      const frames = await session.use(async (x) => {
        const displays = await readDisplays(x);
        return takeFrames(x, displays, desktopOf(displays), pointer);
      }, signal);
      return frames.ok ? (frames.value ? ok(frames.value) : err(paletteScreen(server))) : frames;
    },
    async grab(area, pointer, signal) {
      const frames = await session.use(async (x) => takeFrames(x, await readDisplays(x), area, pointer), signal);
      if (!frames.ok) return frames;
      return frames.value ? ok(crop(frames.value, area)) : err(paletteScreen(server));
    },
    async scroll(area, direction, clicks, signal) {
      const scrolled = await session.use((x) => scrollOnX11(x, area, direction, clicks), signal);
      if (!scrolled.ok) return scrolled;
      return scrolled.value ? ok(undefined) : err(noXtest(server));
    },
  };
};

const paletteScreen = ({ display }: XServer) =>
  failure(
    'CAPTURE_UNAVAILABLE',
    `The X server ${display} uses a colour palette, which cannot be captured. Run it with a depth of 24.`,
  );

const noXtest = ({ display }: XServer) =>
  failure('CAPTURE_UNAVAILABLE', `The X server ${display} has no XTEST extension, so Linkshot cannot scroll there.`);

/** The part of `wanted` that each display shows; null: the screen has no true colours. */
const takeFrames = async (
  x: XConnection,
  displays: readonly Display[],
  wanted: Area,
  choice: PointerChoice,
): Promise<readonly Frame[] | null> => {
  const layout = layoutOf(x);
  if (!layout) return null;
  const area = overlapOf(wanted, desktopOf(displays));
  if (!area) return [];
  const fixes = choice === 'show' ? await openFixes(x) : null;
  // Both requests are sent before either is answered, so the pointer position matches the image.
  const [pixels, pointer] = await Promise.all([
    takeImage(x, area, layout),
    fixes === null ? Promise.resolve(null) : readPointer(x, fixes),
  ]);
  if (pointer) drawPointer(pixels, area, pointer);
  const frame = [{ display: { ...area, number: 0, name: '', scale: 1 }, pixels }];
  return displays.flatMap((display) => {
    const shown = overlapOf(display, area);
    return shown ? [{ display: { ...display, ...shown }, pixels: crop(frame, shown) }] : [];
  });
};

/** A single request: the server answers it at one instant and without a size limit, so the image cannot tear. */
const takeImage = async (x: XConnection, area: Area, layout: PixelLayout): Promise<Pixels> => {
  const { data } = await x.ask<{ data: Buffer }>((client, answer) =>
    client.GetImage(WHOLE_PIXELS, x.screen.root, area.x, area.y, area.width, area.height, ALL_PLANES, answer),
  );
  return decodeImage(data, area.width, area.height, layout);
};

/** Null: the server has no XFixes and so does not report its pointer. */
const openFixes = async (x: XConnection): Promise<number | null> => {
  const fixes = await x.extension('XFIXES');
  if (fixes !== null) await x.askBytes(Buffer.from([fixes, 0, 3, 0, 4, 0, 0, 0, 0, 0, 0, 0]));
  return fixes;
};

const readPointer = async (x: XConnection, fixes: number): Promise<Pointer> => {
  const reply = await x.askBytes(Buffer.from([fixes, GET_CURSOR_IMAGE, 1, 0]));
  const [width, height] = [reply.readUInt16LE(4), reply.readUInt16LE(6)];
  return {
    x: reply.readInt16LE(0) - reply.readUInt16LE(8),
    y: reply.readInt16LE(2) - reply.readUInt16LE(10),
    width,
    height,
    data: reply.subarray(24, 24 + width * height * 4),
  };
};

// Draws the mouse pointer over pixels as the X server would.

/** A pointer and its area on the desktop. */
interface Pointer extends Area {
  /** Four bytes per pixel: blue, green, red, alpha; colours are premultiplied. */
  readonly data: Buffer;
}

/** `area`: the position of the pixels on the desktop. The pixels are modified. */
export const drawPointer = ({ width, height, data }: Pixels, area: Area, pointer: Pointer): void => {
  const left = pointer.x - area.x;
  const top = pointer.y - area.y;
  for (let row = Math.max(0, -top); row < Math.min(pointer.height, height - top); row++) {
    for (let column = Math.max(0, -left); column < Math.min(pointer.width, width - left); column++) {
      const from = (row * pointer.width + column) * 4;
      const to = ((top + row) * width + left + column) * 4;
      const transparency = 255 - (pointer.data[from + 3] as number);
      for (let channel = 0; channel < 3; channel++) {
        const over = pointer.data[from + 2 - channel] as number;
        data[to + channel] = over + Math.round(((data[to + channel] as number) * transparency) / 255);
      }
    }
  }
};
