/** A scrolling capture of an xterm and of a GTK list on a virtual X screen, which `npm run test:scroll` does with thirty. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWindowScreen, type WindowScreen } from '../../../support/screen/capture-window.ts';
import { GTK_PAGES } from '../../../support/screen/gtk-pages.ts';
import { xtermPages } from '../../../support/screen/xterm-pages.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let screen: WindowScreen;
beforeAll(async () => {
  screen = await openWindowScreen();
});
afterAll(() => screen.close());

const pages = [...xtermPages(temporaryFolder('xterm-pages')), ...GTK_PAGES];
it.each(['rows of colour on black', 'rows of one height'])(
  'joins the window of a program to what it is at its full height: %s',
  async (name) => {
    const page = pages.find((one) => one.name === name);
    if (!page) throw new Error(`There is no page of this name: ${name}`);
    const { outcome, height, expectedHeight, differing } = await screen.compare(page, 'shownScrolls');
    expect(outcome).toMatchObject({ ended: 'end', isExact: true });
    expect({ height, differing }).toEqual({ height: expectedHeight, differing: [] });
  },
);
