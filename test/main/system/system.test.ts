/** Sleep and wake, crashed pages, and updates. */
import { EventEmitter } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import type { App, BrowserWindow as ElectronWindow, PowerMonitor } from 'electron';
import { beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import { recoverCrashedPage } from '../../../src/main/system/recover-crashed-page.ts';
import { followSleepAndShutdown } from '../../../src/main/system/sleep-and-shutdown.ts';
import { createUpdateStatus } from '../../../src/main/system/update-status.ts';
import { followUpdates, openUpdater, type Trust, trustOf, type Updater } from '../../../src/main/system/updates.ts';
import { app, BrowserWindow, powerMonitor, resetDesktop } from '../../support/electron/index.ts';
import { sleepingClock } from '../../support/sleeping-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// Node itself loads electron-updater, without Vitest's alias.
const double = new URL('../../support/electron/index.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) => (name === 'electron' ? { url: double, shortCircuit: true } : next(name, context)),
});

beforeEach(resetDesktop);

const followPower = (recording: string | null) => {
  const calls: string[] = [];
  const call = (name: string) => async () => {
    calls.push(name);
    return ok({});
  };
  const engine = {
    state: () => ({ recording: recording && { state: recording } }),
    recording: { pause: call('pause the recording') },
    connection: { refresh: call('read the account') },
    hotkeys: { retry: call('ask for the hotkeys') },
  };
  const ending = new AbortController();
  const quit = () => {
    calls.push('quit');
    ending.abort();
  };
  const power = powerMonitor as unknown as PowerMonitor;
  const windows = () => BrowserWindow.getAllWindows() as unknown as ElectronWindow[];
  const stop = followSleepAndShutdown(
    { power, app: app as unknown as App, windows, engine: engine as never, quit, log: () => {} },
    ending.signal,
  );
  return { calls, stop };
};

describe('power', () => {
  it('a recording is closed before a sleep; after it the account is read and the hotkeys are asked for', () => {
    const { calls } = followPower('recording');
    powerMonitor.emit('suspend');
    expect(calls).toEqual(['pause the recording']);
    powerMonitor.emit('resume');
    expect(calls).toEqual(['pause the recording', 'read the account', 'ask for the hotkeys']);
  });

  it('a sleep without a recording needs nothing, and an ended app receives no events', () => {
    const { calls, stop } = followPower(null);
    powerMonitor.emit('suspend');
    expect(calls).toEqual([]);
    stop();
    powerMonitor.emit('resume');
    expect(calls).toEqual([]);
  });

  it('a computer that shuts down waits for the app to end in order', () => {
    const { calls } = followPower(null);
    let isPrevented = false;
    powerMonitor.emit('shutdown', { preventDefault: () => (isPrevented = true) });
    expect([calls, isPrevented]).toEqual([['quit'], true]);
  });
});

describe('the end of a session of Windows', () => {
  /** Whether the system has to wait. */
  const tell = (window: BrowserWindow, event: 'query-session-end' | 'session-end'): boolean => {
    let isPrevented = false;
    window.emit(event, { preventDefault: () => (isPrevented = true), reasons: ['shutdown'] });
    return isPrevented;
  };

  it('waits for the app, which quits once, whichever windows are told', () => {
    const before = new BrowserWindow();
    const { calls } = followPower(null);
    const after = new BrowserWindow();
    expect([before, after].map((window) => tell(window, 'query-session-end'))).toEqual([true, true]);
    expect(calls).toEqual(['quit']);
  });

  it('asks the app to quit also where Windows does not ask first', () => {
    const { calls } = followPower(null);
    tell(new BrowserWindow(), 'session-end');
    expect(calls).toEqual(['quit']);
  });
});

describe('a page that ends by itself', () => {
  const crashing = () => {
    const window = new BrowserWindow();
    const clock = sleepingClock();
    let notices = 0;
    let reloads = 0;
    window.webContents.reload = () => void reloads++;
    const revived = window as unknown as ElectronWindow;
    recoverCrashedPage({ window: revived, clock, notify: () => void notices++, log: () => {} });
    return { window, clock, seen: () => ({ reloads, notices, isGone: window.isDestroyed() }) };
  };

  it('is reloaded once; after another crash within a minute it is closed, and the user is notified', async () => {
    const { window, clock, seen } = crashing();
    window.webContents.crash('oom');
    expect(seen()).toEqual({ reloads: 1, notices: 0, isGone: false });
    await clock.advance(59_000);
    window.webContents.crash('crashed');
    await expect.poll(seen).toEqual({ reloads: 1, notices: 1, isGone: true });
  });

  it('may end again much later', async () => {
    const { window, clock, seen } = crashing();
    window.webContents.crash('crashed');
    await clock.advance(61_000);
    window.webContents.crash('crashed');
    expect(seen()).toEqual({ reloads: 2, notices: 0, isGone: false });
  });
});

describe('updates', () => {
  const updater = () => {
    const emitter = new EventEmitter();
    let looks = 0;
    const made = Object.assign(emitter, {
      // The defaults of electron-updater.
      ...{ autoDownload: true, autoInstallOnAppQuit: true, allowDowngrade: true, allowPrerelease: true },
      ...{ disableWebInstaller: false, logger: console },
      checkForUpdates: async () => {
        looks++;
        return { isUpdateAvailable: false };
      },
      isUpdateSupported: () => true,
    });
    return { made: made as unknown as Updater & EventEmitter, looks: () => looks };
  };
  const followed = (trust: Trust) => {
    const { made, looks } = updater();
    const clock = sleepingClock();
    const notices: string[] = [];
    const logged: string[] = [];
    const ending = new AbortController();
    const announce = (state: string, version: string) => void notices.push(`${state} ${version}`);
    const updateStatus = createUpdateStatus({ now: () => 1_000 });
    followUpdates(
      { updater: made, trust, clock, announce, updateStatus, log: (line) => logged.push(line) },
      ending.signal,
    );
    return { made, looks, clock, notices, updateStatus, logged, ending };
  };

  it('are never older, never for testers, and loaded only where the platform checks their maker', () => {
    const policy = { allowDowngrade: false, allowPrerelease: false, disableWebInstaller: true };
    expect(followed('checked').made).toMatchObject({ ...policy, autoDownload: true, autoInstallOnAppQuit: true });
    expect(followed('unchecked').made).toMatchObject({ ...policy, autoDownload: false, autoInstallOnAppQuit: false });
  });

  it('are checked several times a day until the app quits, and each version is announced once', async () => {
    const { made, looks, clock, notices, ending } = followed('checked');
    await clock.advance(60_000);
    expect(looks()).toBe(1);
    for (let time = 0; time < 2; time++) {
      made.emit('update-available', { version: '2.0.0' });
      made.emit('update-downloaded', { version: '2.0.0' });
    }
    expect(notices).toEqual(['ready 2.0.0']);
    await clock.advance(6 * 60 * 60_000);
    expect(looks()).toBe(2);
    ending.abort();
    await clock.advance(6 * 60 * 60_000);
    expect(looks()).toBe(2);
  });

  it('that the platform does not check are announced, and the user downloads them', () => {
    const { made, notices } = followed('unchecked');
    made.emit('update-available', { version: '2.0.0' });
    expect(notices).toEqual(['there 2.0.0']);
  });

  it('are written down for the settings: no checks, none completed yet, none newer, one that waits', async () => {
    expect(createUpdateStatus({ now: () => 0 }).read()).toMatchObject({ state: 'not-looked-for' });
    const { made, clock, updateStatus } = followed('unchecked');
    expect(updateStatus.read()).toEqual({ state: 'not-checked', version: null, checkedAt: null });
    await clock.advance(60_000);
    expect(updateStatus.read()).toEqual({ state: 'current', version: null, checkedAt: 1_000 });
    made.emit('update-available', { version: '2.0.0' });
    await clock.advance(6 * 60 * 60_000);
    expect(updateStatus.read()).toEqual({ state: 'there', version: '2.0.0', checkedAt: 1_000 });
  });

  it('with a wrong signature leave this version unchanged', () => {
    const { made, notices, logged } = followed('checked');
    made.emit('error', new Error('New version is not signed by the application owner'));
    expect(notices).toEqual([]);
    expect(logged.join()).toContain('not signed by the application owner');
  });

  it('trust Windows only with the name of the maker, macOS always, and Linux and a portable program never', () => {
    const named = 'provider: generic\npublisherName:\n  - Linkshot\n';
    expect(trustOf('win32', named)).toBe('checked');
    expect(trustOf('win32', 'provider: generic\n')).toBe('unchecked');
    expect(trustOf('darwin', 'provider: generic\n')).toBe('checked');
    expect(trustOf('linux', named)).toBe('unchecked');
    // The installer of an update would install another Linkshot beside it.
    expect(trustOf('portable', named)).toBe('unchecked');
    expect(trustOf('win32', null)).toBeNull();
  });

  it('are looked for only in a packaged app with an address', async () => {
    const resourcesDir = temporaryFolder('resources');
    expect(await openUpdater({ isPackaged: true, packaging: 'win32', resourcesDir })).toBeNull();
    mkdirSync(resourcesDir, { recursive: true });
    writeFileSync(join(resourcesDir, 'app-update.yml'), 'provider: generic\nurl: https://updates.example/\n');
    expect(await openUpdater({ isPackaged: false, packaging: 'win32', resourcesDir })).toBeNull();
    Object.assign(process, { resourcesPath: resourcesDir });
    expect(await openUpdater({ isPackaged: true, packaging: 'win32', resourcesDir })).toMatchObject({
      updater: { checkForUpdates: expect.any(Function), allowDowngrade: expect.any(Boolean) },
      trust: 'unchecked',
    });
  });
});
