/** Whenever the process ends, the next start recovers the recording except for at most three seconds. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/engine.ts';
import {
  expectRecovered,
  expectWhole,
  killAfter,
  recordedFile,
  startVictim,
  untilStored,
  type Victim,
} from '../../support/processes/recording-victim.ts';
import { must, only } from '../../support/results.ts';
import {
  inState,
  never,
  openRecordingEngine,
  recordingsOf,
  request,
  untilIn,
} from '../../support/screen/recording-fixture.ts';
import { CLOCK, openScreenClock } from '../../support/screen/screen-clock.ts';
import { openXScreen, type XScreen } from '../../support/screen/x-screen.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const AREA = { x: 0, y: 0, width: CLOCK.width, height: CLOCK.height };
const root = temporaryFolder('recording-crash');

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

const startProcess = (name: string, pauseMs?: number): Promise<Victim> =>
  startVictim(join(root, name), screen, pauseMs);

/** A part of it never reached the disk. */
const holed = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  return copy.fill(0, at, at + 512);
};

describe('a process that is killed while it records', () => {
  const moments = [800, 2_300, 3_900];
  it(`after ${moments.join(', ')} ms or after a pause, loses three seconds at most, and leaves no ffmpeg behind`, async () => {
    const kill = async (name: string, ms: number, pauseMs?: number) => {
      const running = await startProcess(name, pauseMs);
      return { ...running, length: running.before + (await killAfter(running, ms)) };
    };
    const killed = await Promise.all([
      ...moments.map((ms) => kill(`killed-${ms}`, ms)),
      kill('killed-paused', 1_500, 1_200),
    ]);
    for (const one of killed) await expectRecovered(one, screen);
  });
});

describe('what a crash left', () => {
  /** Three fragments and more of a killed process, each in a profile of its own. */
  const left = async (name: string) => {
    const running = await startProcess(name);
    await untilStored(running, 3);
    await killAfter(running, 0);
    const [id = ''] = readdirSync(recordingsOf(running.profileDir));
    return { ...running, piece: join(recordingsOf(running.profileDir), id, '0.mp4') };
  };

  it('is read up to the damage, whether its end is torn off, empty or something else', async () => {
    const torn = await left('torn');
    const bytes = await readFile(torn.piece);
    const { size } = await stat(torn.piece);
    const damages: readonly [string, () => Promise<void>][] = [
      ['torn', () => truncate(torn.piece, size - 700)],
      ['empty', () => writeFile(torn.piece, Buffer.concat([bytes.subarray(0, size - 900), Buffer.alloc(900)]))],
      ['with a hole', () => writeFile(torn.piece, holed(bytes, size - 2_000))],
      ['strange', () => writeFile(torn.piece, Buffer.concat([bytes, Buffer.alloc(50_000, 7)]))],
    ];
    for (const [, damage] of damages) {
      await damage();
      const engine = await openRecordingEngine(torn.profileDir, screen);
      const review = await untilIn(engine, 'review');
      expect(review.durationMs).toBeGreaterThanOrEqual(500);
      await expectWhole(recordedFile(torn.profileDir), review);
      // As the crash left it, for the next damage.
      await engine.close();
      await rm(recordedFile(torn.profileDir));
      await writeFile(torn.piece, bytes);
    }
  });

  it('is queued directly where recordings are not reviewed', async () => {
    const { profileDir } = await left('unseen');
    const before = await openRecordingEngine(profileDir, screen, { ports: { environment: {} } });
    await untilIn(before, 'review');
    expect(before.settings.update({ reviewRecordings: false }).ok).toBe(true);
    await before.close();
    // A recording in review stays in review, regardless of the settings.
    const engine = await openRecordingEngine(profileDir, screen);
    const { id } = await untilIn(engine, 'review');
    expect(
      only(await engine.recording.publish({ id, cut: { startMs: 0, endMs: null, form: 'video' }, share: {} }), 'item'),
    ).toMatchObject({ ok: true });
    expect(engine.state().queue.items).toMatchObject([{ origin: 'recording', source: { owner: 'spool' } }]);
    expect(readdirSync(recordingsOf(profileDir))).toEqual([]);

    const started = await engine.recording.start(request(AREA), never);
    expect(started).toMatchObject({ ok: true });
    const { since } = inState(engine, 'recording');
    await until(() => Date.now() - since > 1_000);
    await engine.close();
    const next = await openRecordingEngine(profileDir, screen);
    await until(() => next.state().queue.items.length === 2);
    await until(() => next.state().recording === null);

    // Its link must not be taken for one with the settings of a later request.
    const { id: ended } = must(started);
    const whole = { startMs: 0, endMs: null, form: 'video' } as const;
    const item = next.state().queue.items[1]?.id;
    for (const later of [{ cut: whole, share: { password: 'secret1234' } }, { cut: { ...whole, startMs: 500 } }])
      expect(await next.recording.publish({ id: ended, ...later })).toMatchObject({
        error: { code: 'CAPTURE_GONE', detail: expect.stringContaining('in the queue already') },
      });
    expect(must(await next.recording.publish({ id: ended, cut: whole }))).toEqual({ item });
  });
});

it('that is asked to end while it records ends cleanly, and shows the recording at the next start', async () => {
  const victim = await startProcess('quit');
  const { child, profileDir, since } = victim;
  // Else the last pictures could be missing.
  await untilStored(victim, 3);
  const length = Date.now() - since;
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  const engine = await openRecordingEngine(profileDir, screen);
  const review = await untilIn(engine, 'review');
  expect(review.isRecovered).toBe(false);
  expect(review.durationMs).toBeGreaterThan(length - 100);
  expect(engine.state().notices).toEqual([]);
});
