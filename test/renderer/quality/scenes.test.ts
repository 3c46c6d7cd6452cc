/** What every scene must be: readable by everyone, in both themes, in Russian at the smallest width and a wider one. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, lowContrast, nameless, overflows } from '../../support/audit/page-audit.ts';
import { CAPTURE_SCENES } from '../../support/window/capture-scenes.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';
import { speak } from '../../support/window/speak.ts';
import { SCENES } from '../../support/window/window-scenes.ts';

let pages: RendererPages;
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());

/** One page shows all scenes: each starts where the previous one ended. */
describe('every scene can be used by everyone', () => {
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    ({ page, problems } = await pages.open({ reducedMotion: 'reduce' }));
  });
  afterAll(() => page.context().close());

  it.each(Object.entries({ ...SCENES, ...CAPTURE_SCENES }))('%s', async (_, scene) => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ colorScheme: 'light' });
    await scene(page);
    expect({ nameless: await nameless(page) }).toEqual({ nameless: [] });
    expect({ light: await axeViolations(page), faint: await lowContrast(page) }).toEqual({ light: [], faint: [] });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect({ dark: await axeViolations(page, 'contrast'), faint: await lowContrast(page) }).toEqual({
      ...{ dark: [], faint: [] },
    });
    // Longer words in wider windows: locales/pseudo-locale.test.ts. English in a narrow one: reflow.test.ts.
    await speak(page, 'ru');
    for (const width of [320, 1024]) {
      await page.setViewportSize({ width, height: 800 });
      // Popovers are repositioned in the next frame.
      await expect.poll(() => overflows(page), { message: `wider than ${width} px` }).toBe(false);
    }
    await speak(page, 'en');
    expect(problems).toEqual([]);
  });
});
