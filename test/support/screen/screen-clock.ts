/** A clock on a virtual screen that a test can read in every frame of a recording. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { XScreen } from './x-screen.ts';

/** Its size, at the upper left corner of where it is painted. */
export const CLOCK = { width: 240, height: 160 } as const;
const [COLUMNS, ROWS] = [6, 4];
const TICK_MS = 10;
const CYCLE_MS = 2 ** (COLUMNS * ROWS) * TICK_MS;

export const openScreenClock = async (
  screen: XScreen,
  { x, y }: { readonly x: number; readonly y: number },
): Promise<{ close(): Promise<void> }> => {
  const program = join(import.meta.dirname, 'screen-clock-process.mjs');
  const child = spawn(process.execPath, [program, String(x), String(y)], {
    env: { ...screen.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const failed = once(child, 'exit').then(() => {
    throw new Error('The program with the clock ended.');
  });
  await Promise.race([once(child.stdout, 'data'), failed]);
  failed.catch(() => {});
  return {
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
};

/** The clock in each frame of a video that has it in its upper left corner: milliseconds, in a cycle of 46 hours. */
export const readClock = async (path: string): Promise<readonly number[]> => {
  const crop = `crop=${CLOCK.width}:${CLOCK.height}:0:0,scale=${COLUMNS}:${ROWS}:flags=area,format=gray`;
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    ['-v', 'error', '-xerror', '-i', path, '-vf', crop, '-fps_mode', 'passthrough', '-f', 'rawvideo', '-'],
    { encoding: 'buffer', maxBuffer: 1 << 26 },
  );
  const cells = COLUMNS * ROWS;
  return Array.from({ length: stdout.length / cells }, (_, frame) => {
    const shown = stdout.subarray(frame * cells, (frame + 1) * cells);
    return shown.reduce((sum, light, bit) => sum + (light > 127 ? 2 ** bit : 0), 0) * TICK_MS;
  });
};

/** Elapsed time from clock value `before` to `after`. */
export const elapsed = (before: number, after: number): number => (after - before + CYCLE_MS) % CYCLE_MS;
