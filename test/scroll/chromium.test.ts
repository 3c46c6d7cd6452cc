/**
 * Thirty pages in Chromium under Xvfb, scrolled and joined: pixel for pixel what the page is at its full height. Where
 * something floats above the page, a trace of it may be left, and the outcome says that the picture is not exact.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compareScrolled } from '../support/screen/capture-page.ts';
import { scrollingSpecs } from '../support/screen/scrolling-pages.ts';
import { openXBrowser, type XBrowser } from '../support/screen/x-browser.ts';

let screen: XBrowser;
beforeAll(async () => {
  screen = await openXBrowser({ width: 1000, height: 760 }, { width: 900, height: 700 });
});
afterAll(() => screen.close());

it.each(scrollingSpecs(30).map((spec) => [spec.parts.join(', '), spec] as const))(
  'joins a page with %s',
  async (_, spec) => {
    const { outcome, height, expectedHeight, differing, pictures } = await compareScrolled(screen, spec);
    const folder = process.env['SCROLL_PICTURES'];
    if (folder && (differing.length > 0 || height !== expectedHeight)) {
      const { writeFile } = await import('node:fs/promises');
      await writeFile(`${folder}/${spec.seed}-joined.png`, pictures.joined);
      await writeFile(`${folder}/${spec.seed}-expected.png`, pictures.expected);
    }
    const floats = spec.parts.some((part) => part === 'button' || part === 'sidebar');
    if (floats) {
      expect({ ended: outcome.ended, isExact: outcome.isExact, height }).toEqual({
        ...{ ended: 'end', isExact: false, height: expectedHeight },
      });
      return;
    }
    expect({
      outcome: outcome.ended,
      isExact: outcome.isExact,
      height,
      differing: differing.length,
      first: differing[0] ?? null,
      last: differing.at(-1) ?? null,
    }).toEqual({
      ...{ outcome: 'end', isExact: true, height: expectedHeight, differing: 0, first: null, last: null },
    });
  },
  60_000,
);
