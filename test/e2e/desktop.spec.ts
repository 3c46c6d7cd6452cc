/**
 * `npm start` where Electron is at hand: it runs the built desktop app (main, preload and window as they ship) and puts
 * the try-out server beside it. The binary is a stand-in: Node, with Chromium pages for windows.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import { connectToInstance, type InstanceTransport } from '../../src/bridge/instance.ts';
import type { Result } from '../../src/contract/errors.ts';
import type { AppState } from '../../src/contract/state.ts';
import { image } from '../support/media.ts';
import { makeProfile } from './app-process.ts';

const root = resolve(import.meta.dirname, '../..');
const profile = makeProfile();
let child: ChildProcess;
let output = '';
let browser: Browser;
let page: Page;

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address ? address.port : 0;
};

const whenUp = async (): Promise<InstanceTransport> => {
  for (let tries = 0; tries < 150; tries++) {
    const instance = await connectToInstance(profile.path);
    if (instance) return instance;
    await sleep(200);
  }
  throw new Error(`The app did not start: ${output}`);
};

const connectionOf = (state: Result<AppState>): string =>
  state.ok && state.value.connection.state === 'connected' ? state.value.connection.keyPlace : 'none';

test.beforeAll(async () => {
  const port = await freePort();
  const dist = join(profile.path, 'electron');
  mkdirSync(dist);
  const shim = join(root, 'test/support/electron-shim/register.mjs');
  const run = `#!/bin/sh\nshift\nexec "${process.execPath}" --import "${shim}" out/main/index.js "$@"\n`;
  writeFileSync(join(dist, 'electron'), run, { mode: 0o755 });
  child = spawn(process.execPath, ['scripts/start.ts', '--profile', profile.path], {
    cwd: root,
    env: {
      ...process.env,
      ELECTRON_OVERRIDE_DIST_PATH: dist,
      DISPLAY: process.env['DISPLAY'] ?? ':0',
      SHIM_CDP_PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const instance = await whenUp();
  await expect
    .poll(async () => connectionOf(await instance.call('app.state', {})), { timeout: 20_000 })
    .toBe('embedded');
  instance.close();
  browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  page = browser.contexts()[0]?.pages()[0] as Page;
});
test.afterAll(async () => {
  await browser?.close();
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  profile.remove();
});

test('a dropped file goes by its path, and the link is on the clipboard of the desktop', async () => {
  const path = await image('png');
  const name = path.slice(path.lastIndexOf('/') + 1);
  await expect(page.getByText('Drop anything here')).toBeVisible();
  await page.evaluate(
    ([file, where]) => Object.assign(window, { __shimPaths: { [file as string]: where } }),
    [name, path],
  );
  await page.getByRole('main').drop({ files: path });
  await expect(page.getByRole('textbox', { name: `Link to ${name}` })).toHaveValue(/\/s\/\w+$/);
  const link = await page.getByRole('textbox', { name: `Link to ${name}` }).inputValue();
  await expect.poll(() => output).toContain(`clipboard: ${link}`);
});

test('a file that lives in the page only is streamed to the app, and becomes a link too', async () => {
  const path = await image('webp');
  const name = path.slice(path.lastIndexOf('/') + 1);
  await page.getByRole('main').drop({ files: path });
  await expect(page.getByRole('textbox', { name: `Link to ${name}` })).toHaveValue(/\/s\/\w+$/);
});

test('the page can give no command that is not a page’s, and sees nothing of Node', async () => {
  const answer = await page.evaluate(() =>
    (window as unknown as { linkshot: { call(command: string, input: unknown): Promise<unknown> } }).linkshot.call(
      'queue.addPaths',
      { paths: ['/etc/passwd'] },
    ),
  );
  expect(answer).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
  expect(await page.evaluate(() => [typeof process, typeof require])).toEqual(['undefined', 'undefined']);
});

test('asked to end, it ends the app and its server, and gives the profile back', async () => {
  await browser.close();
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
  expect(await connectToInstance(profile.path)).toBeNull();
});
