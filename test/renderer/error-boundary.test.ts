/** A component that fails to render shows an error message with a way to continue instead of an empty page. */

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { AppState } from '../../src/ipc/protocol/app-state.ts';
import type { LibraryItem } from '../../src/ipc/protocol/library-item.ts';
import { axeViolations, overflows } from '../support/audit/page-audit.ts';
import { eventually } from '../support/eventually.ts';
import { type RendererPages, startRendererPages } from '../support/window/renderer-page.ts';
import { speak } from '../support/window/speak.ts';
import { callsOf } from '../support/window/window-for-each-test.ts';

let pages: RendererPages;
let page: Page;
let problems: string[];
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());
afterEach(() => page.context().close());

const open = async (which: 'index' | 'toast' | 'recorder' | 'overlay' = 'index'): Promise<void> => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  ({ page, problems } = await pages.open({ reducedMotion: 'reduce', permissions }, which));
};
const button = (name: string) => page.getByRole('button', { name });
const broken = (name: string) => page.getByRole('region', { name });
const hasFocus = (name: string) =>
  eventually(async () =>
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(name),
  );
const isInConsole = () => eventually(async () => expect(problems.join('\n')).toContain('TypeError'));

/** Both languages, both themes, and the width of a window at 200 %. */
const isFitForEveryone = async (): Promise<void> => {
  for (const language of ['ru', 'en'] as const) {
    await speak(page, language);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeViolations(page, colorScheme === 'dark' ? 'contrast' : 'all')).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 400, height: 720 });
  expect(await overflows(page)).toBe(false);
  await page.setViewportSize({ width: 1280, height: 720 });
};

/** What no engine answers. */
const library = (state: 'broken' | 'whole') =>
  page.evaluate((which) => {
    const { make, double } = window;
    const item = make.makeLibraryItem(2);
    double.setLibrary([item]);
    const broken = { ...item, content: null } as unknown as LibraryItem;
    double.answer('library.search', () => ({ items: [which === 'whole' ? item : broken], nextCursor: null, total: 1 }));
    double.emit({ type: 'library' });
  }, state);

const queue = (state: 'broken' | 'whole') =>
  page.evaluate((which) => {
    const items = which === 'whole' ? [] : ([null] as unknown as AppState['queue']['items']);
    window.double.set({ queue: { items, live: {}, paused: false } });
  }, state);

/** Where the browser refuses to copy, the details are opened, to be copied by hand. */
const detailsAreShownWithoutClipboard = async (): Promise<void> => {
  const details = page.getByText(/^Linkshot 0\.1\.0, \w+\n/);
  expect(await details.isVisible()).toBe(false);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'));
    document.execCommand = () => false;
  });
  await button('Copy technical details').click();
  await details.waitFor();
  expect(await details.innerText()).toContain('TypeError');
};

it('a screen that fails shows the error in its place, and recovers by leaving it or by a retry', async () => {
  await open();
  await library('broken');
  const sidebar = page.getByRole('navigation');
  await sidebar.getByRole('link', { name: 'Library' }).click();
  const message = broken('This screen can’t be shown');
  await message.getByText('Your uploads continue and nothing is lost.').waitFor();
  await hasFocus('This screen can’t be shown');
  await isInConsole();
  await isFitForEveryone();

  await message.getByRole('button', { name: 'Try again' }).click();
  await hasFocus('This screen can’t be shown');

  await sidebar.getByRole('link', { name: 'Home' }).click();
  await message.waitFor({ state: 'detached' });
  await sidebar.getByRole('link', { name: 'Library' }).click();
  await message.waitFor();
  await button('Go to Home').click();
  await message.waitFor({ state: 'detached' });
  await eventually(async () => expect(await page.evaluate(() => document.activeElement?.id)).toBe('content'));

  await sidebar.getByRole('link', { name: 'Library' }).click();
  await message.waitFor();
  await library('whole');
  await button('Try again').click();
  await page.getByText('Shot 2').first().waitFor();
  expect(await message.count()).toBe(0);
});

it('a window that fails shows the error with technical details, and recovers', async () => {
  await open();
  await queue('broken');
  const message = broken('Linkshot can’t show this window');
  await message.getByText('Your uploads continue and nothing is lost.').waitFor();
  await hasFocus('Linkshot can’t show this window');
  await isInConsole();
  await isFitForEveryone();

  await button('Copy technical details').click();
  await eventually(async () => {
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^Linkshot 0\.1\.0, home\n/);
    expect(copied).toContain('TypeError');
  });

  await detailsAreShownWithoutClipboard();
  await isFitForEveryone();

  await queue('whole');
  await button('Try again').click();
  await page.getByRole('navigation').waitFor();
  expect(await message.count()).toBe(0);

  await queue('broken');
  await message.waitFor();
  await Promise.all([page.waitForEvent('load'), button('Go to Home').click()]);
  await page.getByRole('navigation').waitFor();
});

it('a frozen screen that breaks is left by Esc, in a window of its own and in the page', async () => {
  for (const which of ['overlay', 'index'] as const) {
    await open(which);
    await page.evaluate(() => {
      const { double } = window;
      double.set({
        capabilities: { ...double.state().capabilities, overlay: 'page' },
        capture: {
          state: 'choosing',
          id: 'capture-1',
          purpose: 'region',
          displays: null,
        } as unknown as AppState['capture'],
      });
    });
    const message = page.getByRole('main', { name: 'The capture screen can’t be shown' });
    await message.waitFor();
    await hasFocus('The capture screen can’t be shown');
    await isInConsole();
    if (which === 'overlay') {
      await detailsAreShownWithoutClipboard();
      await isFitForEveryone();
    }
    await page.keyboard.press('Escape');
    await message.waitFor({ state: 'detached' });
    expect(await callsOf(page, 'capture.cancel')).toEqual([{}]);
    if (which === 'overlay') await page.context().close();
  }
});

it.each([
  { which: 'toast', title: 'This notification can’t be shown' },
  { which: 'recorder', title: 'The recorder bar can’t be shown' },
] as const)('a panel that fails is as high as its message, and recovers: $which', async ({ which, title }) => {
  await open(which);
  await page.evaluate(() => {
    window.double.set({
      queue: { items: [null] as unknown as AppState['queue']['items'], live: {}, paused: false },
      recording: { state: 'recording' } as unknown as AppState['recording'],
    });
  });
  await page.getByRole('alert').getByText(title).waitFor();
  await isInConsole();
  await isFitForEveryone();
  const height = async () => ((await callsOf(page, 'app.panel')).at(-1) as { height: number | null }).height;
  await eventually(async () => expect(await height()).toBeGreaterThan(80));
  const short = (await height()) ?? 0;
  await detailsAreShownWithoutClipboard();
  await eventually(async () => expect(await height()).toBeGreaterThan(short));
  await isFitForEveryone();
  await page.evaluate(() => window.double.set({ queue: { items: [], live: {}, paused: false }, recording: null }));
  await button('Try again').click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await eventually(async () => expect(await height()).toBe(null));
});
