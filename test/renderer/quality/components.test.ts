/** Component accessibility: no target is too small, and focus is visible on each component, also in forced colours. */
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeViolations, tabStops } from '../../support/audit/page-audit.ts';
import { CAPTURE_SCENES } from '../../support/window/capture-scenes.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';
import { SCENES } from '../../support/window/window-scenes.ts';

const ALL = { ...SCENES, ...CAPTURE_SCENES };

let pages: RendererPages;
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());

it('a target that is too small to hit is found', async () => {
  const { page } = await pages.open();
  await page.evaluate(() => {
    const row = document.createElement('div');
    for (const name of ['one', 'two']) {
      const button = Object.assign(document.createElement('button'), { textContent: name });
      Object.assign(button.style, { width: '18px', height: '18px', padding: '0', border: '0', fontSize: '8px' });
      row.append(button);
    }
    document.querySelector('main')?.append(row);
  });
  expect((await axeViolations(page)).map((violation) => violation.split(':')[0])).toContain('target-size');
  await page.context().close();
});

it.each(['none', 'active'] as const)(
  'the place of the keyboard is seen on every part; forced colours: %s',
  async (forcedColors) => {
    const { page } = await pages.open({ forcedColors, reducedMotion: 'reduce' });
    for (const name of ['busy', 'error', 'library', 'settings'] as const) {
      await ALL[name]?.(page);
      const stops = await tabStops(page);
      expect(stops.length, name).toBeGreaterThan(5);
      expect({ name, unseen: stops.filter(({ isSeen }) => !isSeen) }).toEqual({ name, unseen: [] });
    }
    await page.context().close();
  },
);

it('controls are higher for touch', async () => {
  const heightOf = async (options: BrowserContextOptions): Promise<number> => {
    const { page } = await pages.open({ viewport: { width: 390, height: 800 }, ...options });
    const box = await page.getByRole('button', { name: 'Choose files' }).boundingBox();
    await page.context().close();
    return box?.height ?? 0;
  };
  expect(await heightOf({ hasTouch: true, isMobile: true })).toBeGreaterThan(await heightOf({}));
});
