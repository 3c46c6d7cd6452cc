/** On a Mac, texts in both languages show ⌘ instead of Ctrl, and only ⌘ triggers a shortcut. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../../src/renderer/locales/en.ts';
import { macKeys, withMacKeys } from '../../../src/renderer/locales/platform-keys.ts';
import { ru } from '../../../src/renderer/locales/ru.ts';
import { untilListening } from '../../support/browser/until-listening.ts';
import { eventually } from '../../support/eventually.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';

describe('texts', () => {
  it('name ⌘ in a combination; Ctrl alone is a key of a Mac too', () => {
    expect(macKeys('Press Ctrl+V, Ctrl+Enter or Ctrl −.')).toBe('Press ⌘V, ⌘Enter or ⌘−.');
    expect(macKeys('Add Ctrl, Alt or the system key')).toBe('Add Ctrl, Alt or the system key');
  });

  it('of both catalogues have no Ctrl left that is pressed with another key', () => {
    expect(JSON.stringify([withMacKeys(en), withMacKeys(ru)])).not.toMatch(/Ctrl\+/);
    expect(JSON.stringify([en, ru])).toMatch(/Ctrl\+/);
  });
});

describe('the window on a Mac', () => {
  let pages: RendererPages;
  let page: Page;
  beforeAll(async () => {
    pages = await startRendererPages();
    const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
    ({ page } = await pages.open({ userAgent }));
  });
  afterAll(() => pages.close());

  it('shows ⌘ where others see Ctrl', async () => {
    await page.evaluate(() => {
      location.hash = '#settings';
    });
    const keys = page.getByRole('region', { name: 'Shortcuts' }).locator('kbd');
    await eventually(async () => expect(await keys.allInnerTexts()).toContain('⌘'));
    expect(await keys.allInnerTexts()).not.toContain('Ctrl');
  });

  it('leaves Ctrl with a letter to the text fields of the system, and takes it with ⌘', async () => {
    await page.evaluate(() => {
      location.hash = '#library';
      const seen: string[] = [];
      Object.assign(window, { seen });
      window.addEventListener('keydown', ({ key, defaultPrevented }) => seen.push(`${key} ${defaultPrevented}`));
    });
    const search = page.getByRole('searchbox', { name: 'Search the library' });
    await search.focus();
    for (const letter of ['n', 'k', 'o', 'a', 'e']) await page.keyboard.press(`Control+${letter}`);
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    expect(seen.filter((key) => !key.startsWith('Control'))).toEqual(
      ['n', 'k', 'o', 'a', 'e'].map((key) => `${key} false`),
    );
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Meta+k');
    await page.getByRole('dialog').waitFor();
    await untilListening(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Meta+n');
    await page.getByRole('heading', { name: 'New note' }).waitFor();
  });
});
