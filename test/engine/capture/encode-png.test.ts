import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { encodePng } from '../../../src/engine/capture/write-png.ts';
import { isPlainPng } from '../../../src/engine/image/is-plain-png.ts';
import { noise } from '../../support/media/pixels.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('engine-encode-png');

const smooth = (width: number, height: number) => {
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < data.length; at++) data[at] = at % 4 === 3 ? 255 : (at / 7 + (at % 4) * 40) & 0xff;
  return { width, height, data };
};

describe('a region that is encoded without an image library', () => {
  it.each([
    ['noise', noise(61, 47, 3)],
    ['a smooth picture', smooth(130, 90)],
    ['a single pixel', noise(1, 1, 4)],
    ['a single row', noise(301, 1, 5)],
    ['a single column', noise(1, 301, 6)],
  ] as const)('keeps every pixel of %s', async (_, pixels) => {
    const decoded = await sharp(await encodePng(pixels), { failOn: 'warning' })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(decoded.info).toMatchObject({ width: pixels.width, height: pixels.height, channels: 4 });
    expect(decoded.data.equals(Buffer.from(pixels.data))).toBe(true);
  });

  it('is sent unchanged, because it contains no metadata', async () => {
    const path = join(root, 'region.png');
    writeFileSync(path, await encodePng(noise(64, 64, 7)));
    expect(await isPlainPng(path, 1_000_000)).toBe(true);
  });
});
