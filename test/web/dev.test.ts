/** `npm run dev`: changed code is on the screen at once, and the page keeps its state. On a copy of the sources. */
import { spawn } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openBrowser } from '../support/browser/chromium.ts';
import { PATIENCE_MS } from '../support/poll-timeouts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const copy = temporaryFolder('dev');
for (const name of ['src', 'scripts', 'resources', 'package.json', 'electron.vite.config.ts', 'tsconfig.base.json'])
  cpSync(join(root, name), join(copy, name), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

let browser: Browser;
let page: Page;
let readyHosts = 0;
const dev = spawn(process.execPath, ['scripts/dev.ts', '--no-open', '--profile', join(copy, 'profile')], {
  cwd: copy,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((done) => dev.once('exit', done));

beforeAll(async () => {
  const address = await new Promise<string>((found) => {
    createInterface({ input: dev.stdout }).on('line', (line) => {
      if (line === 'The host is ready.') readyHosts += 1;
      const url = /^Linkshot: (http\S+)/.exec(line)?.[1];
      if (url) found(url);
    });
  });
  await vi.waitFor(() => expect(readyHosts).toBe(1), { timeout: PATIENCE_MS });
  browser = await openBrowser();
  page = await (await browser.newContext()).newPage();
  await page.goto(address);
  await page.getByRole('button', { name: 'Choose files' }).waitFor({ timeout: PATIENCE_MS });
});
afterAll(async () => {
  dev.kill('SIGTERM');
  await ended;
  await page.context().close();
  await browser.close();
});

const edit = (file: string, change: (text: string) => string): void => {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  expect(change(text)).not.toBe(text);
  writeFileSync(path, change(text));
};

/** Text in the search of the library: lost by a reload. */
const type = async (): Promise<() => Promise<string>> => {
  await page.getByRole('link', { name: 'Library' }).click();
  const field = page.getByRole('searchbox');
  await field.fill('half a word');
  return () => field.inputValue();
};

test('a changed style and a changed component appear without a reload', async () => {
  const typed = await type();
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  edit('src/renderer/design/base.css', (css) => `${css}\nbody { outline-color: rgb(1, 2, 3); }\n`);
  const outline = () => page.evaluate(() => getComputedStyle(document.body).outlineColor);
  await expect.poll(outline).toBe('rgb(1, 2, 3)');
  edit('src/renderer/screens/library/library-screen.tsx', (code) =>
    code.replace('<h1>{t.library.title}</h1>', '<h1>Changed component</h1>'),
  );
  await page.getByRole('heading', { name: 'Changed component' }).waitFor({ timeout: PATIENCE_MS });
  expect(await typed()).toBe('half a word');
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
});

test('a changed file of the host restarts it, and the page connects again and publishes', async () => {
  const typed = await type();
  const lost = page.getByRole('alert').filter({ hasText: 'Linkshot isn’t responding' });
  const connectedAgain = new Promise<void>((done) => {
    page.on('websocket', (socket) => {
      if (new URL(socket.url()).pathname === '/bridge') socket.once('framereceived', () => done());
    });
  });
  edit('src/web/browser-host-server.ts', (code) => code.replace("'Not found.'", "'Not found here.'"));
  await expect.poll(() => readyHosts).toBe(2);
  await connectedAgain;
  // The button below moves up when the banner goes: a press that has begun would end beside it.
  await lost.waitFor({ state: 'detached', timeout: PATIENCE_MS });
  expect(await typed()).toBe('half a word');
  await page.getByRole('link', { name: 'Home' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  await (await chooser).setFiles(join(root, 'resources/icon.png'));
  await page.getByText('Link is ready').first().waitFor({ timeout: PATIENCE_MS });
});
