/**
 * The page of an item with real window, host, engine and service: it shows the shared content without having the
 * account's key, and changes made there reach the service.
 */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../src/api/errors.ts';
import type { ItemId } from '../../src/api/ids.ts';
import { createMemoryKeyStore } from '../../src/engine/profile/system-key-store.ts';
import { connectToInstance } from '../../src/ipc/host/instance-socket.ts';
import { type BrowserHost, startBrowserHost } from '../../src/web/start-browser-host.ts';
import { openBrowser } from '../support/browser/chromium.ts';
import { writeTree } from '../support/folder/git-repository.ts';
import { goodMp4, image } from '../support/media/media.ts';
import { PATIENCE_MS } from '../support/poll-timeouts.ts';
import { read } from '../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { withLongPatience } from '../support/window/long-patience.ts';
import { buildRenderer } from '../support/window/renderer-build.ts';

const root = temporaryFolder('web-item-page');
const profileDir = join(root, 'profile');
const shared: Record<string, { readonly id: ItemId; readonly contentId: string }> = {};
let service: RunningServer;
let user: User;
let host: BrowserHost;
let browser: Browser;
let page: Page;
const requests: string[] = [];

/** Publishes over the instance socket, as a command line does. */
const share = async (): Promise<void> => {
  const instance = await connectToInstance(profileDir);
  if (!instance) throw new Error('The host is not there.');
  const folder = join(root, 'project');
  writeTree(folder, { 'README.md': '# Hello\n', 'src/main.ts': 'export const answer = 42;\n' });
  const paths = [await image('png'), await goodMp4()];
  const files = await instance.call('queue.addPaths', { paths });
  const folders = await instance.call('queue.addPaths', { paths: [folder] });
  const note = await instance.call('note.add', { text: '# Plan\n\n- [x] done\n', format: 'markdown' });
  if (!files.ok || !folders.ok || !note.ok) throw new Error('not added');
  const ids = {
    picture: files.value.ids[0],
    video: files.value.ids[1],
    folder: folders.value.ids[0],
    note: note.value.id,
  };
  for (const [name, id] of Object.entries(ids)) {
    if (!id) throw new Error(`${name} was not added.`);
    const settled = await instance.call('queue.waitFor', { id, patienceMs: PATIENCE_MS });
    if (!settled.ok || settled.value.state !== 'linked') throw new Error(`${name}: ${JSON.stringify(settled)}`);
    shared[name] = { id, contentId: settled.value.content.id };
  }
  instance.close();
};

beforeAll(async () => {
  service = await startServer({ config: { limits: { requestsPerMinute: 10_000 } } });
  user = await service.user({ plan: 'pro' });
  const started = await startBrowserHost({
    ...{
      profileDir,
      rendererDir: await buildRenderer('shipped'),
      port: 0,
      secrets: async () => createMemoryKeyStore(),
    },
    service: { server: service.url, key: user.apiKey },
    opener: { open: async () => ok(undefined) },
    environment: { ...process.env, LINKSHOT_CLIPBOARD: 'page' },
    log: () => {},
  });
  if (!started.ok) throw new Error(started.error.detail);
  host = started.value;
  await share();
  browser = await openBrowser();
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
  page = await context.newPage();
  page.on('request', (request) => requests.push(`${request.url()} ${JSON.stringify(request.headers())}`));
  await page.goto(host.address);
  await page.getByRole('main').waitFor();
});
afterAll(async () => {
  await browser.close();
  await host.close();
  await service.stop();
});

const show = (name: string): Promise<void> =>
  page.evaluate((id) => {
    location.hash = `#item/${id}`;
  }, shared[name]?.id);

describe('a shared item', () => {
  it('is seen: a picture, though it is private and opens only once', async () => {
    await show('picture');
    const picture = page.locator('main img[alt]:not([alt=""])');
    await expect.poll(() => picture.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(320);
    await page.getByText('Private', { exact: true }).first().click();
    await page.getByText('Only you.', { exact: true }).waitFor();
    await page.getByRole('switch', { name: /One-time link/ }).press('Space');
    const contentId = shared['picture']?.contentId ?? '';
    const now = async () => (await read(service, user, contentId)).body;
    await expect.poll(now).toMatchObject({ visibility: 'private', oneTime: true });
    await page.reload();
    await expect.poll(() => picture.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(320);
    expect(await now()).toMatchObject({ consumedAt: null, views: 0 });
  });

  it('is seen: a video that plays and can be jumped in', async () => {
    await show('video');
    const player = page.locator('video[controls]');
    await expect.poll(() => player.evaluate(({ duration }: HTMLVideoElement) => Math.round(duration))).toBe(2);
    await player.evaluate((element: HTMLVideoElement) => {
      element.currentTime = 1.5;
    });
    await expect
      .poll(() => player.evaluate(({ seeking, currentTime }: HTMLVideoElement) => !seeking && currentTime))
      .toBe(1.5);
  });

  it('is seen: a note as its readers see it, and the files of a folder', async () => {
    await withLongPatience(page, async () => {
      await show('note');
      await page.locator('input[type=checkbox][checked]').waitFor();
      await show('folder');
      await page.getByRole('button', { name: /main\.ts/ }).click();
      await page.getByText('answer', { exact: false }).first().waitFor();
      await page.locator('.hljs-keyword').first().waitFor();
    });
  });

  it('without the key ever coming to the page', () => {
    expect(requests.filter((request) => request.includes('/media/')).length).toBeGreaterThan(0);
    expect(requests.filter((request) => request.includes(user.apiKey))).toEqual([]);
    expect(requests.filter((request) => request.includes(new URL(service.url).port))).toEqual([]);
  });
});
