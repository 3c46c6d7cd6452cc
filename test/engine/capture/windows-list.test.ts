/**
 * Windows and monitors on Windows, with a fake of its functions: which are listed, in which order and in which pixels.
 */
import { describe, expect, it } from 'vitest';
import { resolveCaptureTarget } from '../../../src/engine/capture/resolve-capture-target.ts';
import type { DesktopCalls, MonitorInfo, WindowHandle } from '../../../src/engine/capture/win32/bindings.ts';
import { createWindowsList } from '../../../src/engine/capture/win32/windows-and-monitors.ts';
import type { Area } from '../../../src/ipc/protocol/capture.ts';

interface FakeWindow {
  readonly handle: WindowHandle;
  readonly area: Area;
  readonly frame?: Area;
  readonly title?: string;
  readonly program?: string;
  readonly className?: string;
  readonly style?: number;
  readonly owner?: WindowHandle;
  readonly isHidden?: boolean;
  readonly isMinimized?: boolean;
  readonly isCloaked?: boolean;
}

interface FakeDesktop {
  /** The frontmost one first. */
  windows: readonly FakeWindow[];
  active: WindowHandle;
  readonly monitors: readonly MonitorInfo[];
  /** Called before the window behind this one is returned. */
  onStep?: (window: WindowHandle) => void;
}

const area = (x: number, y: number, width: number, height: number): Area => ({ x, y, width, height });
const HD: MonitorInfo = { name: 'HD', area: area(0, 0, 1920, 1080), isPrimary: true, dpi: 96 };
const FOUR_K: MonitorInfo = { name: '4K', area: area(-3840, -200, 3840, 2160), isPrimary: false, dpi: 144 };

/** As Windows answers a program that is not DPI-aware: outside of `inPhysicalPixels` all lengths are halved. */
const callsOf = (desktop: FakeDesktop): DesktopCalls => {
  let isPhysical = false;
  const seen = (real: Area): Area => {
    if (isPhysical) return real;
    return area(real.x / 2, real.y / 2, real.width / 2, real.height / 2);
  };
  const at = (handle: WindowHandle) => desktop.windows.find((window) => window.handle === handle);
  return {
    inPhysicalPixels(look) {
      isPhysical = true;
      try {
        return look();
      } finally {
        isPhysical = false;
      }
    },
    frontmost: () => desktop.windows[0]?.handle ?? 0,
    behind(handle) {
      desktop.onStep?.(handle);
      const index = desktop.windows.findIndex((window) => window.handle === handle);
      return index < 0 ? 0 : (desktop.windows[index + 1]?.handle ?? 0);
    },
    exists: (handle) => at(handle) !== undefined,
    active: () => desktop.active,
    owner: (handle) => at(handle)?.owner ?? handle,
    isVisible: (handle) => at(handle)?.isHidden !== true && at(handle) !== undefined,
    isMinimized: (handle) => at(handle)?.isMinimized === true,
    isCloaked: (handle) => at(handle)?.isCloaked === true,
    extendedStyle: (handle) => at(handle)?.style ?? 0,
    className: (handle) => at(handle)?.className ?? 'Notepad',
    title: (handle) => at(handle)?.title ?? '',
    program: (handle) => at(handle)?.program ?? '',
    frame(handle) {
      const { frame } = at(handle) ?? {};
      return frame ? seen(frame) : null;
    },
    rectangle(handle) {
      const window = at(handle);
      return window ? seen(window.area) : null;
    },
    monitors: () => desktop.monitors.map((monitor) => ({ ...monitor, area: seen(monitor.area) })),
  };
};

const listOf = (desktop: FakeDesktop) => createWindowsList(async () => callsOf(desktop));
const listed = async (desktop: FakeDesktop) => {
  const windows = await listOf(desktop).windows();
  if (!windows.ok) throw new Error(windows.error.detail);
  return windows.value;
};
const small = area(10, 20, 300, 200);

describe('the windows', () => {
  it('are the visible ones, the frontmost first', async () => {
    const TOOL = 0x80;
    const GONE_THROUGH = 0x20;
    const windows: readonly FakeWindow[] = [
      { handle: 1, area: small, title: 'an overlay that the mouse goes through', style: GONE_THROUGH | 0x80000 },
      { handle: 2, area: small, title: 'the taskbar', style: TOOL },
      { handle: 3, area: small, title: 'front' },
      { handle: 4, area: small, title: 'of another virtual desktop', isCloaked: true },
      { handle: 5, area: small, title: 'hidden', isHidden: true },
      { handle: 6, area: area(-32000, -32000, 160, 28), title: 'minimized', isMinimized: true },
      { handle: 7, area: area(5000, 0, 10, 10), title: 'beyond every monitor' },
      { handle: 8, area: small, title: 'back' },
      { handle: 9, area: HD.area, title: 'Program Manager', className: 'Progman' },
      { handle: 10, area: HD.area, className: 'WorkerW' },
    ];
    const found = await listed({ windows, active: 8, monitors: [HD] });
    expect(found).toEqual([
      { ...small, title: 'front', hasKeyboard: false },
      { ...small, title: 'back', hasKeyboard: true },
    ]);
  });

  it('are as large as they look: without the invisible border, cut to the monitors, in physical pixels', async () => {
    const windows: readonly FakeWindow[] = [
      { handle: 1, area: area(93, 100, 1014, 607), frame: area(100, 100, 1000, 600), title: 'framed' },
      { handle: 2, area: area(-100, 1000, 400, 400), title: 'over the edge' },
      { handle: 3, area: area(-3900, -300, 5000, 700), title: 'over two monitors' },
    ];
    const found = await listed({ windows, active: 0, monitors: [HD, FOUR_K] });
    expect(found).toMatchObject([
      { x: 100, y: 100, width: 1000, height: 600 },
      { x: -100, y: 1000, width: 400, height: 400 },
      { x: -3840, y: -200, width: 4940, height: 600 },
    ]);
    expect(await listed({ windows, active: 0, monitors: [HD] })).toMatchObject([
      { x: 100, y: 100, width: 1000, height: 600 },
      { x: 0, y: 1000, width: 300, height: 80 },
      { x: 0, y: 0, width: 1100, height: 400 },
    ]);
  });

  it('without a title have the name of their program', async () => {
    const windows = [{ handle: 1, area: small, program: 'game.exe' }];
    expect(await listed({ windows, active: 0, monitors: [HD] })).toMatchObject([{ title: 'game.exe' }]);
  });

  it('keep the focus while one of their palettes has it, and none has the focus on the wallpaper', async () => {
    const windows: readonly FakeWindow[] = [
      { handle: 1, area: small, title: 'palette', style: 0x80, owner: 3 },
      { handle: 2, area: small, title: 'other' },
      { handle: 3, area: small, title: 'editor' },
      { handle: 4, area: HD.area, className: 'Progman' },
    ];
    const withKeyboard = async (active: WindowHandle) =>
      (await listed({ windows, active, monitors: [HD] })).filter((one) => one.hasKeyboard).map(({ title }) => title);
    expect(await withKeyboard(1)).toEqual(['editor']);
    expect(await withKeyboard(2)).toEqual(['other']);
    expect(await withKeyboard(4)).toEqual([]);
    expect(await withKeyboard(0)).toEqual([]);
    const found = await listed({ windows, active: 1, monitors: [HD] });
    const scene = { displays: [{ ...HD.area, number: 1, name: '', scale: 1 }], windows: found, last: null };
    expect(resolveCaptureTarget({ mode: 'window' }, scene)).toEqual({ ok: true, value: small });
  });

  it('behind one that closes meanwhile are found all the same', async () => {
    const all = [1, 2, 3, 4].map((handle) => ({ handle, area: small, title: `window ${handle}` }));
    const desktop: FakeDesktop = {
      windows: all,
      active: 0,
      monitors: [HD],
      onStep(handle) {
        if (handle === 2) desktop.windows = all.filter((window) => window.handle !== 2);
      },
    };
    expect((await listed(desktop)).map(({ title }) => title)).toEqual(['window 1', 'window 3', 'window 4']);
  });

  it('that change places all the time are listed once each', async () => {
    const all = [1, 2, 3].map((handle) => ({ handle, area: small, title: `window ${handle}` }));
    const desktop: FakeDesktop = {
      windows: all,
      active: 0,
      monitors: [HD],
      onStep() {
        const [first, ...others] = desktop.windows;
        desktop.windows = first ? [...others, first] : [];
      },
    };
    const titles = (await listed(desktop)).map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.length).toBeGreaterThan(0);
  });
});

describe('the monitors', () => {
  it('are listed with their scale, the primary one first', async () => {
    const nameless = { ...FOUR_K, name: '' };
    expect(await listOf({ windows: [], active: 0, monitors: [nameless, HD] }).displays()).toEqual({
      ok: true,
      value: [
        { ...HD.area, number: 1, name: 'HD', scale: 1 },
        { ...FOUR_K.area, number: 2, name: 'Display 2', scale: 1.5 },
      ],
    });
  });

  it.each([
    ['there is no monitor', async () => callsOf({ windows: [], active: 0, monitors: [] })],
    ['no such function', () => Promise.reject(new Error('no such function'))],
  ] as const)('cannot be listed: %s', async (reason, open) => {
    const list = createWindowsList(open);
    for (const refused of [await list.displays(), await list.windows()])
      expect(refused).toMatchObject({
        ok: false,
        error: { code: 'CAPTURE_UNAVAILABLE', detail: expect.stringContaining(reason) },
      });
  });
});
