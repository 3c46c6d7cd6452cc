/**
 * `npm start` with Electron available: runs the built desktop app (main, preload and window as shipped) next to the
 * try-out server. The Electron binary is the double: Node with Chromium pages for windows.
 */
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { _electron, type ElectronApplication, expect, type Page, test } from '@playwright/test';
import { connectToInstance } from '../../src/ipc/host/instance-socket.ts';
import type * as Double from '../support/electron/index.ts';
import { image } from '../support/media/media.ts';
import { makeProfile } from './app-process.ts';

const root = resolve(import.meta.dirname, '../..');
const profile = makeProfile();
let app: ElectronApplication;
let page: Page;

const script = (path: string, ...command: readonly string[]): void =>
  writeFileSync(path, `#!/bin/sh\nexec ${command.map((word) => (word === '$@' ? '"$@"' : `"${word}"`)).join(' ')}\n`, {
    mode: 0o755,
  });

const clipboard = (): Promise<string> => app.evaluate(({ clipboard }) => clipboard.readText());

test.beforeAll(async () => {
  const dist = join(profile.path, 'electron');
  mkdirSync(dist);
  const binary = join(root, 'test/support/electron/binary.ts');
  script(join(dist, 'electron'), process.execPath, binary, '--inspect=0', '--remote-debugging-port=0', '$@');
  const start = join(profile.path, 'npm-start');
  script(start, process.execPath, 'scripts/start.ts', '--profile', profile.path);
  const env = { ...(process.env as Record<string, string>), ELECTRON_OVERRIDE_DIST_PATH: dist };
  app = await _electron.launch({
    executablePath: start,
    cwd: root,
    // A desktop is there, but no screen of another test, or of the developer.
    env: { ...env, DISPLAY: ':9999', WAYLAND_DISPLAY: '' },
    timeout: 240_000,
  });
  // The limit of the configuration is that of browsers.
  app.context().setDefaultTimeout(60_000);
  await expect.poll(() => app.windows().filter((each) => each.url().endsWith('/index.html')).length).toBe(1);
  page = app.windows().find((each) => each.url().endsWith('/index.html')) as Page;
});
test.afterAll(async () => {
  await app.close();
  profile.remove();
});

test('a dropped file is sent by its path, and the link is on the clipboard of the desktop', async () => {
  const path = await image('png');
  const name = path.slice(path.lastIndexOf('/') + 1);
  await expect(page.getByText('Drop files here')).toBeVisible();
  await page.evaluate(
    ([file, where]) => Object.assign(window, { electronPaths: { [file as string]: where } }),
    [name, path],
  );
  await page.getByRole('main').drop({ files: path });
  await expect(page.getByRole('textbox', { name: `Link to ${name}` })).toHaveValue(/\/s\/\w+$/);
  const link = await page.getByRole('textbox', { name: `Link to ${name}` }).inputValue();
  await expect.poll(clipboard).toBe(link);
});

test('a file that lives in the page only is streamed to the app, and becomes a link too', async () => {
  const path = await image('webp');
  const name = path.slice(path.lastIndexOf('/') + 1);
  await page.getByRole('main').drop({ files: path });
  await expect(page.getByRole('textbox', { name: `Link to ${name}` })).toHaveValue(/\/s\/\w+$/);
});

test('an item is dragged out as its own file, or as its link where the file is not the user’s', async () => {
  const png = await image('png');
  const held = page
    .getByRole('listitem')
    .filter({ hasText: png.slice(png.lastIndexOf('/') + 1) })
    .locator('[draggable=true]');
  await held.hover();
  await page.mouse.down();
  await page.mouse.move(20, 20, { steps: 4 });
  const drags = () =>
    app.evaluate((electron) => (electron as unknown as typeof Double).desktop.drags.map(({ file }) => file));
  await expect.poll(drags).toEqual([png]);
  await page.mouse.up();

  const webp = await image('webp');
  const streamed = page.getByRole('listitem').filter({ hasText: webp.slice(webp.lastIndexOf('/') + 1) });
  const carried = await streamed.locator('[draggable=true]').evaluate((element) => {
    const dataTransfer = new DataTransfer();
    for (const type of ['dragstart', 'dragend'])
      element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    return dataTransfer.getData('text/plain');
  });
  expect(carried).toBe(await streamed.getByRole('textbox').inputValue());
  expect(await drags()).toEqual([png]);
});

test('a file whose name is a script is a name', async () => {
  let isRun = false;
  page.on('dialog', (dialog) => {
    isRun = true;
    void dialog.dismiss();
  });
  const name = '<img src=x onerror=alert(1)>.png';
  const path = join(profile.path, name);
  copyFileSync(await image('png'), path);
  await page.getByRole('main').drop({ files: path });
  await expect(page.getByRole('textbox', { name: `Link to ${name}` })).toHaveValue(/\/s\/\w+$/);
  await expect(page.getByText(name).first()).toBeVisible();
  expect(isRun).toBe(false);
});

test('the page can give no command that is not a page’s, and sees nothing of Node or Electron', async () => {
  const answer = await page.evaluate(() =>
    (window as unknown as { linkshot: { call(command: string, input: unknown): Promise<unknown> } }).linkshot.call(
      'queue.addPaths',
      { paths: ['/etc/passwd'] },
    ),
  );
  expect(answer).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
  const seen = await page.evaluate(() => [
    typeof process,
    typeof require,
    Object.keys(window).filter((name) => /electron|ipc/i.test(name) && name !== 'electronPaths'),
    Object.isFrozen((window as unknown as { linkshot: unknown }).linkshot),
  ]);
  expect(seen).toEqual(['undefined', 'undefined', [], true]);
});

test('a page that is led away stays, and opens no window', async () => {
  const opened = page.waitForEvent('popup');
  await page.evaluate(() => {
    window.open('https://evil.example/');
    location.href = 'https://evil.example/';
  });
  const popup = await opened;
  await expect.poll(() => popup.isClosed()).toBe(true);
  await expect(page.getByRole('main')).toBeVisible();
  expect(page.url()).toMatch(/linkshot[^/]*\/index\.html/);
});

test('a page whose process ends is there again, with everything', async () => {
  await app.evaluate(({ BrowserWindow }) => {
    const isMain = (window: Electron.BrowserWindow) => window.webContents.getURL().endsWith('/index.html');
    BrowserWindow.getAllWindows().find(isMain)?.webContents.forcefullyCrashRenderer();
  });
  await expect.poll(() => page.isClosed()).toBe(true);
  // The limit of the configuration is that of browsers.
  app.context().setDefaultTimeout(60_000);
  await expect.poll(() => app.windows().filter((each) => each.url().endsWith('/index.html')).length).toBe(1);
  page = app.windows().find((each) => each.url().endsWith('/index.html')) as Page;
  await expect(page.getByRole('textbox', { name: /^Link to / }).first()).toHaveValue(/\/s\/\w+$/);
});

test('asked to end, it ends the app and its server, and gives the profile back', async () => {
  const ended = once(app.process(), 'exit');
  app.process().kill('SIGTERM');
  const [code] = (await ended) as [number | null];
  expect(code).toBe(0);
  expect(await connectToInstance(profile.path)).toBeNull();
});
