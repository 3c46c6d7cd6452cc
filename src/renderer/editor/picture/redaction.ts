/**
 * Redacts parts of an image permanently, with a solid colour or a mosaic. A mosaic is generated from the surrounding
 * colours and a random pattern, never from pixels below a redaction or outside the crop, so the hidden content cannot
 * be recovered.
 */

import { overlap } from '../../drawing/box-geometry.ts';
import { type Document, frameOf } from '../../drawing/document.ts';
import type { Box, RedactionMark } from '../../drawing/mark.ts';
import type { Context2D } from './paint-marks.ts';

/** RGBA, 8 bits each, row by row. Called only for pixels that are part of the export anyway. */
export type ReadPixels = (area: Box) => ArrayLike<number>;

type Rgb = readonly [number, number, number];

/** Used where no surrounding pixel may be read. */
const NEUTRAL: Rgb = [142, 147, 156];
/** Deviation of the pattern from the surrounding colours, in 1/256. Enough to be visible on plain white. */
const STRAY = 52;

const LEAST_BLOCK = 6;
const MOST_BLOCK = 36;
const blockOf = ({ width, height }: Box): number =>
  Math.min(MOST_BLOCK, Math.max(LEAST_BLOCK, Math.round(Math.min(width, height) / 5)));

/** mulberry32: a deterministic sequence in [0, 1) for each seed. */
const numbersFrom = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** The parts of `area` inside the frame and outside all redactions. */
const openPieces = (area: Box, frame: Box, hidden: readonly Box[]): readonly Box[] => {
  const inside = overlap(area, frame);
  return hidden.reduce<readonly Box[]>(
    (pieces, box) => pieces.flatMap((piece) => around(piece, box)),
    inside ? [inside] : [],
  );
};

/** `piece` without `box`: at most four boxes. */
const around = (piece: Box, box: Box): readonly Box[] => {
  const shared = overlap(piece, box);
  if (!shared) return [piece];
  const { x, y, width, height } = piece;
  const [right, bottom] = [shared.x + shared.width, shared.y + shared.height];
  return [
    { x, y, width, height: shared.y - y },
    { x, y: bottom, width, height: y + height - bottom },
    { x, y: shared.y, width: shared.x - x, height: shared.height },
    { x: right, y: shared.y, width: x + width - right, height: shared.height },
  ].filter((rest) => rest.width > 0 && rest.height > 0);
};

const meanOf = (pieces: readonly Box[], read: ReadPixels): Rgb | null => {
  let [red, green, blue, count] = [0, 0, 0, 0];
  for (const piece of pieces) {
    const pixels = read(piece);
    for (let at = 0; at < pixels.length; at += 4) {
      red += pixels[at] ?? 0;
      green += pixels[at + 1] ?? 0;
      blue += pixels[at + 2] ?? 0;
      count += 1;
    }
  }
  return count === 0 ? null : [red / count, green / count, blue / count];
};

export interface Block extends Box {
  /** `rgb(r g b)` */
  readonly colour: string;
}

/** The blocks of a mosaic, which cover exactly its box. */
export const mosaicOf = (
  { box, seed }: RedactionMark,
  frame: Box,
  hidden: readonly Box[],
  read: ReadPixels,
): readonly Block[] => {
  const next = numbersFrom(seed);
  const block = blockOf(box);
  const columns = Math.ceil(box.width / block);
  const rows = Math.ceil(box.height / block);
  const fringe = (area: Box): Rgb | null => meanOf(openPieces(area, frame, hidden), read);
  const column = (index: number, y: number) =>
    fringe({ x: box.x + index * block, y, width: Math.min(block, box.width - index * block), height: 1 });
  const row = (index: number, x: number) =>
    fringe({ x, y: box.y + index * block, width: 1, height: Math.min(block, box.height - index * block) });
  const above = Array.from({ length: columns }, (_, index) => column(index, box.y - 1));
  const below = Array.from({ length: columns }, (_, index) => column(index, box.y + box.height));
  const left = Array.from({ length: rows }, (_, index) => row(index, box.x - 1));
  const right = Array.from({ length: rows }, (_, index) => row(index, box.x + box.width));

  const colourAt = (i: number, j: number): string => {
    const near = [
      [above[i], j],
      [below[i], rows - 1 - j],
      [left[j], i],
      [right[j], columns - 1 - i],
    ] as const;
    let [red, green, blue, total] = [0, 0, 0, 0];
    for (const [colour, distance] of near) {
      const weight = (0.2 + next()) / (distance + 1);
      if (!colour) continue;
      red += colour[0] * weight;
      green += colour[1] * weight;
      blue += colour[2] * weight;
      total += weight;
    }
    const mean: Rgb = total === 0 ? NEUTRAL : [red / total, green / total, blue / total];
    // Towards middle grey, so that the pattern is visible on white and on black.
    const towards = mean[0] + mean[1] + mean[2] > 384 ? -1 : 1;
    const stray = (next() * 1.25 - 0.25) * STRAY * towards;
    const [r, g, b] = mean.map((value) => Math.round(Math.min(255, Math.max(0, value + stray))));
    return `rgb(${r} ${g} ${b})`;
  };

  return Array.from({ length: columns * rows }, (_, index): Block => {
    const [i, j] = [index % columns, Math.floor(index / columns)];
    return {
      x: box.x + i * block,
      y: box.y + j * block,
      width: Math.min(block, box.width - i * block),
      height: Math.min(block, box.height - j * block),
      colour: colourAt(i, j),
    };
  });
};

/** What a redaction paints over its box. */
export interface Cover {
  readonly box: Box;
  readonly blocks: readonly Block[];
}

const isRedaction = (mark: Document['marks'][number]): mark is RedactionMark => mark.kind === 'redaction';

export const redactionsOf = ({ marks }: Document): readonly RedactionMark[] => marks.filter(isRedaction);

/** The covers of all redactions, bottom to top. */
export const coversOf = (document: Document, read: ReadPixels): readonly Cover[] => {
  const redactions = redactionsOf(document);
  const hidden = redactions.map(({ box }) => box);
  const frame = frameOf(document);
  return redactions.map((mark) => ({
    box: mark.box,
    blocks: mark.look === 'solid' ? [{ ...mark.box, colour: mark.colour }] : mosaicOf(mark, frame, hidden, read),
  }));
};

/** Whole pixels without anti-aliasing, so that nothing below is blended in. */
export const paintCover = (context: Context2D, { blocks }: Cover): void => {
  for (const { x, y, width, height, colour } of blocks) {
    context.clearRect(x, y, width, height);
    context.fillStyle = colour;
    context.fillRect(x, y, width, height);
  }
};
