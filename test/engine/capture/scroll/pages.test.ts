/** A scrolling capture of a page in Chromium on a virtual X screen, which `npm run test:scroll` does with thirty. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compareScrolled } from '../../../support/screen/capture-page.ts';
import { openXBrowser, type XBrowser } from '../../../support/screen/x-browser.ts';

let screen: XBrowser;
beforeAll(async () => {
  screen = await openXBrowser({ width: 1000, height: 760 }, { width: 900, height: 700 });
});
afterAll(() => screen.close());

// What loads late is joined on a virtual clock (capture-scrolling.test.ts): in a browser, its timer decides what is seen.
it('joins a page with a header that stays to what it is at its full height', async () => {
  const { outcome, height, expectedHeight, differing } = await compareScrolled(screen, { seed: 0, parts: ['header'] });
  expect(outcome).toMatchObject({ ended: 'end', isExact: true });
  expect({ height, differing }).toEqual({ height: expectedHeight, differing: [] });
});
