/**
 * Copies a capture to the clipboard in the browser host and compares the pasted pixels with the screen, on a real X
 * server with a real browser and clipboard.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { differences, pixelsOf } from '../support/media/pixels.ts';
import { openXBrowser, type XBrowser } from '../support/screen/x-browser.ts';
import { type AppProcess, makeProfile, startApp } from './app-process.ts';
import { watchFor } from './watch-for.ts';

const SCREEN = { width: 1280, height: 800 };
/** Partly beside the browser's window. */
const REGION = { x: 903, y: 201, width: 221, height: 143 };

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
});
test.afterAll(async () => {
  await app.kill('SIGTERM');
  await desktop.close();
  profile.remove();
});

/** As another program pastes it; null: there is no picture yet. */
const pasted = async (): Promise<Buffer | null> => {
  const words = ['-selection', 'clipboard', '-out', '-target', 'image/png'];
  const options = { encoding: 'buffer', env: { ...process.env, DISPLAY: desktop.display }, timeout: 30_000 } as const;
  return promisify(execFile)('xclip', words, options).then(
    ({ stdout }) => stdout,
    () => null,
  );
};

test('Copy on the frozen screen puts the picture on the clipboard and publishes nothing', async () => {
  await page.getByRole('button', { name: /^Region/ }).click();
  await page.locator('[data-painted]').waitFor();
  const box = await page.locator('canvas').first().boundingBox();
  if (!box) throw new Error('Nothing is frozen.');
  const at = (x: number, y: number) =>
    [box.x + ((x + 0.5) * box.width) / SCREEN.width, box.y + ((y + 0.5) * box.width) / SCREEN.width] as const;
  await page.mouse.move(...at(REGION.x, REGION.y));
  await page.mouse.down();
  await page.mouse.move(...at(REGION.x + REGION.width - 1, REGION.y + REGION.height - 1), { steps: 5 });
  await page.mouse.up();
  await expect(page.locator('[data-part=size]')).toHaveText(`${REGION.width} × ${REGION.height}`);
  const isTold = await watchFor(page, '[data-message]', 'Image copied');
  await page.getByRole('toolbar').getByRole('button', { name: /^Copy/ }).click();
  await isTold();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const pictures: Buffer[] = [];
  const paste = async () => {
    const picture = await pasted();
    if (picture) pictures.push(picture);
    return pictures.length;
  };
  await expect.poll(paste).toBe(1);
  const [picture] = pictures as [Buffer];
  expect(await sharp(picture).metadata()).toMatchObject({ width: REGION.width, height: REGION.height });
  // Beside the window nothing has moved.
  const beside = { left: 1010 - REGION.x, top: 0, width: REGION.x + REGION.width - 1010, height: REGION.height };
  const seen = await desktop.shot({ x: 1010, y: REGION.y, width: beside.width, height: beside.height });
  const taken = await sharp(picture).extract(beside).png().toBuffer();
  expect(differences(await pixelsOf(taken), await pixelsOf(seen)).slice(0, 3)).toEqual([]);
  await expect(page.getByRole('main').getByRole('textbox', { name: /^Link to / })).toHaveCount(0);
});
