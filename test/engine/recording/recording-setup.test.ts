/** Preparing a recording: what is remembered of a cancelled start, and what an account without sound records. */
import { expect, it } from 'vitest';
import { err, failure, ok } from '../../../src/api/errors.ts';
import { USUAL_LIMITS } from '../../../src/engine/recording/recording-plan.ts';
import { createRecordingSetup } from '../../../src/engine/recording/recording-setup.ts';
import type { Ffmpeg } from '../../../src/engine/video/ffmpeg.ts';
import type { RecordingRequest } from '../../../src/ipc/protocol/recording.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const never = new AbortController().signal;
const DISPLAY = { number: 1, name: 'one', x: 0, y: 0, width: 640, height: 480, scale: 1 };
const REQUEST: RecordingRequest = {
  ...{ target: { mode: 'region', area: { x: 0, y: 0, width: 160, height: 120 } }, sound: 'none', pointer: 'hide' },
  countdownSeconds: 0,
};

/** An ffmpeg with these encoders, which is ended by an abort. */
const ffmpegWith = (encoders: readonly string[], onRun: (args: readonly string[]) => void = () => {}): Ffmpeg => ({
  path: '/nowhere/ffmpeg',
  version: 'ffmpeg version 7.1',
  async run(args, { onLine }, signal) {
    onRun(args);
    if (args.includes('-encoders') && !signal.aborted) for (const name of encoders) onLine?.(` V....D ${name} H.264`);
    return ok('');
  },
});

const setupWith = (ffmpeg: Ffmpeg, limits = USUAL_LIMITS) =>
  createRecordingSetup({
    ...{ platform: 'linux', environment: { DISPLAY: ':9' }, ffmpeg: async () => ffmpeg, inputDisplay: null },
    capturer: {
      ...{ displays: async () => ok([DISPLAY]), windows: async () => ok([]) },
      freeze: () => Promise.reject(new Error('Nothing is captured.')),
      grab: () => Promise.reject(new Error('Nothing is captured.')),
    },
    cameras: { list: async () => [] },
    ...{ notify() {}, withdraw() {}, limits: () => limits, lastRegion: () => null },
    tokens: { read: () => null, note() {} },
  });

const aborting = (when: (args: readonly string[]) => boolean) => {
  const stopping = new AbortController();
  const onRun = (args: readonly string[]) => void (when(args) && stopping.abort());
  return { signal: stopping.signal, onRun };
};

it('what a cancelled start did not learn about ffmpeg is learnt by the next', async () => {
  const { signal, onRun } = aborting((args) => args.includes('-encoders'));
  const setup = setupWith(ffmpegWith(['libx264'], onRun));
  expect(await setup.tools(signal)).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  expect(await setup.tools(never)).toMatchObject({ ok: true, value: { tools: { software: { name: 'libx264' } } } });
});

it('an ffmpeg that answers too late is asked again by the next start', async () => {
  const late = err(failure('VIDEO_FIT_FAILED', 'ffmpeg took too long and was stopped.'));
  const inTime = ffmpegWith(['libx264']);
  let runs = 0;
  const setup = setupWith({
    ...inTime,
    run: (args, options, signal) => (runs++ === 0 ? Promise.resolve(late) : inTime.run(args, options, signal)),
  });
  expect(await setup.tools(never)).toEqual(late);
  expect(await setup.tools(never)).toMatchObject({ ok: true, value: { tools: { software: { name: 'libx264' } } } });
});

it.skipIf(process.platform !== 'linux')('a start that is cancelled while an encoder is tried is no error', async () => {
  const { signal, onRun } = aborting((args) => args.includes('h264_nvenc'));
  const setup = setupWith(ffmpegWith(['h264_nvenc'], onRun));
  expect(await setup.setUp(REQUEST, temporaryFolder('setup'), signal)).toMatchObject({
    ok: false,
    error: { code: 'CANCELLED' },
  });
});

it('an account without sound in videos needs no sound device, and the recording says that it has none', async () => {
  const limits = { ...USUAL_LIMITS, video: { ...USUAL_LIMITS.video, maxAudioStreams: 0 } };
  const setup = setupWith(ffmpegWith(['libx264']), limits);
  expect(await setup.setUp({ ...REQUEST, sound: 'both' }, temporaryFolder('setup'), never)).toMatchObject({
    ok: true,
    value: { sound: 'none', params: { audioBits: 0 } },
  });
});
