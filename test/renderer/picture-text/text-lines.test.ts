/** Lines of the recognised words of a picture, and the place in them that is nearest to a point. */
import { describe, expect, it } from 'vitest';
import { revealInvisibleCharacters } from '../../../src/renderer/picture-text/reveal-invisible-characters.ts';
import { linesOf, nearestPlace } from '../../../src/renderer/picture-text/text-lines.ts';

const word = (text: string, x: number, y: number, width = text.length * 10, height = 20) => ({
  ...{ text, x, y, width, height, confidence: 90 },
});
const WORDS = [word('One', 10, 10), word('two', 50, 12), word('three', 10, 50), word('a b', 80, 50)];
const LINES = linesOf({ text: 'One two\nthree a b', words: WORDS });

describe('linesOf', () => {
  it('gives each line of the text its words, and the box that holds them', () => {
    expect(LINES.map(({ words }) => words.map(({ text }) => text))).toEqual([
      ['One', 'two'],
      ['three', 'a b'],
    ]);
    expect(LINES.map(({ y, height }) => [y, height])).toEqual([
      [10, 22],
      [50, 20],
    ]);
  });

  it('loses no word where the text and the words differ, and gives none for an empty picture', () => {
    expect(linesOf({ text: 'One', words: WORDS }).flatMap(({ words }) => words)).toEqual(WORDS);
    expect(linesOf({ text: 'One two three a b more', words: WORDS }).flatMap(({ words }) => words)).toEqual(WORDS);
    expect(linesOf({ text: '', words: [] })).toEqual([]);
    expect(nearestPlace([], 5, 5)).toBeNull();
  });
});

describe('nearestPlace', () => {
  it('is between the letters under the point', () => {
    expect(nearestPlace(LINES, 19, 20)).toEqual({ line: 0, word: 0, letter: 1 });
    expect(nearestPlace(LINES, 61, 55)).toEqual({ line: 1, word: 0, letter: 5 });
  });

  it('is at the side of the nearest word where there is none under the point', () => {
    expect(nearestPlace(LINES, 0, 0)).toEqual({ line: 0, word: 0, letter: 0 });
    expect(nearestPlace(LINES, 900, 15)).toEqual({ line: 0, word: 1, letter: 3 });
    expect(nearestPlace(LINES, 900, 900)).toEqual({ line: 1, word: 1, letter: 3 });
    expect(nearestPlace(LINES, 20, 44)).toEqual({ line: 1, word: 0, letter: 1 });
  });
});

describe('revealInvisibleCharacters', () => {
  it('keeps the line breaks of every system, and shows whatever else cannot be seen', () => {
    expect(revealInvisibleCharacters('BEGIN:VCARD\r\nN:Doe\nEND\tVCARD')).toBe('BEGIN:VCARD\nN:Doe\nEND\tVCARD');
    expect(revealInvisibleCharacters('pay\rpal\u202e')).toBe('pay\\u{d}pal\\u{202e}');
  });
});
