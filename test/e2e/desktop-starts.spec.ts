/** Further starts of the built desktop app: they pass their arguments to the running instance and exit. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { connectToInstance } from '../../src/ipc/host/instance-socket.ts';
import { type DesktopApp, launchDesktop, makeDoubleBinary } from '../support/desktop/desktop-app.ts';
import { makeProfile } from './app-process.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const profile = makeProfile();
const binary = makeDoubleBinary();
let desktop: DesktopApp;

/** Starts the app once more, as the system does it; resolves when that start has ended well. */
const startAgain = (...args: string[]): Promise<unknown> =>
  run(binary.path, [root, '--profile', profile.path, ...args], { cwd: profile.path });

const queued = async (): Promise<string[]> => {
  const instance = await connectToInstance(profile.path);
  const state = await instance?.call('app.state', {});
  instance?.close();
  return state?.ok ? state.value.queue.items.map(({ name }) => name) : [];
};

test.beforeAll(async () => {
  desktop = await launchDesktop({ binary: binary.path, profile: profile.path, args: ['--hidden'] });
  const isThere = async (): Promise<boolean> => {
    const found = await connectToInstance(profile.path);
    found?.close();
    return found !== null;
  };
  await expect.poll(isThere).toBe(true);
});
test.afterAll(async () => {
  await desktop.close();
  binary.remove();
  profile.remove();
});

test('a hidden start shows no window, and the next one shows it', async () => {
  // It is made in the step that would also make the window, which is shown only later.
  await desktop.pages('overlay', 1);
  const made = await desktop.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getURL()),
  );
  expect(made).toEqual([expect.stringContaining('overlay.html')]);
  expect(await desktop.shown()).toEqual([]);
  await startAgain();
  await expect.poll(() => desktop.shown()).toEqual(['index.html']);
});

test('files of several starts go to the one that runs, together', async () => {
  const folder = join(profile.path, 'sent');
  mkdirSync(folder);
  const names = ['a.txt', 'b c.txt', 'ä.txt'];
  for (const name of names) writeFileSync(join(folder, name), name);
  // Relative to where that start was made, as a shell passes them.
  await Promise.all(names.map((name) => startAgain(`sent/${name}`)));
  await expect.poll(async () => (await queued()).sort()).toEqual([...names].sort());
  const page = await desktop.page('index');
  for (const name of names) await expect(page.getByText(name, { exact: true }).first()).toBeVisible();
});

test('a link shows its screen; a link with anything else does nothing and adds no file', async () => {
  const before = await queued();
  await startAgain('linkshot://upload?path=/etc/passwd', '/etc/passwd');
  await startAgain('linkshot://open/settings');
  const page = await desktop.page('index');
  await expect.poll(() => new URL(page.url()).hash).toBe('#settings');
  expect(await queued()).toEqual(before);
});
