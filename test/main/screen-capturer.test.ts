/** Capturing through Electron: every physical pixel of the right display, or an error that says what to do. */
import type * as Electron from 'electron';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { err, failure } from '../../src/api/errors.ts';
import type { Pixels, ScreenCapturer } from '../../src/engine/ports.ts';
import { createElectronCapturer } from '../../src/main/adapters/screen-capturer.ts';
import { canCaptureThroughX11, isWayland } from '../../src/main/system/desktop-session.ts';
import { knownDisplays } from '../../src/main/windows/display-coordinates.ts';
import { desktop, desktopCapturer, resetDesktop, type ScreenDouble, screen } from '../support/electron/index.ts';
import { paintScreen } from '../support/screen/painted-screen.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { makeKnownPixels } from '../support/window/frozen-desktop.ts';

const root = temporaryFolder('recorder');
const signal = new AbortController().signal;
const displays = () => knownDisplays(screen as unknown as Electron.Screen, 'native');

const no: ScreenCapturer['displays'] = async () => err(failure('CAPTURE_UNAVAILABLE', 'not this way'));
const blind: ScreenCapturer = { displays: no, windows: no, freeze: no, grab: no } as unknown as ScreenCapturer;

const recorderOn = (platform: NodeJS.Platform, system: ScreenCapturer = blind): ScreenCapturer =>
  createElectronCapturer({ displays, platform, system });

/** A screen of physical `width` x `height` whose first pixels have this colour. */
const shows = async (
  width: number,
  height: number,
  change: Partial<ScreenDouble>,
  corner: number,
): Promise<ScreenDouble> => {
  const data = makeKnownPixels({ width, height });
  data.set([corner, 250 - corner, 7, 255]);
  const picture = `${root}/${width}x${height}-${corner}.png`;
  await sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toFile(picture);
  const { scaleFactor = 1, nativeOrigin = { x: 0, y: 0 } } = change;
  const bounds = {
    x: nativeOrigin.x,
    y: 0,
    width: Math.round(width / scaleFactor),
    height: Math.round(height / scaleFactor),
  };
  return { bounds, scaleFactor, nativeOrigin, shows: { picture } };
};

const expected = async ({ shows: shown }: ScreenDouble): Promise<Buffer> => {
  if (!shown || !('picture' in shown)) throw new Error('no picture');
  return sharp(shown.picture).ensureAlpha().raw().toBuffer();
};
const isSame = (pixels: Pixels | undefined, bytes: Buffer): boolean =>
  Buffer.compare(pixels?.data ?? new Uint8Array(), bytes) === 0;

beforeEach(resetDesktop);
afterEach(() => vi.restoreAllMocks());

describe('freezing', () => {
  it('answers every display in its physical size, pixel for pixel, the primary one first', async () => {
    const asked = vi.spyOn(desktopCapturer, 'getSources');
    const screens = [
      await shows(640, 400, {}, 1),
      await shows(1000, 500, { scaleFactor: 1.25, nativeOrigin: { x: 640, y: 0 } }, 2),
      await shows(640, 400, { nativeOrigin: { x: 1640, y: 0 } }, 3),
    ];
    desktop.screens = screens;
    const frames = await recorderOn('win32').freeze('hide', signal);
    if (!frames.ok) throw new Error(frames.error.detail);
    expect(
      frames.value.map(({ display: { number, x, width, height, scale } }) => [number, x, width, height, scale]),
    ).toEqual([
      [1, 0, 640, 400, 1],
      [2, 640, 1000, 500, 1.25],
      [3, 1640, 640, 400, 1],
    ]);
    for (const [index, screen] of screens.entries())
      expect(isSame(frames.value[index]?.pixels, await expected(screen)), `display ${index + 1}`).toBe(true);
    // Once for each size: a display of another size would be scaled.
    expect(asked.mock.calls.map(([{ thumbnailSize }]) => thumbnailSize)).toEqual([
      { width: 640, height: 400 },
      { width: 1000, height: 500 },
    ]);
  });

  it('makes every pixel opaque', async () => {
    // Electron returns a transparent picture for what it cannot capture.
    desktop.screens = [{ ...(await shows(32, 20, {}, 1)), shows: null }];
    const frames = await recorderOn('win32').freeze('hide', signal);
    const data = frames.ok ? frames.value[0]?.pixels.data : undefined;
    expect(data?.slice(0, 8)).toEqual(new Uint8Array([0, 0, 0, 255, 0, 0, 0, 255]));
  });

  it('uses the other capturer where the system returns one display’s picture for all', async () => {
    const screens = [await shows(64, 40, {}, 1), await shows(64, 40, { nativeOrigin: { x: 64, y: 0 } }, 1)];
    desktop.screens = screens;
    const painted = paintScreen([{ x: 0, y: 0, width: 128, height: 40 }]);
    const frames = await recorderOn('win32', painted).freeze('hide', signal);
    if (!frames.ok) throw new Error(frames.error.detail);
    expect(frames.value.map(({ pixels: { width, data } }) => [width, data[0]])).toEqual([
      [64, 0],
      [64, 64],
    ]);
    // Without another capturer, two displays may really show the same.
    const alike = await recorderOn('win32').freeze('hide', signal);
    expect(alike.ok && alike.value.map(({ pixels }) => pixels.data[0])).toEqual([1, 1]);
  });

  it('takes the mouse pointer from the capturer that supports it', async () => {
    desktop.screens = [await shows(64, 40, {}, 5)];
    const painted = paintScreen([{ x: 0, y: 0, width: 64, height: 40 }]);
    const first = async (pointer: 'hide' | 'show', system: ScreenCapturer) => {
      const frames = await recorderOn('win32', system).freeze(pointer, signal);
      return frames.ok && frames.value[0]?.pixels.data[0];
    };
    expect(await first('show', painted)).toBe(0);
    expect(await first('hide', painted)).toBe(5);
    // A picture without the pointer is better than an error.
    expect(await first('show', blind)).toBe(5);
  });

  it('matches displays by their number alone, in whatever order they come', async () => {
    const screens = [await shows(64, 40, {}, 1), await shows(64, 40, { nativeOrigin: { x: 64, y: 0 } }, 2)];
    desktop.screens = screens;
    const { getSources } = desktopCapturer;
    vi.spyOn(desktopCapturer, 'getSources').mockImplementation(async (options) =>
      (await getSources(options)).toReversed(),
    );
    const frames = await recorderOn('win32').freeze('hide', signal);
    expect(frames.ok && frames.value.map(({ pixels }) => pixels.data[0])).toEqual([1, 2]);
  });

  it('takes the only screen that the user chose, where the system does not number it', async () => {
    desktop.screens = [await shows(64, 40, {}, 1), await shows(64, 40, { nativeOrigin: { x: 64, y: 0 } }, 2)];
    const { getSources } = desktopCapturer;
    vi.spyOn(desktopCapturer, 'getSources').mockImplementation(async (options) => {
      const [source] = await getSources(options);
      return source ? [{ ...source, display_id: '' }] : [];
    });
    const frames = await recorderOn('linux').freeze('hide', signal);
    expect(frames.ok && frames.value.map(({ display, pixels }) => [display.number, pixels.data[0]])).toEqual([[1, 1]]);
  });
});

describe('grabbing', () => {
  it('crops an area across two displays, black outside of them', async () => {
    const screens = [await shows(64, 40, {}, 1), await shows(64, 20, { nativeOrigin: { x: 64, y: 0 } }, 2)];
    desktop.screens = screens;
    const pixels = await recorderOn('win32').grab({ x: 62, y: 18, width: 4, height: 4 }, 'hide', signal);
    if (!pixels.ok) throw new Error(pixels.error.detail);
    const at = (x: number, y: number) => [...pixels.value.data.slice((y * 4 + x) * 4, (y * 4 + x) * 4 + 4)];
    expect(at(0, 0)).toEqual([62, 18, 0, 255]);
    expect(at(2, 0)).toEqual([0, 18, 0, 255]);
    expect(at(3, 3)).toEqual([0, 0, 0, 255]);
  });
});

describe('a missing permission', () => {
  it('is asked for by macOS, which calls it denied before', async () => {
    desktop.screens = [await shows(64, 40, {}, 5)];
    desktop.screenAccess = 'denied';
    const { getSources } = desktopCapturer;
    const asked = vi.spyOn(desktopCapturer, 'getSources').mockImplementation((options) => {
      // The user answers the question of the system.
      desktop.screenAccess = 'granted';
      return getSources(options);
    });
    const frames = await recorderOn('darwin').freeze('hide', signal);
    expect(asked).toHaveBeenCalledOnce();
    expect(frames.ok && frames.value[0]?.pixels.data[0]).toBe(5);
  });

  it('is reported with advice', async () => {
    const detailOf = async (platform: NodeJS.Platform) => {
      const frames = await recorderOn(platform).freeze('hide', signal);
      return frames.ok ? null : [frames.error.code, frames.error.detail];
    };
    const getSources = vi.spyOn(desktopCapturer, 'getSources').mockResolvedValue([]);
    expect(await detailOf('darwin')).toEqual(['CAPTURE_UNAVAILABLE', expect.stringContaining('Screen Recording')]);
    getSources.mockRejectedValue(new Error('Failed to get sources.'));
    expect(await detailOf('darwin')).toEqual(['CAPTURE_UNAVAILABLE', expect.stringContaining('Screen Recording')]);
    expect(await detailOf('linux')).toEqual([
      'CAPTURE_UNAVAILABLE',
      expect.stringContaining('choose an entire screen'),
    ]);
    expect(await detailOf('win32')).toEqual(['CAPTURE_UNAVAILABLE', expect.stringContaining('try again')]);
  });

  it('is not started once it is cancelled', async () => {
    const frames = await recorderOn('win32').freeze('hide', AbortSignal.abort());
    expect(frames.ok ? null : frames.error.code).toBe('CANCELLED');
  });
});

it('looks through X11 where there is one, else through Electron', () => {
  const on = (platform: NodeJS.Platform, environment: Record<string, string>) =>
    canCaptureThroughX11({ platform, environment });
  expect(on('linux', { DISPLAY: ':0' })).toBe(true);
  expect(on('linux', { DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0' })).toBe(false);
  expect(on('linux', {})).toBe(false);
  expect(on('win32', { DISPLAY: ':0' })).toBe(false);
  expect(isWayland({ platform: 'linux', environment: { XDG_SESSION_TYPE: 'wayland' } })).toBe(true);
});
