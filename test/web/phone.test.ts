/** A phone shares a picture of its camera roll through a proxy with TLS in front of the browser host, with all parts real. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ok } from '../../src/api/errors.ts';
import { createMemoryKeyStore } from '../../src/engine/profile/system-key-store.ts';
import { type BrowserHost, startBrowserHost } from '../../src/web/start-browser-host.ts';
import { certificate } from '../faults/certificate.ts';
import { openBrowser } from '../support/browser/chromium.ts';
import { image } from '../support/media/media.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { buildRenderer } from '../support/window/renderer-build.ts';

const root = temporaryFolder('phone');
const profileDir = join(root, 'profile');
const proxy = createServer(certificate(root, 'proxy'));
let service: RunningServer;
let host: BrowserHost;
let browser: Browser;
let page: Page;

/** Passes requests and WebSockets on with all their headers. */
const passOnTo = (port: number): void => {
  proxy.on('request', (incoming, answer) => {
    const { method, url: path, headers } = incoming;
    const passed = request({ host: '127.0.0.1', port, method, path, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    incoming.pipe(passed);
  });
  proxy.on('upgrade', ({ url, rawHeaders }, client, first) => {
    const behind = connect(port, '127.0.0.1', () => {
      const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []));
      behind.write([`GET ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
      behind.write(first);
      behind.pipe(client).pipe(behind);
    });
    for (const [one, other] of [
      [behind, client],
      [client, behind],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
};

beforeAll(async () => {
  service = await startServer();
  const { apiKey: key } = await service.user({ plan: 'pro' });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const started = await startBrowserHost({
    ...{ profileDir, port: 0, service: { server: service.url, key }, secrets: async () => createMemoryKeyStore() },
    origin: `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    rendererDir: await buildRenderer('shipped'),
    environment: { PATH: process.env['PATH'] },
    opener: { open: async () => ok(undefined) },
    log: () => {},
  });
  if (!started.ok) throw new Error(started.error.detail);
  host = started.value;
  passOnTo(Number(readFileSync(join(profileDir, 'browser-port'), 'utf8')));
  browser = await openBrowser();
  const context = await browser.newContext({
    ...{ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 }, locale: 'en-GB' },
    ...{ ignoreHTTPSErrors: true, permissions: ['clipboard-read', 'clipboard-write'] },
  });
  page = await context.newPage();
  await page.goto(host.address);
});
afterAll(async () => {
  await page?.context().close();
  await host?.close();
  proxy.closeAllConnections();
  await new Promise((closed) => proxy.close(closed));
  await service?.stop();
});

it('becomes a link that opens for everyone, and that the phone copies', async () => {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose files' }).tap(),
  ]);
  // Without it a phone offers its camera alone.
  expect(await chooser.element().evaluate((field: HTMLInputElement) => field.hasAttribute('capture'))).toBe(false);
  await chooser.setFiles(await image('jpeg'));
  const link = await page.getByRole('textbox', { name: /^Link to / }).inputValue();
  expect((await fetch(link)).status).toBe(200);
  await page.getByRole('button', { name: /^Copy the link to / }).tap();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link);
});

// The browser of the tests reports no installability errors for any page, so what a browser requires is read here.
it('gets the manifest through the proxy, with icons that load', async () => {
  const devtools = await page.context().newCDPSession(page);
  const { url, errors, data } = await devtools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data ?? '') as { display: string; icons: { src: string }[] };
  expect(manifest).toMatchObject({ name: 'Linkshot', start_url: './', display: 'standalone' });
  const icons = manifest.icons.map(({ src }) => new URL(src, url).href);
  expect(icons).not.toEqual([]);
  const statuses = await page.evaluate(
    (addresses) => Promise.all(addresses.map(async (address) => (await fetch(address)).status)),
    icons,
  );
  expect(statuses).toEqual(icons.map(() => 200));
});

it('opens from the home screen while the address is open in a tab, and not without it', async () => {
  const address = new URL('/', page.url()).href;
  const installed = await page.context().newPage();
  await installed.goto(address);
  await installed.getByRole('button', { name: 'Choose files' }).waitFor();
  await installed.close();
  await page.goto('about:blank');
  const alone = await page.context().newPage();
  await alone.goto(address);
  await alone.getByRole('alert').waitFor();
  expect(await alone.getByRole('button', { name: 'Choose files' }).count()).toBe(0);
});
