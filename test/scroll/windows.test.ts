/**
 * Pages of an xterm and lists of GTK under Xvfb, scrolled and joined. What is called exact is, pixel for pixel, the same
 * window at its full height, outside of what moves; where all positions look the same, the outcome says so.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWindowScreen, type WindowPage, type WindowScreen } from '../support/screen/capture-window.ts';
import { GTK_PAGES } from '../support/screen/gtk-pages.ts';
import { xtermPages } from '../support/screen/xterm-pages.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let screen: WindowScreen;
beforeAll(async () => {
  screen = await openWindowScreen();
});
afterAll(() => screen.close());

const pages: readonly (readonly [string, WindowPage])[] = [
  ...xtermPages(temporaryFolder('xterm-pages')).map((page) => [`xterm with ${page.name}`, page] as const),
  ...GTK_PAGES.map((page) => [`GTK list with ${page.name}`, page] as const),
];
const isAmbiguous = ([, { certainty }]: (typeof pages)[number]): boolean => certainty === 'ambiguous';

it.each(pages.filter((page) => !isAmbiguous(page)))('a picture that is called exact is exact: %s', async (_, page) => {
  const { outcome, height, expectedHeight, differing } = await screen.compare(page);
  const isExact = outcome.ended === 'end' && outcome.isExact;
  if (page.certainty !== 'disturbed') expect({ outcome, isExact }).toMatchObject({ isExact: true });
  if (isExact) expect({ height, differing }).toEqual({ height: expectedHeight, differing: [] });
});

it.each(pages.filter(isAmbiguous))('says that a picture is not certain: %s', async (_, page) => {
  const { outcome } = await screen.compare(page);
  expect(outcome).toMatchObject({ ended: 'uncertain', reason: 'several-match' });
});
