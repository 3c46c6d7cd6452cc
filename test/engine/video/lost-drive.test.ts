/**
 * A video whose drive goes away while ffmpeg reads it waits for the drive and is converted as a whole. Its preview and
 * an animated image of it say that the file cannot be read now.
 */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Account } from '../../../src/api/account.ts';
import { err, failure, ok } from '../../../src/api/errors.ts';
import { createAnimationCommands } from '../../../src/engine/animation/animation-commands.ts';
import { systemClock, systemRandom } from '../../../src/engine/node-ports.ts';
import { createOpenSource, systemFileTimes } from '../../../src/engine/upload/upload-source.ts';
import { createFindFfmpeg, type Ffmpeg, type FindFfmpeg } from '../../../src/engine/video/ffmpeg.ts';
import type { AnimationOptions } from '../../../src/ipc/protocol/animation.ts';
import type { PreparedFile } from '../../../src/ipc/protocol/prepared-file.ts';
import type { MadeVideo } from '../../../src/ipc/protocol/video-conversion.ts';
import { DEFAULT_CONFIG } from '../../../src/server/config/config.ts';
import { video } from '../../support/media/media.ts';
import { HERE, openVideoFixture } from '../../support/media/video-fixture.ts';
import { must } from '../../support/results.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder('video-lost-drive');
const limits = { video: DEFAULT_CONFIG.video, maxVideoBytes: 1e8, maxUploadBytes: 1e8 };
const account = { limits } as unknown as Account;
const never = new AbortController().signal;

const madeOf = (body: PreparedFile | null): MadeVideo => {
  if (body?.made.kind !== 'video') throw new Error('Nothing was made.');
  return body.made;
};

describe('A video whose drive goes away', () => {
  const AWAY = { code: 'SOURCE_UNREADABLE', params: { system: 'EIO' } };
  const isConversion = (args: readonly string[]) => args.includes('-c:v');

  /** `read`: what one run on the source has for a result, called instead of the run. */
  const droppable = async (
    name: string,
    read: (real: Ffmpeg['run'], path: string, call: Parameters<Ffmpeg['run']>) => ReturnType<Ffmpeg['run']>,
    problemAt: (share: number) => string | null = () => null,
  ) => {
    const path = join(folder, name);
    const args = ['-c:v', 'mpeg4'];
    copyFileSync(await video('droppable.mkv', { size: '64x48', rate: 5, seconds: 4, sounds: 0, args }), path);
    // Its time of change is reliable.
    utimesSync(path, 1_000_000, 1_000_000);
    const find = createFindFfmpeg(HERE);
    const places: FindFfmpeg = async (signal) => {
      const ffmpeg = await find(signal);
      if (!ffmpeg) throw new Error('These tests need ffmpeg.');
      return {
        ...ffmpeg,
        run: (...call) => (call[0].includes(`file:${path}`) ? read(ffmpeg.run, path, call) : ffmpeg.run(...call)),
      };
    };
    const fail = (code: string) => Object.assign(new Error(code), { code });
    const openAt = createOpenSource(async (at, flags) => {
      const code = problemAt(-1);
      if (code !== null) throw fail(code);
      const file = await open(at, flags);
      const { size } = statSync(at);
      return {
        stat: () => file.stat({ bigint: true }),
        read(into, offset, length, position) {
          const wrong = problemAt(position / size);
          return wrong === null ? file.read(into, offset, length, position) : Promise.reject(fail(wrong));
        },
        close: () => file.close(),
      };
    }, systemFileTimes(systemClock));
    const own = openVideoFixture(folder, places, undefined, openAt);
    const out = `${path}.gif`;
    const { commands: animations } = createAnimationCommands({
      ...{ random: systemRandom, spoolDir: own.spoolDir, ffmpeg: places, openSource: openAt, emit: () => {} },
      recordings: { inReview: () => err(failure('CAPTURE_GONE', '')), replaced: async () => {} },
      save: async () => ok(out),
      add: async () => ok([]),
    });
    const gif = { format: 'gif', fps: 5, width: null, startMs: 0, endMs: null, plays: 0 } as const;
    return {
      ...{ path, out, prepare: () => own.prepare(path, account), left: () => readdirSync(own.spoolDir) },
      preview: () => own.preview(path, account),
      animate: (more: Partial<AnimationOptions> = {}) =>
        animations.make({ path, out, options: { ...gif, ...more } }, never),
      predict: () => animations.predictPath({ path, options: gif }, never),
    };
  };

  /** As the real one, which ends at what it cannot read as at the end of the file, and succeeds. */
  const runCutShort: Parameters<typeof droppable>[1] = async (real, path, [args, ...rest]) => {
    const part = `${path}.part`;
    const whole = readFileSync(path);
    writeFileSync(part, whole.subarray(0, whole.length * 0.92));
    const ran = await real(
      args.map((arg) => (arg === `file:${path}` ? `file:${part}` : arg)),
      ...rest,
    );
    return ran.ok ? ok(`${ran.value}\nfile:${path}: Input/output error\nframe= 17 fps=0.0\n`) : ran;
  };
  const ioError = () => err(failure('VIDEO_FIT_FAILED', 'ffmpeg failed: Input/output error'));

  it('fault 20: during the conversion is missing', async () => {
    const { prepare, left } = await droppable('missing.mkv', async (real, path, call) => {
      if (isConversion(call[0]) && existsSync(path)) renameSync(path, `${path}.away`);
      return real(...call);
    });
    expect(await prepare()).toMatchObject({ ok: false, error: { code: 'SOURCE_MISSING' } });
    expect(left()).toEqual([]);
  });

  it.each([
    ['during the conversion', true],
    ['while its packets are counted', false],
  ])('fault 20: %s is waited for', async (_, duringConversion) => {
    let isAway = false;
    const { prepare } = await droppable(
      `${duringConversion}.mkv`,
      async (real, _path, call) => {
        isAway ||= isConversion(call[0]) === duringConversion;
        return isAway ? ioError() : real(...call);
      },
      () => (isAway ? 'EIO' : null),
    );
    expect(await prepare()).toMatchObject({ ok: false, error: AWAY });
  });

  /** Its drive is away from the first such call of ffmpeg on, and a part of the file is still in memory. */
  const awayFrom = (name: string, isFirst: (args: readonly string[]) => boolean) => {
    let isAway = false;
    return droppable(
      name,
      async (real, path, call) => {
        isAway ||= isFirst(call[0]);
        return isAway ? runCutShort(real, path, call) : real(...call);
      },
      (share) => (isAway && share > 0.5 && share < 0.9 ? 'EIO' : null),
    );
  };

  it('fault 20: and whose first part is still in memory is waited for', async () => {
    const { prepare, left } = await awayFrom('in-memory.mkv', isConversion);
    expect(await prepare()).toMatchObject({ ok: false, error: AWAY });
    expect(left()).toEqual([]);
  });

  it.each([
    ['the conversion', true],
    ['the count of its packets', false],
  ])('fault 20: for a moment during %s is converted again, as a whole', async (_, duringConversion) => {
    let cut = 0;
    const { prepare, left } = await droppable(`moment-${duringConversion}.mkv`, async (real, path, call) =>
      isConversion(call[0]) === duringConversion && cut++ === 0 ? runCutShort(real, path, call) : real(...call),
    );
    const made = madeOf(must(await prepare()));
    expect(cut).toBeGreaterThan(1);
    expect([made.before.seconds, made.after.seconds].map((seconds) => Math.round(seconds * 2) / 2)).toEqual([4, 4]);
    expect(made.losses).toEqual([]);
    expect(left()).toHaveLength(1);
  });

  it('fault 20: for a moment is not called damaged', async () => {
    let failed = 0;
    const { prepare } = await droppable('moment.mkv', async (real, _path, call) =>
      failed++ === 0 ? ioError() : real(...call),
    );
    expect(madeOf(must(await prepare())).way).toBe('encode');
  });

  it('and is there all the time, with a damaged sector, is converted as far as it can be read, and loses its end', async () => {
    let conversions = 0;
    const { prepare, preview, left } = await droppable(
      'damaged.mkv',
      async (real, path, call) => {
        if (isConversion(call[0])) conversions += 1;
        return runCutShort(real, path, call);
      },
      (share) => (share > 0.85 && share < 0.9 ? 'EIO' : null),
    );
    const lost = { reasons: ['CONTAINER', 'DAMAGED'], losses: ['end'] };
    expect(must(await preview())).toMatchObject(lost);
    conversions = 0;
    const made = madeOf(must(await prepare()));
    expect(made.after.seconds).toBeLessThan(3.8);
    expect(made).toMatchObject(lost);
    expect(conversions).toBe(2);
    expect(left()).toHaveLength(1);
  });

  it('and is there, but damaged, is converted once', async () => {
    let runs = 0;
    const { prepare } = await droppable('invalid.mkv', async () => {
      runs += 1;
      return err(failure('VIDEO_UNREADABLE', 'The video cannot be read: Invalid data found'));
    });
    expect(await prepare()).toMatchObject({ error: { code: 'VIDEO_UNREADABLE' } });
    expect(runs).toBe(1);
  });

  it.each(['preview', 'animate', 'predict'] as const)(
    'is not called damaged: %s says that it cannot be read now',
    async (what) => {
      let isAway = false;
      const opened = await droppable(
        `${what}.mkv`,
        async () => {
          isAway = true;
          return err(failure('VIDEO_UNREADABLE', 'The video cannot be read: Invalid data found'));
        },
        () => (isAway ? 'EIO' : null),
      );
      expect(await opened[what]()).toMatchObject({ ok: false, error: AWAY });
      expect(opened.left()).toEqual([]);
    },
  );

  it('for a moment is not called damaged in its preview', async () => {
    let failed = 0;
    const { preview } = await droppable('moment-preview.mkv', async (real, _path, call) =>
      failed++ === 0 ? ioError() : real(...call),
    );
    expect(must(await preview())).toMatchObject({ way: 'encode' });
  });

  const isGif = (args: readonly string[]) => args.some((arg) => arg.includes('paletteuse'));

  it('becomes no animated image without its end', async () => {
    const { animate, out, left } = await awayFrom('animated.mkv', isGif);
    expect(await animate()).toMatchObject({ ok: false, error: AWAY });
    expect(existsSync(out)).toBe(false);
    expect(left()).toEqual([]);
  });

  it('for a moment becomes an animated image as a whole', async () => {
    let cut = 0;
    const { animate } = await droppable('moment-animated.mkv', async (real, path, call) =>
      isGif(call[0]) && cut++ === 0 ? runCutShort(real, path, call) : real(...call),
    );
    expect(must(await animate())).toMatchObject({ frames: 20 });
    expect(cut).toBe(2);
  });

  it('for a moment while its length is measured still has its last part', async () => {
    let cut = 0;
    const { animate } = await droppable('moment-length.mkv', async (real, path, call) =>
      cut++ === 0 ? runCutShort(real, path, call) : real(...call),
    );
    expect(must(await animate({ startMs: 3_800 }))).toMatchObject({ frames: 1 });
  });
});
