/** Window and server pages look alike: same tokens, logo, buttons, cards and fields in every palette. */
import { readFileSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PALETTES } from '../../../src/api/page-palettes.ts';
import { LOGO } from '../../../src/common/design/logo.ts';
import { editRow, publish } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';

let pages: RendererPages;
let server: RunningServer;
let owner: User;
let item: string;
beforeAll(async () => {
  [pages, server] = await Promise.all([startRendererPages(), startServer()]);
  owner = await server.user({ plan: 'pro' });
  item = (await publish(server, owner, { visibility: 'unlisted', title: 'A picture' })).url;
});
afterAll(() => Promise.all([pages.close(), server.stop()]));

/** What makes a part look as it does; its height may differ, for fingers. */
const LOOK = [
  ...['color', 'background-color', 'background-image', 'border-top-color', 'border-top-width', 'border-radius'],
  ...['box-shadow', 'font-family', 'font-size', 'font-weight'],
];

/** The colours of the owner's links. */
const choosePalette = (palette: string): Promise<void> =>
  editRow(server, `UPDATE accounts SET palette = '${palette}' WHERE id = ?`, owner.accountId);

const lookOf = (page: Page, selector: string): Promise<Record<string, string>> =>
  page
    .locator(selector)
    .filter({ visible: true })
    .first()
    .evaluate((part, names) => {
      const style = getComputedStyle(part);
      return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)]));
    }, LOOK);

/** The window where it asks for a server, in the colours of an account. */
const openWindow = async (palette: string, options: BrowserContextOptions): Promise<Page> => {
  const { page } = await pages.open({ reducedMotion: 'reduce', ...options });
  await page.evaluate((chosen) => {
    const { double } = window;
    const { effective } = double.state();
    double.set({ connection: { state: 'none' }, effective: { ...effective, palette: chosen as never } });
  }, palette);
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
  await page.locator('main input[class*="_input_"]').first().waitFor();
  return page;
};

const openPages = async (options: BrowserContextOptions) => {
  const context = await pages.browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  return { page, close: () => context.close() };
};

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  it('components of both look the same', async () => {
    await choosePalette('linkshot');
    const window = await openWindow('linkshot', { colorScheme });
    const { page, close } = await openPages({ colorScheme });
    await page.goto(`${server.url}/sign-in`);
    const alike = async (ours: string, theirs: string) =>
      expect(await lookOf(page, theirs), theirs).toEqual(await lookOf(window, ours));
    await alike('body', 'body');
    await alike('main [class*="_card_"]', '.card');
    // The first field of the page has the focus ring.
    await page.locator('.button').focus();
    await alike('main input[class*="_input_"]', 'input:not([type=hidden])');
    await page.goto(item);
    await page.locator('.button[data-copy]').waitFor();
    await alike('main button[class*="_primary_"]', '.button.primary');
    await alike('main button[class*="_outline_"]', '.button[data-copy]');
    await alike('h1', 'h1');
    await close();
    await window.context().close();
  });

  it('the palette of an account colours its window and its links, and no page without a sign-in', async () => {
    const { page, close } = await openPages({ colorScheme });
    const window = await openWindow('linkshot', { colorScheme });
    const accents = new Set<string>();
    const accentOf = async (looked: Page, selector: string) =>
      (await lookOf(looked, selector))['background-color'] ?? '';
    for (const palette of PALETTES) {
      await choosePalette(palette);
      await window.evaluate((chosen) => {
        const { effective } = globalThis.window.double.state();
        globalThis.window.double.set({ effective: { ...effective, palette: chosen } });
      }, palette);
      await window.locator(`html[data-palette="${palette}"]`).waitFor();
      await page.goto(item);
      const accent = await accentOf(page, '.button.primary');
      await expect.poll(() => accentOf(window, 'main button[class*="_primary_"]')).toBe(accent);
      accents.add(accent);
    }
    expect(accents.size).toBe(PALETTES.length);
    // It would tell whose link it is.
    const locked = await publish(server, owner, { visibility: 'unlisted', password: 'open sesame' });
    await page.goto(locked.url);
    expect(await page.locator('html').getAttribute('data-palette')).toBeNull();
    await close();
    await window.context().close();
  });
});

it('both have the same sign, and so has the tab', async () => {
  const window = await openWindow('linkshot', {});
  const { page, close } = await openPages({});
  await page.goto(item);
  const drawn = (looked: Page) =>
    looked
      .locator(`svg[viewBox="${LOGO.viewBox}"]`)
      .first()
      .locator('path')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')));
  expect(await drawn(window)).toEqual(LOGO.lines);
  expect(await drawn(page)).toEqual(LOGO.lines);
  const icon = await page.locator('link[rel=icon][type="image/svg+xml"]').getAttribute('href');
  const answer = await page.request.get(`${server.url}${icon}`);
  expect(answer.headers()['content-type']).toBe('image/svg+xml');
  const files = [
    await answer.text(),
    readFileSync(new URL('../../../src/renderer/public/icon.svg', import.meta.url), 'utf8'),
  ];
  for (const file of files) for (const part of [...LOGO.lines, LOGO.ground]) expect(file).toContain(part);
  await close();
  await window.context().close();
});
