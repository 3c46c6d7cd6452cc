/**
 * Thirty pages in Chromium under Xvfb, scrolled and joined. What is called exact is, pixel for pixel, the page at its
 * full height. Only where something floats above the page or is drawn late may the outcome say that it is not.
 */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compareScrolled } from '../support/screen/capture-page.ts';
import { scrollingSpecs } from '../support/screen/scrolling-pages.ts';
import { openXBrowser, type XBrowser } from '../support/screen/x-browser.ts';

/** Parts that float above the page, or are drawn after it. */
const UNCERTAIN: readonly string[] = ['button', 'sidebar', 'lazy'];

let screen: XBrowser;
beforeAll(async () => {
  screen = await openXBrowser({ width: 1000, height: 760 }, { width: 900, height: 700 });
});
afterAll(() => screen.close());

it.each(scrollingSpecs(30).map((spec) => [spec.parts.join(', '), spec] as const))(
  'a picture that is called exact is exact: %s',
  async (_, spec) => {
    const { outcome, height, expectedHeight, differing, pictures } = await compareScrolled(screen, spec);
    const folder = process.env['SCROLL_PICTURES'];
    if (folder && (differing.length > 0 || height !== expectedHeight)) {
      await writeFile(`${folder}/${spec.seed}-joined.png`, pictures.joined);
      await writeFile(`${folder}/${spec.seed}-expected.png`, pictures.expected);
    }
    const isExact = outcome.ended === 'end' && outcome.isExact;
    if (!spec.parts.some((part) => UNCERTAIN.includes(part)))
      expect({ outcome, isExact }).toMatchObject({ isExact: true });
    if (!isExact) return;
    expect({ height, differing }).toEqual({ height: expectedHeight, differing: [] });
  },
);
