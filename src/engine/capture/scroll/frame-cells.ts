/**
 * Divides a frame into cells, one row high and a band of columns wide, and hashes each, so that frames can be compared
 * by content. Also turns frames by swapping rows and columns. Pure.
 */
import type { Pixels } from '../../ports.ts';

export interface FrameCells {
  readonly width: number;
  readonly height: number;
  /** One number per pixel. */
  readonly pixels: Uint32Array;
  readonly bands: number;
  /** By row, then by band. */
  readonly hashes: Uint32Array;
  /** 1: the cell has an edge, so it can be recognised elsewhere. */
  readonly hasEdge: Uint8Array;
}

/** Enough that something that moves in a part of the frame leaves most cells of a row equal. */
const BANDS = 24;
const BAND_PIXELS_MIN = 4;

const asNumbers = ({ data, width, height }: Pixels): Uint32Array =>
  data.byteOffset % 4 === 0
    ? new Uint32Array(data.buffer, data.byteOffset, width * height)
    : new Uint32Array(Uint8Array.from(data).buffer);

/** The first column of a band. */
export const bandStart = (width: number, bands: number, band: number): number => Math.floor((width * band) / bands);

export const cellsOf = (frame: Pixels): FrameCells => {
  const { width, height } = frame;
  const pixels = asNumbers(frame);
  const bands = Math.max(1, Math.min(BANDS, Math.floor(width / BAND_PIXELS_MIN)));
  const hashes = new Uint32Array(height * bands);
  const hasEdge = new Uint8Array(height * bands);
  for (let y = 0; y < height; y++) {
    for (let band = 0; band < bands; band++) {
      const from = y * width + bandStart(width, bands, band);
      const to = y * width + bandStart(width, bands, band + 1);
      const first = pixels[from] as number;
      let hash = 0x811c9dc5;
      let isUniform = true;
      for (let at = from; at < to; at++) {
        const pixel = pixels[at] as number;
        if (pixel !== first) isUniform = false;
        hash = Math.imul(hash ^ pixel, 0x01000193);
        hash ^= hash >>> 15;
      }
      const cell = y * bands + band;
      hashes[cell] = hash;
      hasEdge[cell] = isUniform && (y === 0 || hashes[cell] === hashes[cell - bands]) ? 0 : 1;
    }
  }
  return { width, height, pixels, bands, hashes, hasEdge };
};

/** Rows become columns: what moves sideways then moves down. */
export const swapAxes = (frame: Pixels): Pixels => {
  const { width, height } = frame;
  const from = asNumbers(frame);
  const to = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) to[x * height + y] = from[y * width + x] as number;
  return { width: height, height: width, data: new Uint8Array(to.buffer) };
};

/** Marks the cells that differ. */
export const changedCells = (one: FrameCells, other: FrameCells): Uint8Array => {
  const changed = new Uint8Array(one.hashes.length);
  for (let cell = 0; cell < changed.length; cell++) if (one.hashes[cell] !== other.hashes[cell]) changed[cell] = 1;
  return changed;
};

export const countOf = (cells: Uint8Array): number => {
  let count = 0;
  for (const cell of cells) count += cell;
  return count;
};
