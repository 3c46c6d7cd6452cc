/** A mosaic is generated from its surroundings: it reads no pixel below a redaction or outside the crop. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { overlap } from '../../../src/renderer/drawing/box-geometry.ts';
import { apply, type Document, emptyDocument, frameOf } from '../../../src/renderer/drawing/document.ts';
import type { Box, RedactionMark } from '../../../src/renderer/drawing/mark.ts';
import { coversOf, mosaicOf } from '../../../src/renderer/editor/picture/redaction.ts';

const PICTURE = { width: 301, height: 173 };
const box = fc.record({
  x: fc.double({ min: -40, max: 300, noNaN: true }),
  y: fc.double({ min: -40, max: 170, noNaN: true }),
  width: fc.double({ min: 0.2, max: 180, noNaN: true }),
  height: fc.double({ min: 0.2, max: 120, noNaN: true }),
});

const redacted = (boxes: readonly Box[], crop: Box | null): Document =>
  boxes.reduce(
    (document, wanted, index) =>
      apply(document, {
        type: 'add',
        mark: { kind: 'redaction', box: wanted, look: 'mosaic', seed: 5 + index, colour: '#000000' },
      }),
    apply(emptyDocument(PICTURE), { type: 'crop', box: crop }),
  );

const white = ({ width, height }: Box) => new Uint8Array(width * height * 4).fill(255);
const boxesOf = ({ marks }: Document): readonly Box[] => marks.map((mark) => (mark as RedactionMark).box);

it('no pixel below any redaction and none outside of the crop is ever asked for', () => {
  fc.assert(
    fc.property(fc.array(box, { minLength: 1, maxLength: 4 }), fc.option(box), (boxes, crop) => {
      const document = redacted(boxes, crop);
      const asked: Box[] = [];
      coversOf(document, (area) => {
        asked.push(area);
        return white(area);
      });
      const frame = frameOf(document);
      for (const area of asked) {
        for (const hidden of boxesOf(document)) expect(overlap(area, hidden)).toBeNull();
        expect(overlap(area, frame)).toEqual(area);
      }
    }),
  );
});

it('the blocks cover the box exactly, each pixel once', () => {
  fc.assert(
    fc.property(box, (wanted) => {
      const document = redacted([wanted], null);
      const [mark] = document.marks as RedactionMark[];
      if (!mark) throw new Error('no mark');
      const blocks = mosaicOf(mark, frameOf(document), [mark.box], white);
      const area = blocks.reduce((sum, { width, height }) => sum + width * height, 0);
      expect(area).toBe(mark.box.width * mark.box.height);
      for (const block of blocks)
        expect(overlap(block, mark.box)).toEqual({ x: block.x, y: block.y, width: block.width, height: block.height });
    }),
  );
});

it('is seen on plain white, plain black, and where nothing around may be looked at', () => {
  for (const shade of [0, 255]) {
    const document = redacted([{ x: 40, y: 40, width: 120, height: 60 }], null);
    const [cover] = coversOf(document, ({ width, height }) => new Uint8Array(width * height * 4).fill(shade));
    expect(new Set(cover?.blocks.map(({ colour }) => colour)).size).toBeGreaterThan(20);
  }
  const everything = redacted([{ x: 0, y: 0, ...PICTURE }], null);
  const [cover] = coversOf(everything, () => {
    throw new Error('There is nothing to look at.');
  });
  expect(new Set(cover?.blocks.map(({ colour }) => colour)).size).toBeGreaterThan(20);
});

it('has the same pattern each time', () => {
  const document = redacted([{ x: 40, y: 40, width: 120, height: 60 }], null);
  expect(coversOf(document, white)).toEqual(coversOf(document, white));
});
