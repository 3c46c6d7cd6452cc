/** Toast and recorder bar: shown when they have content, never over a full-screen app, never in the screenshot. */
import type * as Electron from 'electron';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../../src/api/errors.ts';
import type { CaptureId } from '../../src/api/ids.ts';
import type { AppState } from '../../src/ipc/protocol/app-state.ts';
import type { Area, OpenWindow } from '../../src/ipc/protocol/capture.ts';
import { DEFAULT_SETTINGS } from '../../src/ipc/protocol/settings.ts';
import { captureWithoutPanels } from '../../src/main/adapters/capture-without-panels.ts';
import { knownDisplays } from '../../src/main/windows/display-coordinates.ts';
import type { Placing } from '../../src/main/windows/overlay-window.ts';
import { createPanels, type Panels } from '../../src/main/windows/panels.ts';
import { BrowserWindow, desktop, resetDesktop, screen } from '../support/electron/index.ts';
import { paintScreen } from '../support/screen/painted-screen.ts';
import { sleepingClock } from '../support/sleeping-clock.ts';
import { itemId, makeItem, makeRunning, makeScrolling, makeState } from '../support/window/app-state.ts';
import { makeChoosing, makeWindow } from '../support/window/frozen-desktop.ts';

const displays = () => knownDisplays(screen as unknown as Electron.Screen, 'native');
const quiet = makeState({ queue: { items: [], live: {}, paused: false }, capture: null, recording: null });
const captured = { ...quiet, queue: { ...quiet.queue, items: [makeItem('queued', 1, { origin: 'capture' })] } };
const clock = sleepingClock();
let others: OpenWindow[] = [];
let panels: Panels;

const open = (placing: Placing = 'exact'): void => {
  panels = createPanels({
    ...{ displays, clock, platform: 'linux', placing, onToast: () => {} },
    screen: screen as unknown as Electron.Screen,
    windows: async () => ok(others),
  });
};
const send = (state: AppState): void => panels.send({ type: 'state', state });
const page = (name: 'toast' | 'recorder') => desktop.windows.find(({ url }) => url === `app://linkshot/${name}.html`);
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));
const says = async (panel: 'toast' | 'recorder', height: number | null): Promise<void> => {
  panels.fit(panel, height);
  await settled();
};

const scrolling = (area: Area, by: 'app' | 'user' | 'ended'): AppState => ({
  ...quiet,
  capture: makeScrolling({ area, by }),
});

beforeEach(() => {
  resetDesktop();
  others = [];
  open();
});
afterEach(() => panels.close());

describe('the toast', () => {
  it('is loaded with the first capture, shown when its page has content, and does not take the focus', async () => {
    send(quiet);
    expect(desktop.windows).toEqual([]);
    const work = new BrowserWindow({ show: true });
    work.focus();
    send(captured);
    expect(page('toast')?.isVisible()).toBe(false);
    await says('toast', 120);
    expect(page('toast')?.isVisible()).toBe(true);
    // The toast does not show dropped files.
    expect([panels.shows(itemId(1)), panels.shows(itemId(2))]).toEqual([true, false]);
    expect(work.isFocused()).toBe(true);
    const { x, y, width, height } = page('toast')?.getBounds() ?? { x: 0, y: 0, width: 0, height: 0 };
    expect([x + width, y + height, height]).toEqual([1272, 792, 120]);
    await says('toast', 200);
    expect(page('toast')?.getBounds()).toMatchObject({ height: 200, y: 592 });
    await says('toast', null);
    await clock.advance(150);
    expect(page('toast')?.isVisible()).toBe(false);
  });

  it('receives the first capture that was saved without a link once its page is loaded', async () => {
    send(quiet);
    panels.send({ type: 'kept', id: 'one' as CaptureId, name: 'shot.png', copied: true, savedTo: null });
    const heard = () =>
      page('toast')?.webContents.sent.filter(([, event]) => (event as { type: string }).type === 'kept').length;
    const before = heard();
    // Its page is loaded and has nothing to show yet.
    await says('toast', null);
    expect(heard()).toBe((before ?? 0) + 1);
    await says('toast', null);
    expect(heard()).toBe((before ?? 0) + 1);
  });

  it('comes up on the display where the mouse is', async () => {
    desktop.screens = [
      ...desktop.screens,
      {
        bounds: { x: 1280, y: 0, width: 800, height: 600 },
        scaleFactor: 2,
        nativeOrigin: { x: 1280, y: 0 },
        shows: null,
      },
    ];
    desktop.cursor = { x: 1500, y: 100 };
    send(captured);
    await says('toast', 100);
    expect(page('toast')?.getBounds()).toMatchObject({ x: 1280 + 800 - 416 - 8, y: 600 - 108 });
  });

  it('stays hidden where the user has disabled it, and over a full-screen program', async () => {
    send({ ...captured, settings: { ...DEFAULT_SETTINGS, toast: 'hide' } });
    await says('toast', 120);
    expect(page('toast')?.isVisible()).toBe(false);
    send(captured);
    others = [makeWindow({ x: 0, y: 0, width: 1280, height: 800, hasKeyboard: true, title: 'A film' })];
    await says('toast', 120);
    expect(page('toast')?.isVisible()).toBe(false);
    expect(panels.shows(itemId(1))).toBe(false);
    // Our own frozen screen, which is closing.
    others = [makeWindow({ x: 0, y: 0, width: 1280, height: 800, hasKeyboard: true, title: 'Linkshot' })];
    await says('toast', 121);
    expect(page('toast')?.isVisible()).toBe(true);
    await says('toast', null);
    await clock.advance(150);
    others = [makeWindow({ x: 0, y: 24, width: 1280, height: 776, hasKeyboard: true, title: 'An editor' })];
    await says('toast', 120);
    expect(page('toast')?.isVisible()).toBe(true);
  });

  it('stays hidden where a window cannot be placed in a corner: a system notification replaces it', async () => {
    panels.close();
    open('compositor');
    send(captured);
    await says('toast', 120);
    expect([page('toast')?.isVisible(), panels.shows(itemId(1))]).toEqual([false, false]);
  });

  it('is not in the captured picture, and is shown again afterwards', async () => {
    const painted = paintScreen([{ x: 0, y: 0, width: 8, height: 8 }]);
    let wasSeen: boolean | undefined;
    const recorder = captureWithoutPanels(
      {
        ...painted,
        freeze(pointer, signal) {
          wasSeen = page('toast')?.isVisible();
          return painted.freeze(pointer, signal);
        },
      },
      panels,
    );
    const { signal } = new AbortController();
    // Without a toast there is nothing to wait for.
    expect(await recorder.freeze('hide', signal)).toMatchObject({ ok: true });
    send(captured);
    await says('toast', 120);
    const frozen = recorder.freeze('hide', signal);
    await settled();
    expect(page('toast')?.isVisible()).toBe(false);
    await clock.advance(60);
    expect(await frozen).toMatchObject({ ok: true });
    expect(wasSeen).toBe(false);
    await settled();
    expect(page('toast')?.isVisible()).toBe(true);
  });
});

describe('the frozen screen', () => {
  it('has no toast on it; the choice is shown once it is over', async () => {
    send(captured);
    await says('toast', 120);
    send({ ...captured, capture: makeChoosing() });
    await settled();
    expect(page('toast')?.isVisible()).toBe(false);
    await says('toast', 130);
    expect(page('toast')?.isVisible()).toBe(false);
    send(captured);
    await settled();
    expect([page('toast')?.isVisible(), page('toast')?.getBounds().height]).toEqual([true, 130]);
  });
});

describe('the recorder’s bar', () => {
  it('is placed beside the recorded area, also while the recording is being finished', async () => {
    const recording = { ...makeRunning(0), area: { x: 200, y: 100, width: 600, height: 400 } };
    send({ ...quiet, recording });
    await says('recorder', 72);
    const place = { x: 268, y: 508, width: 464, height: 72 };
    expect([page('recorder')?.isVisible(), page('recorder')?.getBounds()]).toEqual([true, place]);
    send({ ...quiet, recording: { state: 'finishing', id: recording.id } });
    await says('recorder', 80);
    expect(page('recorder')?.getBounds()).toEqual({ ...place, height: 80 });
    // Between two states there may briefly be nothing to show.
    await says('recorder', null);
    await clock.advance(100);
    await says('recorder', 80);
    await clock.advance(100);
    expect(page('recorder')?.isVisible()).toBe(true);
    await says('recorder', null);
    await clock.advance(150);
    expect(page('recorder')?.isVisible()).toBe(false);
  });

  it('is beside what scrolls, stays there while it is captured, and takes the keys', async () => {
    const area = { x: 20, y: 20, width: 500, height: 700 };
    send(scrolling(area, 'app'));
    await says('recorder', 220);
    const bar = page('recorder');
    expect([bar?.isVisible(), bar?.isFocused(), bar?.getBounds()]).toEqual([
      true,
      true,
      { x: 528, y: 20, width: 464, height: 220 },
    ]);
    let wasSeen: boolean | undefined;
    await panels.withoutPanels(async () => {
      wasSeen = bar?.isVisible();
    });
    expect(wasSeen).toBe(true);
  });

  it('is not in the picture of a screen that scrolls, and appears once nothing is added', async () => {
    const area = { x: 0, y: 0, width: 1280, height: 800 };
    send(scrolling(area, 'app'));
    await says('recorder', 220);
    expect(page('recorder')?.isVisible()).toBe(false);
    send(scrolling(area, 'ended'));
    await settled();
    expect(page('recorder')?.isVisible()).toBe(true);
    send(scrolling(area, 'user'));
    await settled();
    expect(page('recorder')?.isVisible()).toBe(false);
  });

  it('counts down to a capture too, and is neither in that picture nor over the frozen screen', async () => {
    const startsAt = 5_000;
    send({ ...quiet, capture: { state: 'waiting', mode: 'region', purpose: 'picture', startsAt } });
    await says('recorder', 72);
    expect(page('recorder')?.isVisible()).toBe(true);
    let wasSeen: boolean | undefined;
    const taken = panels.withoutPanels(async () => {
      wasSeen = page('recorder')?.isVisible();
    });
    await settled();
    await clock.advance(60);
    await taken;
    await settled();
    expect([wasSeen, page('recorder')?.isVisible()]).toEqual([false, false]);
  });
});
