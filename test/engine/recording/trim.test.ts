/** Trimming a recording: copied where possible, encoded where necessary, and exact in every case. */
import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { err, failure, ok } from '../../../src/api/errors.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Encoding } from '../../../src/engine/recording/ffmpeg-arguments.ts';
import { readRecordingMetadata } from '../../../src/engine/recording/probe-recording.ts';
import { trimRecording } from '../../../src/engine/recording/trim.ts';
import { createFfmpeg } from '../../../src/engine/video/ffmpeg.ts';
import { connectTo } from '../../support/engine.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { only } from '../../support/results.ts';
import {
  inState,
  never,
  openRecordingEngine,
  recordFor,
  recordingsOf,
  request,
  untilIn,
} from '../../support/screen/recording-fixture.ts';
import { CLOCK, openScreenClock, readClock } from '../../support/screen/screen-clock.ts';
import { openXScreen } from '../../support/screen/x-screen.ts';
import { startServer } from '../../support/server/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('recording-cut');
const FRAME_MS = 1_000 / 30;
/** Rounding of numbers that are written in milliseconds. */
const ROUNDING_MS = 2;
const whole = join(root, 'recorded.mp4');
const environment = { PATH: process.env['PATH'] };
let recorded: { readonly durationMs: number; readonly keyFramesMs: readonly number[]; readonly encoding: Encoding };
let shown: readonly number[];
let hashes: readonly string[];
let close: () => Promise<void>;

/** A hash of each frame's bytes in the file. */
const frameHashes = async (path: string): Promise<readonly string[]> => {
  const args = ['-v', 'error', '-i', path, '-map', '0:v', '-c', 'copy', '-f', 'framemd5', '-'];
  const { stdout } = await promisify(execFile)('ffmpeg', args);
  return stdout.split('\n').flatMap((line) => (/^0,/.test(line) ? [line.split(',').at(-1)?.trim() ?? ''] : []));
};

beforeAll(async () => {
  const screen = await openXScreen(400, 300);
  const clock = await openScreenClock(screen, { x: 0, y: 0 });
  close = async () => {
    await clock.close();
    await screen.close();
  };
  const engine = await openRecordingEngine(join(root, 'profile'), screen);
  await engine.recording.start(request({ x: 0, y: 0, width: CLOCK.width, height: CLOCK.height }), never);
  await recordFor(engine, 5_300);
  await engine.recording.stop({});
  const { id, durationMs, keyFramesMs } = inState(engine, 'review');
  copyFileSync(engine.recording.file(id) ?? '', whole);
  const params = { width: CLOCK.width, height: CLOCK.height, fps: 30, crf: 23, preset: 'veryfast', audioBits: 0 };
  const encoding: Encoding = {
    params: { ...params, maxBits: 771_360, bufferBits: 385_680, keyFrames: 60 },
    encoder: { name: 'libx264', kind: 'x264' },
  };
  recorded = { durationMs, keyFramesMs, encoding };
  await engine.close();
  shown = await readClock(whole);
  hashes = await frameHashes(whole);
});
afterAll(() => close());

interface Wish {
  readonly encoding?: Encoding;
  readonly ffmpeg?: 'here' | 'missing';
}

const cut = async (
  startMs: number,
  endMs: number | null,
  { encoding = recorded.encoding, ffmpeg = 'here' }: Wish = {},
) => {
  const folder = join(root, `${startMs}-${endMs}-${encoding.params.crf}-${encoding.params.preset}`);
  mkdirSync(folder, { recursive: true });
  const target = join(folder, 'cut.mp4');
  const tools = {
    ffmpeg: async () =>
      ffmpeg === 'here'
        ? ok({ ffmpeg: createFfmpeg('/usr/bin/ffmpeg', environment), everyFrame: ['-fps_mode', 'passthrough'] })
        : err(failure('VIDEO_TOOL_MISSING', 'None here.')),
  };
  const done = await trimRecording({ source: whole, startMs, endMs, encoding, folder, target }, tools, never);
  return { done, target, folder };
};

/** The frames of a trimmed recording: from the one shown at its start up to its end. */
const framesOf = (startMs: number, endMs: number | null): readonly [number, number] => {
  const first = Math.floor((startMs + ROUNDING_MS) / FRAME_MS);
  const end = endMs === null ? shown.length : Math.ceil((endMs - ROUNDING_MS) / FRAME_MS);
  return [first, Math.min(shown.length, end)];
};

describe('a cut that begins at a key frame', () => {
  it.each([
    [2_000, null],
    [0, 3_100],
    [2_000, 2_900],
  ])('from %i to %s ms copies every frame unchanged, without ffmpeg', async (startMs, endMs) => {
    const { done, target } = await cut(startMs, endMs, { ffmpeg: 'missing' });
    expect(done).toEqual(ok(undefined));
    const [first, end] = framesOf(startMs, endMs);
    expect(await frameHashes(target)).toEqual(hashes.slice(first, end));
    const length = (endMs ?? recorded.durationMs) - startMs;
    const { durationMs } = (await readRecordingMetadata(target)) ?? { durationMs: 0 };
    expect(Math.abs(durationMs - length)).toBeLessThanOrEqual(FRAME_MS);
  });
});

describe('a cut that begins between key frames', () => {
  it.each([
    [1_234, 4_600],
    [1_234, null],
    [2_500, 3_100],
    [4_400, null],
  ])(
    'from %i to %s ms shows exactly those frames, and encodes none behind the next key frame',
    async (startMs, endMs) => {
      const { done, target, folder } = await cut(startMs, endMs);
      expect(done).toEqual(ok(undefined));
      const [first, end] = framesOf(startMs, endMs);
      expect(await readClock(target)).toEqual(shown.slice(first, end));
      const seam = recorded.keyFramesMs.find((at) => at > startMs) ?? Number.POSITIVE_INFINITY;
      const copied = hashes.slice(Math.round(Math.min(seam / FRAME_MS, end)), end);
      const made = await frameHashes(target);
      expect(made.slice(made.length - copied.length)).toEqual(copied);
      expect(readdirSync(folder)).toEqual(['cut.mp4']);
    },
  );

  it('shows exactly those frames also where the encoder is another than the one that recorded', async () => {
    const encoding = { ...recorded.encoding, params: { ...recorded.encoding.params, preset: 'ultrafast' } };
    const { done, target } = await cut(1_234, 4_600, { encoding });
    expect(done).toEqual(ok(undefined));
    const [first, end] = framesOf(1_234, 4_600);
    expect(await readClock(target)).toEqual(shown.slice(first, end));
  });

  it('reports missing ffmpeg, and leaves no files', async () => {
    const { done, folder } = await cut(700, null, { ffmpeg: 'missing' });
    expect(done).toMatchObject({ ok: false, error: { code: 'VIDEO_TOOL_MISSING' } });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a trimmed recording', () => {
  /** The recording as it waits at the next start, in a profile of its own. */
  const waiting = async (name: string) => {
    const service = await startServer();
    onTestFinished(() => service.stop());
    const profileDir = join(root, name);
    cpSync(recordingsOf(join(root, 'profile')), recordingsOf(profileDir), { recursive: true });
    const engine = await openRecordingEngine(profileDir, { environment });
    await connectTo(engine, service.url, (await service.user()).apiKey);
    const { id } = await untilIn(engine, 'review');
    const publish = async (form: 'video' | 'loop') => {
      const cut = { startMs: 1_000, endMs: 2_600, form } as const;
      const published = only(await engine.recording.publish({ id, cut, share: { title: 'Look' } }), 'item');
      if (!published.ok) throw new Error(published.error.detail);
      return published.value;
    };
    return { engine, publish };
  };
  const linked = async (engine: Engine, id: ItemId) => {
    const settled = await engine.queue.waitFor({ id, patienceMs: 3_600_000 }, soon());
    return settled.ok ? settled.value : settled.error;
  };

  it('is accepted by the service unchanged, and published once however often it is requested', async () => {
    const { engine, publish } = await waiting('video');
    const ids = await Promise.all([publish('video'), publish('video')]);
    expect(ids[1]).toBe(ids[0]);
    expect(await publish('video')).toBe(ids[0]);
    expect(await linked(engine, ids[0])).toMatchObject({ state: 'linked', body: null, content: { title: 'Look' } });
    expect(engine.state().queue.items).toHaveLength(1);
  });

  it('becomes a short silent clip that is played again and again', async () => {
    const { engine, publish } = await waiting('loop');
    expect(await linked(engine, await publish('loop'))).toMatchObject({
      state: 'linked',
      job: { fit: 'clip' },
      content: { type: 'VIDEO' },
      body: { made: { after: { fps: 15, hasAudio: false } } },
    });
  });
});
