/**
 * A process that records the clock of a virtual screen until a test ends it, and checks of what the next start
 * recovers.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { until, wait } from '../engine.ts';
import { openRecordingEngine, recordingsOf } from '../screen/recording-fixture.ts';
import { CLOCK, elapsed, readClock } from '../screen/screen-clock.ts';
import type { XScreen } from '../screen/x-screen.ts';

const SCRIPT = fileURLToPath(new URL('./recording-process.ts', import.meta.url));
/** The maximum loss. */
export const LOST_MS = 3_000;

export interface Victim {
  readonly child: ChildProcess;
  readonly profileDir: string;
  /** Start of its current segment, in milliseconds since 1970. */
  readonly since: number;
  /** Recorded before the current segment, in milliseconds. */
  readonly before: number;
}

/** `pauseMs`: after so long it pauses, and resumes. `camera`: arguments by which ffmpeg opens one. */
export const startVictim = async (
  profileDir: string,
  screen: XScreen,
  pauseMs?: number,
  camera?: readonly string[],
): Promise<Victim> => {
  mkdirSync(profileDir, { recursive: true });
  const words = [SCRIPT, profileDir, `0,0,${CLOCK.width},${CLOCK.height}`, ...(pauseMs ? [String(pauseMs)] : [])];
  const child = spawn(process.execPath, words, {
    env: { ...screen.environment, ...(camera && { CAMERA: JSON.stringify(camera) }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const failed = once(child, 'exit').then(() => {
    throw new Error('The process ended before it recorded.');
  });
  const [line] = (await Promise.race([once(child.stdout, 'data'), failed])) as [Buffer];
  failed.catch(() => {});
  return { child, profileDir, ...(JSON.parse(line.toString()) as { since: number; before: number }) };
};

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

/** Waits until so many fragments of its current segment are complete on the disk: each is half a second. */
export const untilStored = ({ profileDir }: Victim, fragments: number): Promise<void> => {
  const stored = (): number => {
    const [id = ''] = readdirSync(recordingsOf(profileDir));
    const folder = join(recordingsOf(profileDir), id);
    const pieces = readdirSync(folder).filter((name) => /^\d+\.mp4$/.test(name));
    const bytes = readFileSync(join(folder, `${pieces.length - 1}.mp4`));
    let count = 0;
    for (let at = bytes.indexOf('moof'); at >= 0; at = bytes.indexOf('moof', at + 4)) count += 1;
    // The last one may be on its way.
    return count - 1;
  };
  return until(() => stored() >= fragments, stored);
};

/**
 * Kills it so long after its current segment began, checks that ffmpeg has exited, and returns the length of that
 * segment.
 */
export const killAfter = async ({ child, since }: Victim, ms: number): Promise<number> => {
  await wait(Math.max(0, since + ms - Date.now()));
  const grabbers = childrenOf(child.pid ?? 0);
  expect(grabbers.length).toBeGreaterThan(0);
  const length = Date.now() - since;
  child.kill('SIGKILL');
  await until(() => !grabbers.some(isAlive));
  return length;
};

export const recordedFile = (profileDir: string): string => {
  const [id = ''] = readdirSync(recordingsOf(profileDir));
  return join(recordingsOf(profileDir), id, 'whole.mp4');
};

export const expectWhole = async (
  path: string,
  size: { readonly width: number; readonly height: number },
): Promise<readonly number[]> => {
  expect(size).toMatchObject({ width: CLOCK.width, height: CLOCK.height });
  const shown = await readClock(path);
  const [first = 0] = shown;
  for (const [frame, time] of shown.entries())
    expect(elapsed(first, time)).toBeGreaterThanOrEqual(elapsed(first, shown[frame - 1] ?? first));
  return shown;
};

/**
 * Starts Linkshot on the profile, and checks the recovered recording: `length` milliseconds were recorded, `before` of
 * them in completed segments. Returns the loss.
 */
export const expectRecovered = async (
  { profileDir, length, before }: { readonly profileDir: string; readonly length: number; readonly before: number },
  screen: XScreen,
): Promise<number> => {
  const engine = await openRecordingEngine(profileDir, screen);
  try {
    await until(
      () => engine.state().recording?.state === 'review' || readdirSync(recordingsOf(profileDir)).length === 0,
    );
    const { recording } = engine.state();
    if (recording?.state !== 'review') {
      // Nothing was on disk yet, which is acceptable only within three seconds.
      expect(length).toBeLessThan(LOST_MS);
      return length;
    }
    expect(recording.isRecovered).toBe(true);
    expect(recording.durationMs).toBeGreaterThan(Math.max(before - 50, length - LOST_MS));
    expect(recording.durationMs).toBeLessThan(length + LOST_MS);
    await expectWhole(recordedFile(profileDir), recording);
    expect(engine.state().notices.map(({ code }) => code)).toEqual(['RECORDING_RECOVERED']);
    return Math.max(0, length - recording.durationMs);
  } finally {
    await engine.close();
  }
};
