/** A capture that starts before the engine: the engine receives the prefetched pixels, once. */
import { describe, expect, it } from 'vitest';
import { err, failure } from '../../../src/api/errors.ts';
import { prefetchCapture } from '../../../src/engine/capture/prefetch-capture.ts';
import type { ScreenCapturer } from '../../../src/engine/ports.ts';
import type { Area, CaptureTarget } from '../../../src/ipc/protocol/capture.ts';
import { paintScreen } from '../../support/screen/painted-screen.ts';

const never = new AbortController().signal;
const SCREEN = { x: 0, y: 0, width: 40, height: 30 };
const REGION = { x: 3, y: 4, width: 10, height: 5 };

const watched = (change: Partial<ScreenCapturer> = {}) => {
  const screen = { ...paintScreen([SCREEN]), ...change };
  const grabs: Area[] = [];
  const recorder: ScreenCapturer = {
    ...screen,
    grab: (area, pointer, signal) => {
      grabs.push(area);
      return screen.grab(area, pointer, signal);
    },
  };
  return { recorder, grabs };
};
const begin = (recorder: ScreenCapturer, target: CaptureTarget) =>
  prefetchCapture(recorder, { target, pointer: 'hide' }, never);

describe('a prefetched capture', () => {
  it('returns the early pixels without capturing again', async () => {
    const { recorder, grabs } = watched();
    const begun = await begin(recorder, { mode: 'region', area: REGION });
    expect(grabs).toEqual([REGION]);
    const first = await begun.grab(REGION, 'hide', never);
    expect(await begun.grab(REGION, 'hide', never)).toBe(first);
    expect(grabs).toHaveLength(1);
    expect(await begun.displays(never)).toMatchObject({ ok: true, value: [SCREEN] });
  });

  it('captures again for another area, or with the pointer', async () => {
    const { recorder, grabs } = watched();
    const begun = await begin(recorder, { mode: 'all' });
    await begun.grab(REGION, 'hide', never);
    await begun.grab(SCREEN, 'show', never);
    expect(grabs).toEqual([SCREEN, REGION, SCREEN]);
  });

  it.each([
    ['the screen cannot be seen', { displays: async () => err(failure('CAPTURE_UNAVAILABLE', 'no')) }, SCREEN],
    ['the area is not there', {}, { ...REGION, x: 35 }],
    ['the pixels cannot be read', { grab: async () => err(failure('CAPTURE_UNAVAILABLE', 'no')) }, REGION],
  ])('is not used where %s: the engine captures and reports the error', async (_, change, area) => {
    const { recorder } = watched(change);
    expect(await begin(recorder, { mode: 'region', area })).toBe(recorder);
  });
});
