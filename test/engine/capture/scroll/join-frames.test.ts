/** Joining of frames on seeded pages: exact pixels, strips once, and a word where it is not certain. */
import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../../src/engine/capture/scroll/frame-cells.ts';
import { createFrameJoiner } from '../../../../src/engine/capture/scroll/join-frames.ts';
import type { Pixels } from '../../../../src/engine/ports.ts';
import { makePage, type ViewOptions, viewOf } from '../../../support/screen/scrolling-page.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const WIDTH = 240;
const VIEW = 200;
const page = makePage({ width: WIDTH, height: 1_000, seed: 1 });
const strip = (height: number, seed: number): Pixels => makePage({ width: WIDTH, height, seed });

const joinAt = (of: Pixels, tops: readonly number[], options: Partial<ViewOptions> = {}) => {
  const joiner = createFrameJoiner();
  const steps = tops.map((top) => joiner.add(cellsOf(viewOf(of, top, { height: VIEW, ...options }))));
  return { joiner, steps };
};
const equals = (one: Pixels, other: Pixels): boolean =>
  one.width === other.width && one.height === other.height && Buffer.compare(one.data, other.data) === 0;
const rowsOf = ({ width, data }: Pixels, from: number, to: number) =>
  Buffer.from(data.subarray(from * width * 4, to * width * 4));

describe('joining frames', () => {
  it.each(Array.from({ length: 20 }, (_, seed) => seed))('joins steps of any size to the page, seed %i', (seed) => {
    const random = seededRandom(seed);
    const of = makePage({ width: WIDTH, height: 1_200, seed });
    const tops = [0];
    while ((tops.at(-1) as number) < 1_000)
      tops.push(Math.min(1_000, (tops.at(-1) as number) + 1 + Math.floor(random() * 150)));
    const { joiner, steps } = joinAt(of, tops);
    expect(steps.every(({ state }) => state === 'joined')).toBe(true);
    expect(equals(joiner.result(), of)).toBe(true);
  });

  it('shows a header and a footer that stay once', () => {
    const options = { header: strip(30, 2), footer: strip(24, 3) };
    const { joiner } = joinAt(page, [0, 50, 100, 150, 333 - 100], options);
    const result = joiner.result();
    expect(result.height).toBe(233 + VIEW);
    expect(rowsOf(result, 0, 30)).toEqual(Buffer.from(options.header.data));
    expect(rowsOf(result, 30, result.height - 24)).toEqual(rowsOf(page, 30, 233 + VIEW - 24));
    expect(rowsOf(result, result.height - 24, result.height)).toEqual(Buffer.from(options.footer.data));
  });

  it('shows blank rows that stay once, at the edges and beside what stays', () => {
    const blank = (rows: number, value: number): Pixels => ({
      ...{ width: WIDTH, height: rows },
      data: new Uint8Array(rows * WIDTH * 4).fill(value),
    });
    const under = (one: Pixels, other: Pixels): Pixels => ({
      ...{ width: WIDTH, height: one.height + other.height },
      data: Uint8Array.from([...one.data, ...other.data]),
    });
    // Without blank rows of its own, which look the same as the margin.
    const dense: Pixels = { ...page, data: page.data.map((value, at) => (at % 4 === 3 ? 255 : value >> 1)) };
    const options = { header: under(strip(30, 2), blank(12, 240)), footer: blank(3, 240) };
    const { joiner, steps } = joinAt(dense, [0, 50, 100, 150], options);
    expect(steps.every((step) => step.state === 'joined' && step.isExact)).toBe(true);
    const result = joiner.result();
    expect(result.height).toBe(150 + VIEW);
    expect(rowsOf(result, 42, result.height - 3)).toEqual(rowsOf(dense, 42, 150 + VIEW - 3));
  });

  it('says that it may have moved where what repeats looks the same', () => {
    const repeated = makePage({ width: WIDTH, height: 800, seed: 5, period: 36 });
    expect(joinAt(repeated, [0, 72]).steps[1]).toEqual({ state: 'same', mayHaveMoved: true });
    expect(joinAt(page, [0, 0]).steps[1]).toEqual({ state: 'same', mayHaveMoved: false });
  });

  it('removes a button that floats over the content, except from the last frame', () => {
    const paint: ViewOptions['paint'] = (set) => {
      for (let y = 160; y < 180; y++) for (let x = 200; x < 220; x++) set(x, y, (x * y) % 90);
    };
    const { joiner } = joinAt(page, [0, 60, 120, 180], { paint });
    expect(rowsOf(joiner.result(), 0, 180 + 160)).toEqual(rowsOf(page, 0, 180 + 160));
  });

  it('joins around an animation and a cursor', () => {
    const random = seededRandom(9);
    const paint: ViewOptions['paint'] = (set) => {
      for (let y = 40; y < 90; y++) for (let x = 150; x < 230; x++) set(x, y, Math.floor(random() * 255));
    };
    const { joiner, steps } = joinAt(page, [0, 55, 110, 165], { paint });
    expect(steps.map(({ state }) => state)).toEqual(['joined', 'joined', 'joined', 'joined']);
    expect(joiner.length).toBe(165 + VIEW);
  });

  it('sees the end of the page, and goes on when it grows', () => {
    const { joiner, steps } = joinAt(page, [0, 60, 60, 60, 120]);
    expect(steps.map(({ state }) => state)).toEqual(['joined', 'joined', 'same', 'same', 'joined']);
    expect(equals(joiner.result(), viewOf(page, 0, { height: 320 }))).toBe(true);
  });

  it('does not guess where rows repeat, unless the distance is known', () => {
    const repeated = makePage({ width: WIDTH, height: 800, seed: 5, period: 36 });
    const { joiner, steps } = joinAt(repeated, [0, 50]);
    expect(steps[1]).toEqual({ state: 'uncertain', reason: 'several-match', row: VIEW });
    expect(equals(joiner.result(), viewOf(repeated, 0, { height: VIEW }))).toBe(true);
    expect(joiner.add(cellsOf(viewOf(repeated, 50, { height: VIEW })), null, 50)).toMatchObject({
      state: 'joined',
      rows: 50,
      isExact: false,
    });
  });

  it('keeps what is certain where nothing matches', () => {
    const joiner = createFrameJoiner();
    joiner.add(cellsOf(viewOf(page, 0, { height: VIEW })));
    joiner.add(cellsOf(viewOf(page, 80, { height: VIEW })));
    const step = joiner.add(cellsOf(viewOf(page, 500, { height: VIEW })));
    expect(step).toEqual({ state: 'uncertain', reason: 'nothing-matches', row: 280 });
    expect(equals(joiner.result(), viewOf(page, 0, { height: 280 }))).toBe(true);
  });

  it('joins by brightness where every pixel differs a little', () => {
    const blur = (pixels: Pixels, by: number): Pixels => ({
      ...pixels,
      data: pixels.data.map((value, at) => (at % 4 === 3 ? 255 : Math.max(0, value - ((at * 7 + by) % 3)))),
    });
    const joiner = createFrameJoiner();
    joiner.add(cellsOf(blur(viewOf(page, 0, { height: VIEW }), 0)));
    expect(joiner.add(cellsOf(blur(viewOf(page, 61, { height: VIEW }), 1)))).toMatchObject({
      state: 'joined',
      rows: 61,
      isExact: false,
    });
  });

  it('takes back the last piece', () => {
    const { joiner } = joinAt(page, [0, 60, 120]);
    expect(joiner.undo()).toBe(true);
    expect(equals(joiner.result(), viewOf(page, 0, { height: 260 }))).toBe(true);
    joiner.add(cellsOf(viewOf(page, 130, { height: VIEW })));
    expect(equals(joiner.result(), viewOf(page, 0, { height: 330 }))).toBe(true);
  });

  it('stops before the picture is larger than accepted', () => {
    const joiner = createFrameJoiner(WIDTH * 300);
    const steps = [0, 60, 120].map((top) => joiner.add(cellsOf(viewOf(page, top, { height: VIEW }))).state);
    expect(steps).toEqual(['joined', 'joined', 'full']);
    expect(equals(joiner.result(), viewOf(page, 0, { height: 260 }))).toBe(true);
  });

  it('says that the region was resized', () => {
    const { joiner } = joinAt(page, [0]);
    expect(joiner.add(cellsOf(viewOf(page, 10, { height: VIEW - 10 })))).toMatchObject({
      state: 'uncertain',
      reason: 'resized',
    });
  });
});
