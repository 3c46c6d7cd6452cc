/** Zoom and pan: the point under the pointer stays in place, and pixels are sharp on every display. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { panBy, placeImage, toPicture, type View, zoomAt } from '../../../src/renderer/drawing/viewport.ts';

const FRAME = { x: 100, y: 50, width: 4_000, height: 3_000 };
const viewports = fc.record({
  width: fc.integer({ min: 200, max: 2_000 }),
  height: fc.integer({ min: 200, max: 1_200 }),
  scale: fc.constantFrom(1, 1.25, 1.5, 2),
});
const FIT: View = { zoom: 'fit', centre: { x: 0, y: 0 } };

it('shows the whole frame at first, in the middle and never larger than it is', () => {
  fc.assert(
    fc.property(viewports, fc.constantFrom(FRAME, { x: 0, y: 0, width: 9, height: 9 }), (viewport, frame) => {
      const { x, y, scale } = placeImage(FIT, frame, viewport);
      expect(scale * viewport.scale).toBeLessThanOrEqual(1);
      const left = x + frame.x * scale;
      const right = viewport.width - left - frame.width * scale;
      expect(Math.abs(left - right)).toBeLessThanOrEqual(2 / viewport.scale);
      expect(left).toBeGreaterThan(0);
      const top = y + frame.y * scale;
      expect(top).toBeGreaterThan(0);
    }),
  );
});

it('keeps the point under the pointer while zooming in', () => {
  fc.assert(
    fc.property(viewports, fc.double({ min: 0.3, max: 0.7, noNaN: true }), (viewport, part) => {
      const begun: View = { zoom: 2, centre: { x: 2_100, y: 1_550 } };
      const at = { x: viewport.width * part, y: viewport.height * part };
      const before = toPicture(at, placeImage(begun, FRAME, viewport));
      const after = toPicture(at, placeImage(zoomAt(begun, 1.5, at, FRAME, viewport), FRAME, viewport));
      // To the pixel of the screen, on which the picture is laid.
      expect(Math.abs(after.x - before.x)).toBeLessThanOrEqual(1);
      expect(Math.abs(after.y - before.y)).toBeLessThanOrEqual(1);
    }),
  );
});

it('is aligned to whole pixels of the screen, wherever it was moved', () => {
  fc.assert(
    fc.property(
      viewports,
      fc.integer({ min: -500, max: 500 }),
      fc.integer({ min: -500, max: 500 }),
      (viewport, x, y) => {
        const view = panBy({ zoom: 1, centre: { x: 2_000, y: 1_500 } }, { x: x / 3, y: y / 7 }, FRAME, viewport);
        const placement = placeImage(view, FRAME, viewport);
        for (const side of [placement.x, placement.y]) {
          const pixels = side * viewport.scale;
          expect(Math.abs(pixels - Math.round(pixels))).toBeLessThan(1e-6);
        }
      },
    ),
  );
});
