import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { checkTags, checkTitle, titleFromName } from '../../../src/server/content/title-and-tags.ts';
import { cursorAfter, readCursor } from '../../../src/server/lists/pagination.ts';
import { checkPassword, isPassword } from '../../../src/server/passwords.ts';
import { ProblemError } from '../../../src/server/problem-details.ts';

const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof ProblemError) return error.code;
    throw error;
  }
  return 'accepted';
};
const points = (text: string): number => [...text].length;

describe('Tags', () => {
  it.each([
    [['  A   b  ', 'a B'], ['a b']],
    [['ﬁne', 'FINE'], ['fine']],
    [['Ünïcode'], ['ünïcode']],
    [['東京', '東京'], ['東京']],
    [['Ｆｕｌｌ　Ｗｉｄｔｈ'], ['full width']],
    [
      ['Straße', 'STRASSE'],
      ['straße', 'strasse'],
    ],
    [[], []],
  ])('%j become %j', (given, expected) => {
    expect(checkTags(given)).toEqual(expected);
  });
  it.each([
    ['an empty one', ['']],
    ['one of spaces', ['   ']],
    ['a tab', ['a\tb']],
    ['a line break at the end', ['a\n']],
    ['a C1 control character', ['a\u0085b']],
    ['33 characters', ['x'.repeat(33)]],
    ['a broken character', ['\ud800']],
    ['eleven', Array.from({ length: 11 }, (_, index) => `tag ${index}`)],
  ])('are refused with %s', (_, given) => {
    expect(refusal(() => checkTags(given))).toBe('INVALID_INPUT');
  });
  it('are counted without repeats, and a character beyond the first plane counts as one', () => {
    expect(checkTags([...Array.from({ length: 10 }, (_, index) => `tag ${index}`), 'TAG 0'])).toHaveLength(10);
    expect(checkTags(['😀'.repeat(32)])).toHaveLength(1);
    expect(refusal(() => checkTags(['😀'.repeat(33)]))).toBe('INVALID_INPUT');
  });
  it('stay as they are when they are normalized again, and keep every rule', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 14 }), (given) => {
        let tags: readonly string[];
        try {
          tags = checkTags(given);
        } catch (error) {
          expect(error).toBeInstanceOf(ProblemError);
          return;
        }
        expect(checkTags(tags)).toEqual(tags);
        expect(new Set(tags).size).toBe(tags.length);
        expect(tags.length).toBeLessThanOrEqual(10);
        for (const tag of tags) {
          expect(points(tag)).toBeGreaterThanOrEqual(1);
          expect(points(tag)).toBeLessThanOrEqual(32);
          expect(tag).toBe(tag.trim().normalize('NFKC'));
          expect(tag).not.toMatch(/\s\s|\p{Cc}/u);
        }
      }),
    );
  });
});

describe('A title', () => {
  it('has up to 180 characters, counted as code points', () => {
    expect(points(checkTitle('😀'.repeat(180)))).toBe(180);
    expect(refusal(() => checkTitle('x'.repeat(181)))).toBe('INVALID_INPUT');
    expect(refusal(() => checkTitle('\udc00'))).toBe('INVALID_INPUT');
  });
  it('has one line', () => {
    expect(checkTitle(' two\r\nlines\u0000 ')).toBe('two lines');
  });
  it.each([
    ['photo.png', 'photo'],
    ['archive.tar.gz', 'archive.tar'],
    ['.gitignore', '.gitignore'],
    ['no extension', 'no extension'],
    ['Mr. Smith goes', 'Mr. Smith goes'],
    [`${'😀'.repeat(200)}.png`, '😀'.repeat(180)],
  ])('of %s is %s where none is given', (name, title) => {
    expect(titleFromName(name)).toBe(title);
  });
});

describe('A password', () => {
  it('is empty or has 8 to 128 characters as they are sent', () => {
    expect(checkPassword('')).toBeNull();
    for (const good of ['x'.repeat(8), 'x'.repeat(128), '😀'.repeat(128)]) expect(checkPassword(good)).toBe(good);
    for (const bad of ['x'.repeat(7), 'x'.repeat(129), 'ﬁﬁﬁﬁ', '1234567\ud800'])
      expect(refusal(() => checkPassword(bad))).toBe('INVALID_INPUT');
  });
  it('is the same however a keyboard composes its letters, also where that makes fewer or more of them', () => {
    expect(checkPassword('éééé'.normalize('NFD'))).toBe('éééé'.normalize('NFC'));
    expect(checkPassword('ﬁ'.repeat(128))).toBe('fi'.repeat(128));
    for (const typed of ['éééé'.normalize('NFD'), 'éééé', 'ﬁ'.repeat(128), 'é'.repeat(128).normalize('NFD')])
      expect([typed, isPassword(typed)]).toEqual([typed, true]);
    for (const typed of ['x'.repeat(7), 'éééx', 'x'.repeat(129), 'é'.repeat(129), ''])
      expect([typed, isPassword(typed)]).toEqual([typed, false]);
  });
  it('is never normalized where it is longer than any spelling of one', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    onTestFinished(() => normalize.mockRestore());
    expect(isPassword('e\u0301'.repeat(500_000))).toBe(false);
    expect(normalize).not.toHaveBeenCalled();
    expect(isPassword('\u1f82'.repeat(128).normalize('NFD'))).toBe(true);
  });
});

describe('A cursor', () => {
  it('redirects to the given path, and anything else is refused', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 2 ** 40 }), (seq) => readCursor(cursorAfter(seq)) === seq));
    fc.assert(fc.property(fc.string(), (text) => refusal(() => readCursor(text)) === 'INVALID_INPUT'));
    expect(readCursor(undefined)).toBeNull();
  });
});
