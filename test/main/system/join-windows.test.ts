/**
 * What the app adds to Windows, over the double of Electron; its registry is that of Windows, so there is none here.
 */
import { beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/engine/node-ports.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/ipc/protocol/settings.ts';
import { desktopTextsFor } from '../../../src/main/desktop-texts.ts';
import { joinSystem, type SystemDeps } from '../../../src/main/system/system-integration.ts';
import { desktop, resetDesktop } from '../../support/electron/index.ts';
import { itWith } from '../../support/only-on.ts';

beforeEach(resetDesktop);

const join = (platform: NodeJS.Platform, launch: Partial<Pick<SystemDeps, 'environment' | 'sameProfile'>> = {}) => {
  const changes: Partial<Settings>[] = [];
  const log: string[] = [];
  const ending = new AbortController();
  const engine = { settings: { update: (change: Partial<Settings>) => changes.push(change) }, state: () => ({}) };
  const follow = joinSystem(
    {
      ...{ platform, environment: {}, home: '/home/mira', clock: systemClock, sameProfile: [], ...launch },
      ...{ own: { paths: [], link: null, isHidden: true }, arrivals: { follow: () => {} }, commandFolder: null },
      onLate: () => {},
      ...{ host: { engine } as never, window: {} as never, updateStatus: {} as never },
      ...{ messages: () => desktopTextsFor('en', []), log: (line) => log.push(line) },
    },
    ending.signal,
  );
  const send = (settings: Partial<Settings>) =>
    follow({ type: 'state', state: { settings: { ...DEFAULT_SETTINGS, ...settings } } as never });
  return { send, changes, log, end: () => ending.abort() };
};

it('has the tasks of the jump list from the first state on, only on Windows', () => {
  const linux = join('linux');
  linux.send({});
  expect(desktop.userTasks).toEqual([]);
  const windows = join('win32');
  windows.send({});
  expect(desktop.userTasks).toHaveLength(3);
  expect([windows.changes, windows.log]).toEqual([[], []]);
  linux.end();
  windows.end();
});

itWith('way to be without a registry')(
  'turns the entries of the file manager off in the settings where there is no registry',
  async () => {
    const { send, changes, log, end } = join('win32');
    send({ explorerMenu: true });
    await expect.poll(() => changes).toEqual([{ explorerMenu: false }]);
    expect(log.join()).toContain('The entries of the file manager could not be changed');
    end();
  },
);

it('opens links with the program that stays, not with its temporary copy, and with the same profile', () => {
  desktop.isPackaged = true;
  join('win32').end();
  expect(desktop.protocolClients.get('linkshot')).toEqual([process.execPath, '--']);
  const portable = {
    PORTABLE_EXECUTABLE_FILE: 'D:\\Linkshot-portable.exe',
    PORTABLE_EXECUTABLE_APP_FILENAME: 'linkshot',
  };
  join('win32', { environment: portable, sameProfile: ['--profile', 'D:\\My data'] }).end();
  // Electron quotes the words itself.
  const words = ['D:\\Linkshot-portable.exe', '--profile', 'D:\\My data', '--'];
  expect(desktop.protocolClients.get('linkshot')).toEqual(words);
  // Inherited from a program that has started this one.
  join('win32', { environment: { ...portable, PORTABLE_EXECUTABLE_APP_FILENAME: 'editor' } }).end();
  expect(desktop.protocolClients.get('linkshot')).toEqual([process.execPath, '--']);
});
