/** Recording a part of the screen: what comes of it, up to the service that takes it without a second encode. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ok } from '../../../src/contract/errors.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { connectTo, itemOf, until } from '../../support/engine.ts';
import {
  inState,
  never,
  openRecordingEngine,
  recordFor,
  recordingsOf,
  request,
  untilIn,
} from '../../support/recording-room.ts';
import { CLOCK, elapsed, openScreenClock, readClock } from '../../support/screen-clock.ts';
import { startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openXScreen, type XScreen } from '../../support/x-screen.ts';

const root = temporaryFolder('recording');
const CORNER = { x: 60, y: 40 };
const AREA = { ...CORNER, width: CLOCK.width + 81, height: CLOCK.height + 43 };
/** The screen's clock is painted, and the screen looked at, by programs that a busy machine may keep waiting. */
const LATE_MS = 400;

let screen: XScreen;
let clock: Awaited<ReturnType<typeof openScreenClock>>;
beforeAll(async () => {
  screen = await openXScreen(800, 600);
  clock = await openScreenClock(screen, CORNER);
});
afterAll(async () => {
  await clock.close();
  await screen.close();
});

const fileIn = (engine: Engine): string => engine.recordingFile(inState(engine, 'review').id) ?? '';

describe('a recording of ten seconds', () => {
  it('has the length, the size, the frame rate and the pictures of what was shown, and is taken as it is', async () => {
    const service = await startServer();
    onTestFinished(() => service.stop());
    const profileDir = join(root, 'ten');
    const engine = await openRecordingEngine(profileDir, screen);
    await connectTo(engine, service.url, service.person().apiKey);

    expect(await engine.startRecording(request(AREA), never)).toEqual(ok(undefined));
    const running = inState(engine, 'recording');
    expect(running).toMatchObject({ area: { ...CORNER, width: 320, height: 202 }, sound: 'none', recordedMs: 0 });
    expect(running.bounds.milliseconds).toBeGreaterThan(3_590_000);
    await recordFor(engine, 10_000);
    const lasted = Date.now() - running.since;
    const stopped = await engine.stopRecording();
    expect(stopped).toEqual(ok(running.id));

    const review = inState(engine, 'review');
    expect(review).toMatchObject({ id: running.id, width: 320, height: 202, hasSound: false, isRecovered: false });
    expect(review.name).toMatch(/^Recording \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.mp4$/);
    expect(Math.abs(review.durationMs - lasted)).toBeLessThan(100);
    expect(review.keyFramesMs.slice(0, 5)).toEqual([0, 2_000, 4_000, 6_000, 8_000]);
    expect(statSync(fileIn(engine)).mode & 0o777).toBe(0o600);

    const shown = await readClock(fileIn(engine));
    expect(Math.abs(shown.length - (lasted / 1_000) * 30)).toBeLessThan(6);
    const [first = 0] = shown;
    for (const [frame, time] of shown.entries())
      expect(Math.abs(elapsed(first, time) - (frame * 1_000) / 30)).toBeLessThan(LATE_MS);

    const queued = await engine.publishRecording(
      { id: review.id, cut: { startMs: 0, endMs: null, form: 'video' }, share: {} },
      never,
    );
    expect(queued.ok).toBe(true);
    if (!queued.ok) return;
    expect((await engine.settled(queued.value, 60_000, AbortSignal.timeout(60_000))).ok).toBe(true);
    const item = itemOf(engine, queued.value);
    // Nothing was made of it: the service has the very file that was recorded.
    expect(item).toMatchObject({
      state: 'linked',
      body: null,
      origin: 'recording',
      size: review.bytes,
      name: review.name,
    });
    expect(item).toMatchObject({ content: { type: 'VIDEO', width: 320, height: 202 } });
    expect(engine.state().recording).toBeNull();
    expect(readdirSync(recordingsOf(profileDir))).toEqual([]);
    await until(() => readdirSync(engine.spoolDir).length === 0);
  });
});
