/**
 * Start the app, drop a file, get the link, open the share page: real Chromium, the app as started by `npm start`, and
 * its embedded server.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { connectToInstance } from '../../src/ipc/host/instance-socket.ts';
import { giveTryOutOwnPort } from '../support/own-try-out-port.ts';
import { type AppProcess, makeProfile, openApp, startApp } from './app-process.ts';
import { dropFiles } from './drag.ts';
import { watchFor } from './watch-for.ts';

const profile = makeProfile();
let app: AppProcess;

test.beforeAll(async () => {
  // Links must open after a restart, and a neighbour could take another port meanwhile.
  await (await startApp(profile.path)).kill('SIGTERM');
  await giveTryOutOwnPort(profile.path);
  app = await startApp(profile.path);
});
test.afterAll(async () => {
  await app.kill('SIGTERM');
  profile.remove();
});

const openWindow = async (page: Page): Promise<void> => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openApp(page, app);
  await expect(page.getByText('Drop files here')).toBeVisible();
};

const linkTo = (page: Page, name: string) => page.getByRole('textbox', { name: `Link to ${name}` });

const makePicture = async (name: string): Promise<string> => {
  const path = join(profile.path, name);
  await sharp({ create: { width: 640, height: 360, channels: 3, background: '#4057d6' } })
    .png()
    .toFile(path);
  return path;
};

test('a dropped PNG becomes a link on the clipboard, and the share page shows it', async ({ page, context }) => {
  const picture = await makePicture('shot.png');
  await openWindow(page);
  await dropFiles(page, picture);
  await expect(linkTo(page, 'shot.png')).toHaveValue(/^http:\/\/127\.0\.0\.1:\d+\/s\/\w+$/);
  const link = await linkTo(page, 'shot.png').inputValue();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link);

  const share = await context.newPage();
  await share.goto(link);
  const image = share.getByRole('img').first();
  await expect(image).toBeVisible();
  expect(await image.evaluate((element: HTMLImageElement) => [element.naturalWidth, element.naturalHeight])).toEqual([
    640, 360,
  ]);
});

test('a real 60 MiB MP4 shows its progress, becomes a link, and plays by Range', async ({ page, context }) => {
  const video = join(profile.path, 'screen-recording.mp4');
  const minute = join(profile.path, 'minute.mp4');
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'color=gray:size=320x240:rate=10:duration=60'],
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:duration=60', '-shortest'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-nal-hrd', 'cbr'],
    ...['-b:v', '900k', '-minrate', '900k', '-maxrate', '900k', '-bufsize', '900k'],
    ...['-c:a', 'aac', '-b:a', '64k', minute],
  ]);
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-y', '-stream_loop', '8', '-i', minute, '-c', 'copy', '-movflags', '+faststart', video],
  ]);
  await openWindow(page);
  const isInProgress = await watchFor(page, 'progress, [role=progressbar]');
  await dropFiles(page, video);
  await isInProgress();
  // 60 MiB are hashed, sent, put together and checked.
  await expect(linkTo(page, 'screen-recording.mp4')).toHaveValue(/\/s\/\w+$/, { timeout: 280_000 });

  const share = await context.newPage();
  const ranges: number[] = [];
  share.on('response', (response) => {
    if (response.url().includes('/api/media/')) ranges.push(response.status());
  });
  await share.goto(await linkTo(page, 'screen-recording.mp4').inputValue());
  const player = share.locator('video');
  await expect.poll(() => player.evaluate((element: HTMLVideoElement) => element.duration)).toBeCloseTo(540, 0);
  await player.evaluate(async (element: HTMLVideoElement) => {
    element.muted = true;
    element.currentTime = 500;
    await element.play();
  });
  await expect.poll(() => player.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(500.2);
  expect(ranges).toContain(206);
});

test('links, queue and library survive a killed app, and old links still work', async ({ page }) => {
  await openWindow(page);
  await dropFiles(page, await makePicture('shot-that-survives.png'));
  await expect(linkTo(page, 'shot-that-survives.png')).toHaveValue(/\/s\/\w+$/);
  const link = await linkTo(page, 'shot-that-survives.png').inputValue();
  await app.kill('SIGKILL');
  app = await startApp(profile.path);
  await openWindow(page);
  await page.getByRole('link', { name: 'Library' }).click();
  await page.getByRole('searchbox').fill('sho');
  await expect(page.getByRole('main').getByText(/^shot/).first()).toBeVisible();
  expect((await page.request.get(link)).status()).toBe(200);
});

test('a file of a refused type is rejected with advice, and the server stores nothing of it', async ({ page }) => {
  const paper = join(profile.path, 'paper.pdf');
  writeFileSync(paper, '%PDF-1.7\n');
  await openWindow(page);
  await dropFiles(page, paper);
  await expect(page.getByText(/PNG, JPEG, WebP/).first()).toBeVisible();
});

test('a dropped text file becomes a note, and the share page shows its text', async ({ page, context }) => {
  const text = join(profile.path, 'list.txt');
  writeFileSync(text, 'Milk, bread and a lamp\n');
  await openWindow(page);
  await dropFiles(page, text);
  await expect(linkTo(page, 'list.txt')).toHaveValue(/\/s\/\w+$/);
  const share = await context.newPage();
  await share.goto(await linkTo(page, 'list.txt').inputValue());
  await expect(share.getByText('Milk, bread and a lamp').first()).toBeVisible();
});

/** As it is stored. */
const stateOfSteps = async (profilePath: string) => {
  const instance = await connectToInstance(profilePath);
  const answer = await instance?.call('app.state', {});
  instance?.close();
  return answer?.ok ? answer.value.settings.firstSteps.state : answer?.error;
};

/** In the dialog of the system: the file, and Open. */
const CLICKS_IN_DIALOG = 2;

test('a new user has the first link on the clipboard after three clicks at most, and each step is marked as done', async ({
  page,
}) => {
  const fresh = makeProfile();
  const mine = await startApp(fresh.path);
  try {
    const picture = join(fresh.path, 'first.png');
    await sharp({ create: { width: 320, height: 200, channels: 3, background: '#2a9d8f' } })
      .png()
      .toFile(picture);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.addInitScript(() => {
      const counted = window as unknown as { clicks: number };
      counted.clicks = 0;
      window.addEventListener(
        'click',
        ({ isTrusted }) => {
          if (isTrusted) counted.clicks += 1;
        },
        { capture: true },
      );
    });
    await page.goto(mine.url);
    const steps = page.getByRole('region', { name: /steps to your first link|That’s it/ });
    await expect(steps.getByText('A server is running on this computer. You’re ready to go.')).toBeVisible();

    const dialog = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files', exact: true }).click();
    await (await dialog).setFiles(picture);
    await expect(linkTo(page, 'first.png')).toHaveValue(/\/s\/\w+$/);
    const link = await linkTo(page, 'first.png').inputValue();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    const clicks = await page.evaluate(() => (window as unknown as { clicks: number }).clicks);
    // The chooser is opened by a click that the page gives to its own hidden field.
    expect(clicks + CLICKS_IN_DIALOG).toBeLessThanOrEqual(3);
    await expect(steps.getByText('Your first link is ready.')).toBeVisible();

    // They do not come back once they are hidden, not even after a restart.
    await steps.getByRole('button', { name: 'Hide the steps' }).click();
    await expect(steps).toHaveCount(0);
    // The window shows it before it is stored.
    await expect.poll(() => stateOfSteps(fresh.path)).toBe('over');
    await page.reload();
    await expect(linkTo(page, 'first.png')).toBeVisible();
    await expect(steps).toHaveCount(0);
  } finally {
    await mine.kill('SIGTERM');
    fresh.remove();
  }
});
