/** A recording that ends by itself: whether it reached its length limit, or broke off. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Failure, ok } from '../../../src/api/errors.ts';
import { rm } from '../../../src/base/node/retrying-fs.ts';
import { createSession } from '../../../src/engine/recording/recording-session.ts';
import type { PreparedRecording } from '../../../src/engine/recording/recording-setup.ts';
import { openRecordingStore } from '../../../src/engine/recording/recording-store.ts';
import type { SegmentEnd } from '../../../src/engine/recording/segment-encoder.ts';
import { sleepingClock } from '../../support/sleeping-clock.ts';

const AREA = { x: 0, y: 0, width: 400, height: 300 };
const LIMIT_MS = 1_500;
const NUMBERS = {
  ...{ width: 400, height: 300, fps: 20, crf: 23, preset: 'veryfast', keyFrames: 40 },
  ...{ maxBits: 1_000, bufferBits: 500, audioBits: 0 },
};
const never = new AbortController().signal;

/** Starts a segment that is noticed after `startMs` and ends by itself `restMs` later; resolves with the notice. */
const noticeAfter = async (startMs: number, restMs: number): Promise<Failure> => {
  const folder = mkdtempSync(join(tmpdir(), 'linkshot-session-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const clock = sleepingClock();
  const { promise: ended, resolve: end } = Promise.withResolvers<SegmentEnd>();
  const { promise: notice, resolve: notify } = Promise.withResolvers<Failure>();
  const setup: PreparedRecording = {
    area: AREA,
    params: NUMBERS,
    bounds: { milliseconds: LIMIT_MS, bytes: 1_000_000 },
    encoding: { params: NUMBERS, encoder: { name: 'libx264', kind: 'x264' } },
    sound: 'none',
    warmUp() {},
    async start() {
      await clock.advance(startMs);
      return ok({ bytes: () => 1, stop: () => ended, ended });
    },
    isThere: async () => true,
  };
  const session = createSession({
    clock,
    random: { number: () => 0.5, uuid: () => '00000000-0000-4000-8000-000000000000' },
    recordingSetup: { setUp: async () => ok(setup) },
    recordingStore: openRecordingStore(folder),
    spoolDir: folder,
    freeBytes: async () => 1e12,
    onChange() {},
    notify,
    onEnded() {},
  });
  expect(
    await session.start(
      { target: { mode: 'region', area: AREA }, sound: 'none', pointer: 'hide', countdownSeconds: 0 },
      never,
    ),
  ).toEqual(ok(undefined));
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
