/** Everyone can use the notices, the bar, the look before publishing and their settings, in the page and in windows of the host. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAPTURE_SCENES } from '../support/capture-scenes.ts';
import { axeViolations, lowContrast, nameless, overflows } from '../support/page-audit.ts';
import { type RendererPages, startRendererPages } from '../support/renderer-page.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let pages: RendererPages;
const outDir = temporaryFolder('panels-quality');
beforeAll(async () => {
  pages = await startRendererPages(outDir);
});
afterAll(() => pages.close());

/** Which scenes a page of its own shows, and how wide the host makes it. */
const OWN_PAGES = [
  { which: 'toast', width: 360, scenes: ['captures'] },
  { which: 'recorder', width: 420, scenes: ['recording', 'discarding', 'countdown'] },
] as const;

const speak = (page: Page, language: 'en' | 'ru') =>
  page.evaluate((chosen) => {
    const { settings } = window.double.state();
    window.double.set({ settings: { ...settings, language: chosen } });
  }, language);

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  it('no rule of accessibility is broken in the page', async () => {
    const { page, problems } = await pages.open({ colorScheme, reducedMotion: 'reduce' });
    for (const [name, scene] of Object.entries(CAPTURE_SCENES)) {
      await scene(page);
      expect({ name, broken: await axeViolations(page) }).toEqual({ name, broken: [] });
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it.each(OWN_PAGES)('none is broken in the window of the host, and nothing is cut off: $which', async (own) => {
    const { which, width, scenes } = own;
    const viewport = { width, height: 900 };
    const { page, problems } = await pages.open({ colorScheme, reducedMotion: 'reduce', viewport }, which);
    for (const language of ['en', 'ru'] as const) {
      await speak(page, language);
      for (const name of scenes) {
        await CAPTURE_SCENES[name]?.(page);
        const found = {
          broken: await axeViolations(page),
          faint: await lowContrast(page),
          nameless: await nameless(page),
        };
        expect({ name, language, ...found }).toEqual({ name, language, broken: [], faint: [], nameless: [] });
        expect({ name, language, overflows: await overflows(page) }).toEqual({ name, language, overflows: false });
      }
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
