/** Caches redactions as small bitmaps and redraws one only when it changes, so that they scale without seams. */
import { type Document, frameOf } from '../document.ts';
import { isSameBox } from '../marks/box.ts';
import type { Box } from '../marks/mark.ts';
import { coversOf, paintCover, type ReadPixels, redactionsOf } from '../picture/redaction.ts';

interface DrawnCover {
  readonly box: Box;
  readonly canvas: OffscreenCanvas;
}

const isSame = (a: Document, b: Document): boolean => {
  const [before, after] = [redactionsOf(a), redactionsOf(b)];
  return (
    before.length === after.length &&
    before.every((mark, index) => mark === after[index]) &&
    (before.length === 0 || isSameBox(frameOf(a), frameOf(b)))
  );
};

export const createCovers = (read: ReadPixels) => {
  let cached: { readonly document: Document; readonly covers: readonly DrawnCover[] } | null = null;

  const make = (document: Document): readonly DrawnCover[] =>
    coversOf(document, read).map((cover) => {
      const { x, y, width, height } = cover.box;
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('There is no canvas.');
      context.translate(-x, -y);
      paintCover(context, cover);
      return { box: cover.box, canvas };
    });

  return {
    /** Whether both documents have equal redactions. */
    isSame,
    of: (document: Document): readonly DrawnCover[] => {
      if (!cached || !isSame(cached.document, document)) cached = { document, covers: make(document) };
      return cached.covers;
    },
  };
};
