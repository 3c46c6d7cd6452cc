/**
 * A program on another port of this computer gets nothing from the browser in which Linkshot is open, with all parts
 * real.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ok } from '../../src/api/errors.ts';
import { createMemoryKeyStore } from '../../src/engine/profile/system-key-store.ts';
import { type BrowserHost, startBrowserHost } from '../../src/web/start-browser-host.ts';
import { openBrowser } from '../support/browser/chromium.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { buildRenderer } from '../support/window/renderer-build.ts';

let host: BrowserHost;
let browser: Browser;
let context: BrowserContext;
const heard: IncomingHttpHeaders[] = [];
const other = createServer((request, response) => {
  heard.push(request.headers);
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>Other</title>');
});

beforeAll(async () => {
  const started = await startBrowserHost({
    ...{
      profileDir: join(temporaryFolder('web-other-port'), 'profile'),
      port: 0,
      secrets: async () => createMemoryKeyStore(),
    },
    rendererDir: await buildRenderer('shipped'),
    service: 'profile',
    opener: { open: async () => ok(undefined) },
    environment: { ...process.env, LINKSHOT_CLIPBOARD: 'page' },
    log: () => {},
  });
  if (!started.ok) throw new Error(started.error.detail);
  host = started.value;
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  browser = await openBrowser();
  context = await browser.newContext({ locale: 'en-GB' });
});
afterAll(async () => {
  await browser.close();
  await host.close();
  other.close();
});

const opened = (page: Page): Promise<void> => page.getByRole('navigation').first().waitFor();

it('the printed address opens the app, is removed from the address bar, and works after a reload and in a tab opened by hand', async () => {
  const page = await context.newPage();
  await page.goto(host.address);
  await opened(page);
  expect(page.url()).not.toContain('key');
  await page.reload();
  await opened(page);
  const second = await context.newPage();
  await second.goto(host.address);
  await opened(second);
});

it('another port of the same host gets neither the key nor any informative response', async () => {
  const key = new URL(host.address).hash.slice('#key='.length);
  const { origin } = new URL(host.address);
  const { port } = other.address() as AddressInfo;
  const page = await context.newPage();
  await page.goto(host.address);
  await opened(page);
  await page.goto(`http://127.0.0.1:${port}/`);
  expect(heard.length).toBeGreaterThan(0);
  expect(JSON.stringify(heard)).not.toContain(key.slice(0, 16));
  expect(JSON.stringify(heard)).not.toContain(key.slice(-16));
  expect(heard.every(({ cookie }) => cookie === undefined)).toBe(true);
  expect(await page.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie])).toEqual([0, 0, '']);
  const bridge = await page.evaluate(
    (url) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(url, ['linkshot']);
        socket.addEventListener('message', () => resolve('message'));
        socket.addEventListener('error', () => resolve('refused'));
      }),
    `${origin.replace('http', 'ws')}/bridge`,
  );
  expect(bridge).toBe('refused');
});

it('a page without the key reports that it belongs to another start', async () => {
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await page.goto(new URL(host.address).origin);
  await page.getByText('This page is from a previous session').first().waitFor();
});
