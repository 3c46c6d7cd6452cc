/** The overlay windows: loaded in advance, exact during a selection, and hidden afterwards. */
import type * as Electron from 'electron';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CaptureId } from '../../src/api/ids.ts';
import type { AppState } from '../../src/ipc/protocol/app-state.ts';
import { CAPTURE_MARKS } from '../../src/ipc/protocol/capture-performance-marks.ts';
import { createCaptureTrace } from '../../src/main/capture-trace.ts';
import { knownDisplays } from '../../src/main/windows/display-coordinates.ts';
import type { Placing } from '../../src/main/windows/overlay-window.ts';
import { createOverlays, type Overlays } from '../../src/main/windows/overlays.ts';
import { BrowserWindow, desktop, resetDesktop, screen } from '../support/electron/index.ts';
import { sleepingClock } from '../support/sleeping-clock.ts';
import { itemId, makeItem, makeState } from '../support/window/app-state.ts';
import { CAPTURE, makeChoosing } from '../support/window/frozen-desktop.ts';

const TWO = [
  { bounds: { x: 0, y: 0, width: 1280, height: 720 }, scaleFactor: 1, nativeOrigin: { x: 0, y: 0 }, shows: null },
  {
    bounds: { x: 1280, y: 0, width: 1536, height: 864 },
    scaleFactor: 1.25,
    nativeOrigin: { x: 1280, y: 0 },
    shows: null,
  },
];

const displays = () => knownDisplays(screen as unknown as Electron.Screen, 'native');
const clock = sleepingClock();
let cancelled = 0;
let shown: [string, number][] = [];
let logged: string[] = [];
let overlays: Overlays;

const open = (placing: Placing = 'exact'): Overlays => {
  overlays = createOverlays({
    ...{ displays, clock },
    shell: { platform: 'linux', placing },
    screen: screen as unknown as Electron.Screen,
    cancel: () => {
      cancelled += 1;
    },
    onShown: (capture, display) => shown.push([capture, display]),
    log: (line) => logged.push(line),
  });
  return overlays;
};

const choosing = (id: CaptureId = CAPTURE): AppState =>
  makeState({ capture: makeChoosing({ id, displays: displays().map(({ display }) => display) }) });
const send = (state: AppState): void => overlays.send({ type: 'state', state });
const painted = (display: number, id: string = CAPTURE): void =>
  overlays.heard({ id, display, name: CAPTURE_MARKS.painted, at: 0 });
const windowOf = (display: number) =>
  desktop.windows.find(({ url }) => url === `app://linkshot/overlay.html#${display}`);
const seen = (): (boolean | undefined)[] => desktop.windows.map((window) => window.isVisible());

beforeEach(() => {
  resetDesktop();
  desktop.screens = TWO;
  [cancelled, shown, logged] = [0, [], []];
});
afterEach(() => overlays.close());

describe('before a capture', () => {
  it('there is one for each display, loaded, hidden, opaque and over everything', () => {
    open();
    expect(desktop.windows.map(({ url }) => url)).toEqual([
      'app://linkshot/overlay.html#1',
      'app://linkshot/overlay.html#2',
    ]);
    expect(seen()).toEqual([false, false]);
    for (const { options, level } of desktop.windows) {
      expect(options).toMatchObject({
        show: false,
        frame: false,
        skipTaskbar: true,
        resizable: false,
        hasShadow: false,
      });
      expect(options.transparent).toBeUndefined();
      expect(level).toBe('screen-saver');
    }
  });
});

describe('a hidden page', () => {
  it('receive only frozen screens, with everything to draw them, and their ends', () => {
    open();
    const heard = () => windowOf(1)?.webContents.sent.length;
    for (let times = 0; times < 3; times++) send(makeState({ capture: null }));
    overlays.send({ type: 'library' });
    expect(heard()).toBe(0);
    send(choosing());
    send(choosing());
    send(makeState({ capture: null }));
    send(makeState({ capture: null }));
    expect(heard()).toBe(3);
  });
});

describe('a capture', () => {
  it('is shown by each window over its display exactly, once it is painted, and has the keyboard where the mouse is', () => {
    desktop.cursor = { x: 1300, y: 10 };
    open();
    windowOf(2)?.setBounds({ x: 3, y: 3, width: 10, height: 10 });
    send(choosing());
    expect(seen()).toEqual([false, false]);
    painted(1);
    expect(seen()).toEqual([true, false]);
    expect(BrowserWindow.getFocusedWindow()).toBeNull();
    painted(2);
    expect(seen()).toEqual([true, true]);
    expect([windowOf(1)?.getBounds(), windowOf(2)?.getBounds()]).toEqual(TWO.map(({ bounds }) => bounds));
    expect(BrowserWindow.getFocusedWindow()).toBe(windowOf(2));
    expect(shown).toEqual([
      [CAPTURE, 1],
      [CAPTURE, 2],
    ]);
    expect(logged).toEqual([]);
  });

  it('does not wait for ever for a page that paints late', async () => {
    open();
    send(choosing());
    painted(2);
    await clock.advance(150);
    expect(seen()).toEqual([true, true]);
    // Later messages change nothing.
    painted(1);
    expect(shown).toHaveLength(2);
  });

  it('is over for all at once, and gives the keyboard back to where it was', async () => {
    open();
    const before = new BrowserWindow({ show: true });
    before.focus();
    send(choosing());
    painted(1);
    painted(2);
    expect(windowOf(1)?.isFocused()).toBe(true);
    send(makeState({ capture: null }));
    expect([windowOf(1)?.isVisible(), windowOf(2)?.isVisible()]).toEqual([false, false]);
    expect(before.isFocused()).toBe(true);
    // A session that ended before it was painted does not appear afterwards.
    send(choosing('00000000-0000-4000-8000-00000000c002' as CaptureId));
    send(makeState({ capture: null }));
    await clock.advance(1_000);
    painted(1, '00000000-0000-4000-8000-00000000c002');
    expect([windowOf(1)?.isVisible(), windowOf(2)?.isVisible()]).toEqual([false, false]);
  });

  it('switches from one to the next without the state of the first', () => {
    open();
    send(choosing());
    painted(1);
    painted(2);
    const next = '00000000-0000-4000-8000-00000000c002' as CaptureId;
    send(choosing(next));
    expect(seen()).toEqual([false, false]);
    painted(1);
    expect(seen()).toEqual([false, false]);
    painted(1, next);
    expect(seen()).toEqual([true, false]);
  });

  it('is cancelled when its window is closed from outside', () => {
    open();
    send(choosing());
    painted(1);
    windowOf(1)?.close();
    expect(cancelled).toBe(1);
    expect(windowOf(1)?.isDestroyed()).toBe(false);
  });

  it('is cancelled when displays come or go, and the next one covers the new displays', () => {
    open();
    send(choosing());
    painted(1);
    desktop.screens = TWO.slice(0, 1);
    screen.emit('display-removed', {}, {});
    expect(cancelled).toBe(1);
    send(makeState({ capture: null }));
    expect(desktop.windows.map(({ url }) => url)).toEqual(['app://linkshot/overlay.html#1']);
    desktop.screens = TWO;
    screen.emit('display-added', {}, {});
    expect(desktop.windows).toHaveLength(2);
    const [first] = desktop.windows;
    // A task bar that comes and goes is not a new display.
    screen.emit('display-metrics-changed', {}, {}, ['workArea']);
    expect(desktop.windows[0]).toBe(first);
  });

  it('survives a page that ends by itself', () => {
    open();
    send(choosing());
    painted(1);
    windowOf(1)?.webContents.crash('crashed');
    expect(cancelled).toBe(1);
    send(makeState({ capture: null }));
    expect(desktop.windows.map(({ url }) => url)).toEqual(['app://linkshot/overlay.html#2']);
    // The next capture recreates all of them.
    const next = '00000000-0000-4000-8000-00000000c002' as CaptureId;
    send(choosing(next));
    painted(1, next);
    painted(2, next);
    expect([windowOf(1)?.isVisible(), windowOf(2)?.isVisible()]).toEqual([true, true]);
    expect(logged.join()).toContain('ended by itself');
  });
});

describe('a capture that is asked for once more', () => {
  it('has the keyboard again', () => {
    open();
    send(choosing());
    painted(1);
    painted(2);
    windowOf(1)?.blur();
    overlays.send({ type: 'recalled' });
    expect(windowOf(1)?.isFocused()).toBe(true);
  });
});

describe('where windows cannot be placed', () => {
  it('fills the screen', () => {
    open('compositor');
    send(choosing());
    painted(1);
    expect([windowOf(1)?.isFullScreen(), windowOf(1)?.isVisible(), windowOf(1)?.isFocused()]).toEqual([
      true,
      true,
      true,
    ]);
    expect(logged).toEqual([]);
  });
});

describe('--trace-capture', () => {
  it('prints each step in milliseconds since the press, and since the choice', () => {
    const printed: string[] = [];
    let now = 1_000_041;
    const trace = createCaptureTrace(
      (line) => printed.push(line),
      () => now,
    );
    const capture = makeChoosing({ pressedAt: 1_000_000 });
    const state = makeState({ capture });
    trace.follow({ type: 'state', state });
    trace.follow({ type: 'state', state });
    trace.heard({ id: CAPTURE, display: 1, name: CAPTURE_MARKS.start, at: 1_000_000 });
    trace.heard({ id: CAPTURE, display: 1, name: CAPTURE_MARKS.painted, at: 1_000_083.25 });
    now += 50;
    trace.shown(CAPTURE, 1);
    trace.heard({ id: 'another', display: 1, name: CAPTURE_MARKS.painted, at: 0 });
    trace.toastShown();
    now = 1_002_000;
    const item = makeItem('linked', 1, { origin: 'capture' });
    trace.follow({ type: 'state', state: { ...state, capture: null } });
    now += 30;
    trace.toastShown();
    trace.toastShown();
    now += 90;
    trace.follow({ type: 'state', state: { ...state, capture: null, queue: { ...state.queue, items: [item] } } });
    const linked = { type: 'linked', url: '', name: '', text: '' } as const;
    trace.follow({ ...linked, id: itemId(2) });
    trace.follow({ ...linked, id: item.id });
    trace.follow({ ...linked, id: item.id });
    expect(printed).toEqual([
      `trace-capture ${CAPTURE} frozen 41.0 ms`,
      `trace-capture ${CAPTURE} painted display=1 83.3 ms`,
      `trace-capture ${CAPTURE} shown display=1 91.0 ms`,
      `trace-capture ${CAPTURE} toast 30.0 ms after the choice`,
      `trace-capture ${CAPTURE} linked 120.0 ms after the choice`,
    ]);
  });
});
