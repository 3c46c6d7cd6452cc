/** Converting Electron's rounded displays to physical pixels; and the bounds of the panels. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { err, failure, ok, type Result } from '../../src/api/errors.ts';
import {
  displayUnder,
  type ElectronScreen,
  knownDisplays,
  logicalArea,
  originsOn,
} from '../../src/main/windows/display-coordinates.ts';
import { followMonitors } from '../../src/main/windows/follow-monitors.ts';
import { barPlace, cornerPlace, placeBeside } from '../../src/main/windows/panel-layout.ts';

interface Given {
  readonly bounds: Electron.Rectangle;
  readonly scaleFactor: number;
  readonly nativeOrigin?: Electron.Point;
}

const displaysOf = (given: readonly Given[]): Electron.Display[] =>
  given.map((each, index) => ({ id: index + 1, label: '', nativeOrigin: { x: 0, y: 0 }, ...each }) as Electron.Display);

const screenOf = (given: readonly Given[], primary = 0): ElectronScreen => {
  const all = displaysOf(given);
  return {
    getAllDisplays: () => all,
    getPrimaryDisplay: () => all[primary] as Electron.Display,
    dipToScreenPoint: ({ x, y }) => ({ x: x * 2, y: y * 2 }),
  };
};

const areasOf = (screen: ElectronScreen, origins: Parameters<typeof knownDisplays>[1]) =>
  knownDisplays(screen, origins).map(({ display: { x, y, width, height } }) => [x, y, width, height]);

describe('physical pixels', () => {
  const SIDES = [
    ...[720, 768, 800, 864, 900, 960, 1024, 1050, 1080, 1152, 1200, 1280, 1360, 1366, 1400, 1440, 1504, 1536, 1600],
    ...[1620, 1680, 1800, 1824, 1920, 2048, 2160, 2256, 2280, 2304, 2400, 2496, 2560, 2736, 2880, 3000, 3072, 3200],
    ...[3240, 3440, 3456, 3840, 4096, 4320, 5120, 5760, 7680],
  ];
  const SCALES = [1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 3, 3.5];

  /** As Chromium's gfx::ScaleToEnclosingRect does it, with single precision. */
  const enclosing = ({ x, y, width, height }: Electron.Rectangle, scale: number): Electron.Rectangle => {
    const ratio = Math.fround(1 / scale);
    const [left, top] = [Math.floor(Math.fround(x * ratio)), Math.floor(Math.fround(y * ratio))];
    const right = Math.ceil(Math.fround((x + width) * ratio));
    return { x: left, y: top, width: right - left, height: Math.ceil(Math.fround((y + height) * ratio)) - top };
  };

  /** What Electron reports on Windows of a display: Chromium moves it beside its neighbours after scaling. */
  const onWindows = (real: Electron.Rectangle, scaleFactor: number): ElectronScreen => {
    const bounds = { ...enclosing(real, scaleFactor), x: 0, y: 0 };
    return { ...screenOf([{ bounds, scaleFactor }]), dipToScreenPoint: () => ({ x: real.x, y: real.y }) };
  };

  it('are exact on Windows for every usual display at every scale and place, though Chromium rounds outwards', () => {
    const places = [0, 1, 137, 216, 1333, ...SIDES, ...SIDES.map((side) => -side)];
    const wrong: string[] = [];
    for (const scale of SCALES)
      for (const side of SIDES)
        for (const start of places) {
          const real = { x: start, y: -start, width: side, height: side };
          const [found = []] = areasOf(onWindows(real, scale), 'converted');
          if (found.join() !== [start, -start, side, side].join()) wrong.push(`${side} from ${start} at ${scale}`);
        }
    expect(wrong).toEqual([]);
  });

  it('are those of the monitors that Windows lists, also for a virtual machine’s window and with larger text', () => {
    const side = fc.integer({ min: 300, max: 8000 });
    const place = fc.integer({ min: -8000, max: 8000 });
    const scale = fc.integer({ min: 100, max: 1125 }).map((percent) => Math.fround(percent / 100));
    fc.assert(
      fc.property(place, place, side, side, scale, (x, y, width, height, scaleFactor) => {
        const real = { x, y, width, height };
        const monitors = [
          { ...real, x: x + 1 },
          { ...real, width: width * 2 },
          { ...real, number: 7 },
        ];
        expect(knownDisplays(onWindows(real, scaleFactor), 'converted', monitors)[0]?.display).toEqual({
          ...real,
          ...{ number: 1, name: 'Display 1', scale: scaleFactor },
        });
      }),
    );
  });

  it('follow a change of the displays that the list of monitors does not know yet', () => {
    const monitors = [{ x: 0, y: 0, width: 1920, height: 1080 }];
    const screen = onWindows({ x: 0, y: 0, width: 2560, height: 1600 }, 1.75);
    expect(knownDisplays(screen, 'converted', monitors)[0]?.display).toMatchObject({ width: 2560, height: 1600 });
  });

  it('come from a list that is read again when a display changes, and is kept while Windows does not answer', async () => {
    const area = (width: number) => ({ x: 0, y: 0, width, height: 900 });
    const answers: Result<readonly Electron.Rectangle[]>[] = [
      ok([area(1600)]),
      err(failure('CAPTURE_UNAVAILABLE', 'no monitor')),
      ok([area(1440)]),
    ];
    const screen = new EventEmitter();
    const read = vi.fn(async () => answers.shift() ?? ok([]));
    const monitors = followMonitors(screen as unknown as Electron.Screen, read);
    expect(monitors()).toEqual([]);
    await expect.poll(monitors).toEqual([area(1600)]);
    screen.emit('display-removed');
    await read.mock.results[1]?.value;
    expect(monitors()).toEqual([area(1600)]);
    screen.emit('display-metrics-changed');
    await expect.poll(monitors).toEqual([area(1440)]);
  });

  it('are exact elsewhere for every usual display whose rounding parity restores', () => {
    for (const scaleFactor of SCALES) {
      for (const side of SIDES) {
        for (const round of [Math.round, Math.floor, Math.ceil]) {
          const length = round(side / scaleFactor);
          // Where rounding loses more, the size is ambiguous.
          if (Math.abs(length * scaleFactor - side) >= 1) continue;
          const bounds = { x: 0, y: 0, width: length, height: length };
          expect(areasOf(screenOf([{ bounds, scaleFactor }]), 'native')).toEqual([[0, 0, side, side]]);
        }
      }
    }
  });

  it('keeps the odd size of a virtual machine’s window', () => {
    const bounds = { x: 0, y: 0, width: 1237, height: 701 };
    expect(areasOf(screenOf([{ bounds, scaleFactor: 1 }]), 'native')).toEqual([[0, 0, 1237, 701]]);
  });

  it('numbers the primary display first, and uses the origins that the system reports', () => {
    const given: Given[] = [
      { bounds: { x: 0, y: 0, width: 1920, height: 1080 }, scaleFactor: 1, nativeOrigin: { x: 0, y: 0 } },
      { bounds: { x: 1920, y: 0, width: 1536, height: 864 }, scaleFactor: 1.25, nativeOrigin: { x: 1920, y: 216 } },
    ];
    const known = knownDisplays(screenOf(given, 1), originsOn('linux', false));
    expect(known.map(({ display }) => [display.number, display.x, display.y, display.width, display.scale])).toEqual([
      [1, 1920, 216, 1920, 1.25],
      [2, 0, 0, 1920, 1],
    ]);
    expect(areasOf(screenOf(given), originsOn('win32', false))[1]).toEqual([3840, 0, 1920, 1080]);
  });

  it('never overlap where only logical places are known', () => {
    const scale = fc.constantFrom(1, 1.25, 1.5, 2, 3);
    const shift = fc.integer({ min: 0, max: 700 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(scale, shift, fc.constantFrom('right', 'below')), { minLength: 1, maxLength: 4 }),
        (list) => {
          let at = { x: 0, y: 0 };
          const given = list.map(([scaleFactor, by, side]): Given => {
            const bounds = { ...at, width: 1200, height: 800 };
            at = side === 'right' ? { x: at.x + 1200, y: at.y + by } : { x: at.x + by, y: at.y + 800 };
            return { bounds, scaleFactor };
          });
          const areas = knownDisplays(screenOf(given), originsOn('darwin', false)).map(({ display }) => display);
          for (const [index, one] of areas.entries()) {
            for (const other of areas.slice(index + 1)) {
              const across = other.x >= one.x + one.width || one.x >= other.x + other.width;
              const down = other.y >= one.y + one.height || one.y >= other.y + other.height;
              expect(across || down).toBe(true);
            }
          }
        },
      ),
    );
  });

  it('keep neighbours together where only logical places are known', () => {
    const given: Given[] = [
      { bounds: { x: 0, y: 0, width: 1440, height: 900 }, scaleFactor: 2 },
      { bounds: { x: 1440, y: -100, width: 1920, height: 1080 }, scaleFactor: 1 },
      { bounds: { x: -1920, y: 0, width: 1920, height: 1080 }, scaleFactor: 1 },
    ];
    expect(areasOf(screenOf(given), 'none')).toEqual([
      [0, 0, 2880, 1800],
      [2880, -200, 1920, 1080],
      [-1920, 0, 1920, 1080],
    ]);
  });

  it('lead back to the logical place of an area, on the display that holds most of it', () => {
    const given: Given[] = [
      { bounds: { x: 0, y: 0, width: 1920, height: 1080 }, scaleFactor: 1, nativeOrigin: { x: 0, y: 0 } },
      { bounds: { x: 1920, y: 0, width: 1536, height: 864 }, scaleFactor: 1.25, nativeOrigin: { x: 1920, y: 0 } },
    ];
    const known = knownDisplays(screenOf(given), 'native');
    const area = { x: 2045, y: 125, width: 250, height: 500 };
    const under = displayUnder(area, known);
    expect(under?.display.number).toBe(2);
    expect(under && logicalArea(area, under)).toEqual({ x: 2020, y: 100, width: 200, height: 400 });
    expect(displayUnder(area, [])).toBeNull();
  });
});

describe('little windows', () => {
  const free = { x: 100, y: 50, width: 1000, height: 700 };

  it('are placed in the lower right corner of the work area, also with little space', () => {
    expect(cornerPlace(free, { width: 400, height: 300 })).toEqual({ x: 692, y: 442, width: 400, height: 300 });
    const place = cornerPlace({ x: 0, y: 0, width: 320, height: 200 }, { width: 400, height: 300 });
    expect(place).toEqual({ x: 0, y: 0, width: 320, height: 192 });
  });

  it('are placed beside the recorded area where there is space, below first, and always on the display', () => {
    const size = { width: 400, height: 60 };
    const below = barPlace(free, { x: 300, y: 100, width: 400, height: 300 }, size);
    expect(below).toEqual({ x: 300, y: 408, ...size });
    const above = barPlace(free, { x: 300, y: 300, width: 400, height: 440 }, size);
    expect(above).toEqual({ x: 300, y: 232, ...size });
    const inside = barPlace(free, free, size);
    expect(inside.y + size.height).toBeLessThan(free.y + free.height);
    const edge = barPlace(free, { x: 1050, y: 100, width: 40, height: 40 }, size);
    expect(edge.x + size.width).toBeLessThanOrEqual(free.x + free.width);
  });

  it('the panel of a scrolling capture is below, above or beside its area, or nowhere', () => {
    const whole = { x: 0, y: 0, width: 1280, height: 800 };
    const panel = { width: 464, height: 220 };
    const placeOf = (area: typeof whole) => {
      const place = placeBeside(whole, area, panel);
      return place && [place.x, place.y];
    };
    expect(placeOf({ x: 300, y: 100, width: 600, height: 400 })).toEqual([368, 508]);
    expect(placeOf({ x: 300, y: 300, width: 600, height: 480 })).toEqual([368, 72]);
    expect(placeOf({ x: 0, y: 0, width: 700, height: 800 })).toEqual([708, 0]);
    expect(placeOf({ x: 600, y: 700, width: 680, height: 100 })).toEqual([708, 472]);
    expect(placeOf({ x: 500, y: 100, width: 780, height: 650 })).toEqual([28, 100]);
    expect(placeOf(whole)).toBeNull();
  });
});
