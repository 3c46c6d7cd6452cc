/** Pictures of text and codes whose content is known, drawn with the fonts of the system. */
import sharp from 'sharp';
import { encode } from 'uqr';

export interface TextPicture {
  readonly lines: readonly string[];
  readonly font: string;
  /** In pixels, before `scale`. */
  readonly size: number;
  readonly theme: 'light' | 'dark';
  readonly scale: number;
}

const COLOURS = { light: ['#202124', '#ffffff'], dark: ['#d4d4d4', '#1e1e1e'] } as const;
const MARGIN = 16;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const drawText = async ({ lines, font, size, theme, scale }: TextPicture): Promise<Buffer> => {
  const [foreground, background] = COLOURS[theme];
  const text = `<span foreground="${foreground}">${lines.map(escaped).join('\n')}</span>`;
  // At 72 dots per inch a point is a pixel.
  const drawn = await sharp({
    text: { text, font: `${font} ${size}`, dpi: 72 * scale, rgba: true, spacing: Math.round(size * scale * 0.4) },
  })
    .flatten({ background })
    .png()
    .toBuffer();
  const around = MARGIN * scale;
  // A pipeline of its own: in one, sharp flattens before it extends.
  return sharp(drawn).extend({ top: around, bottom: around, left: around, right: around, background }).png().toBuffer();
};

export const drawQrCode = async (text: string, pixelsPerModule = 4): Promise<Buffer> => {
  const { data, size } = encode(text, { border: 4 });
  const pixels = Buffer.from(data.flat().map((isDark) => (isDark ? 0 : 255)));
  return sharp(pixels, { raw: { width: size, height: size, channels: 1 } })
    .resize(size * pixelsPerModule, size * pixelsPerModule, { kernel: 'nearest' })
    .png()
    .toBuffer();
};

/** The share of the words of `truth` that `text` has, each as often. */
export const wordAccuracy = (truth: readonly string[], text: string): number => {
  const found = text.split(/\s+/);
  const words = truth.join(' ').split(/\s+/).filter(Boolean);
  const hits = words.filter((word) => {
    const at = found.indexOf(word);
    if (at >= 0) found.splice(at, 1);
    return at >= 0;
  });
  return hits.length / words.length;
};
