/**
 * Exported images pixel by pixel in real Chromium: unmarked pixels are exact, and redacted or cropped content is
 * absent.
 */
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { overlap, wholePixels, withinPicture } from '../../../src/renderer/drawing/box-geometry.ts';
import type { Command } from '../../../src/renderer/drawing/document.ts';
import type { NewMark } from '../../../src/renderer/drawing/mark.ts';
import { isLong } from '../../support/campaign.ts';
import {
  chunksOf,
  differences,
  noise,
  type PixelArea,
  pixelsOf,
  pngOf,
  withOther,
} from '../../support/media/pixels.ts';
import { type EditorKit, exportEdited, startEditorKit } from '../../support/window/editor-kit.ts';

const SCALES = [1, 1.25, 2] as const;

let kit: EditorKit;
const pages = new Map<number, Page>();
const pageOf = (scale: number): Page => {
  const page = pages.get(scale);
  if (!page) throw new Error('no page');
  return page;
};
beforeAll(async () => {
  kit = await startEditorKit();
  for (const scale of SCALES) pages.set(scale, await kit.page(scale));
});
afterAll(() => kit.close());

const add = (mark: NewMark): Command => ({ type: 'add', mark });
const colour = '#e5322d';
/** One mark of each kind, all of them in the upper left 200 x 120 pixels. */
const MARKS: readonly NewMark[] = [
  { kind: 'arrow', from: { x: 20.5, y: 20.25 }, to: { x: 90, y: 60 }, width: 5, colour },
  { kind: 'line', from: { x: 100, y: 20 }, to: { x: 180, y: 44 }, width: 3, colour: '#ffffff' },
  { kind: 'rectangle', box: { x: 20, y: 70, width: 50.4, height: 30 }, width: 5, colour },
  { kind: 'ellipse', box: { x: 80, y: 70, width: 50, height: 30.7 }, width: 5, colour },
  { kind: 'pen', points: [20, 40, 60].map((x, index) => ({ x, y: 100 - index * 4 })), width: 5, colour },
  { kind: 'highlight', box: { x: 100.5, y: 50, width: 60, height: 15 }, colour: '#ffd21f' },
  { kind: 'text', at: { x: 130, y: 80 }, text: 'Hi', size: 20, extent: { width: 24, height: 25 }, colour },
  { kind: 'step', at: { x: 170, y: 90 }, radius: 14, colour },
];

describe.each(SCALES)('on a display of scale %d', (scale) => {
  it.each([
    [401, 203],
    [1, 1],
    [640, 480],
  ])('a picture of %d x %d without a mark is the picture, bit by bit', async (width, height) => {
    const taken = noise(width, height, 3);
    const left = await pixelsOf(await exportEdited(pageOf(scale), await pngOf(taken), []));
    expect([left.width, left.height]).toEqual([width, height]);
    expect(left.data.equals(taken.data)).toBe(true);
  });

  it('only what a mark covers is changed', async () => {
    const taken = noise(403, 257, 4);
    const left = await pixelsOf(await exportEdited(pageOf(scale), await pngOf(taken), MARKS.map(add)));
    const changed = differences(taken, left);
    expect(changed.length).toBeGreaterThan(2_000);
    expect(changed.filter(({ x, y }) => x >= 200 || y >= 120)).toEqual([]);
  });

  it('a crop is exact, wherever it was asked for', async () => {
    const taken = noise(301, 199, 5);
    const png = await pngOf(taken);
    for (const box of [
      { x: 17, y: 31, width: 101, height: 53 },
      { x: 0, y: 0, width: 1, height: 199 },
      { x: 300, y: 198, width: 1, height: 1 },
      { x: 250, y: 150, width: 500, height: 500 },
    ]) {
      const left = await pixelsOf(await exportEdited(pageOf(scale), png, [{ type: 'crop', box }]));
      expect([left.width, left.height]).toEqual([Math.min(box.width, 301 - box.x), Math.min(box.height, 199 - box.y)]);
      expect(differences(taken, left, box)).toEqual([]);
    }
  });

  it('shapes are painted the same on every display', async () => {
    // Letters are fitted to the display by the browser's own rules.
    const shapes = MARKS.filter(({ kind }) => kind !== 'text' && kind !== 'step').map(add);
    const png = await pngOf(noise(203, 127, 6));
    const here = await exportEdited(pageOf(scale), png, shapes);
    expect(here.equals(await exportEdited(pageOf(1), png, shapes))).toBe(true);
  });
});

/** The largest picture that the service takes; a fifth of it in `npm test`. */
const LINES = isLong ? 5_208 : 1_042;
it(`a picture of ${isLong ? 40 : 8} megapixels is exported completely and exactly`, async () => {
  const row = noise(7_680, 1, 7);
  const data = Buffer.concat(Array.from({ length: LINES }, () => row.data));
  const taken = { width: 7_680, height: LINES, data };
  const mark = add({ kind: 'rectangle', box: { x: 7_500, y: LINES - 108, width: 90, height: 60 }, width: 9, colour });
  const left = await pixelsOf(await exportEdited(pageOf(1), await pngOf(taken), [mark]));
  expect([left.width, left.height]).toEqual([7_680, LINES]);
  const above = (LINES - 208) * 7_680 * 4;
  expect(left.data.subarray(0, above).equals(data.subarray(0, above))).toBe(true);
  expect(left.data.equals(data)).toBe(false);
});

const SIZE = { width: 131, height: 97 };
const coordinate = (most: number) => fc.double({ min: -12, max: most, noNaN: true });
const area = fc.record({
  x: coordinate(SIZE.width + 5),
  y: coordinate(SIZE.height + 5),
  width: fc.double({ min: 0.05, max: 90, noNaN: true }),
  height: fc.double({ min: 0.05, max: 70, noNaN: true }),
});
const redaction = fc.record({
  kind: fc.constant('redaction' as const),
  box: area,
  look: fc.constantFrom('solid' as const, 'mosaic' as const),
  seed: fc.nat(),
  colour: fc.constantFrom('#16181d', '#ffffff'),
});
const over = fc.oneof(
  fc.record({ kind: fc.constant('highlight' as const), box: area, colour: fc.constant('#ffd21f') }),
  fc.record({
    kind: fc.constantFrom('rectangle' as const, 'ellipse' as const),
    box: area,
    width: fc.constant(3),
    colour: fc.constant(colour),
  }),
  fc.record({ kind: fc.constant('step' as const), at: area, radius: fc.constant(9), colour: fc.constant(colour) }),
);
const scenes = fc.record({
  redactions: fc.array(redaction, { minLength: 1, maxLength: 3 }),
  marks: fc.array(over, { maxLength: 3 }),
  crop: fc.option(area, { freq: 3 }),
  scale: fc.constantFrom(...SCALES),
  seed: fc.nat(1_000),
});

const NOTHING: PixelArea = { x: 0, y: 0, width: 0, height: 0 };
/** Every pixel of the picture that a redaction touches. */
const hiddenBy = (box: PixelArea): PixelArea => overlap(wholePixels(box), { x: 0, y: 0, ...SIZE }) ?? NOTHING;

describe('a redacted area', () => {
  it('is in no pixel and no byte of the exported file: any other picture below gives the same file', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, async ({ redactions, marks, crop, scale, seed }) => {
        const commands: Command[] = [...redactions, ...marks].map((mark) => add(mark as NewMark));
        const all: Command[] = [...commands, { type: 'crop', box: crop }];
        const first = noise(SIZE.width, SIZE.height, seed);
        const second = redactions.reduce(
          (picture, { box }, index) => withOther(picture, hiddenBy(box), seed + 1 + index),
          first,
        );
        const one = await exportEdited(pageOf(scale), await pngOf(first), all);
        const other = await exportEdited(pageOf(scale), await pngOf(second), all);
        expect(one.equals(other)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('is removed as well when it is outside of the crop', async () => {
    await fc.assert(
      fc.asyncProperty(redaction, area, fc.nat(1_000), async (mark, crop, seed) => {
        const commands: Command[] = [add(mark), { type: 'crop', box: crop }];
        const kept = withinPicture(crop, SIZE);
        const whole: PixelArea = { x: 0, y: 0, ...SIZE };
        const first = noise(SIZE.width, SIZE.height, seed);
        const outside = withOther(first, whole, seed + 1);
        // All is other but what is kept.
        const second = withOther(outside, kept, seed);
        const page = pageOf(1);
        const one = await exportEdited(page, await pngOf(first), commands);
        expect(one.equals(await exportEdited(page, await pngOf(second), commands))).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it('does not change the pixels beside it', async () => {
    await fc.assert(
      fc.asyncProperty(redaction, fc.constantFrom(...SCALES), async (mark, scale) => {
        const taken = noise(SIZE.width, SIZE.height, 8);
        const left = await pixelsOf(await exportEdited(pageOf(scale), await pngOf(taken), [add(mark)]));
        const box = hiddenBy(mark.box);
        const beside = differences(taken, left).filter(
          ({ x, y }) => x < box.x || y < box.y || x >= box.x + box.width || y >= box.y + box.height,
        );
        expect(beside).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('the file contains nothing but visible pixels', async () => {
    const commands = [
      add({ kind: 'redaction', box: { x: 9, y: 9, width: 60, height: 40 }, look: 'mosaic', seed: 1, colour }),
    ];
    const png = await exportEdited(pageOf(1), await pngOf(noise(SIZE.width, SIZE.height, 9)), commands);
    expect([...new Set(chunksOf(png))].filter((kind) => !['IHDR', 'sRGB', 'IDAT', 'IEND'].includes(kind))).toEqual([]);
    expect(chunksOf(png).at(-1)).toBe('IEND');
  });
});
