/** The chapters of a video, as they are read from real files and from damaged ones. */
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../src/common/video/byte-source.ts';
import { readChapters } from '../../../src/common/video/chapters.ts';
import { videoChapters } from '../../../src/server/media/inspect-video.ts';
import { CHAPTERS, goodMp4, goodWebm, withChapters } from '../../support/media/media.ts';
import { sealFile } from '../../support/server/sealed-file.ts';

const sourceOf = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: async (position, length) => bytes.subarray(position, Math.min(bytes.length, position + length)),
});

/** Without Nero's list only the text track is left. */
const withoutList = (bytes: Buffer): Buffer => {
  const at = bytes.indexOf('chpl');
  expect(at).toBeGreaterThan(0);
  const changed = Buffer.from(bytes);
  changed.write('free', at, 'latin1');
  return changed;
};

describe('The chapters of a video', () => {
  it.each(['mp4', 'webm'] as const)('are read from a stored %s', async (container) => {
    expect(await videoChapters(await sealFile(await withChapters(container)), container)).toEqual(CHAPTERS);
  });

  it('are read from the text track of an MP4 without the list of Nero', async () => {
    const bytes = withoutList(await readFile(await withChapters('mp4')));
    expect(await readChapters(sourceOf(bytes), 'mp4')).toEqual(CHAPTERS);
  });

  it('are none where the file has none', async () => {
    expect(await readChapters(sourceOf(await readFile(await goodMp4())), 'mp4')).toEqual([]);
    expect(await readChapters(sourceOf(await readFile(await goodWebm())), 'webm')).toEqual([]);
  });

  it.each(['list', 'text track', 'webm'] as const)('never throw for a damaged file (%s)', async (kind) => {
    const container = kind === 'webm' ? 'webm' : 'mp4';
    const whole = await readFile(await withChapters(container));
    const bytes = kind === 'text track' ? withoutList(whole) : whole;
    // The tables are where the titles are: in an MP4 at its end, in a WebM at its beginning.
    const from = container === 'mp4' ? bytes.indexOf('moov') : 0;
    const length = container === 'mp4' ? bytes.length - from : bytes.indexOf('Beginning') + 100;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        fc.nat(length),
        async (changes, cut) => {
          const damaged = Buffer.from(bytes);
          for (const [at, byte] of changes) damaged[from + at] = byte;
          for (const file of [damaged, damaged.subarray(0, from + cut)])
            for (const { startMs, title } of await readChapters(sourceOf(file), container)) {
              expect(Number.isSafeInteger(startMs)).toBe(true);
              expect([...title].length).toBeLessThanOrEqual(200);
            }
        },
      ),
      { numRuns: 300 },
    );
  });
});
