/**
 * Accessibility of every screen: keyboard and screen reader, the light theme, and Russian at the smallest width. `npm run
 * test:screens` adds the dark theme and a wider window.
 */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, lowContrast, nameless, overflows, tabStops } from '../../support/audit/page-audit.ts';
import { isLong } from '../../support/campaign.ts';
import { eventually } from '../../support/eventually.ts';
import { CAPTURE_SCENES } from '../../support/window/capture-scenes.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';
import { speak } from '../../support/window/speak.ts';
import { SCENES } from '../../support/window/window-scenes.ts';

let pages: RendererPages;
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());

const WIDTHS = isLong ? [320, 1024] : [320];

/** One page shows all scenes: each starts where the previous one ended. */
describe('every scene can be used by everyone', () => {
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    ({ page, problems } = await pages.open({ reducedMotion: 'reduce' }));
  });
  afterAll(() => page.context().close());

  it.each(Object.entries({ ...SCENES, ...CAPTURE_SCENES }))('%s', async (_, scene) => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ colorScheme: 'light' });
    await scene(page);
    expect({ nameless: await nameless(page) }).toEqual({ nameless: [] });
    expect({ light: await axeViolations(page), faint: await lowContrast(page) }).toEqual({ light: [], faint: [] });
    if (isLong) {
      await page.emulateMedia({ colorScheme: 'dark' });
      expect({ dark: await axeViolations(page, 'contrast'), faint: await lowContrast(page) }).toEqual({
        ...{ dark: [], faint: [] },
      });
    }
    // Longer words in wider windows: locales/pseudo-locale.test.ts. English in a narrow one: reflow.test.ts.
    await speak(page, 'ru');
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      // Popovers are repositioned in the next frame.
      await expect.poll(() => overflows(page), { message: `wider than ${width} px` }).toBe(false);
    }
    await speak(page, 'en');
    expect(problems).toEqual([]);
  });
});

it('the keyboard reaches every control, and its place is always seen', async () => {
  const { page } = await pages.open();
  await SCENES['busy']?.(page);
  const stops = await tabStops(page);
  expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
  const names = stops.map(({ name }) => name);
  for (const name of [
    'Skip to content',
    'Library',
    'Choose files',
    'Pause all',
    'Resume talk.webm',
    'Cancel talk.webm',
    'More actions for talk.webm',
    'Link to dashboard.png',
    'Copy the link to dashboard.png',
    'Open the share page of dashboard.png',
    'Remove dashboard.png from the list',
  ])
    expect(names).toContain(name);
  await page.context().close();
});

it('nothing moves with reduced motion', async () => {
  const { page } = await pages.open({ reducedMotion: 'reduce' });
  await SCENES['busy']?.(page);
  await SCENES['warnings']?.(page);
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 0)
      .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : 'transition')),
  );
  expect(moving).toEqual([]);
  await page.context().close();
});

it.each([480, 1024])('no entry changes its place or height while progress comes in, at %d px', async (width) => {
  const { page } = await pages.open({ viewport: { width, height: 800 } });
  await SCENES['busy']?.(page);
  const places = await page.evaluate(async () => {
    const { make, double } = window;
    const id = make.itemId(2);
    const seen = new Set<string>();
    for (let step = 1; step <= 40; step += 1) {
      const speed = { bytesPerSecond: 10 ** (step / 5), secondsLeft: step * step * 5 };
      const live = { [id]: { activity: 'sending', doneBytes: step * 1.6 * make.MIB, ...speed } } as const;
      double.set({ queue: { ...double.state().queue, live } });
      await new Promise(requestAnimationFrame);
      const rows = [...document.querySelectorAll('main li')].map((row) => row.getBoundingClientRect());
      seen.add(rows.map(({ top, height }) => `${top}+${height}`).join(' '));
    }
    return [...seen];
  });
  expect(places).toHaveLength(1);
  await page.context().close();
});

it('a white picture has an edge on a white card', async () => {
  const { page } = await pages.open({ colorScheme: 'light', deviceScaleFactor: 1 });
  const white =
    '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"><rect width="160" height="120" fill="#fff"/></svg>';
  await page.route('**/thumbnails/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: white }));
  await SCENES['library']?.(page);
  const picture = page.locator('img').first();
  await eventually(async () =>
    expect(await picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true),
  );
  const { data, info } = await sharp(await picture.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const brightness = (x: number) => data[(Math.floor(info.height / 2) * info.width + x) * info.channels] ?? 0;
  expect(brightness(Math.floor(info.width / 2))).toBe(255);
  // A position between two pixels spreads the line over both.
  expect(Math.min(brightness(0), brightness(1))).toBeLessThan(250);
  expect(Math.min(brightness(info.width - 1), brightness(info.width - 2))).toBeLessThan(250);
  await page.context().close();
});
