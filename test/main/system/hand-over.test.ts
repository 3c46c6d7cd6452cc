/** A second start of the desktop app passes its request to the running one, whichever host that is. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { err, failure, ok } from '../../../src/api/errors.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import { notOpened } from '../../../src/engine/open-browser.ts';
import type { Clock } from '../../../src/engine/ports.ts';
import { connectToInstance } from '../../../src/ipc/host/instance-socket.ts';
import { startApp } from '../../../src/main/start-app.ts';
import { app, desktop, resetDesktop } from '../../support/electron/index.ts';
import { openTestHost } from '../../support/open-host.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('hand-over');
const argv = process.argv;
/** Starts that reach this one later, each in the next pause. */
const later: (() => void)[] = [];
const pauses: Clock = { ...systemClock, sleep: async () => later.shift()?.() };
const startWith = (clock: Clock, profileDir: string, ...args: string[]): Promise<void> => {
  process.argv = ['/opt/linkshot', ...args];
  return startApp({ profileDir, rendererDir: root, serverDir: root, iconDir: root, clock, log: () => {} });
};
const start = (profileDir: string, ...args: string[]): Promise<void> => startWith(pauses, profileDir, ...args);
const file = (name: string): string => {
  const path = join(root, name);
  writeFileSync(path, name);
  return path;
};
const startAgain = (path: string): void =>
  void app.emit('second-instance', {}, [], '', { paths: [path], link: null, isHidden: false });

beforeEach(() => {
  resetDesktop();
  later.length = 0;
});
afterEach(() => {
  process.argv = argv;
});

it('where the browser host has the profile, the files go there, it comes to the front, and this start ends', async () => {
  const host = await openTestHost(join(root, 'browser'));
  const paths = ['a.txt', 'b.txt'].map((name) => join(root, name));
  for (const path of paths) writeFileSync(path, path);
  await start(join(root, 'browser'), ...paths);
  expect(desktop.exitCode).toBe(0);
  expect(desktop.windows).toEqual([]);
  expect(host.engine.state().queue.items.map(({ source }) => source.path)).toEqual(paths);
  expect(host.shown()).toBe(1);
});

it('where the browser host has the profile, it gets the files of all starts that the system made for them', async () => {
  const profileDir = join(root, 'several');
  const paths = ['1.txt', '2.txt', '3.txt', '4.txt'].map(file);
  const [first = '', second = '', third = '', fourth = ''] = paths;
  let shown = 0;
  const show = () => {
    shown += 1;
    if (shown === 1) startAgain(fourth);
    return ok(undefined);
  };
  const host = await openTestHost(profileDir, { show });
  const started = start(profileDir, first);
  startAgain(second);
  later.push(() => startAgain(third));
  await started;
  expect(host.engine.state().queue.items.map(({ source }) => source.path)).toEqual(paths);
  expect(shown).toBe(2);
  expect(desktop.exitCode).toBe(0);
});

it('where the browser host has the profile, it gets the file that macOS opens', async () => {
  const profileDir = join(root, 'browser-mac');
  const host = await openTestHost(profileDir);
  const path = file('opened.txt');
  const started = start(profileDir);
  app.emit('open-file', { preventDefault() {} }, path);
  await started;
  expect(host.engine.state().queue.items.map(({ source }) => source.path)).toEqual([path]);
  expect(desktop.exitCode).toBe(0);
});

it('a file that is missing is reported, the others are shared there, and this start fails', async () => {
  const host = await openTestHost(join(root, 'missing'));
  const there = join(root, 'there.txt');
  writeFileSync(there, 'there');
  await start(join(root, 'missing'), join(root, 'missing.txt'), there);
  expect(desktop.exitCode).toBe(1);
  const missing = `Linkshot needs your attention: ${join(root, 'missing.txt')} does not exist.`;
  expect(desktop.errorBoxes).toEqual([missing]);
  expect(host.engine.state().queue.items.map(({ source }) => source.path)).toEqual([there]);
  expect(host.shown()).toBe(1);
});

it('what the browser host refuses is reported', async () => {
  await openTestHost(join(root, 'refusing'));
  const empty = join(root, 'empty.txt');
  writeFileSync(empty, '');
  await start(join(root, 'refusing'), empty);
  expect(desktop.exitCode).toBe(1);
  expect(desktop.errorBoxes).toHaveLength(1);
});

it('where the browser host has the profile, the capture of a link starts there, and a refusal is reported', async () => {
  const why = failure('CAPTURE_UNAVAILABLE', 'This screen cannot be captured.');
  let asked = 0;
  const refuse = async () => {
    asked += 1;
    return err(why);
  };
  const capturer = { displays: refuse, windows: refuse, freeze: refuse, grab: refuse };
  const host = await openTestHost(join(root, 'link'), { capturer });
  await start(join(root, 'link'), 'linkshot://capture?mode=region');
  expect(asked).toBeGreaterThan(0);
  expect(host.shown()).toBe(1);
  expect(desktop.exitCode).toBe(1);
  expect(desktop.errorBoxes).toHaveLength(1);
});

it('where the browser host has the profile, the screen of a link is asked for there', async () => {
  const screens: unknown[] = [];
  await openTestHost(join(root, 'screen'), { show: (screen) => ok(screens.push(screen)) });
  for (const screen of ['home', 'library', 'settings']) await start(join(root, 'screen'), `linkshot://open/${screen}`);
  expect(screens).toEqual(['home', 'library', 'settings']);
  expect(desktop.exitCode).toBe(0);
});

it('where a command has the profile, which has no window, this start says so and fails', async () => {
  const detail = 'A command of Linkshot is using this profile.';
  await openTestHost(join(root, 'command'), { show: () => err(failure('PROFILE_BUSY', detail)) });
  await start(join(root, 'command'));
  expect(desktop.exitCode).toBe(1);
  expect(desktop.errorBoxes).toEqual([`Linkshot needs your attention: ${detail}`]);
});

it('where a command has the profile and takes the files, this start does not fail: a repetition publishes them twice', async () => {
  const show = () => err(failure('PROFILE_BUSY', 'A command of Linkshot is using this profile.'));
  const host = await openTestHost(join(root, 'taken'), { show });
  const path = join(root, 'taken.txt');
  writeFileSync(path, 'taken');
  await start(join(root, 'taken'), path);
  expect(host.engine.state().queue.items.map(({ source }) => source.path)).toEqual([path]);
  expect(desktop.errorBoxes).toEqual([]);
  expect(desktop.exitCode).toBe(0);
});

it.each(['en', 'ru'])('where the browser does not open, its address is told (%s)', async (language) => {
  const spoken = vi.spyOn(app, 'getPreferredSystemLanguages').mockReturnValue([language]);
  onTestFinished(() => spoken.mockRestore());
  const address = 'http://127.0.0.1:4800/#key=of-this-start';
  await openTestHost(join(root, language), { show: () => notOpened('xdg-open', new URL(address)) });
  await start(join(root, language));
  expect(desktop.exitCode).toBe(1);
  expect(desktop.errorBoxes).toEqual([expect.stringContaining(address)]);
});

it('where another desktop app has it, Electron has notified that one, and this start changes nothing', async () => {
  desktop.isSecondStart = true;
  await start(join(root, 'second'), join(root, 'a.txt'));
  expect(desktop.exitCode).toBe(0);
  expect([desktop.windows, desktop.trays]).toEqual([[], []]);
});

it('a file that macOS opens before the app is ready is not lost', async () => {
  const path = join(root, 'early.txt');
  writeFileSync(path, 'early');
  const started = startWith(systemClock, join(root, 'mac'));
  let isPrevented = false;
  app.emit('open-file', { preventDefault: () => (isPrevented = true) }, path);
  await started;
  expect(isPrevented).toBe(true);
  const instance = await connectToInstance(join(root, 'mac'));
  await expect
    .poll(async () => {
      const state = await instance?.call('app.state', {});
      return state?.ok ? state.value.queue.items.map(({ name }) => name) : [];
    })
    .toEqual(['early.txt']);
  instance?.close();
  app.quit();
  await expect.poll(() => desktop.exitCode).toBe(0);
});
