/**
 * A recording from region to link: record, review, trim, publish, and change the link in the toast; also sets a hotkey
 * and tests it with a press. A real X screen with a real browser window, and the app with its embedded server.
 */
import { expect, type Page, test, type WebSocketRoute } from '@playwright/test';
import { openXBrowser, type XBrowser } from '../support/screen/x-browser.ts';
import { withLongPatience } from '../support/window/long-patience.ts';
import { type AppProcess, makeProfile, startApp } from './app-process.ts';

const profile = makeProfile();
let desktop: XBrowser;
let app: AppProcess;
let page: Page;
/** The host waits for the press of the hotkey that is tested. */
const listening = Promise.withResolvers<void>();

/** An id that the page itself does not give. */
const BEHIND = 0;
const frameOf = (message: string | Buffer) => JSON.parse(String(message)) as { id?: number; command?: string };

/** The page says "press" before its host waits for the press: that does so once it answers what comes behind. */
const tellWhenListening = (socket: WebSocketRoute): void => {
  const host = socket.connectToServer();
  socket.onMessage((message) => {
    host.send(message);
    if (frameOf(message).command !== 'hotkeys.test') return;
    host.send(JSON.stringify({ id: BEHIND, command: 'app.state', input: {} }));
  });
  host.onMessage((message) => {
    if (frameOf(message).id === BEHIND) listening.resolve();
    else socket.send(message);
  });
};

test.beforeAll(async () => {
  desktop = await openXBrowser({ width: 1280, height: 800 }, { width: 900, height: 760 });
  app = await startApp(profile.path, desktop.display);
  const context = await desktop.browser.newContext({ viewport: null, locale: 'en-GB' });
  page = await context.newPage();
  await page.routeWebSocket(/./, tellWhenListening);
  await page.goto(app.url);
  await expect(page.getByText('Drop files here')).toBeVisible();
});
test.afterAll(async () => {
  await app.kill('SIGTERM');
  await desktop.close();
  profile.remove();
});

const bar = () => page.getByRole('region', { name: 'Recorder' });
const notice = () => page.getByRole('listitem', { name: /^Capture / });

test('a region is recorded, looked at, trimmed and published; its notice has the link and changes it', async () => {
  await page.getByRole('button', { name: /^Record/ }).click();
  await page.locator('[data-painted]').waitFor();
  const box = await page.locator('canvas').first().boundingBox();
  if (!box) throw new Error('Nothing is frozen.');
  await page.mouse.move(box.x + 40, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 340, box.y + 240, { steps: 4 });
  await page.mouse.up();
  await expect(page.locator('[data-part=size]')).toBeVisible();
  await page.keyboard.press('Enter');

  await expect(bar().getByRole('button', { name: 'Stop' })).toBeVisible();
  await expect(page).toHaveTitle(/^● Recording/);
  // At least three seconds; a busy machine may see none of the first ten.
  await expect(bar().getByRole('timer')).toHaveText(/0:(0[3-9]|[1-5]\d)|[1-9]:\d\d/);
  await bar().getByRole('button', { name: 'Pause' }).click();
  await expect(page).toHaveTitle(/Recording paused/);
  await bar().getByRole('button', { name: 'Resume' }).click();
  await bar().getByRole('button', { name: 'Stop' }).click();

  await expect(page.getByRole('heading', { name: 'Your recording' })).toBeVisible();
  const video = page.locator('video');
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.duration)).toBeGreaterThan(2.5);
  await page.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0.2);
  await page.getByRole('slider', { name: 'Start' }).press('Shift+ArrowRight');
  await expect(page.getByText(/Re-encodes|Lossless cut/)).toBeVisible();
  await page.getByRole('textbox', { name: 'Title' }).fill('How to pay');
  // The notice would leave by itself after some seconds.
  await withLongPatience(page, async () => {
    await page.getByRole('button', { name: 'Share' }).click();

    await notice().waitFor();
    await expect(page.getByText('Drop files here')).toBeVisible();
    const open = notice().getByRole('link');
    await expect(open).toHaveAttribute('href', /\/s\/\w+/);
    const address = new URL((await open.getAttribute('href')) ?? '');
    const media = `${address.origin}/api/media/${address.pathname.split('/').at(-1)}`;
    const typeOf = async () => (await page.request.get(media)).headers()['content-type'];
    await expect.poll(typeOf).toBe('video/mp4');
    expect(await page.request.get(address.href).then((reply) => reply.text())).toContain('How to pay');

    await notice()
      .getByRole('button', { name: /^Link settings of/ })
      .click();
    const once = notice().getByRole('switch', { name: 'One-time link' });
    await once.press('Space');
    await expect(once).toBeChecked();
    await notice().getByText('Private', { exact: true }).click();
    await expect(notice().getByText(/· Private$/)).toBeVisible();
    await notice()
      .getByRole('button', { name: /^Delete/ })
      .click();
    await expect(notice().getByText(/^Deleting in/)).toBeVisible();
    await notice().getByRole('button', { name: /^Undo/ }).click();
    await expect(notice().getByRole('button', { name: /^Delete/ })).toBeVisible();
    await expect.poll(async () => (await page.request.get(address.href)).status()).toBe(404);
  });
});

test('a hotkey is set by pressing it, and a second press proves that it works', async () => {
  // It would cover the keys.
  await notice()
    .getByRole('button', { name: /^Close the notification/ })
    .click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: 'Hotkeys' }).click();
  await page.getByRole('button', { name: /^Capture the last region again:/ }).click();
  await desktop.press('ctrl+alt+l');
  await expect(page.getByRole('button', { name: 'Capture the last region again: Ctrl + Alt + L' })).toBeVisible();
  await expect(page.getByText('Set. Press it to test.').last()).toBeVisible();
  await page.getByRole('button', { name: 'Test the hotkey: Capture the last region again' }).click();
  await expect(page.getByText(/^Press Ctrl \+ Alt \+ L now/)).toBeVisible();
  await listening.promise;
  await desktop.press('ctrl+alt+l');
  await expect(page.getByText('It works.', { exact: true })).toBeVisible();
  await expect(page.getByText(/^Works: pressed at/)).toBeVisible();
});
