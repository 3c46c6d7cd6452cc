/** Where the magnifier is: in the page, and not over what is measured. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Area } from '../../../src/ipc/protocol/capture.ts';
import { placeMagnifier } from '../../../src/renderer/overlay/picture/place-magnifier.ts';

const PAGE = { width: 1280, height: 720 };
const SIZE = { width: 150, height: 260 };

const cover = (one: Area, other: Area): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** A box in the page and a pixel in it. */
const measured = fc
  .tuple(fc.nat(1279), fc.nat(1279), fc.nat(719), fc.nat(719), fc.nat(9_999), fc.nat(9_999))
  .map(([x1, x2, y1, y2, alongX, alongY]) => {
    const box = {
      ...{ x: Math.min(x1, x2), y: Math.min(y1, y2) },
      ...{ width: Math.abs(x1 - x2) + 1, height: Math.abs(y1 - y2) + 1 },
    };
    return { box, pixel: { x: box.x + (alongX % box.width) + 0.5, y: box.y + (alongY % box.height) + 0.5 } };
  });

describe('with the ruler', () => {
  it('both lines are visible from end to end, wherever the pixel and the edges are', () => {
    fc.assert(
      fc.property(measured, ({ box, pixel }) => {
        const lens = { ...placeMagnifier(pixel, SIZE, PAGE, box), ...SIZE };
        expect(cover(lens, { x: pixel.x - 5, y: box.y, width: 10, height: box.height })).toBe(false);
        expect(cover(lens, { x: box.x, y: pixel.y - 5, width: box.width, height: 10 })).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('a box as large as a button is not covered at all', () => {
    fc.assert(
      fc.property(fc.nat(1279 - 120), fc.nat(719 - 36), fc.nat(119), fc.nat(35), (x, y, alongX, alongY) => {
        const box = { x, y, width: 120, height: 36 };
        const lens = { ...placeMagnifier({ x: x + alongX, y: y + alongY }, SIZE, PAGE, box), ...SIZE };
        expect(cover(lens, box)).toBe(false);
      }),
    );
  });
});

it('is in the page, with and without the ruler, also where a page is too small for both', () => {
  const page = { width: 320, height: 280 };
  fc.assert(
    fc.property(measured, fc.boolean(), ({ box, pixel }, isMeasuring) => {
      const inside = { x: pixel.x % page.width, y: pixel.y % page.height };
      const lens = { ...placeMagnifier(inside, SIZE, page, isMeasuring ? box : null), ...SIZE };
      expect(Math.min(lens.x, lens.y)).toBeGreaterThanOrEqual(10);
      expect(lens.x + lens.width).toBeLessThanOrEqual(page.width - 10);
      expect(lens.y + lens.height).toBeLessThanOrEqual(page.height - 10);
    }),
  );
});

it('without the ruler it is right and below of the pixel, or on the other sides where the page ends', () => {
  expect(placeMagnifier({ x: 100, y: 100 }, SIZE, PAGE, null)).toEqual({ x: 124, y: 124 });
  expect(placeMagnifier({ x: 1200, y: 700 }, SIZE, PAGE, null)).toEqual({ x: 1026, y: 416 });
});
