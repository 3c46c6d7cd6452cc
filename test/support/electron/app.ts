/** `electron.app`: it is ready immediately, and quits as Electron does. */
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type * as Electron from 'electron';
import { desktop } from './desktop.ts';
import { lifeCycle, needsNotReady } from './life-cycle.ts';

type Doubled =
  | 'whenReady'
  | 'isReady'
  | 'setPath'
  | 'getPath'
  | 'getAppPath'
  | 'getName'
  | 'setName'
  | 'getVersion'
  | 'getLocale'
  | 'getPreferredSystemLanguages'
  | 'isPackaged'
  | 'enableSandbox'
  | 'setAppUserModelId'
  | 'setAsDefaultProtocolClient'
  | 'isDefaultProtocolClient'
  | 'removeAsDefaultProtocolClient'
  | 'setLoginItemSettings'
  | 'setUserTasks'
  | 'getLoginItemSettings'
  | 'requestSingleInstanceLock'
  | 'hasSingleInstanceLock'
  | 'releaseSingleInstanceLock'
  | 'focus'
  | 'setBadgeCount'
  | 'relaunch'
  | 'exit'
  | 'quit';

const commandLine = {
  appendSwitch: () => needsNotReady('app.commandLine.appendSwitch'),
  hasSwitch: (name) => process.argv.includes(`--${name}`),
} satisfies Pick<Electron.CommandLine, 'appendSwitch' | 'hasSwitch'>;

const doubled: Pick<Electron.App, Doubled> = {
  whenReady: () => lifeCycle.whenReady(),
  isReady: () => lifeCycle.phase() !== 'before-ready',
  setPath: (name, path) => {
    if (!existsSync(path)) throw new Error(`Failed to set path: ${path} does not exist`);
    desktop.paths.set(name, path);
  },
  getPath: (name) => desktop.paths.get(name) ?? (name === 'exe' ? process.execPath : tmpdir()),
  getAppPath: () => desktop.paths.get('app') ?? process.cwd(),
  getName: () => 'Linkshot',
  setName: () => {},
  getVersion: () => '0.1.0',
  getLocale: () => 'en-US',
  getPreferredSystemLanguages: () => ['en-US'],
  get isPackaged() {
    return desktop.isPackaged;
  },
  enableSandbox: () => {
    needsNotReady('app.enableSandbox');
    desktop.sandboxed = true;
  },
  setAppUserModelId: (id) => {
    desktop.userModelId = id;
  },
  setAsDefaultProtocolClient: (scheme, path = process.execPath, args = []) => {
    desktop.protocolClients.set(scheme, [path, ...args]);
    return true;
  },
  isDefaultProtocolClient: (scheme) => desktop.protocolClients.has(scheme),
  removeAsDefaultProtocolClient: (scheme) => desktop.protocolClients.delete(scheme),
  setUserTasks: (tasks) => {
    desktop.userTasks = tasks;
    return true;
  },
  setLoginItemSettings: (settings) => {
    desktop.loginItem = settings;
    if (settings.enabled ?? true) desktop.isLoginItemOff = false;
  },
  getLoginItemSettings: () => {
    const openAtLogin = desktop.loginItem.openAtLogin ?? false;
    return {
      openAtLogin,
      wasOpenedAtLogin: desktop.wasOpenedAtLogin,
      status: openAtLogin ? 'enabled' : 'not-registered',
      executableWillLaunchAtLogin: openAtLogin && !desktop.isLoginItemOff,
      launchItems: [],
    };
  },
  requestSingleInstanceLock: (data) => !desktop.isSecondStart && lifeCycle.takeLock(data),
  hasSingleInstanceLock: () => !desktop.isSecondStart,
  releaseSingleInstanceLock: () => lifeCycle.giveLockBack(),
  focus: () => {},
  setBadgeCount: (count = 0) => {
    desktop.badge = count;
    return true;
  },
  relaunch: (options = {}) => void desktop.relaunched.push(options),
  exit: (code = 0) => {
    desktop.exitCode = code;
    app.emit('quit', {}, code);
    lifeCycle.end(code);
  },
  /** A listener may prevent it, and then quits the app itself. */
  quit: () => {
    let isPrevented = false;
    const event = {
      preventDefault: () => {
        isPrevented = true;
      },
    };
    app.emit('before-quit', event);
    if (isPrevented) return;
    app.emit('will-quit', event);
    if (!isPrevented) doubled.exit(0);
  },
};

export const app = Object.assign(new EventEmitter(), { commandLine, dock: undefined }) as EventEmitter &
  typeof doubled & { readonly commandLine: typeof commandLine; readonly dock: undefined };
// `assign` would evaluate `isPackaged` only once.
Object.defineProperties(app, Object.getOwnPropertyDescriptors(doubled));
