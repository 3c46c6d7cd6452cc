/**
 * Measures what hiding secrets in a picture achieves: which planted secrets are under the boxes, which boxes are right,
 * and what three programs still read in the result.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import sharp from 'sharp';
import type { FoundSecret } from '../../../src/ipc/protocol/vision.ts';
import type { DrawnPicture, Rectangle } from './draw-secret-pictures.ts';
import type { SecretPicture } from './secret-corpus.ts';

const run = promisify(execFile);

/** Letters are in the middle of their line; its edges are empty. */
const BAND = [0.35, 0.65] as const;
const STEPS = 200;
const COVERED_MIN = 0.97;
/** Of a box that is right. */
const SHARED_MIN = 0.25;
/** A part of a secret this long would tell it. */
const READABLE_SHARE = 0.7;
const READABLE_MIN = 6;

/** Whether the letters of the place are under boxes, from its left to its right edge. */
const isCovered = (place: Rectangle, boxes: readonly Rectangle[]): boolean => {
  const [top, bottom] = BAND.map((share) => place.y + place.height * share) as [number, number];
  let covered = 0;
  for (let step = 0; step < STEPS; step++) {
    const x = place.x + (place.width * (step + 0.5)) / STEPS;
    if (boxes.some((box) => box.x <= x && box.x + box.width >= x && box.y <= top && box.y + box.height >= bottom))
      covered += 1;
  }
  return covered >= STEPS * COVERED_MIN;
};

const shares = (box: Rectangle, place: Rectangle): boolean => {
  const width = Math.min(box.x + box.width, place.x + place.width) - Math.max(box.x, place.x);
  const height = Math.min(box.y + box.height, place.y + place.height) - Math.max(box.y, place.y);
  return width > 0 && height > 0 && width * height > SHARED_MIN * box.width * box.height;
};

export interface Hits {
  /** One for each planted secret. */
  readonly isFound: readonly boolean[];
  readonly isKindRight: readonly boolean[];
  readonly rightBoxes: number;
  readonly wrongBoxes: readonly FoundSecret[];
}

export const hitsOf = (
  { secrets }: SecretPicture,
  { places, beside }: DrawnPicture,
  found: readonly FoundSecret[],
): Hits => {
  const counted = found.filter((box) => !beside.some((place) => shares(box, place)));
  const wrongBoxes = counted.filter((box) => !places.some((place) => shares(box, place)));
  return {
    isFound: places.map((place) => isCovered(place, found)),
    isKindRight: places.map((place, at) => found.some((box) => box.kind === secrets[at]?.kind && shares(box, place))),
    rightBoxes: counted.length - wrongBoxes.length,
    wrongBoxes,
  };
};

const compact = (text: string): string => text.replaceAll(/\s/g, '').toLowerCase();

/** The longest part of `secret` that is in `text`. */
const longestIn = (secret: string, text: string): number => {
  let longest = 0;
  for (let start = 0; start + longest < secret.length; start++)
    while (start + longest < secret.length && text.includes(secret.slice(start, start + longest + 1))) longest += 1;
  return longest;
};

/** Whether a text tells a secret, or most of it, wherever its spaces are. */
export const tells = (text: string, secret: string): boolean => {
  const value = compact(secret);
  return (
    longestIn(value, compact(text)) >= Math.min(value.length, Math.max(READABLE_MIN, value.length * READABLE_SHARE))
  );
};

/** What Debian's tesseract reads. */
export const readByTesseract = async (path: string): Promise<string> => {
  const env = { ...process.env, OMP_THREAD_LIMIT: '1' };
  return (await run('tesseract', [path, '-', '-l', 'eng+rus'], { env })).stdout;
};

/** What zbar reads; it fails where it finds no code. */
export const readByZbar = (path: string): Promise<string> =>
  run('zbarimg', ['--quiet', path]).then(
    ({ stdout }) => stdout,
    (error: { readonly stdout?: string; readonly code?: number }) => {
      if (error.code !== 4) throw error;
      return error.stdout ?? '';
    },
  );

/** Number of pixels that differ outside of the boxes, and of those inside that are not black. */
export const wrongPixels = async (
  before: string | Buffer,
  after: string | Buffer,
  boxes: readonly Rectangle[],
): Promise<{ readonly outside: number; readonly inside: number }> => {
  const pixels = (picture: string | Buffer) => sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const [original, result] = await Promise.all([pixels(before), pixels(after)]);
  const { width, height } = original.info;
  if (result.info.width !== width || result.info.height !== height) throw new Error('The size differs.');
  const hidden = new Uint8Array(width * height);
  for (const box of boxes)
    for (let y = box.y; y < box.y + box.height; y++) hidden.fill(1, y * width + box.x, y * width + box.x + box.width);
  let [outside, inside] = [0, 0];
  for (let at = 0; at < hidden.length; at++) {
    const value = result.data.readUInt32LE(at * 4);
    if (hidden[at]) inside += value === 0xff000000 ? 0 : 1;
    else outside += value === original.data.readUInt32LE(at * 4) ? 0 : 1;
  }
  return { outside, inside };
};
