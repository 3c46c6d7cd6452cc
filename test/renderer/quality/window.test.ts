/** The window as a whole: the keyboard reaches every control, nothing moves unasked, and a picture has an edge. */
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tabStops } from '../../support/audit/page-audit.ts';
import { eventually } from '../../support/eventually.ts';
import { type RendererPages, startRendererPages } from '../../support/window/renderer-page.ts';
import { SCENES } from '../../support/window/window-scenes.ts';

let pages: RendererPages;
beforeAll(async () => {
  pages = await startRendererPages();
});
afterAll(() => pages.close());

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
