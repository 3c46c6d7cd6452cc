/** The ruler of the frozen screen in real Chromium: exact to the pixel at every scale, by mouse, keyboard and ear. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Area, Display } from '../../../src/ipc/protocol/capture.ts';
import { contains } from '../../../src/renderer/overlay/selection/selection-geometry.ts';
import { nameless } from '../../support/audit/page-audit.ts';
import { CAPTURE, makeChoosing, makeDisplay, makePixels, makeWindow } from '../../support/window/frozen-desktop.ts';
import { freeze, type OverlayPage, openOverlay } from '../../support/window/overlay-page.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';

let pages: RendererPages;
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());

/** A light panel with a button in it, on a dark screen. */
const PANEL: Area = { x: 301, y: 121, width: 499, height: 333 };
const BUTTON: Area = { x: 421, y: 203, width: 97, height: 31 };

const frame = ({ width, height }: Display): Uint8Array =>
  makePixels({ width, height }, (x, y) => {
    if (contains(BUTTON, { x, y })) return [37, 99, 235];
    return contains(PANEL, { x, y }) ? [250, 250, 250] : [24, 24, 27];
  });

const WINDOWS = [makeWindow({ x: 200, y: 100, width: 700, height: 500, title: 'Behind the panel' })];
const toolbar = (page: Page) => page.getByRole('toolbar', { name: 'What to do with it' });
const rulerButton = (page: Page) => page.getByRole('button', { name: 'Ruler' });
const lengths = (page: Page) => page.locator('[data-part=lengths]');
const size = (page: Page) => page.locator('[data-part=size]');
const poll = <T>(read: () => Promise<T>) => expect.poll(read);

const cover = (one: Area, other: Area): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** Where a part is, in pixels of the display. */
const placeOf = (page: Page, part: string, ratio: number) =>
  page.locator(`[data-part=${part}]`).evaluate((element, scale) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x * scale, y: y * scale, width: width * scale, height: height * scale };
  }, ratio);

const measuresAt = async ({ page, moveTo }: OverlayPage, x: number, y: number, words: string): Promise<void> => {
  await moveTo(x, y);
  await poll(() => lengths(page).innerText()).toBe(words);
};
const click = async ({ page }: OverlayPage): Promise<void> => {
  await page.mouse.down();
  await page.mouse.up();
};
/** What a screen reader is told, without interrupting it. */
const isSpoken = (page: Page, words: string) =>
  page.locator('[aria-live=polite]', { hasText: words }).waitFor({ state: 'attached' });

describe.each([1, 1.25, 2])('at %d device pixels per CSS pixel', (ratio) => {
  it('measures from edge to edge, marks it with two lines, and a click selects exactly that', async () => {
    const overlay = await openOverlay(pages, { ratio, frame });
    const { page } = overlay;
    await overlay.moveTo(450, 210);
    await page.keyboard.press('r');
    await poll(() => lengths(page).innerText()).toBe('97 × 31');
    await measuresAt(overlay, 440, 320, '499 × 220');
    await measuresAt(overlay, 310, 210, '120 × 333');

    // The lines end where the panel and the button begin, and the label covers neither.
    const near = (value: number) => expect.closeTo(value, 0);
    const [down, across] = [await placeOf(page, 'lineX', ratio), await placeOf(page, 'lineY', ratio)];
    expect(down).toMatchObject({ x: near(310), y: near(121), height: near(333) });
    expect(across).toMatchObject({ x: near(301), y: near(210), width: near(120) });
    const label = await placeOf(page, 'lens', ratio);
    for (const line of [down, across]) expect(cover(label, line)).toBe(false);
    expect(await size(page).isVisible()).toBe(false);

    await measuresAt(overlay, 517, 233, '97 × 31');
    await click(overlay);
    await toolbar(page).waitFor();
    await page.keyboard.press('Enter');
    await poll(overlay.chosen).toEqual([{ area: BUTTON, way: null }]);
    expect(overlay.problems).toEqual([]);
    await page.context().close();
  });

  it('the same is measured and selected without a pointer, and spoken when the crosshair rests', async () => {
    const overlay = await openOverlay(pages, { ratio, frame });
    const { page } = overlay;
    // The ruler begins in the middle of the screen, 640, 360.
    await page.keyboard.press('r');
    await isSpoken(page, 'Measures 499 by 333. 640, 360. #FAFAFA');
    for (let step = 0; step < 15; step += 1) await page.keyboard.press('Control+ArrowLeft');
    for (let step = 0; step < 14; step += 1) await page.keyboard.press('Control+ArrowUp');
    await isSpoken(page, 'Measures 97 by 31. 490, 220. #2563EB');
    await poll(() => lengths(page).innerText()).toBe('97 × 31');
    await page.keyboard.press('Enter');
    await toolbar(page).waitFor();
    await page.keyboard.press('Enter');
    await poll(overlay.chosen).toEqual([{ area: BUTTON, way: null }]);
    await page.context().close();
  });
});

describe('the borders of the display', () => {
  it('are edges, in both overlays', async () => {
    for (const host of ['window', 'page'] as const) {
      const overlay = await openOverlay(pages, { host, frame });
      const { page } = overlay;
      await page.keyboard.press('r');
      await measuresAt(overlay, 0, 0, '1280 × 720');
      await measuresAt(overlay, 100, 300, '301 × 720');
      await measuresAt(overlay, 600, 60, '1280 × 121');
      await click(overlay);
      await toolbar(page).waitFor();
      await page.keyboard.press('Enter');
      await poll(overlay.chosen).toEqual([{ area: { x: 0, y: 0, width: 1280, height: 121 }, way: null }]);
      await page.context().close();
    }
  });

  it('a screen larger than the tab is measured in its own pixels', async () => {
    const overlay = await openOverlay(pages, { host: 'page', frame, page: { viewport: { width: 640, height: 500 } } });
    const { page } = overlay;
    await page.keyboard.press('r');
    // Half as large, below a margin of 70.
    await page.mouse.move(225, 70 + 108);
    await poll(() => lengths(page).innerText()).toBe('97 × 31');
    await click(overlay);
    await page.keyboard.press('Enter');
    await poll(overlay.chosen).toEqual([{ area: BUTTON, way: null }]);
    await page.context().close();
  });
});

describe('on and off', () => {
  it('Escape ends the ruler, then the capture; R ends it too, and the windows are back', async () => {
    const overlay = await openOverlay(pages, { frame, session: { windows: WINDOWS } });
    const { page } = overlay;
    await overlay.moveTo(450, 210);
    await poll(() => size(page).innerText()).toBe('700 × 500');
    for (const end of ['r', 'Escape']) {
      await page.keyboard.press('r');
      await poll(() => lengths(page).innerText()).toBe('97 × 31');
      expect(await rulerButton(page).getAttribute('aria-pressed')).toBe('true');
      await page.keyboard.press(end);
      await poll(() => size(page).innerText()).toBe('700 × 500');
      await poll(() => rulerButton(page).getAttribute('aria-pressed')).toBe('false');
      expect(await lengths(page).isVisible()).toBe(false);
    }
    // The crosshair goes across the screen again.
    expect(await placeOf(page, 'lineX', 1)).toMatchObject({ y: 0, height: 720 });
    expect(await overlay.cancelled()).toBe(0);
    await click(overlay);
    await poll(() => size(page).innerText()).toBe('700 × 500');
    await toolbar(page).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await overlay.cancelled()).toBe(1);
    await page.context().close();
  });

  it('its button does the same, and leaves the keyboard to the crosshair; Cancel ends the capture', async () => {
    const overlay = await openOverlay(pages, { frame, session: { windows: WINDOWS } });
    const { page } = overlay;
    await rulerButton(page).click();
    await page.getByText('Click to select what is measured').waitFor();
    await page.keyboard.press('ArrowLeft');
    await isSpoken(page, 'Measures 499 by 333. 639, 360. #FAFAFA');
    // It selects no windows, so Tab goes to the buttons.
    await page.keyboard.press('Tab');
    await poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('a drag draws as without it, and after Escape it measures on', async () => {
    const overlay = await openOverlay(pages, { frame });
    const { page } = overlay;
    await overlay.moveTo(450, 210);
    await page.keyboard.press('r');
    await overlay.drag(450, 210, 549, 259);
    await toolbar(page).waitFor();
    await poll(() => size(page).innerText()).toBe('100 × 50');
    await page.keyboard.press('r');
    await page.keyboard.press('Escape');
    await toolbar(page).waitFor({ state: 'hidden' });
    await measuresAt(overlay, 451, 211, '97 × 31');
    await page.context().close();
  });

  it('stays on for the next display, in one page and in windows of their own', async () => {
    const displays = [makeDisplay(), makeDisplay({ number: 2, x: 1280, name: 'HDMI-1' })];
    const one = await openOverlay(pages, { host: 'page', frame, session: { displays } });
    await one.page.keyboard.press('r');
    await one.page.keyboard.press('2');
    await one.page
      .getByRole('button', { name: 'Screen 2, HDMI-1' })
      .and(one.page.locator('[aria-pressed=true]'))
      .waitFor();
    await one.page.locator('[data-painted]').waitFor();
    await measuresAt(one, 450, 210, '97 × 31');
    await click(one);
    await toolbar(one.page).waitFor();
    await one.page.keyboard.press('Enter');
    await poll(one.chosen).toEqual([{ area: { ...BUTTON, x: 1280 + BUTTON.x }, way: null }]);
    await one.page.context().close();

    const first = await openOverlay(pages, { frame, session: { displays } });
    const second = await first.page.context().newPage();
    await second.setViewportSize({ width: 1280, height: 720 });
    await second.goto(`${first.page.url()}#2`);
    await second.locator('#root').waitFor({ state: 'attached' });
    await poll(() => second.evaluate(() => 'double' in window)).toBe(true);
    await freeze(second, makeChoosing({ displays }), 'windows');
    await first.page.keyboard.press('r');
    await rulerButton(second).and(second.locator('[aria-pressed=true]')).waitFor();
    await second.mouse.move(440, 320);
    await poll(() => lengths(second).innerText()).toBe('499 × 220');
    // The first window has the keyboard still, and hears of the pointer in the second a moment later.
    await lengths(first.page).waitFor({ state: 'hidden' });
    await first.page.keyboard.press('Enter');
    await toolbar(second).waitFor();
    await first.page.keyboard.press('Enter');
    const chosen = () =>
      second.evaluate(() => window.double.calls.filter(({ command }) => command === 'capture.choose'));
    await poll(chosen).toMatchObject([{ input: { id: CAPTURE, area: { x: 1581, y: 234, width: 499, height: 220 } } }]);
    await first.page.context().close();
  });
});

it.each(['light', 'dark'] as const)('no rule of accessibility is broken while it is on (%s)', async (colorScheme) => {
  const overlay = await openOverlay(pages, { frame, language: 'ru', page: { colorScheme } });
  const { page } = overlay;
  await page.keyboard.press('r');
  await poll(() => lengths(page).innerText()).toBe('499 × 333');
  await page.evaluate(axe.source);
  const broken = await page.evaluate(async () => {
    const { axe: loaded } = window as unknown as { axe: typeof import('axe-core') };
    const { violations } = await loaded.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
  expect(broken).toEqual([]);
  expect(await nameless(page)).toEqual([]);
  expect(overlay.problems).toEqual([]);
  await page.context().close();
});

it('nothing is made or taken away while the ruler follows the pointer', async () => {
  const overlay = await openOverlay(pages, { frame });
  const { page } = overlay;
  await page.keyboard.press('r');
  await measuresAt(overlay, 20, 20, '1280 × 720');
  await page.evaluate(() => {
    const made: string[] = [];
    Object.assign(window, { made });
    const isElement = (node: Node) => node.nodeType === Node.ELEMENT_NODE;
    new MutationObserver((records) => {
      for (const { addedNodes, removedNodes } of records)
        made.push(...[...addedNodes, ...removedNodes].filter(isElement).map(({ nodeName }) => nodeName));
    }).observe(document.body, { childList: true, subtree: true });
  });
  for (let step = 1; step <= 20; step += 1) await overlay.moveTo(20 + step * 30, 20 + step * 15);
  await poll(() => lengths(page).innerText()).toBe('499 × 333');
  expect(await page.evaluate(() => (window as unknown as { made: string[] }).made)).toEqual([]);
  await page.context().close();
});
