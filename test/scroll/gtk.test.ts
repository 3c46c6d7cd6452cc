/** A GTK list under Xvfb, scrolled and joined: pixel for pixel the same list in a window of its full height. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Result } from '../../src/api/errors.ts';
import { captureScrolling } from '../../src/engine/capture/scroll/scroll-to-end.ts';
import { createX11Capturer } from '../../src/engine/capture/x11/x11-capturer.ts';
import { systemClock } from '../../src/engine/node-ports.ts';
import type { Pixels } from '../../src/engine/ports.ts';
import { differingRows } from '../support/media/pixels.ts';
import { openXScreen, type XScreen } from '../support/screen/x-screen.ts';

const LIST = join(import.meta.dirname, '..', 'support', 'screen', 'gtk-list.py');
const ROWS = 120;
const WIDTH = 400;
const never = new AbortController().signal;
let screen: XScreen;
const programs: ChildProcess[] = [];
beforeAll(async () => {
  // Its pointer, in the middle, is beside the list.
  screen = await openXScreen(1_000, 4_000);
});
const end = async () => {
  for (const program of programs.splice(0)) {
    const gone = once(program, 'exit');
    program.kill();
    await gone;
  }
};
afterEach(end);
afterAll(() => screen.close());

/** Returns the height of the whole list. */
const show = async (height: number): Promise<number> => {
  const env = { ...screen.environment, GDK_BACKEND: 'x11', HOME: '/nonexistent', NO_AT_BRIDGE: '1' };
  const program = spawn('/usr/bin/python3', [LIST, `${ROWS}`, `${height}`], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  programs.push(program);
  const [line] = await once(program.stdout, 'data');
  return Number(line);
};
const good = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.detail ?? result.error.code);
  return result.value;
};

it('joins a list of 120 rows', async () => {
  const capturer = createX11Capturer({ display: screen.display, environment: screen.environment });
  /** Until the window is painted: frames that stay equal and are not the bare screen. */
  const settled = async (height: number): Promise<Pixels> => {
    const area = { x: 0, y: 0, width: WIDTH, height };
    let before: Pixels | null = null;
    for (;;) {
      const frame = good(await capturer.grab(area, 'hide', never));
      const isBare = frame.data[0] === 0x12 || frame.data[0] === 0xab || frame.data[0] === 0;
      if (!isBare && before && Buffer.compare(before.data, frame.data) === 0) return frame;
      before = frame;
      await systemClock.sleep(200, never);
    }
  };
  const full = await show(500);
  await settled(500);
  const area = { x: 0, y: 0, width: WIDTH, height: 500 };
  const { pixels, outcome } = good(
    await captureScrolling({ clock: systemClock, capturer }, { area, direction: 'down' }, never),
  );
  await end();
  await show(full);
  const expected = await settled(full);
  expect(outcome).toMatchObject({ ended: 'end', isExact: true });
  expect(pixels.height).toBe(full);
  expect(differingRows(pixels, expected)).toEqual([]);
}, 60_000);
