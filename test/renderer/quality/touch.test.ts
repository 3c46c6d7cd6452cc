/** The window under a finger: every target is large enough, and nothing scrolls sideways. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { overflows, smallTargets } from '../../support/audit/page-audit.ts';
import { CAPTURE_SCENES } from '../../support/window/capture-scenes.ts';
import { ITEM_SCENES } from '../../support/window/item-scenes.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';
import { speak } from '../../support/window/speak.ts';
import { SCENES } from '../../support/window/window-scenes.ts';

const PHONE = {
  hasTouch: true,
  isMobile: true,
  viewport: { width: 390, height: 844 },
  reducedMotion: 'reduce',
} as const;

/** Titles of rows that open the item: links in a line of text. */
const TITLES = '[class*="_name_"], [class*="_link_"], [class*="_opens_"], p a';

let pages: RendererPages;
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());

describe.each([
  ['window', { ...SCENES, ...CAPTURE_SCENES }],
  ['item', ITEM_SCENES],
])('on a phone, the %s', (_, scenes) => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await pages.open(PHONE));
  });
  afterAll(() => page.context().close());

  it.each(Object.entries(scenes))('%s', async (_name, scene) => {
    await scene(page);
    // The longer words in the narrower window.
    for (const [language, width] of [
      ['ru', 320],
      ['en', 390],
    ] as const) {
      await speak(page, language);
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(() => overflows(page), { message: `wider than ${width} px in ${language}` }).toBe(false);
      await expect
        .poll(() => smallTargets(page, TITLES), { message: `small at ${width} px in ${language}` })
        .toEqual([]);
    }
  });
});
