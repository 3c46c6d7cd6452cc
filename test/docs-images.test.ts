/** The pages of the documentation and their pictures belong together: none is missing, none is left over, none is heavy. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const FOLDER = 'docs/images';

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];
/** Pictures that a page shows, by their path in the repository. */
const shownBy = (page: string): readonly string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/!\[[^\]]*\]\(([^)]+)\)|<img [^>]*src="([^"]+)"/g)].map(
    ([, inText, inTag]) => relative(root, resolve(root, dirname(page), inText ?? inTag ?? '')),
  );
const kept = readdirSync(join(root, FOLDER)).map((name) => `${FOLDER}/${name}`);

it('the README and the page about the design show pictures', () => {
  expect(shownBy('README.md').length).toBeGreaterThanOrEqual(3);
  expect(shownBy('docs/design.md').length).toBeGreaterThanOrEqual(3);
});

describe('the pictures of the documentation', () => {
  it('are all there where a page shows one', () => {
    expect(pages.flatMap(shownBy).filter((picture) => !kept.includes(picture))).toEqual([]);
  });

  it('are each shown by a page', () => {
    const shown = new Set(pages.flatMap(shownBy));
    expect(kept.filter((picture) => !shown.has(picture))).toEqual([]);
  });

  it('have alternative texts that describe them', () => {
    const mute = pages.filter((page) => /!\[\s*\]\(/.test(readFileSync(join(root, page), 'utf8')));
    expect(mute).toEqual([]);
  });

  it('together stay under 2.5 MB', () => {
    const bytes = kept.reduce((sum, picture) => sum + statSync(join(root, picture)).size, 0);
    expect(bytes).toBeLessThan(2_500_000);
  });
});
