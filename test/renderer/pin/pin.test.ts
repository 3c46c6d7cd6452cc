/** The page of a pinned image in real Chromium. */

import { readFileSync } from 'node:fs';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nameless } from '../../support/audit/page-audit.ts';
import { image } from '../../support/media/media.ts';
import { PIN } from '../../support/window/page-transport.ts';
import { watchForText } from '../../support/window/passing-text.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';
import { callsOf } from '../../support/window/window-for-each-test.ts';

let pages: RendererPages;
let page: Page;
let problems: string[];

beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());
const open = async (options = {}): Promise<void> => {
  pages.captures.set(`pins/${PIN}`, readFileSync(await image('png', 320, 200)));
  ({ page, problems } = await pages.open({ viewport: { width: 320, height: 200 }, ...options }, 'pin'));
};
beforeEach(() => open());
afterEach(async () => {
  expect(problems).toEqual([]);
  await page.context().close();
});

const changes = () => callsOf(page, 'pin.change');
const picture = () => page.locator('img');
/** The page tells it for a second only: whoever waits for it begins before the change. */
const watchFor = (text: string) => watchForText(page, '[role=status]', text);
const poll = <T>(read: () => Promise<T>) => expect.poll(read);

it('shows the image in every pixel of the window, and has the focus', async () => {
  await picture().waitFor();
  expect(await picture().boundingBox()).toEqual({ x: 0, y: 0, width: 320, height: 200 });
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Pinned image shot.png');
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
});

describe('it is', () => {
  it('zoomed by the wheel at the pointer, and tells the zoom', async () => {
    const isTold = await watchFor('110%');
    await page.mouse.move(80, 50);
    await page.mouse.wheel(0, -100);
    await poll(changes).toEqual([{ id: PIN, change: { kind: 'zoom', zoom: 1.1, x: 80, y: 50 } }]);
    await isTold();
  });

  it('faded by a key, and only the image is', async () => {
    const isTold = await watchFor('Opacity 50%');
    for (let press = 0; press < 5; press++) await page.keyboard.press('[');
    await isTold();
    await poll(() => picture().evaluate((element) => getComputedStyle(element).opacity)).toBe('0.5');
    // By its attribute: without a text it has no role.
    expect(await page.locator('[role=status]').evaluate((element) => getComputedStyle(element).opacity)).toBe('1');
  });

  it('moved by a drag anywhere but on its buttons', async () => {
    await page.mouse.move(100, 100);
    await page.mouse.down();
    await page.mouse.move(130, 90);
    await page.mouse.up();
    const moved = async () => {
      const all = (await changes()) as { change: { kind: string; x: number; y: number } }[];
      const moves = all.filter(({ change }) => change.kind === 'move').map(({ change }) => change);
      return [moves.reduce((sum, { x }) => sum + x, 0), moves.reduce((sum, { y }) => sum + y, 0)];
    };
    await poll(moved).toEqual([30, -10]);
    await page.getByRole('button', { name: 'Share' }).hover();
    await page.mouse.down();
    await page.mouse.move(10, 100);
    await page.mouse.up();
    // What the button's drag would have done comes before what this key does.
    await page.keyboard.press('[');
    await poll(async () => (await changes()).at(-1)).toMatchObject({ change: { kind: 'opacity' } });
    expect(await moved()).toEqual([30, -10]);
  });

  it.each([
    ['Copy image', 'copy'],
    ['Share', 'share'],
    ['Click through it; the menu in the tray ends that', 'letThrough'],
    ['Close', 'close'],
  ])('%s by its button', async (name, action) => {
    await page.mouse.move(100, 100);
    await page.getByRole('button', { name, exact: true }).click();
    await poll(() => callsOf(page, 'pin.act')).toEqual([{ id: PIN, action }]);
  });

  it('closed by a double click or Escape, with all actions in a menu', async () => {
    await picture().dblclick({ position: { x: 100, y: 150 } });
    await page.keyboard.press('Escape');
    await picture().click({ button: 'right' });
    await poll(() => callsOf(page, 'pin.act')).toEqual(
      ['close', 'close', 'menu'].map((action) => ({ id: PIN, action })),
    );
  });
});

it('shared by a double click or a held key is published once', async () => {
  await page.mouse.move(100, 100);
  await page.getByRole('button', { name: 'Share' }).dblclick();
  await page.keyboard.down('Control');
  for (let press = 0; press < 3; press++) await page.keyboard.down('u');
  await page.keyboard.up('u');
  await page.keyboard.press('c');
  await page.keyboard.up('Control');
  await poll(() => callsOf(page, 'pin.act')).toEqual(['share', 'share', 'copy'].map((action) => ({ id: PIN, action })));
});

it('says why it could not be copied', async () => {
  await page.evaluate(() =>
    window.double.failNext('pin.act', { code: 'CLIPBOARD_NO_IMAGE', detail: 'made by the test' }),
  );
  const isTold = await watchFor('There is no image on the clipboard');
  await page.keyboard.press('Control+c');
  await isTold();
});

it('is readable for everyone, in light and dark', async () => {
  await page.context().close();
  for (const colorScheme of ['light', 'dark'] as const) {
    await open({ colorScheme });
    await page.mouse.move(100, 100);
    const isTold = await watchFor('Opacity 90%');
    await page.keyboard.press('[');
    await isTold();
    await page.evaluate(axe.source);
    const found = await page.evaluate(() => {
      const { axe: loaded } = window as unknown as { axe: typeof import('axe-core') };
      return loaded.run();
    });
    expect(found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    expect(await nameless(page)).toEqual([]);
    if (colorScheme === 'light') await page.context().close();
  }
});

it('is without its bar where that does not fit', async () => {
  await page.setViewportSize({ width: 120, height: 60 });
  await page.mouse.move(60, 30);
  await poll(() => page.getByRole('toolbar').count()).toBe(0);
});
