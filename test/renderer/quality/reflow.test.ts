/** No content is lost at 200 % and 400 % zoom, with wide text spacing, forced colours, or reduced motion. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clippedTexts, overflows, overlappingControls } from '../../support/audit/page-audit.ts';
import { colourOnly, moving, spread, unreachable } from '../../support/audit/page-settings.ts';
import { noise } from '../../support/media/pixels.ts';
import { CAPTURE_SCENES } from '../../support/window/capture-scenes.ts';
import { openEditor } from '../../support/window/editor-page.ts';
import { EDITOR_SCENES } from '../../support/window/editor-scenes.ts';
import { makeWindow } from '../../support/window/frozen-desktop.ts';
import { openOverlay } from '../../support/window/overlay-page.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';
import { speak } from '../../support/window/speak.ts';
import { SCENES } from '../../support/window/window-scenes.ts';

let pages: RendererPages;
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());

/** WCAG 1.4.10: 1280 px at 400 % are 320; at 200 % half of each side is left. */
const ZOOMED = [
  { width: 320, height: 512 },
  { width: 640, height: 400 },
] as const;

/** Popovers are repositioned in the next frame. */
const poll = <Found>(read: () => Promise<Found>, message: string) => expect.poll(read, { message });

const examine = async (page: Page, sizes: readonly { readonly width: number; readonly height: number }[] = ZOOMED) => {
  const before = page.viewportSize();
  for (const size of sizes) {
    await page.setViewportSize(size);
    await poll(() => overflows(page), `wider than ${size.width} px`).toBe(false);
    await poll(() => unreachable(page), `out of reach at ${size.width} px`).toEqual([]);
    await poll(() => overlappingControls(page), `over each other at ${size.width} px`).toEqual([]);
  }
  // In the longer of the two languages.
  await speak(page, 'ru');
  await spread(page, 'wide');
  await poll(() => overflows(page), 'wider than the window with wide spacing').toBe(false);
  await poll(() => clippedTexts(page), 'with wide spacing').toEqual([]);
  await spread(page, 'usual');
  await speak(page, 'en');
  if (before) await page.setViewportSize(before);

  await page.emulateMedia({ forcedColors: 'active' });
  expect({ 'said by colour alone': await colourOnly(page) }).toEqual({ 'said by colour alone': [] });
  await page.emulateMedia({ forcedColors: 'none' });
  expect({ moving: await moving(page) }).toEqual({ moving: [] });
};

describe('the window', () => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await pages.open({ reducedMotion: 'reduce' }));
  });
  afterAll(() => page.context().close());
  it.each(Object.entries({ ...SCENES, ...CAPTURE_SCENES }))('%s', async (_, scene) => {
    await scene(page);
    await examine(page);
  });
});

it('the overlay', async () => {
  const windows = [makeWindow({ x: 700, y: 300, width: 400, height: 300 })];
  const { page, drag } = await openOverlay(pages, { session: { windows }, page: { reducedMotion: 'reduce' } });
  await drag(200, 150, 700, 500);
  await page.getByRole('toolbar').waitFor();
  // It covers a display: its pixels do not flow, its words must fit.
  await examine(page, []);
  await page.context().close();
});

it('the editor', async () => {
  const editor = await openEditor(pages, noise(641, 403, 1), { reducedMotion: 'reduce' });
  for (const reach of Object.values(EDITOR_SCENES)) {
    await reach(editor);
    await examine(editor.page);
  }
  await editor.page.context().close();
});
