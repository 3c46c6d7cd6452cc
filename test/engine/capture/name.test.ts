/** Capture names follow the user's template and are valid on every file system. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NameParts, nameBy } from '../../../src/ipc/protocol/capture-name.ts';

const FACTS: NameParts = {
  at: new Date(2026, 10, 20, 9, 5, 7).getTime(),
  mode: 'window',
  width: 800,
  height: 600,
  title: 'Letters',
  n: 12,
};
const titled = (title: string) => nameBy('{title}', { ...FACTS, title });

describe('the name of a capture', () => {
  it.each([
    ['Screenshot {date} {time}', 'Screenshot 2026-11-20 09.05.07'],
    ['{mode}-{width}x{height} #{n}', 'window-800x600 #12'],
    ['{title} {title}', 'Letters Letters'],
    ['{unknown} {constructor}', '{unknown} {constructor}'],
    ['no blanks', 'no blanks'],
  ])('by %s is %s', (template, name) => {
    expect(nameBy(template, FACTS)).toBe(name);
  });

  it.each([
    ['a/b\\c: "d" <e> |f?*', 'a-b-c- -d- -e- -f--'],
    ['..hidden...', 'hidden'],
    [' two\t lines\n ', 'two- lines-'],
    ['NUL', 'NUL_'],
    ['com1.txt', 'com1_.txt'],
    ['.con', 'con_'],
    ['\u202egnp.exe', '-gnp.exe'],
    ['', 'Screenshot'],
    [' . ', 'Screenshot'],
  ])('of a window titled %j is %j', (title, name) => {
    expect(titled(title)).toBe(name);
  });

  it('is valid on every platform, whatever the template and the title are', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 400 });
    const pieces = fc.constantFrom('{title}', '{date}', '{time}', '{n}', 'con', '.', ' ', '/', '\u0000', '{toString}');
    const template = fc.array(fc.oneof(pieces, words), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(template, words, (text, title) => {
        const name = nameBy(text, { ...FACTS, title });
        expect(name).not.toBe('');
        expect(Buffer.byteLength(`${name} (10000).png`)).toBeLessThanOrEqual(255);
        expect(name).not.toMatch(/[<>:"/\\|?*]/);
        expect([...name].every((character) => character >= ' ')).toBe(true);
        expect(name).not.toMatch(/^[\s.]|[\s.]$/);
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        expect(name.isWellFormed()).toBe(true);
      }),
    );
  });
});
