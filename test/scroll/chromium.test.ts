/**
 * Thirty pages in Chromium under Xvfb, scrolled and joined. What is called exact is, pixel for pixel, the page at its
 * full height; where something floats above the page or is redrawn late, the outcome says that it is not.
 */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compareScrolled } from '../support/screen/capture-page.ts';
import { scrollingSpecs } from '../support/screen/scrolling-pages.ts';
import { openXBrowser, type XBrowser } from '../support/screen/x-browser.ts';

/** Of thirty: ten have nothing that floats, moves or is redrawn late, and must be exact on any machine. */
const EXACT_AT_LEAST = 10;
const exact: string[] = [];

let screen: XBrowser;
beforeAll(async () => {
  screen = await openXBrowser({ width: 1000, height: 760 }, { width: 900, height: 700 });
});
afterAll(() => screen.close());

it.each(scrollingSpecs(30).map((spec) => [spec.parts.join(', '), spec] as const))(
  'a picture that is called exact is exact: %s',
  async (parts, spec) => {
    const { outcome, height, expectedHeight, differing, pictures } = await compareScrolled(screen, spec);
    const folder = process.env['SCROLL_PICTURES'];
    if (folder && (differing.length > 0 || height !== expectedHeight)) {
      await writeFile(`${folder}/${spec.seed}-joined.png`, pictures.joined);
      await writeFile(`${folder}/${spec.seed}-expected.png`, pictures.expected);
    }
    if (outcome.ended !== 'end' || !outcome.isExact) return;
    exact.push(parts);
    expect({ height, differing }).toEqual({ height: expectedHeight, differing: [] });
  },
  60_000,
);

it('most pages are exact', () => {
  expect(exact.length).toBeGreaterThanOrEqual(EXACT_AT_LEAST);
});
