import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { AcceptedFormat } from '../../../src/engine/image/detect-format.ts';
import { detectFormat } from '../../../src/engine/image/detect-format.ts';
import { STRIPPERS } from '../../../src/engine/image/strip/strip-metadata.ts';
import { ACCEPTED_CORPUS, SECRET } from '../../support/media/image-corpus.ts';

const strip = async (bytes: Buffer) => {
  const stripped = STRIPPERS[(await detectFormat(bytes)) as AcceptedFormat](bytes);
  if (!stripped) throw new Error('not stripped');
  return { bytes: Buffer.concat(stripped.pieces), changed: stripped.changed };
};

describe('taking metadata out', () => {
  for (const [name, make] of Object.entries(ACCEPTED_CORPUS)) {
    it(`keeps of ${name} the pixels, the colours and the orientation, and nothing else`, async () => {
      const before = await make();
      expect(before.includes(SECRET)).toBe(true);
      const { bytes: after, changed } = await strip(before);
      expect(changed).toBe(true);
      expect(after.includes(SECRET)).toBe(false);
      const [was, is] = await Promise.all([before, after].map((bytes) => sharp(bytes, { pages: -1 }).metadata()));
      expect(is?.xmp ?? Buffer.from(' ')).toSatisfy((xmp: Buffer) => xmp.toString().trim() === '');
      expect([is?.iptc, is?.comments]).toEqual([undefined, undefined]);
      expect(is?.exif?.includes('\x88\x25', 0, 'latin1') ?? false).toBe(false);
      expect([is?.icc, is?.orientation ?? 1]).toEqual([was?.icc, was?.orientation ?? 1]);
      const pixels = (bytes: Buffer) => sharp(bytes, { pages: -1, failOn: 'error' }).raw().toBuffer();
      expect((await pixels(after)).equals(await pixels(before))).toBe(true);
    });
  }

  it('finds nothing to remove in a stripped file', async () => {
    for (const make of Object.values(ACCEPTED_CORPUS)) {
      const { bytes: once } = await strip(await make());
      const { bytes: twice, changed } = await strip(once);
      expect(changed).toBe(false);
      expect(twice.equals(once)).toBe(true);
    }
  });
});
