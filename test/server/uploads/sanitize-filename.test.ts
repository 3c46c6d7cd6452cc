/** The stored file name (API document, "start a resumable upload", `filename`). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyBitmap, hasPart, partNumbers, withPart } from '../../../src/server/uploads/part-bitmap.ts';
import { storedFilename } from '../../../src/server/uploads/sanitize-filename.ts';

describe('a stored file name', () => {
  it.each([
    ['holiday photo.png', 'holiday photo.png'],
    ['../../etc/passwd', '....etcpasswd'],
    ['C:\\temp\\a.mp4', 'C:tempa.mp4'],
    ['a\r\nb\0.png', 'ab.png'],
    ['фото 📷.jpeg', 'фото 📷.jpeg'],
    ['gpj.\u202Egnp.exe', 'gpj.gnp.exe'],
    ['семья 👨‍👩‍👧.jpeg', 'семья 👨‍👩‍👧.jpeg'],
    ['می‌خواهم.png', 'می‌خواهم.png'],
    ['\u200d\u200c', 'file'],
    ['..', 'file'],
    ['///', 'file'],
    ['   ', 'file'],
  ])('of %j is %j', (given, stored) => {
    expect(storedFilename(given)).toBe(stored);
  });

  it('is shortened to 180 characters (code points) and keeps its extension', () => {
    expect(storedFilename(`${'x'.repeat(500)}.png`)).toBe(`${'x'.repeat(176)}.png`);
    expect([...storedFilename(`${'📷'.repeat(500)}.jpeg`)]).toHaveLength(180);
    expect(storedFilename('y'.repeat(181))).toBe('y'.repeat(180));
  });

  it('never has control characters, separators or more than 180 characters, whatever was given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 1_024 }), (given) => {
        const stored = storedFilename(given);
        const length = [...stored].length;
        expect(length).toBeGreaterThanOrEqual(1);
        expect(length).toBeLessThanOrEqual(180);
        expect(stored).not.toMatch(/[\p{Cc}/\\]/u);
        expect(stored.isWellFormed()).toBe(true);
      }),
    );
  });
});

it('a bitmap of parts holds exactly the parts that were put in', () => {
  const parts = fc
    .integer({ min: 1, max: 2_048 })
    .chain((count) => fc.tuple(fc.constant(count), fc.uniqueArray(fc.integer({ min: 0, max: count - 1 }))));
  fc.assert(
    fc.property(parts, ([count, indexes]) => {
      const bitmap = indexes.reduce<Buffer>((map, index) => withPart(map, index), emptyBitmap(count));
      const present = [...indexes].sort((a, b) => a - b);
      expect(partNumbers(bitmap, count, 'present')).toEqual(present);
      expect(partNumbers(bitmap, count, 'missing')).toHaveLength(count - present.length);
      expect(present.every((index) => hasPart(bitmap, index))).toBe(true);
    }),
  );
});
