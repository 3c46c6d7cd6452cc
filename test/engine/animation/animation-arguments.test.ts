import { expect, it } from 'vitest';
import {
  gifArguments,
  planAnimation,
  samplePieces,
  webpArguments,
} from '../../../src/engine/animation/animation-arguments.ts';
import type { AnimationOptions } from '../../../src/ipc/protocol/animation.ts';

const VIDEO = { width: 1_920, height: 1_080, pixelAspect: 1, rotation: 0, seconds: 12.5 } as const;
const OPTIONS: AnimationOptions = { format: 'webp', fps: 10, width: null, startMs: 0, endMs: null, plays: 0 };
const planned = (change: Partial<AnimationOptions>, video: Partial<Parameters<typeof planAnimation>[0]> = {}) =>
  planAnimation({ ...VIDEO, ...video }, { ...OPTIONS, ...change });

it('takes the wished part in the size of the video, and never enlarges', () => {
  expect(planned({})).toEqual({
    ok: true,
    value: { start: 0, seconds: 12.5, width: 1_920, height: 1_080, frames: 125 },
  });
  expect(planned({ startMs: 2_500, endMs: 4_000, width: 640 })).toEqual({
    ok: true,
    value: { start: 2.5, seconds: 1.5, width: 640, height: 360, frames: 15 },
  });
  expect(planned({ width: 3_000, endMs: 60_000 })).toMatchObject({ value: { width: 1_920, seconds: 12.5 } });
});

it('has the size of what is shown: turned, and with square pixels', () => {
  expect(planned({ width: 540 }, { rotation: 90 })).toMatchObject({ value: { width: 540, height: 960 } });
  expect(planned({}, { width: 720, height: 576, pixelAspect: 16 / 15 })).toMatchObject({
    value: { width: 768, height: 576 },
  });
});

it('refuses what has no frames or too many, and says what to choose', () => {
  const detailOf = (change: Partial<AnimationOptions>, video = {}) => {
    const plan = planned(change, video);
    return plan.ok ? 'none' : plan.error.detail;
  };
  expect(detailOf({ startMs: 12_500 })).toBe('The video lasts 12.5 s. Choose a start before its end.');
  expect(detailOf({ startMs: 3_000, endMs: 3_000 })).toContain('Choose a later end.');
  expect(detailOf({ fps: 30 }, { seconds: 60.1 })).toContain('at most 1800 frames, and this one would have 1803');
});

it('plays as often as it is asked to, in the way of each format', () => {
  const plan = { start: 0, seconds: 1, width: 4, height: 3, frames: 10 };
  const loopOf = (plays: number) => {
    const gif = gifArguments('a.mp4', plan, plan, { fps: 10, plays }, { palette: 'p.png', target: 't.gif' });
    const webp = webpArguments('a.mp4', plan, plan, { fps: 10, plays }, 't.webp');
    return [gif, webp].map((args) => args[args.indexOf('-loop') + 1]);
  };
  expect([0, 1, 3].map(loopOf)).toEqual([
    ['0', '0'],
    ['-1', '1'],
    ['2', '3'],
  ]);
});

it('predicts from its beginning, middle and end, and from the whole where it is short', () => {
  expect(samplePieces({ start: 2, seconds: 3 })).toEqual([{ start: 2, seconds: 3 }]);
  expect(samplePieces({ start: 2, seconds: 10 })).toEqual([
    { start: 2, seconds: 1 },
    { start: 6.5, seconds: 1 },
    { start: 11, seconds: 1 },
  ]);
});
