/** With real ffmpeg, real files and the real service: fitted videos are accepted on the first upload. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../src/api/account.ts';
import { createFindFfmpeg, type Ffmpeg } from '../../../src/engine/video/ffmpeg.ts';
import type { PreparedFile } from '../../../src/ipc/protocol/prepared-file.ts';
import type { MadeVideo } from '../../../src/ipc/protocol/video-conversion.ts';
import { isLong } from '../../support/campaign.ts';
import { FIT_CORPUS, HARD_NAME, UNDECODABLE } from '../../support/media/fit-corpus.ts';
import { ffmpegFile, goodMp4, rawFile, video, withChapters } from '../../support/media/media.ts';
import {
  accountOf,
  HERE,
  NO_FFMPEG,
  openVideoFixture,
  sendVideo,
  type VideoFixture,
  type Wish,
} from '../../support/media/video-fixture.ts';
import { itWith, shownMode } from '../../support/only-on.ts';
import { must } from '../../support/results.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const folder = temporaryFolder('video-fit');
let service: RunningServer;
let user: User;
let account: Account;
let fixture: VideoFixture;

beforeAll(async () => {
  service = await startServer({ config: { limits: { requestsPerMinute: 10_000 } } });
  user = await service.user({ plan: 'pro' });
  account = await accountOf(service.url, user);
  fixture = openVideoFixture(folder);
});
afterAll(() => service.stop());

const corpus = (name: string): Promise<string> => (FIT_CORPUS[name] ?? UNDECODABLE[name])?.() ?? Promise.reject(name);

const madeOf = (body: PreparedFile | null): MadeVideo => {
  if (body?.made.kind !== 'video') throw new Error('Nothing was made.');
  return body.made;
};
const fitted = async (
  path: string,
  wish: Wish = {},
  limits: Partial<Account['limits']> = {},
): Promise<PreparedFile> => {
  const prepared = await fixture.prepare(path, { ...account, limits: { ...account.limits, ...limits } }, wish);
  if (!prepared.ok) throw new Error(`${prepared.error.code}: ${prepared.error.detail}`);
  if (prepared.value === null) throw new Error('It was found suitable.');
  return prepared.value;
};

interface Stream {
  readonly codec_type: string;
  readonly codec_name: string;
  readonly pix_fmt?: string;
  readonly width?: number;
  readonly height?: number;
  readonly sample_aspect_ratio?: string;
  readonly color_transfer?: string;
  readonly channels?: number;
}
const streamsOf = async (path: string): Promise<readonly Stream[]> => {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-print_format', 'json', '-show_streams', path]);
  return (JSON.parse(stdout) as { streams: Stream[] }).streams;
};
const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

const USUAL = [
  ['h264.ts', 'remux'],
  ['h264-pcm.mov', 'audio'],
  ['mpeg4.avi', 'encode'],
  [HARD_NAME, 'encode'],
] as const;
const RARER = [
  ['cover.mov', 'remux'],
  ['hdr-pq.mkv', 'encode'],
  ['pauses.mkv', 'encode'],
  ['odd.mkv', 'encode'],
  ['surround.mkv', 'audio'],
  ['wmv2.wmv', 'encode'],
  ['high10.mp4', 'encode'],
  ['120fps.mp4', 'encode'],
  ['one-frame.mp4', 'encode'],
  ['over-bitrate.mp4', 'encode'],
  ['cut.webm', 'encode'],
  ['Запись экрана №1 — копия.avi', 'encode'],
] as const;

const isTaken = async (name: string, way: 'remux' | 'audio' | 'encode'): Promise<void> => {
  const path = await corpus(name);
  const before = sha256(path);
  const body = await fitted(path);
  const made = madeOf(body);
  expect(made.way).toBe(way);
  expect([body.size, made.after.size]).toEqual([statSync(body.path).size, body.size]);
  expect(body.name).toMatch(/\.mp4$/);
  const answer = await sendVideo(service.url, user, body.path);
  expect(answer.problem.detail).toBeUndefined();
  expect(answer.status).toBe(201);
  expect(answer.body.content).toMatchObject({ width: made.after.width, height: made.after.height, type: 'VIDEO' });
  expect(sha256(path)).toBe(before);
};

describe('A video of any kind is taken by the service on the first upload:', () => {
  // One of each conversion; `npm run test:long` has the edge cases, and `npm run bench:video` the whole corpus.
  it.each<readonly [name: string, way: 'remux' | 'audio' | 'encode']>(isLong ? [...USUAL, ...RARER] : USUAL)(
    '%s (%s)',
    isTaken,
  );
});

describe('A suitable video', () => {
  it('is sent unchanged, without any program', async () => {
    const without = openVideoFixture(folder, NO_FFMPEG);
    for (const name of ['good.mp4', 'good.webm', 'rotated.mp4', 'variable-rate.mp4', 'vp9-live.webm', 'fragmented.mp4'])
      expect(await without.prepare(await corpus(name), account)).toEqual({ ok: true, value: null });
  });

  it('is remuxed when it contains a location, which the copy does not', async () => {
    const path = await corpus('place.mp4');
    const telling = ['loci', 'At home'];
    expect(telling.map((words) => readFileSync(path).includes(words))).toEqual([true, true]);
    const body = await fitted(path);
    expect(madeOf(body)).toMatchObject({ way: 'remux', reasons: ['PLACE'] });
    expect(telling.map((words) => readFileSync(body.path).includes(words))).toEqual([false, false]);
  });

  it.each(['captions.mp4', 'captions.webm', 'camera-data.mp4', 'dashcam.mp4'])(
    'is remuxed when a track or a box may tell the place, which the copy does not: %s',
    async (name) => {
      const path = await corpus(name);
      expect(readFileSync(path).includes('GPS (14.4379')).toBe(true);
      const body = await fitted(path);
      expect(madeOf(body)).toMatchObject({ way: 'remux', reasons: ['PLACE'] });
      expect((await streamsOf(body.path)).map(({ codec_type }) => codec_type)).toEqual(['video', 'audio']);
      expect(readFileSync(body.path).includes('GPS (14.4379')).toBe(false);
    },
  );

  it('is not damaged where captions last longer than its silent picture', async () => {
    const silent = await video('silent-picture.mp4', {
      seconds: 20,
      sounds: 0,
      args: ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
    });
    const text = await rawFile('long.srt', '1\n00:00:00,000 --> 00:00:30,000\nThe end\n');
    const path = await ffmpegFile('long-captions.mp4', ['-i', silent, '-i', text, '-c', 'copy', '-c:s', 'mov_text']);
    expect(madeOf(await fitted(path))).toMatchObject({ way: 'remux', reasons: ['PLACE'] });
  });

  it('keeps its chapters, which are no captions', async () => {
    // Beside a time code, ffmpeg does not say which track has the chapters.
    for (const path of [await withChapters('mp4'), await withChapters('webm'), await withChapters('mp4', true)])
      expect(await fixture.prepare(path, account), path).toEqual({ ok: true, value: null });
  });

  it('stays unchanged when the conversion would be larger', async () => {
    const tiny = await video('tiny-bits.mp4', {
      sounds: 0,
      args: ['-c:v', 'libx264', '-preset', 'slow', '-crf', '45', '-pix_fmt', 'yuv420p'],
    });
    expect(await fixture.prepare(tiny, account, { fit: 'smaller' })).toEqual({ ok: true, value: null });
  });
});

describe('What a viewer sees', () => {
  it('is upright, whether it is copied or encoded', async () => {
    const [picture] = await streamsOf((await fitted(await corpus('upright.mov'))).path);
    expect(picture).toMatchObject({ codec_name: 'h264', width: 180, height: 320 });
    const turned = await ffmpegFile('turned.mkv.mov', ['-i', await corpus('rotated.mp4'), '-c', 'copy']);
    const copied = await fitted(turned);
    expect(madeOf(copied)).toMatchObject({ way: 'remux', before: { width: 180, height: 320 } });
    const answer = await sendVideo(service.url, user, copied.path);
    expect(answer.body.content).toMatchObject({ width: 180, height: 320 });
  });

  itWith('programs of Linux')('is upright, also where this ffmpeg says in other words how it is turned', async () => {
    const wordless = join(folder, 'ffmpeg-of-other-words');
    writeFileSync(wordless, `#!/bin/bash\nexec ffmpeg "$@" 2> >(sed -u '/rotation of/d; /rotate  /d' >&2)\n`, {
      mode: 0o755,
    });
    const own = openVideoFixture(folder, { ...HERE, configured: wordless });
    const prepared = await own.prepare(await corpus('upright.mov'), account);
    const body = prepared.ok ? prepared.value : null;
    expect(madeOf(body)).toMatchObject({ way: 'encode', after: { width: 180, height: 320 } });
    expect((await streamsOf(body?.path ?? ''))[0]).toMatchObject({ width: 180, height: 320 });
  });

  it('has square pixels, even sides, progressive frames and the colours of every screen', async () => {
    const [pal] = await streamsOf((await fitted(await corpus('anamorphic-pal.mpg'))).path);
    expect(pal).toMatchObject({ width: 1_024, height: 576, sample_aspect_ratio: '1:1', pix_fmt: 'yuv420p' });
    const hdr = await fitted(await corpus('hdr-hlg.mov'));
    expect(madeOf(hdr)).toMatchObject({ reasons: ['CONTAINER', 'DYNAMIC_RANGE'], losses: ['dynamic-range'] });
    expect((await streamsOf(hdr.path))[0]).toMatchObject({ pix_fmt: 'yuv420p', color_transfer: 'bt709' });
  });

  it.each(['smpte2084', 'arib-std-b67'])(
    'has the colours of every screen, where a high dynamic range is all that the file says of its own: %s',
    async (transfer) => {
      const path = await ffmpegFile(`hdr-alone-${transfer}.mp4`, [
        ...['-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=5:duration=0.6', '-c:v', 'libx265'],
        ...['-pix_fmt', 'yuv420p10le', '-x265-params', `log-level=none:transfer=${transfer}`],
      ]);
      expect(madeOf(await fitted(path)).losses).toEqual(['dynamic-range']);
    },
  );

  it('keeps one audio track of several, and lists the lost ones', async () => {
    const body = await fitted(await corpus('three-sounds.mkv'));
    expect(madeOf(body).losses).toEqual(['sound-tracks']);
    expect((await streamsOf(body.path)).map(({ codec_type }) => codec_type)).toEqual(['video', 'audio']);
  });

  it('drops subtitles and their text', async () => {
    const body = await fitted(await corpus('subtitles.mkv'));
    expect(madeOf(body)).toMatchObject({ way: 'remux', losses: ['extras'] });
    expect(await streamsOf(body.path)).toHaveLength(2);
  });

  it('is a short silent loop when asked for a clip', async () => {
    const body = await fitted(await goodMp4(), { fit: 'clip' });
    expect(madeOf(body)).toMatchObject({ after: { fps: 15, hasAudio: false, seconds: 2 }, losses: ['sound'] });
  });
});

describe('A limit of bytes', () => {
  const noise = () =>
    video('noise.mkv', {
      seconds: 1,
      args: ['-vf', 'noise=alls=80:allf=t', '-c:v', 'libx264', '-qp', '10', '-c:a', 'aac'],
    });

  it('is kept by pictures that cannot be compressed', async () => {
    for (const maxVideoBytes of isLong ? [100_000, 30_000] : [30_000]) {
      const { size, path } = await fitted(await noise(), {}, { maxVideoBytes });
      expect(size).toBeLessThanOrEqual(maxVideoBytes);
      expect((await sendVideo(service.url, user, path)).status).toBe(201);
    }
  });

  itWith('programs of Linux')('is met in one pass, at the quality that a few measured seconds foretell', async () => {
    const spied = join(folder, 'long-runs');
    const spy = join(folder, 'ffmpeg-spy');
    writeFileSync(spy, `#!/bin/sh\necho "$@" >> '${spied}'\nexec ffmpeg "$@"\n`, { mode: 0o755 });
    const own = openVideoFixture(folder, { ...HERE, configured: spy });
    const long = await video('long.avi', {
      size: '96x54',
      rate: 5,
      seconds: 110,
      sounds: 0,
      args: ['-vf', 'noise=alls=40:allf=t', '-c:v', 'mpeg4', '-q:v', '4'],
    });
    const runs = async (maxVideoBytes: number) => {
      writeFileSync(spied, '');
      const limits = { ...account.limits, maxVideoBytes };
      const prepared = await own.prepare(long, { ...account, limits });
      expect(prepared.ok && prepared.value && prepared.value.size <= maxVideoBytes).toBe(true);
      const lines = readFileSync(spied, 'utf8').split('\n');
      return {
        samples: lines.filter((line) => line.includes(' -ss ')).length,
        passes: lines.filter((line) => line.includes('result.mp4')).length,
        crf: Number(lines.map((line) => /-crf ([\d.]+) .*result\.mp4/.exec(line)?.[1]).find((found) => found)),
      };
    };
    expect(await runs(12_000_000)).toEqual({ samples: 3, passes: 1, crf: 23 });
    const tight = await runs(500_000);
    expect(tight).toMatchObject({ samples: 3, passes: 1 });
    expect(tight.crf).toBeGreaterThan(26);
  });

  it('is kept where the sound outlasts the picture, and the preview says how long it is', async () => {
    const path = await ffmpegFile('outlasting.mkv', [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=5:duration=1'],
      ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=20', '-c:v', 'mpeg4', '-c:a', 'aac'],
    ]);
    const limits = { ...account.limits, maxVideoBytes: 130_000 };
    const preview = await fixture.preview(path, { ...account, limits });
    const made = madeOf(await fitted(path, {}, { maxVideoBytes: 130_000 }));
    expect(made.after.size).toBeLessThanOrEqual(130_000);
    expect(made.losses).toEqual([]);
    const seconds = [made.before, made.after, must(preview)?.before].map((one) => Math.round(one?.seconds ?? 0));
    expect(seconds).toEqual([20, 20, 20]);
    expect(preview).toMatchObject({ value: { after: { seconds: expect.closeTo(20, 0), hasAudio: true } } });
  });

  it('that is too small for any picture is reported', async () => {
    const limits = { ...account.limits, maxVideoBytes: 1_500 };
    const refused = await fixture.prepare(await noise(), { ...account, limits });
    expect(refused).toMatchObject({ ok: false, error: { code: 'VIDEO_TOO_LARGE', params: { limitBytes: 1_500 } } });
  });
});

describe('What cannot be read', () => {
  it.each(Object.keys(UNDECODABLE))('is reported: %s', async (name) => {
    const refused = await fixture.prepare(await corpus(name), account);
    expect(refused).toMatchObject({ ok: false, error: { code: 'VIDEO_UNREADABLE' } });
    // Neither a path of this machine nor an address of its memory.
    expect(!refused.ok && refused.error.detail).not.toMatch(/\/|0x/);
  });

  it('and is no video at all is left to the service', async () => {
    const text = await rawFile('notes.mp4', 'just words');
    expect(await fixture.prepare(text, account)).toEqual({ ok: true, value: null });
  });

  it('because it is missing is reported', async () => {
    expect(await fixture.prepare(join(folder, 'gone.mp4'), account)).toMatchObject({
      error: { code: 'SOURCE_MISSING' },
    });
  });

  it('without ffmpeg reports the cause', async () => {
    const without = openVideoFixture(folder, NO_FFMPEG);
    const refused = await without.prepare(await corpus('high10.mp4'), account);
    expect(refused).toMatchObject({
      error: { code: 'VIDEO_TOOL_MISSING', params: { problems: [{ code: 'PIXEL_FORMAT', actual: 'yuv420p10le' }] } },
    });
  });
});

describe('A preview', () => {
  it('predicts size and duration close to the result', async () => {
    const path = await corpus('prores.mov');
    const preview = await fixture.preview(path, account);
    if (!preview.ok || preview.value.way !== 'encode') throw new Error(JSON.stringify(preview));
    const { after, secondsNeeded, before } = preview.value;
    const made = madeOf(await fitted(path));
    expect(before).toEqual(made.before);
    expect({ ...after, size: 0, seconds: 2 }).toEqual({ ...made.after, size: 0, seconds: 2 });
    expect(after.size / made.after.size).toBeGreaterThan(0.6);
    expect(after.size / made.after.size).toBeLessThan(1.6);
    expect(secondsNeeded).toBeGreaterThan(0);
  });

  it('reports that a suitable video is sent unchanged, and why one is refused', async () => {
    expect(await fixture.preview(await goodMp4(), account)).toMatchObject({
      value: { way: 'pass', before: { fps: 30 } },
    });
    const limits = { ...account.limits, maxVideoBytes: 5_000 };
    expect(await fixture.preview(await corpus('prores.mov'), { ...account, limits })).toMatchObject({
      value: { way: 'refuse', failure: { code: 'VIDEO_TOO_LARGE' } },
    });
  });
});

describe('A fit that is cut short', () => {
  const longVideo = () => video('long.mkv', { size: '1280x720', seconds: 4, args: ['-c:v', 'mpeg4', '-c:a', 'aac'] });

  it('ends at once when it is cancelled, and leaves nothing behind', async () => {
    const long = await longVideo();
    const own = openVideoFixture(folder);
    const abort = new AbortController();
    const shares: number[] = [];
    const cancelled = await own.prepare(long, account, {
      signal: abort.signal,
      onProgress(share) {
        shares.push(share);
        if (share > 0) abort.abort();
      },
    });
    expect(cancelled).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(readdirSync(own.spoolDir)).toEqual([]);
    expect(shares.toSorted((a, b) => a - b)).toEqual(shares);
  });

  it('fault 47: because the video was edited meanwhile is refused, and leaves nothing behind', async () => {
    const long = join(folder, 'edited.mkv');
    copyFileSync(await longVideo(), long);
    const own = openVideoFixture(folder);
    const { size } = statSync(long);
    const onProgress = (share: number) => {
      if (share === 0) return;
      const file = openSync(long, 'r+');
      writeSync(file, Buffer.from([0xaa]), 0, 1, size - 1);
      closeSync(file);
    };
    const refused = await own.prepare(long, account, { onProgress });
    expect(refused).toMatchObject({ ok: false, error: { code: 'SOURCE_CHANGED' } });
    expect(readdirSync(own.spoolDir)).toEqual([]);
  });

  it('fault 19: or waited for its turn while the video grew is of the whole video', async () => {
    const tiny = (name: string, seconds: number) =>
      video(name, { size: '64x48', rate: 5, seconds, args: ['-c:v', 'mpeg4', '-c:a', 'aac'] });
    const [first, whole, growing] = [
      await tiny('first.mkv', 1),
      await tiny('whole.mkv', 4),
      join(folder, 'growing.mkv'),
    ];
    copyFileSync(await tiny('part.mkv', 1), growing);
    const [isFirstsTurn, isSeen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const find = createFindFfmpeg(HERE);
    const own = openVideoFixture(folder, async (signal) => {
      const ffmpeg = await find(signal);
      const run: Ffmpeg['run'] = async (args, ...rest) => {
        if (args.includes(`file:${first}`) && args.includes('-c:v')) {
          isFirstsTurn.resolve();
          await isSeen.promise;
          copyFileSync(whole, growing);
        }
        const ran = await ffmpeg?.run(args, ...rest);
        if (args.includes(`file:${growing}`)) isSeen.resolve();
        return ran ?? Promise.reject(new Error('These tests need ffmpeg.'));
      };
      return ffmpeg && { ...ffmpeg, run };
    });
    const converting = own.prepare(first, account);
    await isFirstsTurn.promise;
    const grown = madeOf(must(await own.prepare(growing, account)));
    await converting;
    expect([grown.before, grown.after].map(({ seconds }) => Math.round(seconds))).toEqual([4, 4]);
    expect(grown.losses).toEqual([]);
  });

  it('waits for its turn, and can be cancelled while it waits', async () => {
    const own = openVideoFixture(folder);
    const path = await corpus('mpeg2-interlaced.mpg');
    let first = 0;
    const running = own.prepare(path, account, {
      onProgress: (share) => {
        first = share;
      },
    });
    const abort = new AbortController();
    let second = 0;
    const waiting = own.prepare(path, account, { signal: abort.signal, onProgress: () => second++ });
    abort.abort();
    expect(await waiting).toMatchObject({ error: { code: 'CANCELLED' } });
    const after = await running;
    expect(after.ok && after.value?.size).toBeGreaterThan(0);
    expect([first > 0, second]).toEqual([true, 0]);
    expect(readdirSync(own.spoolDir)).toHaveLength(1);
  });

  it('is swept at the next start; whole results and the files of others stay', async () => {
    const spool = join(folder, 'spool-of-a-killed-one');
    mkdirSync(join(spool, 'item-1.fit'), { recursive: true });
    writeFileSync(join(spool, 'item-1.fit', 'result.mp4'), 'half');
    copyFileSync(await goodMp4(), join(spool, 'item-2.mp4'));
    openVideoFixture(folder, undefined, spool);
    expect([existsSync(join(spool, 'item-1.fit')), existsSync(join(spool, 'item-2.mp4'))]).toEqual([false, true]);
  });
});

it('A result is readable by its owner alone', async () => {
  const { path } = await fitted(await corpus('h264.mkv'));
  expect(statSync(path).mode & 0o777).toBe(shownMode(0o600));
});
