/**
 * A conversion whose result is not a video is tried again, on a disk with space for one result, and goes on where another
 * program holds a folder. The ffmpeg is a double.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import type { Ffmpeg } from '../../../src/engine/video/ffmpeg.ts';
import type { FfmpegCapabilities } from '../../../src/engine/video/ffmpeg-capabilities.ts';
import { fitVideo } from '../../../src/engine/video/fit-video.ts';
import type { VideoMetadata } from '../../../src/engine/video/video-metadata.ts';
import { openToolchain } from '../../../src/engine/video/video-toolchain.ts';
import { DEFAULT_CONFIG } from '../../../src/server/config/config.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('fit-failures');

const resultsIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('result.'));
vi.mock(import('../../../src/base/node/free-bytes.ts'), () => ({
  freeBytes: async (folder) => (resultsIn(folder).length > 0 ? 0 : 1e12),
}));
vi.mock(import('../../../src/base/node/retrying-fs.ts'), async (original) => {
  const { rm, rmSync, ...others } = await original();
  const refuseHeld = (path: unknown) => {
    if (String(path).includes('held')) throw Object.assign(new Error('It is held.'), { code: 'EPERM' });
  };
  return {
    ...others,
    async rm(path, options) {
      refuseHeld(path);
      await rm(path, options);
    },
    rmSync(path, options) {
      refuseHeld(path);
      rmSync(path, options);
    },
  };
});

const MIB = 1024 ** 2;
const phone: VideoMetadata = {
  ...{ size: 45 * MIB, service: null, container: 'other', codec: 'hevc', pixelFormat: 'yuv420p' },
  ...{ width: 1_920, height: 1_080, pixelAspect: 1, rotation: 0, fps: 30, pace: 30, seconds: 30 },
  wholeSeconds: 30,
  ...{ pictureBitrate: 2.5e6, sounds: [], dynamicRange: 'standard', scan: 'progressive' },
  unknownColours: [],
  ...{ extras: 0, hasLocation: false, isCut: false },
};

const tools: FfmpegCapabilities = {
  software: { name: 'libx264', kind: 'x264', place: 'software' },
  canToneMap: true,
  everyFrame: [],
  hardware: async () => ({ name: 'h264_nvenc', kind: 'bitrate', place: 'hardware' }),
};

/** Fits with an ffmpeg that succeeds and writes this; null: nothing. `codecs`: of each run. */
const fitWith = async (name: string, metadata: VideoMetadata, written: string | null) => {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  const codecs: (string | undefined)[] = [];
  const ffmpeg: Ffmpeg = {
    ...{ path: 'ffmpeg', version: '' },
    run: async (args) => {
      codecs.push(args[args.findIndex((one) => /^-(c|codec)(:v.*)?$/.test(one)) + 1]);
      const target = args.find((one) => /result\.\w+$/.test(one)) ?? '';
      if (written !== null) writeFileSync(target.replace(/^file:/, ''), written);
      return ok('');
    },
  };
  const limits = { video: DEFAULT_CONFIG.video, maxBytes: 100 * MIB };
  const request = { source: join(folder, 'source'), metadata, limits, choice: 'balanced' } as const;
  const deps = { ffmpeg, tools, clock: systemClock, folder, hardwarePixels: 0 };
  return { fitted: await fitVideo(request, deps, () => {}, soon()), codecs };
};

it.each([
  ['has no frame', 'not a video'],
  ['is empty', ''],
  ['is missing', null],
])(
  'a result of the hardware that %s is made again in software, and is not taken for the source',
  async (name, written) => {
    const { fitted, codecs } = await fitWith(name, phone, written);
    expect(codecs).toEqual(['h264_nvenc', 'libx264']);
    expect(fitted).toMatchObject({ error: { code: 'VIDEO_FIT_FAILED' } });
  },
);

it('a failed result, of this or the other container, does not take the space of the next one', async () => {
  const { fitted, codecs } = await fitWith('full', { ...phone, codec: 'vp9' }, 'not a video');
  expect(codecs).toEqual(['copy', 'libx264', 'libx264']);
  expect(fitted).toMatchObject({ error: { code: 'VIDEO_FIT_FAILED' } });
});

it('a folder of an earlier conversion that another program holds stops neither the start nor a conversion', async () => {
  const dir = join(root, 'spool');
  for (const name of ['held.fit', 'left.fit']) mkdirSync(join(dir, name), { recursive: true });
  const { inFolder } = openToolchain(dir, async () => null);
  expect(readdirSync(dir)).toEqual(['held.fit']);
  expect(await inFolder('also-held', async () => 'made')).toBe('made');
});
