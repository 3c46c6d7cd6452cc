/** Pinned images: where their windows are, and what keys, menus and the tray do with them. */
import { readFileSync } from 'node:fs';
import type * as Electron from 'electron';
import { beforeEach, describe, expect, it } from 'vitest';
import { err, type Failure, failure, ok } from '../../src/api/errors.ts';
import { createClipboard } from '../../src/main/adapters/clipboard.ts';
import { desktopTextsFor } from '../../src/main/desktop-texts.ts';
import { knownDisplays } from '../../src/main/windows/display-coordinates.ts';
import { keepReachable, placeInMiddle, resizeAround, sizeAt, zoomToFit } from '../../src/main/windows/pin-layout.ts';
import { createPins, type Pins } from '../../src/main/windows/pins.ts';
import { desktop, resetDesktop, screen } from '../support/electron/index.ts';
import { image } from '../support/media/media.ts';
import { sleepingClock } from '../support/sleeping-clock.ts';

const displays = () => knownDisplays(screen as unknown as Electron.Screen, 'native');
const png = async (width = 200, height = 100): Promise<Buffer> => readFileSync(await image('png', width, height));
let pins: Pins;
let shared: string[];
let failed: Failure[];
/** Why nothing can be shared; null: it can. */
let refusal: Failure | null;

beforeEach(() => {
  resetDesktop();
  shared = [];
  failed = [];
  refusal = null;
  pins = createPins({
    displays,
    screen: screen as unknown as Electron.Screen,
    clipboard: createClipboard(sleepingClock(), 'linux'),
    messages: () => desktopTextsFor('en', []),
    now: () => new Date(2026, 10, 20, 18, 4, 5).getTime(),
    share: async (_, name) => (refusal ? err(refusal) : ok(shared.push(name))),
    onFailure: (why) => void failed.push(why),
  });
});

const windows = () => desktop.windows.filter(({ url }) => url.startsWith('app://linkshot/pin.html#'));
const idOf = (index: number): string => windows()[index]?.url.split('#')[1] ?? '';
const bounds = (index = 0) => windows()[index]?.getBounds();
const add = async (area: Parameters<Pins['add']>[0]['area'] = null, size: [number, number] = [200, 100]) => {
  await pins.add({ png: await png(...size), name: 'shot.png', area });
  const id = idOf(windows().length - 1);
  windows().at(-1)?.emit('ready-to-show');
  return id;
};

describe('a pinned image', () => {
  it('lies exactly over its own pixels, above other windows and below the frozen screen', async () => {
    await add({ x: 300, y: 120, width: 200, height: 100 });
    expect(bounds()).toEqual({ x: 300, y: 120, width: 200, height: 100 });
    expect([windows()[0]?.level, windows()[0]?.isVisible()]).toEqual(['floating', true]);
  });

  it('does so on a display of another scale', async () => {
    desktop.screens = [
      ...desktop.screens,
      {
        bounds: { x: 1280, y: 0, width: 800, height: 600 },
        scaleFactor: 2,
        nativeOrigin: { x: 1280, y: 0 },
        shows: null,
      },
    ];
    await add({ x: 1480, y: 200, width: 200, height: 100 });
    expect(bounds()).toEqual({ x: 1380, y: 100, width: 100, height: 50 });
  });

  it('of the clipboard is in the middle of the display, smaller where it would not fit', async () => {
    expect(await pins.addClipboard()).toMatchObject({ ok: false, error: { code: 'CLIPBOARD_NO_IMAGE' } });
    desktop.clipboardPicture = await png(1600, 1000);
    expect((await pins.addClipboard()).ok).toBe(true);
    expect(bounds()).toEqual({ x: 128, y: 80, width: 1024, height: 640 });
    expect(pins.read(idOf(0))).toMatchObject({ name: 'Clipboard 2026-11-20 18.04.05.png', zoom: 0.64, width: 1600 });
  });

  it('is zoomed around the pointer, and reports it to its own page alone', async () => {
    const [first] = [await add(), await add()];
    const before = bounds();
    pins.change(first, { kind: 'zoom', zoom: 2, x: 50, y: 100 });
    expect(bounds()).toEqual({ x: (before?.x ?? 0) - 50, y: (before?.y ?? 0) - 100, width: 400, height: 200 });
    const heard = (index: number) => windows()[index]?.webContents.sent.map(([, event]) => event);
    expect(heard(0)).toEqual([{ type: 'pin', pin: { ...pins.read(first), zoom: 2 } }]);
    expect(heard(1)).toEqual([]);
  });

  it('moves, but never so far that it cannot be grabbed', async () => {
    const id = await add({ x: 300, y: 120, width: 200, height: 100 });
    pins.change(id, { kind: 'move', x: 10, y: -5 });
    expect(bounds()).toMatchObject({ x: 310, y: 115 });
    pins.change(id, { kind: 'move', x: 5_000, y: -5_000 });
    expect(bounds()).toMatchObject({ x: 1280 - 24, y: 24 - 100 });
  });

  it('lets clicks through until the tray ends that', async () => {
    const id = await add();
    const seen: unknown[] = [];
    pins.onChange(() => seen.push(pins.shown()));
    await pins.act(id, 'letThrough');
    expect(windows()[0]?.ignoresMouse).toBe(true);
    pins.takeClicks();
    expect(windows()[0]?.ignoresMouse).toBe(false);
    expect(seen).toEqual([
      { count: 1, areLetThrough: true },
      { count: 1, areLetThrough: false },
    ]);
  });

  it('is copied and shared, and forgotten with its window', async () => {
    const id = await add();
    expect(pins.png(id)).toEqual(await png());
    expect((await pins.act(id, 'copy')).ok).toBe(true);
    expect(desktop.clipboardPicture).toEqual(await png());
    await pins.act(id, 'share');
    expect(shared).toEqual(['shot.png']);
    await pins.act(id, 'close');
    expect([pins.read(id), pins.png(id), pins.shown().count, windows()]).toEqual([null, null, 0, []]);
    // Its page may still ask.
    expect(await pins.act(id, 'copy')).toEqual(ok(undefined));
    pins.change(id, { kind: 'opacity', opacity: 0.5 });
  });

  it('has a menu with all of it', async () => {
    const id = await add();
    await pins.act(id, 'menu');
    const click = (label: string) =>
      desktop.popups
        .at(-1)
        ?.items.find((item) => item.label === label)
        ?.click();
    click('Half transparent');
    expect(pins.read(id)).toMatchObject({ opacity: 0.5 });
    await pins.act(id, 'menu');
    click('Opaque');
    expect(pins.read(id)).toMatchObject({ opacity: 1 });
    click('Close');
    expect(pins.shown().count).toBe(0);
  });

  it('reports a failed action of its menu, and no other', async () => {
    await pins.act(await add(), 'menu');
    const share = desktop.popups.at(-1)?.items.find(({ label }) => label === 'Share');
    share?.click();
    await expect.poll(() => shared).toEqual(['shot.png']);
    refusal = failure('DISK_FULL', 'The disk is full.');
    share?.click();
    await expect.poll(() => failed).toEqual([refusal]);
  });

  it('that is no image is refused', async () => {
    const refused = await pins.add({ png: new Uint8Array([1, 2, 3]), name: 'no.png', area: null });
    expect(refused).toMatchObject({ ok: false, error: { code: 'APP_FAILED' } });
    expect(windows()).toEqual([]);
  });
});

describe('the layout', () => {
  it('keeps at least a pixel, fits large images, and holds the point under the pointer', () => {
    expect(sizeAt({ width: 3, height: 3 }, 0.1, 2)).toEqual({ width: 1, height: 1 });
    expect(zoomToFit({ width: 100, height: 100 }, { width: 1000, height: 1000 }, 1)).toBe(1);
    expect(zoomToFit({ width: 4000, height: 100 }, { width: 1000, height: 1000 }, 2)).toBe(0.4);
    // A scrolling capture of twenty screens: its beginning shows.
    const free = { x: 0, y: 30, width: 1000, height: 1000 };
    expect(placeInMiddle(free, { width: 200, height: 2000 }, 0)).toMatchObject({ x: 400, y: 30 });
    const before = { x: 10, y: 20, width: 100, height: 50 };
    expect(resizeAround(before, { width: 200, height: 100 }, { x: 100, y: 0 })).toEqual({
      x: -90,
      y: 20,
      width: 200,
      height: 100,
    });
    expect(keepReachable({ ...before, x: -500 }, { x: 0, y: 0, width: 800, height: 600 })).toMatchObject({
      x: -76,
      y: 20,
    });
  });
});
