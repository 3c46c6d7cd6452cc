/** The ruler without a page: exact to the pixel, whatever is on the screen. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Area } from '../../../src/ipc/protocol/capture.ts';
import { EDGE_TOLERANCE, measureEdges } from '../../../src/renderer/overlay/picture/measure-edges.ts';
import { contains, type Point } from '../../../src/renderer/overlay/selection/selection-geometry.ts';
import { makePixels } from '../../support/window/frozen-desktop.ts';

/** Not at the origin, as the second display of a desktop. */
const DISPLAY: Area = { x: -80, y: 30, width: 80, height: 50 };
type Paint = (at: Point) => readonly [number, number, number];

const measure = (at: Point, paint: Paint): Area => {
  const data = new Uint8ClampedArray(makePixels(DISPLAY, (x, y) => paint({ x: x + DISPLAY.x, y: y + DISPLAY.y })));
  return measureEdges({ data, width: DISPLAY.width, height: DISPLAY.height }, DISPLAY, at);
};
const grey = (level: number): [number, number, number] => [level, level, level];

const PANEL: Area = { x: -60, y: 40, width: 31, height: 17 };

/** A box of at least one pixel on the display, and a pixel of it. */
const boxes = fc
  .tuple(fc.nat(79), fc.nat(79), fc.nat(49), fc.nat(49), fc.nat(999), fc.nat(999))
  .map(([x1, x2, y1, y2, alongX, alongY]) => {
    const box = {
      ...{ x: DISPLAY.x + Math.min(x1, x2), y: DISPLAY.y + Math.min(y1, y2) },
      ...{ width: Math.abs(x1 - x2) + 1, height: Math.abs(y1 - y2) + 1 },
    };
    return { box, at: { x: box.x + (alongX % box.width), y: box.y + (alongY % box.height) } };
  });

describe('the box that is measured', () => {
  it('is the panel below any of its pixels, also at the borders of the display', () => {
    fc.assert(
      fc.property(boxes, ({ box, at }) => {
        expect(measure(at, (pixel) => (contains(box, pixel) ? [250, 250, 250] : [255, 255, 255]))).toEqual(box);
      }),
    );
  });

  it('stays exact in noise within the tolerance', () => {
    const noise = fc.array(fc.nat(EDGE_TOLERANCE), { minLength: 97, maxLength: 97 });
    fc.assert(
      fc.property(boxes, noise, ({ box, at }, levels) => {
        const noisy: Paint = ({ x, y }) => {
          const level = levels[Math.abs(x * 31 + y * 17) % levels.length] ?? 0;
          return contains(box, { x, y }) ? grey(100 + level) : grey(120 + level);
        };
        expect(measure(at, noisy)).toEqual(box);
      }),
    );
  });

  it('is the whole display where nothing is on it', () => {
    expect(measure({ x: -1, y: 79 }, () => grey(0))).toEqual(DISPLAY);
  });

  it.each([0, 1, 2])('ends where one channel alone differs (%d)', (channel) => {
    const paint: Paint = (pixel) => {
      const colour = grey(200);
      if (!contains(PANEL, pixel)) colour[channel] = 200 + EDGE_TOLERANCE + 1;
      return colour;
    };
    expect(measure({ x: -50, y: 50 }, paint)).toEqual(PANEL);
  });

  it('ends at the nearest edge of four, not behind it', () => {
    const isLine = ({ x, y }: Point) => x === -55 || x === -50 || x === -30 || x === -20 || y === 45 || y === 70;
    expect(measure({ x: -40, y: 60 }, (pixel) => grey(isLine(pixel) ? 255 : 0))).toEqual({
      ...{ x: -49, y: 46 },
      ...{ width: 19, height: 24 },
    });
  });
});

describe('small differences', () => {
  const across: Paint = ({ x }) => grey(x - DISPLAY.x);

  it('a gradient ends where it differs from the pixel by more than the tolerance, in both directions', () => {
    const at = { x: DISPLAY.x + 40, y: 50 };
    expect(measure(at, across)).toEqual({
      ...{ x: at.x - EDGE_TOLERANCE, y: DISPLAY.y },
      ...{ width: 2 * EDGE_TOLERANCE + 1, height: DISPLAY.height },
    });
  });

  it('a difference of the tolerance is no edge, one more is', () => {
    const step = (by: number) => measure({ x: -70, y: 50 }, ({ x }) => grey(x < -40 ? 100 : 100 + by));
    expect(step(EDGE_TOLERANCE)).toEqual(DISPLAY);
    expect(step(EDGE_TOLERANCE + 1)).toEqual({ ...DISPLAY, width: 40 });
  });
});

describe('lines of one pixel', () => {
  const line: Paint = ({ x, y }) => grey(x === -40 || y === 50 ? 0 : 255);

  it('are edges', () => {
    expect(measure({ x: -41, y: 51 }, line)).toEqual({ x: -80, y: 51, width: 40, height: 29 });
  });

  it('are measured themselves: one pixel wide', () => {
    expect(measure({ x: -40, y: 60 }, line)).toEqual({ x: -40, y: 30, width: 1, height: 50 });
    expect(measure({ x: -60, y: 50 }, line)).toEqual({ x: -80, y: 50, width: 80, height: 1 });
  });

  it('a single pixel is one by one', () => {
    const at = { x: -33, y: 44 };
    expect(measure(at, ({ x, y }) => grey(x === at.x && y === at.y ? 9 : 0))).toEqual({ ...at, width: 1, height: 1 });
  });
});

it('looks at each pixel of its row and column at most once', () => {
  const { width, height } = DISPLAY;
  const seen = new Map<number, number>();
  const data = new Proxy(new Uint8ClampedArray(width * height * 4), {
    get: (bytes, name) => {
      const pixel = Math.floor(Number(name) / 4);
      if (Number(name) % 4 === 0) seen.set(pixel, (seen.get(pixel) ?? 0) + 1);
      return Reflect.get(bytes, name);
    },
  });
  const at = { x: -44, y: 61 };
  expect(measureEdges({ data, width, height }, DISPLAY, at)).toEqual(DISPLAY);
  seen.delete((at.y - DISPLAY.y) * width + at.x - DISPLAY.x);
  expect(seen.size).toBe(width + height - 2);
  expect(new Set(seen.values())).toEqual(new Set([1]));
});
