/**
 * The built desktop app (main, preload and window as they ship) on plain Node, its window a Chromium page, with the
 * try-out server that `npm start` puts beside it. Real Electron runs the same bundles where its binary can be had.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import { type EmbeddedServer, startEmbedded } from '../../src/bridge/embedded.ts';
import { connectToInstance, type InstanceTransport } from '../../src/bridge/instance.ts';
import { image } from '../support/media.ts';
import { makeProfile } from './app-process.ts';

const root = resolve(import.meta.dirname, '../..');
const profile = makeProfile();
let child: ChildProcess;
let output = '';
let browser: Browser;
let page: Page;
let embedded: EmbeddedServer;

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

test.beforeAll(async () => {
  const port = await freePort();
  child = spawn(
    process.execPath,
    ['--import', join(root, 'test/support/electron-shim/register.mjs'), 'out/main/index.js', '--profile', profile.path],
    { cwd: root, env: { ...process.env, SHIM_CDP_PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const instance = await whenUp();
  embedded = await startEmbedded(profile.path);
  await instance.call('connection.embed', { server: embedded.server, key: embedded.key });
  instance.close();
  browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  page = browser.contexts()[0]?.pages()[0] as Page;
});
test.afterAll(async () => {
  await browser?.close();
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  await embedded?.close();
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
