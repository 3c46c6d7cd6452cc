/** Recording an area of the screen, up to the service, which accepts it without a second encode. */
import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import type { RecordingId } from '../../../src/api/ids.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import type { Clock } from '../../../src/engine/ports.ts';
import { connectTo, itemOf, until } from '../../support/engine.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must, only } from '../../support/results.ts';
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
import { CLOCK, elapsed, openScreenClock, readClock } from '../../support/screen/screen-clock.ts';
import { openXScreen, type XScreen } from '../../support/screen/x-screen.ts';
import { startServer } from '../../support/server/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('recording');
const CORNER = { x: 60, y: 40 };
const AREA = { ...CORNER, width: CLOCK.width + 81, height: CLOCK.height + 43 };
/** How long the frozen screen has to leave the real one. */
const CLEARING_MS = 250;
/** A recording is timed by the monotonic clock, which the wall clock of a test may leave by a few milliseconds. */
const CLOCKS_DIFFER_MS = 20;

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

const ffmpeg = async (...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)('ffmpeg', ['-v', 'error', ...args], { maxBuffer: 1 << 26 })).stdout;

/** When each frame is shown, in milliseconds. */
const frameTimes = async (path: string): Promise<readonly number[]> => {
  const lines = await ffmpeg('-i', path, '-map', '0:v', '-c', 'copy', '-f', 'framecrc', '-');
  const [, per = 0, base = 1] = /#tb 0: (\d+)\/(\d+)/.exec(lines)?.map(Number) ?? [];
  return lines
    .split('\n')
    .flatMap((line) => (/^0,/.test(line) ? [(Number(line.split(',')[2]) * per * 1_000) / base] : []));
};

const FRAME_MS = 1_000 / 30;

/** The frames from the first to before the last have the pace of the recording, wherever a busy machine was late. */
const expectPace = (times: readonly number[], first = 0, last = times.length): void => {
  for (let frame = first + 1; frame < last; frame++)
    expect(Math.abs((times[frame] ?? 0) - (times[frame - 1] ?? 0) - FRAME_MS), `frame ${frame}`).toBeLessThan(35);
};

/**
 * How far the screen's clock is ahead of the time of the video. A busy machine may keep waiting the programs that paint
 * the clock and look at the screen; so most frames may have been late, and those that were not tell the pace.
 */
const leadOf = (shown: readonly number[], times: readonly number[], first: number, last: number): number => {
  const leads = times.slice(first, last).map((at, frame) => elapsed(shown[0] ?? 0, shown[first + frame] ?? 0) - at);
  return leads.toSorted((a, b) => a - b)[Math.floor(leads.length * 0.9)] ?? Number.NaN;
};

/** Stops it; between which lengths its last stretch ended, in milliseconds. */
const stopTimed = async (engine: Engine) => {
  const { since } = inState(engine, 'recording');
  // Else the last pictures could be missing.
  await recordPieces(engine, 1);
  const least = Date.now() - since;
  const stopping = engine.recording.stop({});
  await until(() => engine.state().recording?.state !== 'recording');
  return { least, most: Date.now() - since, stopped: only(await stopping, 'id') };
};

const firstFrame = (path: string): Promise<string> => ffmpeg('-i', path, '-frames:v', '1', '-f', 'framemd5', '-');

const fileIn = (engine: Engine): string => engine.recording.file(inState(engine, 'review').id) ?? '';

describe('a recording of ten seconds', () => {
  it('has the length, the size, the frame rate and the pictures of the screen, and is sent unchanged', async () => {
    const service = await startServer();
    onTestFinished(() => service.stop());
    const profileDir = join(root, 'ten');
    const engine = await openRecordingEngine(profileDir, screen);
    await connectTo(engine, service.url, (await service.user()).apiKey);

    const started = await engine.recording.start(request(AREA), never);
    const running = inState(engine, 'recording');
    expect(started).toEqual(ok({ id: running.id }));
    expect(running).toMatchObject({ area: { ...CORNER, width: 320, height: 202 }, sound: 'none', recordedMs: 0 });
    expect(running.bounds.milliseconds).toBeGreaterThan(3_590_000);
    await recordFor(engine, 10_000);
    const { least, most, stopped } = await stopTimed(engine);
    expect(stopped).toEqual(ok(running.id));

    const review = inState(engine, 'review');
    expect(review).toMatchObject({ id: running.id, width: 320, height: 202, hasSound: false, isRecovered: false });
    expect(review.name).toMatch(/^Recording \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.mp4$/);
    expect(review.durationMs).toBeGreaterThan(least - 100);
    expect(review.durationMs).toBeLessThan(most + 100);
    expect(review.keyFramesMs.slice(0, 5)).toEqual([0, 2_000, 4_000, 6_000, 8_000]);
    expect(statSync(fileIn(engine)).mode & 0o777).toBe(0o600);

    const [shown, times] = [await readClock(fileIn(engine)), await frameTimes(fileIn(engine))];
    expect(shown).toHaveLength(times.length);
    expectPace(times);
    const third = Math.floor(times.length / 3);
    const leads = [0, 1, 2].map((part) => leadOf(shown, times, part * third, (part + 1) * third));
    expect(Math.max(...leads) - Math.min(...leads), leads.join()).toBeLessThan(100);

    const queued = only(
      await engine.recording.publish({ id: review.id, cut: { startMs: 0, endMs: null, form: 'video' }, share: {} }),
      'item',
    );
    expect(queued.ok).toBe(true);
    if (!queued.ok) return;
    expect((await engine.queue.waitFor({ id: queued.value, patienceMs: 3_600_000 }, soon())).ok).toBe(true);
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

describe('a recording', () => {
  it('that was paused continues without a gap in its time, and without the paused part', async () => {
    const engine = await openRecordingEngine(join(root, 'paused'), screen);
    const updates: number[] = [];
    engine.on(
      (event) => event.type === 'state' && event.state.recording?.state === 'recording' && updates.push(Date.now()),
    );
    await engine.recording.start(request(AREA), never);
    await recordFor(engine, 1_200);
    await recordPieces(engine, 1);
    expect(await engine.recording.pause()).toEqual(ok({}));
    const paused = inState(engine, 'paused');
    expect(paused.recordedMs).toBeGreaterThan(1_200 - CLOCKS_DIFFER_MS);
    expect(paused.bytes).toBeGreaterThan(0);
    const resting = Date.now();
    await until(() => Date.now() - resting > 1_500);
    expect(await engine.recording.resume()).toEqual(ok({}));
    const running = inState(engine, 'recording');
    expect(running.recordedMs).toBe(paused.recordedMs);
    await recordFor(engine, 1_000);
    const { least, most, stopped } = await stopTimed(engine);
    expect(stopped.ok).toBe(true);
    const review = inState(engine, 'review');
    expect(review.durationMs).toBeGreaterThan(paused.recordedMs + least - 100);
    expect(review.durationMs).toBeLessThan(paused.recordedMs + most + 100);
    // Where the second stretch begins, there is a key frame.
    const seamMs = review.keyFramesMs.find((at) => Math.abs(at - paused.recordedMs) < 40) ?? 0;
    expect(seamMs).toBeGreaterThan(0);

    const times = await frameTimes(fileIn(engine));
    const seam = times.findIndex((time) => time > seamMs - 10);
    // The last picture before it stays where a busy machine came too late for the next.
    expectPace(times, 0, seam);
    expectPace(times, seam);
    const shown = await readClock(fileIn(engine));
    expect(leadOf(shown, times, seam, times.length) - leadOf(shown, times, 0, seam)).toBeGreaterThan(1_000);
    // A page gets updates of the growing size twice a second, and of state changes.
    expect(updates.length).toBeLessThan(((paused.recordedMs + most) / 1_000) * 2 + 8);
    await engine.recording.discard({});
    expect(engine.state().recording).toBeNull();
    expect(readdirSync(recordingsOf(join(root, 'paused')))).toEqual([]);
  });

  it('counts down first, and can be cancelled before and while it runs', async () => {
    const engine = await openRecordingEngine(join(root, 'countdown'), screen);
    const before = Date.now();
    expect((await engine.recording.start(request(AREA, { countdownSeconds: 10 }), never)).ok).toBe(true);
    expect(inState(engine, 'countdown').startsAt - before).toBeGreaterThanOrEqual(10_000);
    expect(await engine.recording.start(request(AREA), never)).toMatchObject({
      ok: false,
      error: { code: 'CAPTURE_BUSY' },
    });
    await engine.recording.discard({});
    expect(engine.state().recording).toBeNull();

    expect((await engine.recording.start(request(AREA, { countdownSeconds: 1 }), never)).ok).toBe(true);
    await untilIn(engine, 'recording');
    expect(Date.now() - before).toBeGreaterThan(1_000);
    await engine.recording.discard({});
    expect(engine.state().recording).toBeNull();
    expect(readdirSync(recordingsOf(join(root, 'countdown')))).toEqual([]);
    expect(await engine.recording.stop({})).toMatchObject({ ok: false, error: { code: 'CAPTURE_GONE' } });
    expect(await engine.recording.pause()).toMatchObject({ ok: false, error: { code: 'CAPTURE_GONE' } });
  });

  it('with the pointer has it, and without it has not', async () => {
    const engine = await openRecordingEngine(join(root, 'pointer'), screen);
    const at = { x: 500, y: 400, width: 64, height: 64 };
    await screen.run('xdotool', 'mousemove', '530', '430');
    const pictures: string[] = [];
    for (const pointer of ['hide', 'show', 'hide'] as const) {
      expect((await engine.recording.start(request(at, { pointer }), never)).ok).toBe(true);
      await recordFor(engine, 300);
      await engine.recording.stop({});
      pictures.push(await firstFrame(fileIn(engine)));
      await engine.recording.discard({});
    }
    expect(pictures[0]).toBe(pictures[2]);
    expect(pictures[1]).not.toBe(pictures[0]);
  });

  it('begins with the region selected on the frozen screen, as the settings require', async () => {
    const engine = await openRecordingEngine(join(root, 'chosen'), screen);
    engine.settings.update({ recordingCountdownSeconds: 0, reviewRecordings: false });
    expect(await engine.capture.start({ mode: 'region', purpose: 'recording' }, never)).toEqual(ok({}));
    const { capture } = engine.state();
    if (capture?.state !== 'choosing') throw new Error('The screen is not frozen.');
    expect((await engine.capture.choose({ id: capture.id, area: AREA, way: null }, never)).ok).toBe(true);
    await untilIn(engine, 'recording');
    await recordFor(engine, 300);
    expect((await engine.recording.stop({})).ok).toBe(true);
    expect(engine.state().recording).toBeNull();
    expect(engine.state().queue.items).toMatchObject([{ origin: 'recording', job: { kind: 'file', fit: null } }]);
    const whole = request(AREA, { target: { mode: 'last' } });
    expect(await engine.recording.start(whole, never)).toMatchObject({ ok: true });
    expect(inState(engine, 'recording').area).toMatchObject(CORNER);
    await engine.recording.discard({});
  });

  it('without a countdown looks at the screen when the frozen one has left it', async () => {
    const steps: string[] = [];
    const clock: Clock = {
      ...systemClock,
      async sleep(ms, signal) {
        await systemClock.sleep(ms, signal);
        if (ms === CLEARING_MS) steps.push('cleared');
      },
    };
    const engine = await openRecordingEngine(join(root, 'cleared'), screen, {
      ports: { clock },
      alter: (real) => ({
        ...real,
        capturer: {
          ...real.capturer,
          displays(signal) {
            steps.push('looked');
            return real.capturer.displays(signal);
          },
        },
      }),
    });
    engine.settings.update({ recordingCountdownSeconds: 0 });
    await engine.capture.start({ mode: 'region', purpose: 'recording' }, never);
    const { capture } = engine.state();
    if (capture?.state !== 'choosing') throw new Error('The screen is not frozen.');
    steps.length = 0;
    const choosing = engine.capture
      .choose({ id: capture.id, area: AREA, way: null }, never)
      .then((reply) => only(reply, 'item'));
    expect([engine.state().capture, steps]).toEqual([null, []]);
    expect((await choosing).ok).toBe(true);
    expect(steps.slice(0, 2)).toEqual(['cleared', 'looked']);
    await engine.recording.discard({});
  });

  it('of a screen has its size; one of a region that was never chosen is refused', async () => {
    const engine = await openRecordingEngine(join(root, 'screen'), screen);
    const whole = request(AREA, { target: { mode: 'screen', number: 1 } });
    expect(await engine.recording.start(whole, never)).toMatchObject({ ok: true });
    await recordFor(engine, 300);
    await engine.recording.stop({});
    expect(inState(engine, 'review')).toMatchObject({ width: 800, height: 600 });
    // A recording in review blocks no other.
    const last = request(AREA, { target: { mode: 'last' } });
    expect(await engine.recording.start(last, never)).toMatchObject({
      ok: false,
      error: { code: 'CAPTURE_AREA_INVALID' },
    });
    await engine.recording.discard({});
  });

  it.each([
    ['a region beyond the desktop', { x: 700, y: 0, width: 200, height: 100 }, {}, 'CAPTURE_AREA_INVALID', 'beyond'],
    ['a region too small for a video', { x: 0, y: 0, width: 9, height: 100 }, {}, 'CAPTURE_AREA_INVALID', '16 x 16'],
    ['sound that is not there', AREA, { sound: 'both' }, 'CAPTURE_UNAVAILABLE', 'cannot be recorded here'],
  ] as const)('of %s is refused with an explanation and leaves no files', async (name, area, more, code, words) => {
    const profileDir = join(root, name.replaceAll(' ', '-'));
    const engine = await openRecordingEngine(profileDir, screen);
    const started = await engine.recording.start(request(area, more), never);
    expect(started).toMatchObject({ ok: false, error: { code } });
    expect(started.ok ? '' : started.error.detail).toContain(words);
    expect(engine.state().recording).toBeNull();
  });

  it('reports missing ffmpeg, a missing screen, and Wayland', async () => {
    const places: readonly [Record<string, string | undefined>, string][] = [
      [{ ...screen.environment, LINKSHOT_FFMPEG: '/nowhere' }, 'VIDEO_TOOL_MISSING'],
      [{ PATH: process.env['PATH'] }, 'CAPTURE_UNAVAILABLE'],
      [{ ...screen.environment, WAYLAND_DISPLAY: 'wayland-0', XDG_SESSION_TYPE: 'wayland' }, 'CAPTURE_UNAVAILABLE'],
    ];
    for (const [index, [environment, code]] of places.entries()) {
      const engine = await openRecordingEngine(join(root, `missing-${index}`), { environment });
      expect(await engine.recording.start(request(AREA), never)).toMatchObject({ ok: false, error: { code } });
      expect(engine.state().recording).toBeNull();
    }
  });
});

describe('while a recording waits in review, another one', () => {
  const GONE = { ok: false, error: { code: 'CAPTURE_GONE' } };

  /** Resolves with the ids of the one that waits and of the other, which runs or counts down. */
  const openWithTwo = async (name: string, countdownSeconds = 0) => {
    const engine = await openRecordingEngine(join(root, name), screen);
    await engine.recording.start(request(AREA), never);
    await recordFor(engine, 300);
    const { id: waiting } = must(await engine.recording.stop({}));
    const { id } = must(await engine.recording.start(request(AREA, { countdownSeconds }), never));
    const discardTwice = (other: RecordingId) =>
      Promise.all([engine.recording.discard({ id: other }), engine.recording.discard({ id: other })]);
    return { engine, waiting, id, discardTwice };
  };

  it('that was discarded is gone for the stop that names it', async () => {
    const { engine, waiting, id } = await openWithTwo('gone-for-stop');
    await engine.recording.discard({});
    expect(await engine.recording.stop({ id })).toMatchObject(GONE);
    expect(inState(engine, 'review').id).toBe(waiting);
    expect(await engine.recording.stop({ id: waiting })).toEqual(ok({ id: waiting }));
  });

  it('is not stopped by the id of an earlier one, also not in its countdown', async () => {
    const { engine, waiting, id } = await openWithTwo('not-stopped', 10);
    expect(await engine.recording.stop({ id: waiting })).toEqual(ok({ id: waiting }));
    expect(inState(engine, 'countdown').id).toBe(id);
    await engine.recording.discard({ id });
    const { id: next } = must(await engine.recording.start(request(AREA), never));
    expect(await engine.recording.stop({ id })).toMatchObject(GONE);
    expect(inState(engine, 'recording').id).toBe(next);
    await engine.recording.discard({ id: next });
  });

  it('is what the stop that names it answers with, until it is discarded', async () => {
    const { engine, waiting, id } = await openWithTwo('named');
    await recordFor(engine, 300);
    const stopped = await Promise.all([engine.recording.stop({ id }), engine.recording.stop({ id })]);
    expect(stopped).toEqual([ok({ id }), ok({ id })]);
    const cut = { startMs: 0, endMs: null, form: 'video' } as const;
    expect((await engine.recording.publish({ id, cut, share: {} })).ok).toBe(true);
    expect(await engine.recording.stop({ id })).toEqual(ok({ id }));
    await engine.recording.discard({ id });
    expect(inState(engine, 'review').id).toBe(waiting);
    await engine.recording.discard({ id: waiting });
    expect(await engine.recording.stop({ id: waiting })).toMatchObject(GONE);
  });

  it.each([
    ['its countdown', 10],
    ['its course', 0],
  ])('that is discarded twice in %s takes no other along', async (name, countdownSeconds) => {
    const { engine, waiting, id, discardTwice } = await openWithTwo(name.replace(' ', '-'), countdownSeconds);
    expect(await discardTwice(id)).toEqual([ok({}), ok({})]);
    expect(inState(engine, 'review').id).toBe(waiting);
  });

  it('that ends when it is discarded is deleted, and no other', async () => {
    const { engine, waiting, id, discardTwice } = await openWithTwo('ends-meanwhile');
    await recordFor(engine, 300);
    const stopping = engine.recording.stop({});
    await discardTwice(id);
    expect((await stopping).ok).toBe(true);
    expect(inState(engine, 'review').id).toBe(waiting);
    await discardTwice(waiting);
    expect(engine.state().recording).toBeNull();
  });

  it('keeps its id from the countdown on', async () => {
    const { engine, id } = await openWithTwo('same-id', 1);
    expect(inState(engine, 'countdown').id).toBe(id);
    expect((await untilIn(engine, 'recording')).id).toBe(id);
    await engine.recording.discard({ id });
  });
});
