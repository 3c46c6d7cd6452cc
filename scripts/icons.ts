/** `node scripts/icons.ts`: draws the PNGs of resources/ from their SVGs; run it after an SVG has changed. */
import { resolve } from 'node:path';
import sharp from 'sharp';

const resources = resolve(import.meta.dirname, '../resources');
for (const [svg, png, size] of [
  ['icon.svg', 'icon.png', 512],
  ['tray.svg', 'tray.png', 16],
  ['tray.svg', 'tray@2x.png', 32],
] as const)
  await sharp(resolve(resources, svg), { density: 300 }).resize(size, size).png().toFile(resolve(resources, png));
