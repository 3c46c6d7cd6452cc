/**
 * From the screen through the editor to the link: a capture of a real X screen is marked and partly redacted in the
 * running app, and the served image has the screen's exact pixels everywhere else.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { untilListening } from '../support/browser/until-listening.ts';
import { differences, type Pixels, pixelsOf } from '../support/media/pixels.ts';
import { openXScreen, type XScreen } from '../support/screen/x-screen.ts';
import { type AppProcess, makeProfile, openApp, startApp } from './app-process.ts';

const SIZE = { width: 640, height: 401 };

const profile = makeProfile();
let screen: XScreen;
let app: AppProcess;

test.beforeAll(async () => {
  screen = await openXScreen(SIZE.width, SIZE.height);
  app = await startApp(profile.path, screen.display);
});
test.afterAll(async () => {
  await app.kill('SIGTERM');
  await screen.close();
  profile.remove();
});

const taken = (): Pixels => {
  const rgb = screen.pixels({ x: 0, y: 0, ...SIZE });
  const data = Buffer.alloc((rgb.length / 3) * 4, 255);
  for (let pixel = 0; pixel < rgb.length / 3; pixel += 1) rgb.copy(data, pixel * 4, pixel * 3, pixel * 3 + 3);
  return { ...SIZE, data };
};

/** Captures the whole screen, and opens the screenshot in the editor. */
const takeIntoEditor = async (page: Page): Promise<Locator> => {
  await openApp(page, app);
  await page.getByRole('link', { name: 'Settings' }).click();
  const wish = page.getByRole('switch', { name: /^Open the editor after a capture/ });
  if (!(await wish.isChecked())) await page.getByText('Open the editor after a capture').click();
  await expect(wish).toBeChecked();
  await page.getByRole('link', { name: 'Home' }).click();
  // There is only one screen, so nothing is left to choose.
  await page
    .getByRole('region', { name: 'Capture the screen' })
    .getByRole('button', { name: /^Screen/ })
    .click();
  const picture = page.getByRole('application', { name: 'Image' });
  // The editor focuses it once it listens to the keyboard.
  await expect(picture).toBeFocused();
  return picture;
};

test('the published picture is the screen with the marks and redactions', async ({ page }) => {
  const picture = await takeIntoEditor(page);
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  const place = await page.getByText(/^Redaction 1 added, at/).innerText();
  const [x = 0, y = 0, width = 0, height = 0] = (/at (\d+), (\d+), (\d+) by (\d+)/.exec(place) ?? [])
    .slice(1)
    .map(Number);
  expect(width * height).toBeGreaterThan(1_000);

  // The picture waits in the spool, and with it what is drawn: the next start has both.
  await expect
    .poll(() => readdirSync(join(profile.path, 'spool')).some((name) => name.endsWith('.drawing')))
    .toBe(true);
  await app.kill('SIGKILL');
  app = await startApp(profile.path, screen.display);
  await openApp(page, app);
  await page.getByRole('button', { name: /^Annotations: 1 annotation/ }).click();
  await expect(page.getByRole('dialog').getByText('Redaction 1')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(picture).toHaveCount(0);

  const link = page
    .getByRole('main')
    .getByRole('textbox', { name: /^Link to / })
    .first();
  await expect(link).toHaveValue(/\/s\/\w+$/);
  const address = new URL(await link.inputValue());
  const published = await page.request.get(`${address.origin}/api/media/${address.pathname.split('/').at(-1)}`);
  expect(published.status()).toBe(200);
  const left = await pixelsOf(await published.body());
  expect([left.width, left.height]).toEqual([SIZE.width, SIZE.height]);
  const changed = differences(taken(), left);
  const beside = changed.filter((at) => at.x < x || at.y < y || at.x >= x + width || at.y >= y + height);
  expect(beside).toEqual([]);
  expect(changed.length).toBeGreaterThan(width * height * 0.99);
});

/** From the palette, which offers it for longer than the notice. */
const bringBack = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('bring back');
  await page.getByRole('option', { name: 'Restore the discarded capture' }).click();
};

test('a picture that was discarded by mistake is restored, and does not block the next one', async ({ page }) => {
  const picture = await takeIntoEditor(page);
  await page.keyboard.press('r');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(picture).toHaveCount(0);
  await takeIntoEditor(page);
  await expect(page.getByRole('button', { name: /^Annotations: 0 annotations/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(picture).toHaveCount(0);
  await bringBack(page);
  await expect(page.getByRole('button', { name: /^Annotations: 0 annotations/ })).toBeVisible();
  await untilListening(page);
  await page.keyboard.press('Control+u');
  await expect(picture).toHaveCount(0);
  await bringBack(page);
  await expect(page.getByRole('button', { name: /^Annotations: 1 annotation/ })).toBeVisible();
  await untilListening(page);
  await page.keyboard.press('Control+u');
  await expect(picture).toHaveCount(0);
});

test('Ctrl+C puts the edited picture itself on the clipboard', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const picture = await takeIntoEditor(page);
  await page.keyboard.press('c');
  for (const key of ['Shift+Alt+ArrowLeft', 'Shift+ArrowUp', 'Enter', 'Control+c']) await page.keyboard.press(key);
  await expect(picture).toHaveCount(0);
  const copied = async () =>
    page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      if (!item?.types.includes('image/png')) return null;
      const { width, height } = await createImageBitmap(await item.getType('image/png'));
      return { width, height };
    });
  await expect.poll(copied).toEqual({ width: SIZE.width - 10, height: SIZE.height - 1 });
});
