/**
 * Finds by how many rows the content of a scrolled frame moved up against the frame before it, and which strips at the
 * top and bottom did not move. Compares the frames cell by cell: equal cells vote for a shift; without exact equality,
 * brightness decides. Also tells whether a frame would look the same after a shift; pure functions.
 */
import { bandStart, type FrameCells } from './frame-cells.ts';

export type Shift =
  | { readonly state: 'same' }
  | { readonly state: 'unclear'; readonly reason: 'nothing-matches' | 'several-match' }
  | {
      readonly state: 'moved';
      readonly rows: number;
      /** Rows at the top and bottom that stayed while the rest moved. */
      readonly top: number;
      readonly bottom: number;
      /** False: matched by brightness or by the expected shift, because no or several positions are equal. */
      readonly isExact: boolean;
    };

/** At least this part of the cells that changed must be explained by the shift; the rest is animation. */
const EXPLAINED_MIN = 0.5;
/** Fewer matches can be chance. */
const HITS_MIN = 12;
/** Another shift that explains as much, with at least this part of the matches, makes the result ambiguous. */
const RIVAL_HITS = 0.25;
const RIVAL_MARGIN = 0.03;
/** The part of a frame that may be new. */
const SHIFT_MAX = 0.9;
/** Changes in fewer cells are a cursor or a clock. */
const STILL_MAX = 0.002;
/** The blank margin of a window or of a strip is narrower than a line of text. */
const MARGIN_ROWS_MAX = 24;
const marginOf = (height: number): number => Math.min(MARGIN_ROWS_MAX, height >> 3);

interface Vote {
  readonly rows: number;
  readonly hits: number;
  readonly explained: number;
}

/**
 * `restless`: cells that change although nothing scrolls. `expected`: the shift that a scroll of this size had before.
 */
export const findShift = (
  before: FrameCells,
  after: FrameCells,
  restless: Uint8Array | null,
  expected: number | null,
): Shift => {
  const moving = movingCells(before, after, restless);
  if (moving.length <= before.hashes.length * STILL_MAX) return { state: 'same' };
  const votes = voteFor(before, after, moving);
  const best = votes.reduce<Vote | null>((one, other) => (one && worth(one) >= worth(other) ? one : other), null);
  if (!best) return byBrightness(before, after);
  const rivals = votes.filter(
    (vote) =>
      vote.rows !== best.rows && vote.explained >= best.explained - RIVAL_MARGIN && vote.hits >= best.hits * RIVAL_HITS,
  );
  if (rivals.length === 0) return moved(before, after, best.rows, true);
  const known = [best, ...rivals].find(({ rows }) => rows === expected);
  return known ? moved(before, after, known.rows, false) : { state: 'unclear', reason: 'several-match' };
};

const worth = ({ hits, explained }: Vote): number => hits * explained ** 2;

const movingCells = (before: FrameCells, after: FrameCells, restless: Uint8Array | null): Uint32Array => {
  const moving: number[] = [];
  for (let cell = 0; cell < after.hashes.length; cell++)
    if (after.hashes[cell] !== before.hashes[cell] && !restless?.[cell]) moving.push(cell);
  return Uint32Array.from(moving);
};

/** The last row that differs: what is below may be a strip that stays. */
const endOfChange = (moving: Uint32Array, bands: number): number => Math.floor((moving.at(-1) ?? 0) / bands) + 1;

const voteFor = (before: FrameCells, after: FrameCells, moving: Uint32Array): readonly Vote[] => {
  const { bands, height } = before;
  const end = endOfChange(moving, bands);
  const votes: Vote[] = [];
  for (let rows = 1; rows <= height * SHIFT_MAX; rows++) {
    const limit = (end - rows) * bands;
    let [hits, all] = [0, 0];
    for (const cell of moving) {
      if (cell >= limit) break;
      const from = cell + rows * bands;
      if (!after.hasEdge[cell] && !before.hasEdge[from]) continue;
      all++;
      if (after.hashes[cell] === before.hashes[from]) hits++;
    }
    if (hits >= HITS_MIN && hits >= all * EXPLAINED_MIN) votes.push({ rows, hits, explained: hits / all });
  }
  return votes;
};

/** Finds the strips that stay: rows up to the first that moved, if something in them contradicts the shift. */
const moved = (before: FrameCells, after: FrameCells, rows: number, isExact: boolean): Shift => {
  const { bands, height } = before;
  /** The row moved, or it stayed against the shift, or either is possible. */
  const kindOf = (y: number): 'moved' | 'stayed' | 'either' => {
    let stayed = 0;
    for (let band = 0; band < bands; band++) {
      const cell = y * bands + band;
      const [below, above] = [cell + rows * bands, cell - rows * bands];
      const isNew = after.hashes[cell] === before.hashes[below];
      const isOld = above >= 0 && before.hashes[cell] === after.hashes[above];
      if (after.hashes[cell] !== before.hashes[cell]) {
        if ((isNew && before.hasEdge[below]) || (isOld && before.hasEdge[cell])) return 'moved';
      } else if (after.hasEdge[cell] && !isNew && !isOld) stayed++;
    }
    return stayed > 0 ? 'stayed' : 'either';
  };
  /**
   * Nothing in the row changed, although what the shift takes to it from below, or from it to above, is something else
   * and moved. In a part of the row that may be what floats above the page; nothing floats in all of its width.
   */
  const isMargin = (y: number, by: number): boolean => {
    if (y + by < 0 || y + by >= height) return false;
    const [there, here] = by > 0 ? [before, after] : [after, before];
    let [differing, hasMoved] = [0, false];
    for (let cell = y * bands; cell < (y + 1) * bands; cell++) {
      const other = cell + by * bands;
      if (after.hashes[cell] !== before.hashes[cell]) return false;
      if (there.hashes[other] === here.hashes[cell]) continue;
      differing++;
      hasMoved ||= before.hashes[other] !== after.hashes[other];
    }
    return hasMoved || differing === bands;
  };
  const margin = marginOf(height);
  let [top, bottom] = [0, 0];
  for (let y = 0; y < height; y++) {
    const kind = kindOf(y);
    if (kind === 'moved') break;
    if (kind === 'stayed' || (y < top + margin && isMargin(y, rows))) top = y + 1;
  }
  for (let y = height - 1; y > top; y--) {
    const kind = kindOf(y);
    if (kind === 'moved') break;
    if (kind === 'stayed' || (y >= height - bottom - margin && isMargin(y, -rows))) bottom = height - y;
  }
  return { state: 'moved', rows, top, bottom, isExact };
};

/**
 * Whether what is between the strips looks the same after a shift by up to `most` rows, so that two equal frames do not
 * tell that nothing moved: it is blank, or its rows repeat. Cells that differ are a cursor or a clock.
 */
export const looksSameShifted = (
  before: FrameCells,
  after: FrameCells,
  restless: Uint8Array | null,
  { top, bottom, most }: { readonly top: number; readonly bottom: number; readonly most: number },
): boolean => {
  const { bands, height, hashes } = after;
  const margin = marginOf(height);
  const [from, to] = [Math.max(top, margin) * bands, (height - Math.max(bottom, margin)) * bands];
  const isStill = (cell: number): boolean => hashes[cell] === before.hashes[cell] && !restless?.[cell];
  const isSame = (shift: number): boolean => {
    for (let cell = from; cell + shift < to; cell++) {
      const other = cell + shift;
      if (hashes[cell] !== hashes[other] && isStill(cell) && isStill(other)) return false;
    }
    return true;
  };
  const rowsMax = Math.min(most, (to - from) / bands / 2);
  for (let rows = 1; rows <= rowsMax; rows++) if (isSame(rows * bands)) return true;
  return false;
};

const BRIGHTNESS_MAX = 3;
/** The best shift must be this much better than one far from it. */
const CLEARLY_BETTER = 3;

/** The mean brightness of each cell; small differences of rendering remain small. */
const brightnessOf = ({ width, height, bands, pixels }: FrameCells): Float32Array => {
  const values = new Float32Array(height * bands);
  for (let y = 0; y < height; y++)
    for (let band = 0; band < bands; band++) {
      const [from, to] = [bandStart(width, bands, band), bandStart(width, bands, band + 1)];
      let sum = 0;
      for (let x = from; x < to; x++) {
        const pixel = pixels[y * width + x] as number;
        sum += (pixel & 0xff) + ((pixel >>> 8) & 0xff) + ((pixel >>> 16) & 0xff);
      }
      values[y * bands + band] = sum / 3 / (to - from);
    }
  return values;
};

const byBrightness = (before: FrameCells, after: FrameCells): Shift => {
  const unclear = { state: 'unclear', reason: 'nothing-matches' } as const;
  const { bands, height } = before;
  const [old, now] = [brightnessOf(before), brightnessOf(after)];
  const differences: number[] = [];
  for (let rows = 0; rows <= height * (1 - EXPLAINED_MIN); rows++) {
    const count = (height - rows) * bands;
    let sum = 0;
    for (let cell = 0; cell < count; cell++)
      sum += Math.abs((now[cell] as number) - (old[cell + rows * bands] as number));
    differences.push(sum / count);
  }
  const least = Math.min(...differences);
  const rows = differences.indexOf(least);
  const FAR = 4;
  const others = Math.min(...differences.filter((_, at) => Math.abs(at - rows) > FAR));
  if (rows === 0 || least > BRIGHTNESS_MAX || others < least * CLEARLY_BETTER) return unclear;
  return moved(before, after, rows, false);
};
