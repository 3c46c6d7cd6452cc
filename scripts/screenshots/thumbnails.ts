/** Makes thumbnails for the library of the screenshots: parts of the desktop, landscapes and pages of code. */
import sharp, { type Sharp } from 'sharp';
import { CHART, TALK } from './sample-desktop.ts';

const SIZE = { width: 320, height: 200 } as const;

const svg = (content: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200">${content}</svg>`);

/** Hills and a sky, in the colours of a time of day. */
const landscape = (hue: number): Buffer =>
  svg(`<defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="hsl(${hue} 70% 72%)"/><stop offset="1" stop-color="hsl(${hue + 40} 80% 88%)"/></linearGradient></defs>
<rect width="320" height="200" fill="url(#s)"/><circle cx="232" cy="62" r="24" fill="#fffbe9"/>
<path d="M0 140 70 84l52 44 60-62 84 74 54-34v94H0z" fill="hsl(${hue + 10} 38% 54%)"/>
<path d="M0 172q80-46 160-14t160-22v64H0z" fill="hsl(${hue + 20} 42% 36%)"/>`);

const code = (hue: number): Buffer => {
  const lines = [
    [0, 60, 70],
    [18, 44, 90],
    [36, 80, 50],
    [36, 52, 96],
    [18, 34, 40],
    [0, 24, 0],
    [0, 70, 64],
    [18, 60, 82],
  ];
  return svg(
    `<rect width="320" height="200" fill="#1b2030"/>${lines
      .map(
        ([indent = 0, first = 0, second = 0], row) =>
          `<rect x="${28 + indent}" y="${24 + row * 20}" width="${first}" height="8" rx="4" fill="hsl(${hue} 70% 70%)"/>
<rect x="${40 + indent + first}" y="${24 + row * 20}" width="${second}" height="8" rx="4" fill="#8b93aa"/>`,
      )
      .join('')}`,
  );
};

const part = (desktop: Buffer, { x, y, width, height }: typeof CHART | typeof TALK): Sharp =>
  sharp(desktop).extract({ left: x, top: y, width, height });

/** PNGs, one for each item in turn. */
export const drawThumbnails = async (desktop: Buffer, dashboard: Buffer): Promise<readonly Buffer[]> => {
  const filled = { ...SIZE, fit: 'cover', position: 'top' } as const;
  const chart = part(desktop, CHART)
    .resize({ width: 284, height: 150, fit: 'contain', background: '#fff' })
    .extend({ top: 25, bottom: 25, left: 18, right: 18, background: '#fff' });
  const talk = part(desktop, TALK).resize(filled);
  const board = sharp(dashboard).resize(filled);
  const drawn = [
    ...[chart, landscape(200), code(210), board, landscape(14), talk, code(150), landscape(260)],
    ...[landscape(120), landscape(330), code(30), landscape(40)],
  ];
  return Promise.all(drawn.map((art) => (Buffer.isBuffer(art) ? sharp(art) : art).png().toBuffer()));
};
