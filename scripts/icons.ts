/**
 * `node scripts/icons.ts`: renders the PNGs of resources/ and of the window's manifest from their SVGs; run it after an
 * SVG or a badge has changed.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import sharp from 'sharp';
import { LOGO } from '../src/common/design/logo.ts';

const resources = resolve(import.meta.dirname, '../resources');
const ACCENT = '#6d7bff';
const RED = '#e5484d';

const draw = (svg: string, png: string, size: number): Promise<unknown> =>
  sharp(Buffer.from(svg), { density: 300 }).resize(size, size).png().toFile(resolve(resources, png));

/** Position of badges: the lower right corner of the 32 x 32 drawing. */
const AT = 24;
const dot = (colour: string): string => `<circle cx="${AT}" cy="${AT}" r="7.5" fill="${colour}"/>`;
const exclamation = `<path d="M${AT} 20v4M${AT} 28v.1" stroke="#fff" stroke-width="2.6" stroke-linecap="round" fill="none"/>`;

/** A ring, filled clockwise from the top; `part` in [0, 1]. */
const ring = (part: number): string => {
  const radius = 5.5;
  const around = 2 * Math.PI * radius;
  return [1, part]
    .map(
      (shown, index) =>
        `<circle cx="${AT}" cy="${AT}" r="${radius}" fill="none" stroke="${index === 0 ? '#80849066' : ACCENT}" stroke-width="4" stroke-dasharray="${shown * around} ${around}" transform="rotate(-90 ${AT} ${AT})"/>`,
    )
    .join('');
};

const BADGES: Readonly<Record<string, string>> = {
  'progress-0': ring(0.12),
  'progress-1': ring(0.37),
  'progress-2': ring(0.62),
  'progress-3': ring(0.87),
  recording: dot(RED),
  failure: dot(RED) + exclamation,
};

const svgOf = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${content}</svg>`;
/** Clears the drawing around its badge. */
const badged = (drawing: string, badge: string): string =>
  svgOf(
    `<mask id="free"><rect width="32" height="32" fill="#fff"/><circle cx="${AT}" cy="${AT}" r="9"/></mask><g mask="url(#free)">${drawing}</g>${badge}`,
  );

await draw(await readFile(resolve(resources, 'icon.svg'), 'utf8'), 'icon.png', 1024);

const tray = await readFile(resolve(resources, 'tray/tray.svg'), 'utf8');
const [drawing = ''] = /<g[\s\S]*<\/g>/.exec(tray) ?? [];
const icons = [
  ['idle', tray],
  ...Object.entries(BADGES).map(([name, badge]) => [name, badged(drawing, badge)] as const),
  // On the task bar button the badge is shown alone.
  ['badge', svgOf(`<g transform="translate(-32 -32) scale(2)">${BADGES['failure']}</g>`)],
] as const;
for (const [name, svg] of icons) {
  await draw(svg, `tray/${name}.png`, 16);
  await draw(svg, `tray/${name}@2x.png`, 32);
}

const page = resolve(import.meta.dirname, '../src/renderer/public');
const logo = await readFile(resolve(page, 'icon.svg'), 'utf8');
/** A launcher cuts a maskable icon to its own shape; the drawing stays within the safe circle of 80 %. */
const maskable = logo
  .replace(`rx="${LOGO.corner}" `, '')
  .replace('<g ', '<g transform="translate(3.2 3.2) scale(0.8)" ');
for (const [name, svg, size] of [
  ['icon-192', logo, 192],
  ['icon-512', logo, 512],
  ['icon-maskable-512', maskable, 512],
] as const)
  await draw(svg, resolve(page, `${name}.png`), size);
