/**
 * A recording ends by itself at the account's limits, on low disk space, or when the screen disappears; what was
 * recorded is kept.
 */
import { mkdirSync, readdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Failure } from '../../../src/api/errors.ts';
import { ok } from '../../../src/api/errors.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { smallDisk } from '../../faults/small-disk.ts';
import { connectTo, until } from '../../support/engine.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { openFiles } from '../../support/process-state.ts';
import { only } from '../../support/results.ts';
import {
  inState,
  never,
  openRecordingEngine,
  recordFor,
  recordingsOf,
  recordPieces,
  request,
  untilIn,
} from '../../support/screen/recording-fixture.ts';
import { CLOCK, openScreenClock, readClock } from '../../support/screen/screen-clock.ts';
import { openXScreen, type XScreen } from '../../support/screen/x-screen.ts';
import { startServer } from '../../support/server/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('recording-bounds');
const AREA = { x: 0, y: 0, width: CLOCK.width, height: CLOCK.height };
const WHOLE = { startMs: 0, endMs: null, form: 'video' } as const;
let screen: XScreen;
let clock: Awaited<ReturnType<typeof openScreenClock>>;
beforeAll(async () => {
  screen = await openXScreen(400, 300);
  clock = await openScreenClock(screen, AREA);
});
afterAll(async () => {
  await clock.close();
  await screen.close();
});

const start = async (engine: Engine) =>
  expect(await engine.recording.start(request(AREA), never)).toMatchObject({ ok: true });

const noticeOf = (engine: Engine): Failure | undefined => engine.state().notices[0];

describe('a recording that reaches what the account allows', () => {
  it.each([
    ['length', { video: { maxSeconds: 2, maxFps: 20 } }],
    ['size', { server: { videoBytes: 24_000 } }],
  ])('in its %s ends there, reports it, and is accepted by the service unchanged', async (of, config) => {
    const service = await startServer({ config });
    onTestFinished(() => service.stop());
    const engine = await openRecordingEngine(join(root, of), screen);
    await connectTo(engine, service.url, (await service.user()).apiKey);
    await start(engine);
    const { bounds } = inState(engine, 'recording');
    const review = await untilIn(engine, 'review');
    expect(noticeOf(engine)).toMatchObject({ code: 'RECORDING_LIMIT', params: { of } });
    if (of === 'length') {
      expect(bounds.milliseconds).toBe(1_500);
      expect(Math.abs(review.durationMs - 1_500)).toBeLessThan(100);
      expect((await readClock(engine.recording.file(review.id) ?? '')).length).toBe(30);
    } else expect(review.bytes).toBeLessThanOrEqual(24_000);
    expect(await engine.recording.stop({})).toEqual(ok({ id: review.id }));
    const queued = only(await engine.recording.publish({ id: review.id, cut: WHOLE, share: {} }), 'item');
    if (!queued.ok) throw new Error(queued.error.detail);
    expect(await engine.queue.waitFor({ id: queued.value, patienceMs: 60_000 }, soon())).toMatchObject({
      ok: true,
      value: { state: 'linked', body: null },
    });
  });
});

describe('a disk without room', () => {
  it('prevents the start of a recording, with an explanation', async () => {
    const profileDir = join(root, 'no-room');
    const alter = { alter: <T>(real: T): T => ({ ...real, freeBytes: async () => 60_000_000 }) };
    const engine = await openRecordingEngine(profileDir, screen, alter);
    const started = await engine.recording.start(request(AREA), never);
    expect(started).toMatchObject({ ok: false, error: { code: 'DISK_FULL' } });
    expect(started.ok ? '' : started.error.detail).toContain('Free some space');
    expect(engine.state().recording).toBeNull();
  });

  it('ends the recording while there still is room to put it together', async () => {
    let free = 1_000_000_000;
    const alter = { alter: <T>(real: T): T => ({ ...real, freeBytes: async () => free }) };
    const engine = await openRecordingEngine(join(root, 'low'), screen, alter);
    await start(engine);
    await recordFor(engine, 1_000);
    await recordPieces(engine, 1);
    free = 64 * 1024 ** 2;
    const review = await untilIn(engine, 'review');
    expect(review.durationMs).toBeGreaterThanOrEqual(1_000);
    expect(noticeOf(engine)).toMatchObject({ code: 'RECORDING_INTERRUPTED', params: { by: 'disk' } });
  });

  it('that fills up at once costs nothing that was recorded: it is put together when there is room', async () => {
    const profileDir = join(root, 'full');
    mkdirSync(profileDir);
    const disk = smallDisk(profileDir, 90);
    const { blocks, bsize } = statfsSync(profileDir);
    const isReal = blocks * bsize < 100 * 1024 ** 2;
    const engine = await openRecordingEngine(profileDir, screen);
    await start(engine);
    await recordFor(engine, 1_500);
    // Half a second at least is stored: what comes first is the header alone.
    await recordPieces(engine, 2);
    // Without the right to mount a disk, the process ends here as it would by any fault.
    if (isReal) {
      disk.fill();
      await until(() => noticeOf(engine)?.code === 'RECORDING_INTERRUPTED');
      await until(() => engine.state().recording === null);
      expect(openFiles().filter((path) => path.startsWith(profileDir) && path.includes('whole'))).toEqual([]);
      disk.makeRoom();
    }
    await engine.close();
    expect(readdirSync(recordingsOf(profileDir))).toHaveLength(1);
    const next = await openRecordingEngine(profileDir, screen);
    const review = await untilIn(next, 'review');
    expect(review.durationMs).toBeGreaterThanOrEqual(isReal ? 500 : 1_400);
    await readClock(next.recording.file(review.id) ?? '');
    await next.recording.discard({});
    await next.close();
  });
});

it('a display that is disconnected ends the recording, which is kept', async () => {
  const other = await openXScreen(320, 240);
  onTestFinished(() => other.close());
  const engine = await openRecordingEngine(join(root, 'gone'), other);
  await start(engine);
  await recordFor(engine, 1_500);
  await until(() => inState(engine, 'recording').bytes > 0);
  await other.close();
  const review = await untilIn(engine, 'review');
  // How much that is, a busy machine decides.
  expect(review.durationMs).toBeGreaterThan(0);
  expect(noticeOf(engine)).toMatchObject({ code: 'RECORDING_INTERRUPTED', params: { by: 'screen' } });
});
