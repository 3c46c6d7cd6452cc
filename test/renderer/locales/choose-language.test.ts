/** The window starts in the right language, loads no other, and keeps the current one if another cannot be loaded. */

import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { AppState } from '../../../src/ipc/protocol/app-state.ts';
import { axeViolations, overflows } from '../../support/audit/page-audit.ts';
import { eventually } from '../../support/eventually.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';

declare global {
  interface Window {
    /** All text shown so far. */
    seen: Set<string>;
  }
}

const HOME = { en: 'Drop files here', ru: 'Перетащите файлы сюда' };
/** English is what the double makes of it (renderer-build.ts). */
const CATALOGUE = { en: /\/assets\/_english-[^/]+\.js$/, ru: /\/assets\/ru-[^/]+\.js$/ };

let pages: RendererPages;
let address: string;
let context: BrowserContext;
let page: Page;
let fetched: string[];

beforeAll(async () => {
  pages = await startRendererPages();
  const first = await pages.open();
  address = new URL('/', first.page.url()).href;
  await first.page.context().close();
});
afterAll(() => pages.close());
afterEach(() => context.close());

/** A new browser with the language `browser`, and the setting `setting` in Linkshot. */
const begin = async (browser: 'en-GB' | 'ru-RU', setting: 'system' | 'en' | 'ru' = 'system'): Promise<void> => {
  context = await pages.browser.newContext({ locale: browser, reducedMotion: 'reduce' });
  page = await context.newPage();
  fetched = [];
  page.on('request', (request) => {
    const name = Object.entries(CATALOGUE).find(([, file]) => file.test(request.url()))?.[0];
    if (name) fetched.push(name);
  });
  await page.addInitScript((language) => {
    let double: Window['double'];
    Object.defineProperty(window, 'double', {
      get: () => double,
      set: (made: Window['double']) => {
        double = made;
        double.set({ settings: { ...double.state().settings, language } });
      },
    });
    window.seen = new Set();
    new MutationObserver(() => {
      for (const line of document.body?.innerText.split('\n') ?? []) window.seen.add(line);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  }, setting);
};
const visit = (which = 'index') => page.goto(`${address}${which}.html`);
const says = (language: keyof typeof HOME) => page.getByText(HOME[language], { exact: true }).waitFor();
const choose = (language: AppState['settings']['language']) =>
  page.evaluate((chosen) => {
    window.double.set({ settings: { ...window.double.state().settings, language: chosen } });
  }, language);
const lang = () => page.evaluate(() => document.documentElement.lang);

it.each([
  ['the language of the browser', 'ru-RU', 'system', 'ru'],
  ['the language of the settings', 'en-GB', 'ru', 'ru'],
  ['the language of the settings, the other way round', 'ru-RU', 'en', 'en'],
] as const)('is right from the first word on, and at the next start nothing else is fetched: %s', async (...row) => {
  const [, browser, setting, spoken] = row;
  await begin(browser, setting);
  await visit();
  await says(spoken);
  expect(await lang()).toBe(spoken);
  const read = await page.evaluate(() => [...window.seen].join('\n'));
  expect(read).toContain(HOME[spoken]);
  expect(read).not.toMatch(spoken === 'ru' ? /Drop files|Starting|Settings/ : /Перетащите|Запуск|Настройки/);

  fetched.length = 0;
  await visit();
  await says(spoken);
  expect(fetched).toEqual([spoken]);
});

it('keeps the current language until the other one is loaded', async () => {
  await begin('en-GB');
  await visit();
  await says('en');
  expect(fetched).toEqual(['en']);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(CATALOGUE.ru, async (route) => {
    await held;
    await route.continue();
  });
  await choose('ru');
  await eventually(async () => expect(fetched).toEqual(['en', 'ru']));
  await page.getByRole('link', { name: 'Library' }).waitFor();
  expect(await lang()).toBe('en');
  letGo();
  await says('ru');
  expect(await lang()).toBe('ru');
  // A loaded catalogue is available immediately.
  await choose('en');
  await says('en');
  expect(fetched).toEqual(['en', 'ru']);
});

it('reports that a language could not be loaded, keeps the current one, and retries on request and when the host is back', async () => {
  await begin('en-GB');
  await visit();
  await says('en');
  await page.route(CATALOGUE.ru, (route) => route.abort());
  await choose('ru');
  const message = page.getByText('Couldn’t load that language');
  await message.waitFor();
  await says('en');
  await page.getByRole('button', { name: 'Try again' }).click();
  await eventually(async () => expect(fetched.filter((name) => name === 'ru')).toHaveLength(2));
  await message.waitFor();
  await page.unroute(CATALOGUE.ru);
  await page.evaluate(() => window.double.setLink('down'));
  await page.evaluate(() => window.double.setLink('up'));
  await says('ru');
  await page.getByText('Не удалось загрузить язык').waitFor({ state: 'detached' });
});

it('begins with the other language where its own cannot be fetched', async () => {
  await begin('ru-RU');
  await page.route(CATALOGUE.ru, (route) => route.abort());
  await visit();
  await says('en');
  await page.getByText('Couldn’t load that language').waitFor();
  expect(await lang()).toBe('en');
});

it('shows the error in every language where none can be loaded, and retries on request', async () => {
  await begin('en-GB');
  for (const file of Object.values(CATALOGUE)) await page.route(file, (route) => route.abort());
  await visit();
  const message = page.getByRole('alert');
  await message.getByText('Nothing is lost').waitFor();
  await message.getByText('Ничего не пропало').waitFor();
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 240, height: 500 });
  expect(await overflows(page)).toBe(false);
  for (const file of Object.values(CATALOGUE)) await page.unroute(file);
  await message.getByRole('button', { name: 'Reload' }).click();
  await says('en');
});

it.each([
  ['index', 'Не удалось показать окно Linkshot'],
  ['toast', 'Не удалось показать уведомление'],
] as const)(
  'an error in what follows the settings is caught, shown in that language, and can be left: %s',
  async (which, title) => {
    await begin('ru-RU');
    await visit(which);
    await eventually(async () => expect(await lang()).toBe('ru'));
    await page.evaluate(() => window.double.set({ settings: null as unknown as AppState['settings'] }));
    await page.getByText(title).first().waitFor();
    await page.evaluate(() => window.double.set({ settings: { ...window.make.makeState().settings, language: 'ru' } }));
    await page.getByRole('button', { name: 'Повторить' }).click();
    await page.getByText(title).first().waitFor({ state: 'detached' });
    if (which === 'index') await says('ru');
  },
);
