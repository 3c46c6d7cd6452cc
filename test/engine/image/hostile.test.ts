/** Untrusted image files: no content makes the code throw, hang, or use unbounded memory. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AcceptedFormat, detectFormat } from '../../../src/engine/image/detect-format.ts';
import { readHeic } from '../../../src/engine/image/heif/heic-layout.ts';
import { STRIPPERS } from '../../../src/engine/image/strip/strip-metadata.ts';
import { cpuMsUntil } from '../../support/cpu-time.ts';
import { heicOf } from '../../support/media/heic.ts';
import { ACCEPTED_CORPUS, corners } from '../../support/media/image-corpus.ts';

/** Bytes at some places are others, and some of the end is missing. */
const damage = fc.record({
  changes: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255)), { maxLength: 12 }),
  kept: fc.double({ min: 0, max: 1, noNaN: true }),
});
type Damage = { readonly changes: readonly (readonly [number, number])[]; readonly kept: number };

const damaged = (bytes: Buffer, { changes, kept }: Damage): Buffer => {
  const copy = Buffer.from(bytes);
  // Most confusable bytes are at the beginning.
  for (const [place, value] of changes) copy[Math.floor(place ** 3 * (copy.length - 1))] = value;
  return copy.subarray(0, Math.ceil(copy.length * Math.sqrt(kept)));
};

describe('a damaged or forged file', () => {
  for (const name of [
    'photo-6.jpg',
    'progressive.jpg',
    'shot-6.png',
    'moving.png',
    'drawn-6.webp',
    'moving.webp',
    'picture.avif',
  ]) {
    it(`like ${name} is stripped or refused, and never becomes more than it was`, async () => {
      const whole = (await ACCEPTED_CORPUS[name]?.()) ?? Buffer.alloc(0);
      const strip = STRIPPERS[(await detectFormat(whole)) as AcceptedFormat];
      fc.assert(
        fc.property(damage, (how) => {
          const bytes = damaged(whole, how);
          const stripped = strip(bytes);
          if (!stripped) return;
          const once = Buffer.concat(stripped.pieces);
          expect(once.length).toBeLessThanOrEqual(bytes.length);
          expect(stripped.changed).toBe(!once.equals(bytes));
          const twice = strip(once);
          expect(twice && Buffer.concat(twice.pieces).equals(once)).toBe(true);
        }),
        { numRuns: 300 },
      );
    });
  }

  it('like a HEIC is read or refused', async () => {
    const whole = await heicOf(corners(64, 64), { tile: 64, exif: Buffer.from('II*\0') });
    fc.assert(
      fc.property(damage, (how) => {
        const heic = readHeic(damaged(whole, how));
        if (heic) expect(heic.tiles).toHaveLength(heic.rows * heic.columns);
      }),
      { numRuns: 1_000 },
    );
  });

  it('like a HEIC whose tiles are one and the same keeps it once', async () => {
    const file = Buffer.from(await heicOf(corners(128, 128), { tile: 64, exif: Buffer.from('II*\0') }));
    expect(new Set(readHeic(file)?.tiles).size).toBe(4);
    const count = file.indexOf('dimg') + 6;
    expect(file.readUInt16BE(count)).toBe(4);
    const first = file.readUInt16BE(count + 2);
    for (let tile = 1; tile < 4; tile += 1) file.writeUInt16BE(first, count + 2 + tile * 2);
    const { tiles = [] } = readHeic(file) ?? {};
    expect([tiles.length, new Set(tiles).size]).toEqual([4, 1]);
  });

  it('whose list of items does not fit its box is refused: its metadata could be overlooked', async () => {
    const avif = Buffer.from((await ACCEPTED_CORPUS['picture.avif']?.()) ?? Buffer.alloc(0));
    const last = avif.lastIndexOf('infe') - 4;
    expect(STRIPPERS.avif(avif)).not.toBeNull();
    avif.writeUInt32BE(avif.readUInt32BE(last) - 1, last);
    expect(STRIPPERS.avif(avif)).toBeNull();
  });

  it('whose items exceed the file many times is refused', async () => {
    const avif = (await ACCEPTED_CORPUS['picture.avif']?.()) ?? Buffer.alloc(0);
    const iloc = avif.indexOf('iloc');
    const size = avif.readUInt32BE(iloc - 4);
    // Version 1 with fields of zero bytes: 65,535 extents of an item in zero bytes.
    const places = Buffer.alloc(size - 8);
    places.set([1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0xff, 0xff]);
    const forged = Buffer.concat([avif.subarray(0, iloc + 4), places, avif.subarray(iloc - 4 + size)]);
    expect(STRIPPERS.avif(forged)).toBeNull();
    expect(readHeic(forged)).toBeNull();
  });

  it('of any bytes is recognised or not', async () => {
    const beginnings = [
      '',
      'BM',
      'GIF89a',
      '\0\0\0\x18ftyp',
      '<svg',
      '<!--',
      '\xff\xd8\xff',
      'RIFF',
      '\x89PNG\r\n\x1a\n',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 300 }), async (beginning, rest) => {
        const bytes = Buffer.concat([Buffer.from(beginning, 'latin1'), rest]);
        const format = await detectFormat(bytes);
        if (format !== null && Object.hasOwn(STRIPPERS, format)) STRIPPERS[format as AcceptedFormat](bytes);
      }),
      { numRuns: 500 },
    );
  });

  it('that only looks like a drawing does not keep the reader busy', async () => {
    for (const piece of ['<!-- ', '<!-- -->', '<!DOCTYPE [', '<!DOCTYPE a [ ] >', '<?xml ?>', ' \n']) {
      const spent = await cpuMsUntil(async () => detectFormat(Buffer.from(piece.repeat(20_000))));
      expect(spent).toBeLessThan(2_000);
    }
  });
});
