/** A recording that ends by itself, and one that cannot be stored: what the user learns. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { err, type Failure, failure, ok } from '../../../src/api/errors.ts';
import { onAbort } from '../../../src/base/common/on-abort.ts';
import { rm } from '../../../src/base/node/retrying-fs.ts';
import type { Clock } from '../../../src/engine/ports.ts';
import { createSession } from '../../../src/engine/recording/recording-session.ts';
import type { PreparedRecording, RecordingSetup } from '../../../src/engine/recording/recording-setup.ts';
import { openRecordingStore, type RecordingStore } from '../../../src/engine/recording/recording-store.ts';
import { closeAfter, type SegmentEnd } from '../../../src/engine/recording/segment-encoder.ts';
import type { RecordingRequest } from '../../../src/ipc/protocol/recording.ts';
import { sleepingClock } from '../../support/sleeping-clock.ts';

const AREA = { x: 0, y: 0, width: 400, height: 300 };
const ID = '00000000-0000-4000-8000-000000000000';
const LIMIT_MS = 1_500;
const NUMBERS = {
  ...{ width: 400, height: 300, fps: 20, crf: 23, preset: 'veryfast', keyFrames: 40 },
  ...{ maxBits: 1_000, bufferBits: 500, audioBits: 0 },
};
const never = new AbortController().signal;

const setupOf = (start: PreparedRecording['start']): PreparedRecording => ({
  area: AREA,
  params: NUMBERS,
  bounds: { milliseconds: LIMIT_MS, bytes: 1_000_000 },
  encoding: { params: NUMBERS, encoder: { name: 'libx264', kind: 'x264' } },
  sound: 'none',
  warmUp() {},
  start,
  isThere: async () => true,
});

interface Altered {
  readonly store?: (store: RecordingStore) => RecordingStore;
  readonly isThere?: PreparedRecording['isThere'];
  readonly warmUp?: PreparedRecording['warmUp'];
  readonly freeBytes?: () => Promise<number>;
  readonly setUp?: RecordingSetup['setUp'];
}

const open = (clock: Clock, start: PreparedRecording['start'], altered: Altered = {}) => {
  const { store = (real) => real, isThere = async () => true, freeBytes = async () => 1e12 } = altered;
  const { warmUp = () => {} } = altered;
  const setUp = altered.setUp ?? (async () => ok({ ...setupOf(start), isThere, warmUp }));
  const folder = mkdtempSync(join(tmpdir(), 'linkshot-session-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { promise: notice, resolve: notify } = Promise.withResolvers<Failure>();
  const session = createSession({
    clock,
    random: { number: () => 0.5, uuid: () => ID },
    recordingSetup: { setUp },
    recordingStore: store(openRecordingStore(folder)),
    spoolDir: folder,
    freeBytes,
    onChange() {},
    notify,
    onEnded() {},
  });
  return { session, notice };
};

const request = (countdownSeconds: number): RecordingRequest => ({
  ...{ target: { mode: 'region', area: AREA }, sound: 'none', pointer: 'hide', countdownSeconds },
});

/** Starts a segment that is noticed after `startMs` and ends by itself `restMs` later; resolves with the notice. */
const noticeAfter = async (startMs: number, restMs: number): Promise<Failure> => {
  const clock = sleepingClock();
  const { promise: ended, resolve: end } = Promise.withResolvers<SegmentEnd>();
  const { session, notice } = open(clock, async () => {
    await clock.advance(startMs);
    return ok({ bytes: () => 1, stop: () => ended, ended });
  });
  expect(await session.start(request(0), never)).toEqual(ok(ID));
  await clock.advance(restMs);
  end({ by: 'itself', stderr: '' });
  const failure = await notice;
  await session.close();
  return failure;
};

test('one that ended at its limit reached it, also where its start was noticed late', async () => {
  expect(await noticeAfter(100, LIMIT_MS)).toMatchObject({ code: 'RECORDING_LIMIT', params: { of: 'length' } });
  expect(await noticeAfter(LIMIT_MS, 10)).toMatchObject({ code: 'RECORDING_LIMIT', params: { of: 'length' } });
});

test('one that ended long before its limit broke off', async () => {
  expect(await noticeAfter(100, 200)).toMatchObject({ code: 'RECORDING_INTERRUPTED', params: { by: 'screen' } });
});

test.each([
  ['the disk is full', 'ENOSPC', 'DISK_FULL'],
  ['the folder may not be written', 'EACCES', 'APP_FAILED'],
])(
  'one that cannot be stored after its countdown, because %s, is reported and blocks no other',
  async (_, code, told) => {
    const clock = sleepingClock();
    const { session, notice } = open(clock, async () => err(failure('CAPTURE_UNAVAILABLE', 'Never asked.')), {
      store: (real) => ({ ...real, begin: () => Promise.reject(Object.assign(new Error(code), { code })) }),
    });
    expect(await session.start(request(3), never)).toEqual(ok(ID));
    await clock.advance(3_000);
    expect(await notice).toMatchObject({ code: told });
    expect(session.state()).toBeNull();
    expect(await session.start(request(3), never)).toEqual(ok(ID));
    await session.close();
  },
);

const refused = async () => err(failure('CAPTURE_UNAVAILABLE', 'The screen is gone.'));
const broken = () => Promise.reject(new Error('The screen is gone.'));
const cannotBegin = (real: RecordingStore) => ({ ...real, begin: broken });

test.each<[string, PreparedRecording['start'], Altered]>([
  ['it cannot be stored', refused, { store: cannotBegin }],
  ['the screen refuses', refused, {}],
  ['its start fails', broken, {}],
])('the camera of a countdown is turned off when no recording follows, because %s', async (_, start, altered) => {
  const clock = sleepingClock();
  let camera: AbortSignal | undefined;
  const { session, notice } = open(clock, start, {
    ...altered,
    warmUp(signal) {
      camera = signal;
    },
  });
  expect(await session.start(request(3), never)).toEqual(ok(ID));
  expect(camera?.aborted).toBe(false);
  await clock.advance(3_000);
  await notice;
  expect(camera?.aborted).toBe(true);
  await session.close();
});

test('what is opened for a segment is closed where the segment cannot be started', async () => {
  for (const start of [refused, broken]) {
    let closed = 0;
    const close = async () => void closed++;
    await closeAfter(start, close).catch(() => {});
    expect(closed).toBe(1);
  }
});

test.each([
  ['ends where it was stopped', 'runs on', 0, 2_000],
  ['ends where it was stopped', 'is set by half a second', 500, 2_000],
  ['keeps its end', 'jumps ahead, as over a suspend', 3_600_000, null],
  ['keeps its end', 'is set back', -3_600_000, null],
])('a segment %s where the wall clock %s', async (_, __, jump, length) => {
  const clock = sleepingClock();
  let jumped = 0;
  const wall: Clock = { ...clock, now: () => clock.now() + jumped };
  const { promise: ended } = Promise.withResolvers<SegmentEnd>();
  const { session } = open(wall, async () => ok({ bytes: () => 1, stop: async () => ({ by: 'asked' }), ended }));
  expect(await session.start(request(0), never)).toEqual(ok(ID));
  await clock.advance(2_000);
  jumped = jump;
  expect(await session.end()).toMatchObject({ value: { info: { lengths: [length] } } });
  await session.close();
});

test('a discard is on the disk before the encoder ends, so that a crash meanwhile publishes nothing', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<SegmentEnd>();
  const { promise: stopping, resolve: asked } = Promise.withResolvers<void>();
  let stored: RecordingStore | undefined;
  const store = (real: RecordingStore) => {
    stored = real;
    return real;
  };
  const stop = () => {
    asked();
    return ended;
  };
  const { session } = open(sleepingClock(), async () => ok({ bytes: () => 1, stop, ended }), { store });
  expect(await session.start(request(0), never)).toEqual(ok(ID));
  const discarded = session.discard();
  await stopping;
  expect(await stored?.list(() => {})).toMatchObject([{ id: ID, info: { isDiscarded: true } }]);
  end({ by: 'asked' });
  expect(await discarded).toBe(true);
  expect(await stored?.list(() => {})).toEqual([]);
  await session.close();
});

/** The answers of a check: good at first, then one error, then bad. */
const failingOnce = <T>(good: T, bad: T) => {
  let asked = 0;
  return async (): Promise<T> => {
    asked += 1;
    if (asked === 2) throw new Error('The check failed.');
    return asked < 2 ? good : bad;
  };
};

test.each([
  ['of the disk', 'disk', { freeBytes: failingOnce(1e12, 0) }],
  ['for the screen', 'screen', { isThere: failingOnce(true, false) }],
])('a check %s that fails is no end of the checks', async (_, by, altered) => {
  const clock = sleepingClock();
  const { promise: ended, resolve: end } = Promise.withResolvers<SegmentEnd>();
  const stop = () => {
    end({ by: 'asked' });
    return ended;
  };
  const { session, notice } = open(clock, async () => ok({ bytes: () => 1, stop, ended }), altered);
  expect(await session.start(request(0), never)).toEqual(ok(ID));
  for (let check = 0; check < 5; check++) await clock.advance(1_000);
  expect(session.state()?.state).not.toBe('recording');
  expect(await notice).toMatchObject({ code: 'RECORDING_INTERRUPTED', params: { by } });
  await session.close();
});

test('a start that waits for the desktop while the app quits is cancelled', async () => {
  const setUp: RecordingSetup['setUp'] = (_, __, signal) =>
    new Promise((_resolve, reject) => onAbort(signal, () => reject(signal.reason)));
  const { session } = open(sleepingClock(), () => Promise.reject(new Error('Never asked.')), { setUp });
  const started = session.start(request(0), never);
  await session.close();
  expect(await started).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
});
