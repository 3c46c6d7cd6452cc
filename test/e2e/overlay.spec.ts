/**
 * Press the hotkey, draw a region on the frozen screen, get the link: a real X screen with a real browser window, the
 * app as started by `npm start`, and its embedded server.
 */
import { expect, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { differences, pixelsOf } from '../support/media/pixels.ts';
import { openXBrowser, type XBrowser } from '../support/screen/x-browser.ts';
import { type AppProcess, makeProfile, startApp } from './app-process.ts';

const SCREEN = { width: 1280, height: 800 };
/** Partly over the browser's window, which does not change, partly beside it. */
const REGION = { x: 801, y: 97, width: 413, height: 291 };

const profile = makeProfile();
let desktop: XBrowser;
let app: AppProcess;
let page: Page;

test.beforeAll(async () => {
  desktop = await openXBrowser(SCREEN, { width: 1000, height: 700 });
  app = await startApp(profile.path, desktop.display);
  const context = await desktop.browser.newContext({ viewport: null, locale: 'en-GB' });
  page = await context.newPage();
  await page.goto(app.url);
  // The hotkey is heard from here on.
  await expect(page.getByRole('button', { name: /^Region.*Ctrl\+Shift\+L$/ })).toBeVisible();
});
test.afterAll(async () => {
  await app.kill('SIGTERM');
  await desktop.close();
  profile.remove();
});

const frozen = () => page.locator('[data-painted]');
const pixels = (png: Buffer): Promise<Buffer> => sharp(png).toColourspace('srgb').removeAlpha().raw().toBuffer();

/** A pixel of the page on the screen. */
const SPOT = { x: REGION.x + 10, y: REGION.y + REGION.height - 10, width: 1, height: 1 };
const COVER = '#ff00ff';

/** A screenshot that shows all that the page has drawn: frames come in order, and a cover has come and gone before it. */
const shownScreen = async (): Promise<Buffer> => {
  const isCovered = async (): Promise<boolean> => (await pixels(await desktop.shot(SPOT))).toString('hex') === 'ff00ff';
  const cover = await page.evaluateHandle((background) => {
    const element = document.createElement('div');
    Object.assign(element.style, { position: 'fixed', inset: '0', zIndex: '9999', pointerEvents: 'none', background });
    return document.body.appendChild(element);
  }, COVER);
  await expect.poll(isCovered, 'the screen shows the cover').toBe(true);
  await cover.evaluate((element) => element.remove());
  await expect.poll(isCovered, 'the screen shows the cover').toBe(false);
  return desktop.shot(REGION);
};

/** Where a pixel of the frozen screen, which is larger than the tab, is seen in the page. */
const placeOf = async (x: number, y: number): Promise<{ x: number; y: number }> => {
  const box = await page.locator('canvas').first().boundingBox();
  if (!box) throw new Error('Nothing is frozen.');
  const factor = box.width / SCREEN.width;
  return { x: box.x + (x + 0.5) * factor, y: box.y + (y + 0.5) * factor };
};

/** Draws roughly with the mouse, then to the pixel with the keyboard. */
const choose = async (area: typeof REGION): Promise<void> => {
  const from = await placeOf(area.x, area.y);
  const to = await placeOf(area.x + area.width - 1, area.y + area.height - 1);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up();
  await expect(page.locator('[data-part=size]')).toHaveText(`${area.width} × ${area.height}`);
};

test('after hotkey and region, the published picture has exactly the pixels of the screen', async () => {
  const reference = await shownScreen();
  await desktop.press('ctrl+shift+l');
  await frozen().waitFor();
  await expect(page.getByText('to this computer only (demo)').filter({ visible: true })).toBeVisible();
  await choose(REGION);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const link = page
    .getByRole('main')
    .getByRole('textbox', { name: /^Link to / })
    .first();
  await expect(link).toHaveValue(/\/s\/\w+$/);
  const address = new URL(await link.inputValue());
  const media = `${address.origin}/api/media/${address.pathname.split('/').at(-1)}`;
  const published = await page.request.get(media);
  expect(published.status()).toBe(200);
  const picture = await pixelsOf(await published.body());
  expect([picture.width, picture.height]).toEqual([REGION.width, REGION.height]);
  expect(differences(picture, await pixelsOf(reference)).slice(0, 3)).toEqual([]);
});

test('Escape leaves nothing behind, and the next capture starts from scratch', async () => {
  const rows = page.getByRole('main').getByRole('textbox', { name: /^Link to / });
  const before = await rows.count();
  await page.getByRole('button', { name: /^Region/ }).click();
  await frozen().waitFor();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: /^Region/ }).click();
  await frozen().waitFor();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await rows.count()).toBe(before);
});
