/** The window can be installed: its manifest names a standalone start and icons that exist in their sizes. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAGE_HEADERS } from '../../src/host/page-security-headers.ts';

const folder = resolve(import.meta.dirname, '../../src/renderer');
const manifest = JSON.parse(readFileSync(resolve(folder, 'public/manifest.webmanifest'), 'utf8'));

/** Width and height in the header of a PNG. */
const sizeOf = (png: Buffer): string => `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;

describe('the manifest of the window', () => {
  it('starts the window alone, at an address without a key', () => {
    expect(manifest).toMatchObject({ name: 'Linkshot', start_url: './', scope: './', display: 'standalone' });
  });

  it('has icons in the sizes that browsers require, one of them maskable', () => {
    const icons = manifest.icons as { src: string; sizes: string; type: string; purpose?: string }[];
    const drawn = icons.filter(({ type }) => type === 'image/png');
    for (const { src, sizes } of drawn) expect(sizeOf(readFileSync(resolve(folder, 'public', src)))).toBe(sizes);
    expect(drawn.map(({ sizes, purpose }) => `${sizes} ${purpose ?? 'any'}`)).toEqual([
      '192x192 any',
      '512x512 any',
      '512x512 maskable',
    ]);
  });

  it('is linked by the window, and its policy allows it', () => {
    expect(readFileSync(resolve(folder, 'index.html'), 'utf8')).toContain(
      'rel="manifest" href="./manifest.webmanifest"',
    );
    expect(PAGE_HEADERS['content-security-policy']).toContain("manifest-src 'self'");
  });
});
