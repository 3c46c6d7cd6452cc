/** The words that every published picture of the window's tests shows, and the same as recognised. */
import type { PictureContent } from '../../../src/ipc/protocol/vision.ts';

const LINES = [
  ['Order', '1284', 'is', 'ready'],
  ['Заказ', '1284', 'готов', 'к', 'выдаче'],
  ['Ask', 'for', 'Ann', 'at', 'the', 'desk'],
] as const;
const HEIGHT = 44;

const words = LINES.map((line, row) => {
  let x = 120;
  return line.map((text) => {
    const box = { text, x, y: 520 + row * 80, width: text.length * 24, height: HEIGHT, confidence: 94 };
    x += box.width + 20;
    return box;
  });
});

export const PICTURE_CONTENT: PictureContent = {
  text: LINES.map((line) => line.join(' ')).join('\n'),
  words: words.flat(),
  codes: [],
  missing: [],
};

/** As elements of an SVG picture. */
export const DRAWN_WORDS = words
  .flat()
  .map(
    ({ text, x, y, width }) =>
      `<text x="${x}" y="${y + 36}" font-family="sans-serif" font-size="${HEIGHT}" textLength="${width}" lengthAdjust="spacingAndGlyphs" fill="#fff">${text}</text>`,
  )
  .join('');
