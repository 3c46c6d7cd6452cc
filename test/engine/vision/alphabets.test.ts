/** Words that mix alphabets, and boxes with light text: what is corrected before and after Tesseract. */
import { expect, it } from 'vitest';
import { withLightBackground } from '../../../src/engine/vision/lighten-background.ts';
import { inOneScript } from '../../../src/engine/vision/mixed-alphabets.ts';

const corrected = (...lines: readonly string[]): readonly string[] =>
  inOneScript(lines.map((line) => line.split(' ').map((text) => ({ text })))).map((line) =>
    line.map(({ text }) => text).join(' '),
  );

it('a word that mixes look-alike letters gets the alphabet of its other letters', () => {
  // Latin o, a and c in Russian words; Cyrillic о in an English one.
  expect(corrected('Файл сoхранён в пaпке')).toEqual(['Файл сохранён в папке']);
  expect(corrected('the fоx jumps')).toEqual(['the fox jumps']);
});

it('a word of look-alike letters only gets the alphabet of its line, else of the text', () => {
  expect(corrected('идёт c сервера', 'a')).toEqual(['идёт с сервера', 'а']);
  expect(corrected('а link с text')).toEqual(['a link c text']);
});

it('an abbreviation, a number and a text without any other letters stay as they were read', () => {
  expect(corrected('Адрес HTTP 404')).toEqual(['Адрес HTTP 404']);
  expect(corrected('OKHO')).toEqual(['OKHO']);
  expect(corrected('файл index.html')).toEqual(['файл index.html']);
});

const WIDTH = 400;
const HEIGHT = 200;
interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly grey: number;
}
const paint = (background: number, rectangles: readonly Rectangle[]) => {
  const pixels = Buffer.alloc(WIDTH * HEIGHT, background);
  for (const { left, top, width, height, grey } of rectangles)
    for (let y = top; y < top + height; y++) pixels.fill(grey, y * WIDTH + left, y * WIDTH + left + width);
  return { width: WIDTH, height: HEIGHT, pixels };
};
const BUTTON = { left: 100, top: 50, width: 120, height: 40, grey: 60 };
const LABEL = { left: 130, top: 60, width: 60, height: 6, grey: 255 };
const HEAVY_LETTER = { left: 300, top: 120, width: 18, height: 60, grey: 20 };

it('a dark box with light text becomes dark text on white up to its edge, and a heavy letter does not', () => {
  const { pixels } = withLightBackground(paint(250, [BUTTON, LABEL, HEAVY_LETTER]));
  const at = (x: number, y: number) => pixels[y * WIDTH + x];
  expect([at(100, 50), at(219, 89), at(140, 62)]).toEqual([255, 255, 0]);
  expect([at(99, 50), at(220, 89), at(305, 150)]).toEqual([250, 250, 20]);
});

it('a dark picture is inverted, and a light box in it is not', () => {
  const box = { left: 20, top: 20, width: 150, height: 60, grey: 250 };
  const text = { left: 40, top: 40, width: 100, height: 8, grey: 10 };
  const { pixels } = withLightBackground(paint(20, [box, text]));
  const at = (x: number, y: number) => pixels[y * WIDTH + x];
  expect([at(300, 150), at(25, 25), at(50, 44)]).toEqual([235, 254, 10]);
});
