/**
 * Prepares a greyscale picture for Tesseract, which is trained on dark text on white. Inverts the whole picture if most
 * of it is dark, then inverts each box with a dark background, such as a button, and whitens boxes with a grey
 * background, which Tesseract takes for pictures.
 */
import type { GreyPicture } from './decode-picture.ts';

/** A background darker than this is inverted. */
const DARK_BELOW = 112;
/** A background lighter than this stays: the text on it is read well. */
const GREY_BELOW = 200;
/** Text differs at least so much from its background. */
const CONTRAST_MIN = 40;
/** Side of the squares whose most frequent grey is taken for a background. */
const TILE = 12;
/** Neighbouring pixels of a background differ by less, also in a gradient. */
const TOLERANCE = 10;
/** A box is wider than high, or this large: a heavy letter is neither. */
const LARGE = 120;
const WIDE = 1.6;
/** Of a box without its text. */
const FILLED_MIN = 0.5;
/** Of the text in a box. */
const TEXT_MIN = 0.01;

/** The most frequent half of the pixels decides: the background covers more than the text. */
const isDark = (pixels: Uint8Array): boolean => {
  let darker = 0;
  for (const pixel of pixels) if (pixel < DARK_BELOW) darker += 1;
  return darker > pixels.length / 2;
};

/** The most frequent grey of a square; 255 where none covers half of it. */
const backgroundOf = ({ width, height, pixels }: GreyPicture, left: number, top: number): number => {
  const counts = new Uint16Array(256 / 8);
  const right = Math.min(width, left + TILE);
  const bottom = Math.min(height, top + TILE);
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const level = (pixels[y * width + x] ?? 0) >> 3;
      counts[level] = (counts[level] ?? 0) + 1;
    }
  let most = 0;
  for (let level = 1; level < counts.length; level++) if ((counts[level] ?? 0) > (counts[most] ?? 0)) most = level;
  return (counts[most] ?? 0) * 2 > (right - left) * (bottom - top) ? most * 8 + 4 : 255;
};

/** The pixels of one background: of each row from `top` to `bottom` the first and the last one. */
interface Spans {
  readonly first: Int32Array;
  readonly last: Int32Array;
  readonly count: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Fills from one pixel over its neighbours of nearly the same grey, each pixel once; the spans are valid until the next
 * call.
 */
const createFill = ({ width, height, pixels }: GreyPicture) => {
  const seen = new Uint8Array(width * height);
  const first = new Int32Array(height);
  const last = new Int32Array(height);
  const stack = new Int32Array(width * height);
  let size = 0;

  const visit = (at: number, level: number): void => {
    const next = pixels[at] ?? 0;
    if (seen[at] || next >= GREY_BELOW || next - level > TOLERANCE || level - next > TOLERANCE) return;
    seen[at] = 1;
    stack[size++] = at;
  };

  const fill = (seed: number): Spans => {
    let [count, left, right, top, bottom] = [0, width, -1, height, -1];
    visit(seed, pixels[seed] ?? 0);
    while (size > 0) {
      const at = stack[--size] ?? 0;
      const x = at % width;
      const y = (at - x) / width;
      count += 1;
      if (y < top || y > bottom) {
        // Neighbours are filled, so that no row between is left out.
        first[y] = x;
        last[y] = x;
      } else if (x < (first[y] ?? 0)) first[y] = x;
      else if (x > (last[y] ?? 0)) last[y] = x;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
      const level = pixels[at] ?? 0;
      if (x > 0) visit(at - 1, level);
      if (x < width - 1) visit(at + 1, level);
      if (y > 0) visit(at - width, level);
      if (y < height - 1) visit(at + width, level);
    }
    return { first, last, count, left, right, top, bottom };
  };

  return { fill, isFilled: (at: number): boolean => seen[at] === 1 };
};

/** Also boxes that touch each other, whose rows differ in width. */
const isBox = ({ top, bottom, left, right, first, last, count }: Spans): boolean => {
  const width = right - left + 1;
  const height = bottom - top + 1;
  if (height < TILE || (width < height * WIDE && Math.min(width, height) < LARGE)) return false;
  let spanned = 0;
  for (let y = top; y <= bottom; y++) spanned += (last[y] ?? 0) - (first[y] ?? 0) + 1;
  return count >= spanned * FILLED_MIN;
};

/** Whether the text in a box is lighter or darker than its background; null: there is none. */
const textIn = (
  { width, pixels }: GreyPicture,
  { top, bottom, first, last, count }: Spans,
  background: number,
): 'light' | 'dark' | null => {
  let [light, dark] = [0, 0];
  for (let y = top; y <= bottom; y++)
    for (let x = first[y] ?? 0; x <= (last[y] ?? -1); x++) {
      const pixel = pixels[y * width + x] ?? 0;
      if (background < DARK_BELOW ? pixel >= DARK_BELOW : pixel > background + CONTRAST_MIN) light += 1;
      else if (pixel < background - CONTRAST_MIN) dark += 1;
    }
  if (Math.max(light, background < DARK_BELOW ? 0 : dark) <= count * TEXT_MIN) return null;
  return background < DARK_BELOW || light > dark ? 'light' : 'dark';
};

/** The background becomes white, and the text dark. */
const levelled = (pixel: number, background: number, text: 'light' | 'dark'): number => {
  const distance = text === 'light' ? (pixel - background) / (255 - background) : (background - pixel) / background;
  return Math.round(255 * (1 - Math.min(1, Math.max(0, distance))));
};

/** A pixel of the background of a square. */
const seedIn = ({ width, height, pixels }: GreyPicture, left: number, top: number, background: number): number => {
  for (let y = top; y < Math.min(height, top + TILE); y++)
    for (let x = left; x < Math.min(width, left + TILE); x++)
      if (Math.abs((pixels[y * width + x] ?? 0) - background) <= TOLERANCE) return y * width + x;
  return top * width + left;
};

const levelBoxes = (picture: GreyPicture): GreyPicture => {
  const { width, height, pixels } = picture;
  let changed: Buffer | null = null;
  let filling: ReturnType<typeof createFill> | null = null;
  for (let top = 0; top < height; top += TILE)
    for (let left = 0; left < width; left += TILE) {
      const background = backgroundOf(picture, left, top);
      if (background >= GREY_BELOW) continue;
      filling ??= createFill(picture);
      const seed = seedIn(picture, left, top, background);
      if (filling.isFilled(seed)) continue;
      const spans = filling.fill(seed);
      const text = isBox(spans) ? textIn(picture, spans, background) : null;
      if (!text) continue;
      changed ??= Buffer.from(pixels);
      const levels = Uint8Array.from({ length: 256 }, (_, level) => levelled(level, background, text));
      for (let y = spans.top; y <= spans.bottom; y++)
        for (let x = spans.first[y] ?? 0; x <= (spans.last[y] ?? -1); x++)
          changed[y * width + x] = levels[pixels[y * width + x] ?? 0] ?? 0;
    }
  return changed ? { width, height, pixels: changed } : picture;
};

export const withLightBackground = (picture: GreyPicture): GreyPicture => {
  const { pixels } = picture;
  const light = isDark(pixels) ? { ...picture, pixels: Buffer.from(pixels.map((pixel) => 255 - pixel)) } : picture;
  return levelBoxes(light);
};
