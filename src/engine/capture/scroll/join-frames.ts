/**
 * Joins the frames of a scrolled region into one tall picture, by comparing their content; for sideways scrolling the
 * caller swaps rows and columns. Strips that do not scroll, such as headers, appear once. A frame whose position cannot
 * be found is not added, and the result of `add` gives the reason; a frame at a likely position is added as not exact.
 */
import { SERVICE_PIXELS_MAX } from '../../image/probe-image.ts';
import type { Pixels } from '../../ports.ts';
import { findShift, looksSameShifted } from './find-shift.ts';
import { bandStart, type FrameCells } from './frame-cells.ts';
import { scaleTail } from './scale-tail.ts';

export type JoinStep =
  /**
   * `moving`: the height of what scrolls. `isExact`: only one position was equal, and nothing floats above the page or
   * was loaded too late.
   */
  | { readonly state: 'joined'; readonly rows: number; readonly moving: number; readonly isExact: boolean }
  /** Nothing moved; `mayHaveMoved`: or what moved looks the same everywhere. */
  | { readonly state: 'same'; readonly mayHaveMoved: boolean }
  /** Nothing was added. `row`: the end of what is certain. */
  | {
      readonly state: 'uncertain';
      readonly reason: 'nothing-matches' | 'several-match' | 'gap' | 'resized';
      readonly row: number;
    }
  /** More would be larger than the service takes. */
  | { readonly state: 'full' };

export interface FrameJoiner {
  /** The first frame begins the picture. */
  add(frame: FrameCells, restless?: Uint8Array | null, expected?: number | null): JoinStep;
  /** Removes the last piece; false: only the first frame is left, or the one before was removed already. */
  undo(): boolean;
  readonly canUndo: boolean;
  /** Height of the picture so far. */
  readonly length: number;
  result(): Pixels;
  /** The last rows of the picture so far, scaled down to this width. */
  preview(width: number, rowsMax: number): Pixels;
}

interface Piece {
  readonly frame: FrameCells;
  /** The row of the picture at which this frame begins. */
  readonly start: number;
  /** The end of the certain rows, without the strip at the bottom. */
  readonly end: number;
  /** The strips that stay. */
  readonly top: number;
  readonly bottom: number;
}

export const createFrameJoiner = (pixelsMax = SERVICE_PIXELS_MAX): FrameJoiner => {
  let picture = new Uint32Array(0);
  let last: Piece | null = null;
  /** For undo: what each piece replaced. */
  let before: { piece: Piece; from: number; rows: Uint32Array } | null = null;

  const reserve = (rows: number, width: number): void => {
    if (rows * width <= picture.length) return;
    const larger = new Uint32Array(Math.max(rows * width, Math.min(picture.length * 2, pixelsMax)));
    larger.set(picture);
    picture = larger;
  };

  const begin = (frame: FrameCells): void => {
    reserve(frame.height, frame.width);
    picture.set(frame.pixels);
    last = { frame, start: 0, end: frame.height, top: 0, bottom: 0 };
  };

  const join = (previous: Piece, frame: FrameCells, restless: Uint8Array | null, expected: number | null): JoinStep => {
    const { width, height } = frame;
    const row = previous.end;
    const isResized = width !== previous.frame.width || height !== previous.frame.height;
    if (isResized) return { state: 'uncertain', reason: 'resized', row };
    const shift = findShift(previous.frame, frame, restless, expected);
    if (shift.state === 'same') {
      const moving = { top: previous.top, bottom: previous.bottom, most: expected ?? height };
      return { state: 'same', mayHaveMoved: looksSameShifted(previous.frame, frame, restless, moving) };
    }
    if (shift.state === 'unclear') return { state: 'uncertain', reason: shift.reason, row };
    const { rows, top, bottom, isExact } = shift;
    const start = previous.start + rows;
    const certain = Math.min(previous.end, previous.start + height - bottom);
    if (certain - start < top) return { state: 'uncertain', reason: 'gap', row };
    const end = start + height - bottom;
    if ((end + bottom) * width > pixelsMax) return { state: 'full' };
    reserve(end + bottom, width);
    before = { piece: previous, from: start + top, rows: picture.slice((start + top) * width, row * width) };
    const { floats, isLate } = refresh(previous.frame, frame, restless, {
      start,
      rows,
      from: top,
      to: certain - start,
    });
    picture.set(frame.pixels.subarray((certain - start) * width, (height - bottom) * width), certain * width);
    last = { frame, start, end, top, bottom };
    return { state: 'joined', rows, moving: height - top - bottom, isExact: isExact && !floats && !isLate };
  };

  /**
   * Replaces what is shown again, as it may have been loaded meanwhile; not where something floats above it. `floats`:
   * a trace of it may be left. `isLate`: what was loaded reaches the first row that is shown again, so that rows above
   * it, which are not shown again, may still look as before.
   */
  const refresh = (
    old: FrameCells,
    frame: FrameCells,
    restless: Uint8Array | null,
    { start, rows, from, to }: { start: number; rows: number; from: number; to: number },
  ): { readonly floats: boolean; readonly isLate: boolean } => {
    const { width, bands } = frame;
    const differs = (cell: number): boolean => frame.hashes[cell] !== old.hashes[cell + rows * bands];
    const stays = (cell: number): boolean => frame.hashes[cell] === old.hashes[cell];
    const isFloating = (below: number): boolean =>
      frame.hashes[below] === old.hashes[below] && old.hasEdge[below] === 1;
    const isLoaded = (cell: number): boolean => {
      const below = cell + rows * bands;
      return differs(cell) && !stays(cell) && !isFloating(below) && !restless?.[cell] && !restless?.[below];
    };
    let [floats, isLate] = [false, false];
    for (let y = from; y < to; y++)
      for (let band = 0; band < bands; band++) {
        const cell = y * bands + band;
        if (!differs(cell)) continue;
        // What floats in the upper half stays where it was first, and what floats in the lower half where it is last.
        const floating = isFloating(cell + rows * bands);
        floats ||= floating;
        if (floating && y + rows < frame.height / 2) continue;
        isLate ||= y === from && isLoaded(cell);
        // A blank cell of what was loaded can equal by chance what was here before: the cells around it tell.
        const isPartOfLoaded = (y > from && isLoaded(cell - bands)) || (y + 1 < to && isLoaded(cell + bands));
        if (stays(cell) && frame.hasEdge[cell] && !floating && !isPartOfLoaded) continue;
        const [left, right] = [bandStart(width, bands, band), bandStart(width, bands, band + 1)];
        picture.set(frame.pixels.subarray(y * width + left, y * width + right), (start + y) * width + left);
      }
    return { floats, isLate };
  };

  /** The last frame shows the strip at the bottom; the next piece replaces it. */
  const withStrip = ({ frame, end, bottom }: Piece): { readonly width: number; readonly length: number } => {
    const { width, height } = frame;
    reserve(end + bottom, width);
    picture.set(frame.pixels.subarray((height - bottom) * width), end * width);
    return { width, length: end + bottom };
  };

  return {
    add(frame, restless = null, expected = null) {
      if (last) return join(last, frame, restless, expected);
      begin(frame);
      return { state: 'joined', rows: frame.height, moving: frame.height, isExact: true };
    },
    undo() {
      if (!before || !last) return false;
      picture.set(before.rows, before.from * last.frame.width);
      last = before.piece;
      before = null;
      return true;
    },
    get canUndo() {
      return before !== null;
    },
    get length() {
      return last ? last.end + last.bottom : 0;
    },
    result() {
      if (!last) return { width: 0, height: 0, data: new Uint8Array(0) };
      const { width, length } = withStrip(last);
      return { width, height: length, data: new Uint8Array(picture.slice(0, length * width).buffer) };
    },
    preview(width, rowsMax) {
      return scaleTail(picture, last ? withStrip(last) : { width: 0, length: 0 }, { width, rowsMax });
    },
  };
};
