/** The trim range of a recording and the cost of cutting it. */
import { describe, expect, it } from 'vitest';
import { encodedMs, keyFrameNear, withEdge } from '../../../src/renderer/screens/review/trim-range.ts';

const KEY_FRAMES = [0, 2_000, 4_000];
const range = (startMs: number, endMs: number) => ({ startMs, endMs });

describe('the ends of a cut', () => {
  it('stay within the recording and never pass each other', () => {
    expect(withEdge(range(0, 5_000), 'start', -10, 5_000)).toEqual(range(0, 5_000));
    expect(withEdge(range(0, 5_000), 'end', 9_000, 5_000)).toEqual(range(0, 5_000));
    expect(withEdge(range(0, 3_000), 'start', 4_000, 5_000)).toEqual(range(2_800, 3_000));
    expect(withEdge(range(3_000, 5_000), 'end', 0, 5_000)).toEqual(range(3_000, 3_200));
  });

  it('leave a recording that is shorter than any clip whole', () => {
    expect(withEdge(range(0, 100), 'start', 50, 100)).toEqual(range(0, 100));
    expect(withEdge(range(0, 100), 'end', 50, 100)).toEqual(range(0, 100));
  });
});

describe('the encoded part', () => {
  it('is nothing at a key frame, wherever the end is', () => {
    expect(encodedMs(range(0, 4_321), KEY_FRAMES)).toBe(0);
    expect(encodedMs(range(2_001, 4_321), KEY_FRAMES)).toBe(0);
  });

  it('reaches to the next key frame, or to the end where none is left', () => {
    expect(encodedMs(range(1_200, 5_000), KEY_FRAMES)).toBe(800);
    expect(encodedMs(range(1_200, 1_700), KEY_FRAMES)).toBe(500);
    expect(encodedMs(range(4_400, 5_000), KEY_FRAMES)).toBe(600);
  });
});

it('the key frame to go to is the nearest that leaves something, and none where the start is one', () => {
  expect(keyFrameNear(range(1_200, 5_000), KEY_FRAMES)).toBe(2_000);
  expect(keyFrameNear(range(900, 5_000), KEY_FRAMES)).toBe(0);
  expect(keyFrameNear(range(1_900, 2_100), KEY_FRAMES)).toBe(0);
  expect(keyFrameNear(range(2_000, 5_000), KEY_FRAMES)).toBeNull();
});
