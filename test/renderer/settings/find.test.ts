/** The settings search finds every setting on the screen and lists none that is missing there. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../../src/renderer/locales/en.ts';
import { ru } from '../../../src/renderer/locales/ru.ts';
import { findSettings, SETTING_IDS } from '../../../src/renderer/screens/settings/settings-search-index.ts';
import { axeViolations, overflows } from '../../support/audit/page-audit.ts';
import { eventually } from '../../support/eventually.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';

describe('the index', () => {
  const found = (typed: string) => findSettings(typed, [en, ru]);
  it('finds a setting by its name and by synonyms, in both languages', () => {
    expect(found('proxy')).toContain('network');
    expect(found('прокси')).toContain('network');
    expect(found('hotkey')).toEqual(['hotkeys']);
    expect(found('exif')).toEqual(['stripMetadata']);
    expect(found('темн')).toContain('theme');
    expect(found('markdown')).toEqual(['linkFormat']);
    expect(found('qwertz')).toEqual([]);
    expect(found('  ')).toEqual([]);
    expect(found(' -?')).toEqual([]);
  });
});

describe('on the screen', () => {
  let pages: RendererPages;
  let page: Page;
  let problems: string[];
  const field = () => page.getByRole('searchbox', { name: 'Search the settings' });
  const isInSight = (id: string) =>
    page.evaluate((name) => {
      const box = document.querySelector(`[data-setting="${name}"]`)?.getBoundingClientRect();
      return box !== undefined && box.top >= 0 && box.top < innerHeight - 20;
    }, id);

  beforeAll(async () => {
    pages = await startRendererPages();
    ({ page, problems } = await pages.open());
    await page.evaluate(() => {
      const { double } = window;
      const { capabilities } = double.state();
      double.answer('app.trayIcon', () => ({ state: 'hidden' }));
      double.set({
        capabilities: {
          ...capabilities,
          overlay: 'page',
          tray: true,
          fileManager: true,
          explorerMenu: true,
          terminalCommand: true,
          tryOut: true,
        },
      });
      location.hash = '#settings';
    });
    await field().waitFor();
  });
  afterAll(async () => {
    expect(problems).toEqual([]);
    await pages.close();
  });

  it('each setting of the index has its place, once', async () => {
    const places = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[data-setting]')].map(({ dataset }) => dataset['setting']),
    );
    expect(places.toSorted()).toEqual([...SETTING_IDS].toSorted());
  });

  it('a query scrolls to the setting, and Enter focuses it', async () => {
    await field().fill('diagnostics');
    await page.getByRole('button', { name: 'Diagnostic report Advanced' }).waitFor();
    await eventually(async () => expect(await isInSight('report')).toBe(true));
    await field().press('Enter');
    await eventually(async () =>
      expect(
        await page
          .getByRole('button', { name: 'Show', exact: true })
          .first()
          .evaluate((it) => it === document.activeElement),
      ).toBe(true),
    );
    expect(await axeViolations(page)).toEqual([]);
  });

  it('a result leads to its setting', async () => {
    await field().fill('language');
    await page.getByRole('button', { name: 'Language General' }).click();
    await eventually(async () => expect(await isInSight('language')).toBe(true));
    await eventually(async () =>
      expect(
        await page.evaluate(() => document.activeElement?.closest('[data-setting]')?.getAttribute('data-setting')),
      ).toBe('language'),
    );
  });

  it('text that matches no setting is reported, with a button that shows all again', async () => {
    await field().fill('qwertz');
    await page.getByText('No settings found.').waitFor();
    await page.getByRole('button', { name: 'Show all sections' }).click();
    await page.getByRole('navigation', { name: 'Sections' }).waitFor();
  });

  it('captures are not found where the screen cannot be captured', async () => {
    await page.evaluate(() => {
      const { double } = window;
      double.set({ capabilities: { ...double.state().capabilities, overlay: 'none' } });
    });
    await field().fill('hotkey');
    await page.getByText('No settings found.').waitFor();
    await field().fill('');
  });

  it('the sections are at the left where there is space, and above where there is not', async () => {
    const nav = page.getByRole('navigation', { name: 'Sections' });
    const section = page.getByRole('region', { name: 'Appearance' });
    for (const [width, isBeside] of [
      [1600, true],
      [1024, true],
      [480, false],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await nav.getByRole('button', { name: 'General' }).click();
      const [left, right] = [await nav.boundingBox(), await section.boundingBox()];
      expect([width, (left?.x ?? 0) + (left?.width ?? 0) <= (right?.x ?? 0)]).toEqual([width, isBeside]);
      expect([width, await overflows(page)]).toEqual([width, false]);
    }
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it('where the bar is longer than the window, it follows the visible section', async () => {
    const nav = page.getByRole('navigation', { name: 'Sections' });
    await page.setViewportSize({ width: 480, height: 900 });
    for (const name of ['About', 'General']) {
      // Not by the entry itself, which a press would bring into sight.
      await page.getByRole('region', { name: name === 'About' ? 'About Linkshot' : 'Appearance' }).evaluate((card) => {
        card.scrollIntoView({ block: 'start' });
      });
      await eventually(async () => {
        const current = nav.locator('[aria-current]');
        expect(await current.innerText()).toBe(name);
        const [bar, entry] = [await nav.boundingBox(), await current.boundingBox()];
        expect(entry?.x).toBeGreaterThanOrEqual(bar?.x ?? 0);
        expect((entry?.x ?? 0) + (entry?.width ?? 0)).toBeLessThanOrEqual((bar?.x ?? 0) + (bar?.width ?? 0));
      });
    }
    await page.setViewportSize({ width: 1280, height: 720 });
  });
});
