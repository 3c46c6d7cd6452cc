/** The chapters and the poster of a video on its share page, in real Chromium: with and without scripts. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { axeViolations, overflows } from '../../support/audit/page-audit.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { withChapters } from '../../support/media/media.ts';
import { change, publish, ready } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder('poster');
let server: RunningServer;
let owner: User;
let chrome: Browser;
let item: Content;
beforeAll(async () => {
  server = await startServer();
  owner = await server.user({ plan: 'pro' });
  chrome = await openBrowser();
  const { id } = await publish(server, owner, { visibility: 'unlisted' }, await readFile(await withChapters('mp4')));
  item = await ready(server, owner, id);
});
afterAll(async () => {
  await chrome.close();
  await server.stop();
});

const NAMES = ['0:00 Beginning', '0:00 Глава <2> & 🎬', '0:01 The end'];
const chapters = (page: Page) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name: /^0:0/ }) });
const second = (page: Page): Promise<number> =>
  page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);

it('Chapters seek in the video, and the one that plays is marked', async () => {
  const page = await chrome.newPage({ viewport: { width: 320, height: 700 } });
  await page.goto(item.url);
  await page.getByRole('heading', { name: 'Chapters' }).waitFor();
  const texts = await chapters(page).allInnerTexts();
  expect(texts.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual(NAMES);
  await page.getByRole('link', { name: 'The end' }).click();
  await expect.poll(() => second(page)).toBeGreaterThanOrEqual(1.5);
  await expect.poll(() => page.locator('[aria-current]').innerText()).toContain('The end');
  // No new page was loaded.
  expect(page.url()).toBe(item.url);
  expect({ axe: await axeViolations(page), wide: await overflows(page) }).toEqual({ axe: [], wide: false });
  await page.close();
});

it('Chapters are links that start the video there where scripts are blocked', async () => {
  const context = await chrome.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(item.url);
  await page.getByRole('link', { name: 'The end' }).click();
  await page.waitForURL(`${item.url}?t=1`);
  expect(await page.locator('video').getAttribute('src')).toBe(`/api/media/${item.id}#t=1`);
  await context.close();
});

it('The poster is saved under the name of the video, where downloads are allowed', async () => {
  const page = await chrome.newPage();
  await page.goto(item.url);
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download thumbnail' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/\.webp$/);
  const path = join(folder, 'poster.webp');
  await saved.saveAs(path);
  expect((await readFile(path)).toString('latin1', 8, 12)).toBe('WEBP');
  await change(server, owner, item.id, { allowDownload: false });
  await page.reload();
  expect(await page.getByRole('link', { name: /^Download/ }).count()).toBe(0);
  const address = `${server.url}/api/media/${item.id}/preview`;
  expect((await fetch(address)).status).toBe(200);
  expect((await fetch(`${address}?download=1`)).status).toBe(403);
  await page.close();
});
