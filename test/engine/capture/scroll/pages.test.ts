/** Scrolling captures of pages in Chromium on a virtual X screen, which `npm run test:scroll` does with thirty. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compareScrolled } from '../../../support/screen/capture-page.ts';
import { openXBrowser, type XBrowser } from '../../../support/screen/x-browser.ts';

let screen: XBrowser;
beforeAll(async () => {
  screen = await openXBrowser({ width: 1000, height: 760 }, { width: 900, height: 700 });
});
afterAll(() => screen.close());

it.each([
  ['a header that stays', { seed: 0, parts: ['header'] }],
  ['pictures that load late', { seed: 5, parts: ['lazy'] }],
] as const)(
  'joins a page with %s to what it is at its full height',
  async (_, spec) => {
    const { outcome, height, expectedHeight, differing } = await compareScrolled(screen, spec);
    expect(outcome).toMatchObject({ ended: 'end', isExact: true });
    expect({ height, differing }).toEqual({ height: expectedHeight, differing: [] });
  },
  60_000,
);
