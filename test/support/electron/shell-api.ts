/**
 * `shell`, `dialog`, `globalShortcut`, `powerMonitor`, `nativeTheme`: small desktop APIs whose calls a test can
 * inspect.
 */
import { EventEmitter } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import type * as Electron from 'electron';
import { desktop } from './desktop.ts';
import { needsReady } from './life-cycle.ts';

export const shell = {
  openExternal: async (url) => void desktop.opened.push(url),
  openPath: async (path) => {
    desktop.opened.push(path);
    return '';
  },
  showItemInFolder: (path) => void desktop.shownInFolder.push(path),
  beep: () => {},
  /** A file with the details; `replace` and `update` need an earlier one, as on Windows. */
  writeShortcutLink: (path: string, operation: unknown, details?: Electron.ShortcutDetails) => {
    if (operation !== 'create' && !existsSync(path)) return false;
    writeFileSync(path, JSON.stringify(details));
    return true;
  },
} satisfies Partial<Electron.Shell>;

/** The user picks what the test has set, once. */
const pick = (): string[] => desktop.picked.splice(0);

export const dialog = {
  showErrorBox: (title: string, content: string): void => void desktop.errorBoxes.push(`${title}: ${content}`),
  showOpenDialog: async (): Promise<Electron.OpenDialogReturnValue> => {
    const filePaths = pick();
    return { canceled: filePaths.length === 0, filePaths };
  },
  showSaveDialog: async (): Promise<Electron.SaveDialogReturnValue> => {
    const [filePath = ''] = pick();
    return { canceled: filePath === '', filePath };
  },
  showMessageBox: async (...asked: readonly unknown[]): Promise<Electron.MessageBoxReturnValue> => {
    const { message, checkboxLabel } = asked.at(-1) as Electron.MessageBoxOptions;
    desktop.questions.push(message);
    return { response: desktop.pressedButton, checkboxChecked: checkboxLabel !== undefined && desktop.isBoxChecked };
  },
} satisfies Partial<Record<keyof Electron.Dialog, unknown>>;

export const globalShortcut = {
  register: (accelerator, press) => {
    needsReady('globalShortcut');
    if (desktop.takenHotkeys.has(accelerator) || desktop.hotkeys.has(accelerator)) return false;
    desktop.hotkeys.set(accelerator, press);
    return true;
  },
  unregister: (accelerator) => void desktop.hotkeys.delete(accelerator),
  unregisterAll: () => desktop.hotkeys.clear(),
  isRegistered: (accelerator) => desktop.hotkeys.has(accelerator),
} satisfies Partial<Electron.GlobalShortcut>;

/** A test emits `suspend`, `resume`, `lock-screen` … on it. */
export const powerMonitor = Object.assign(new EventEmitter(), {
  getSystemIdleTime: () => 0,
  isOnBatteryPower: () => false,
} satisfies Partial<Electron.PowerMonitor>);

export const systemPreferences = {
  getMediaAccessStatus: () => desktop.screenAccess,
} satisfies Partial<Electron.SystemPreferences>;

export const nativeTheme = Object.assign(new EventEmitter(), {
  shouldUseDarkColors: false,
  themeSource: 'system',
} satisfies Partial<Electron.NativeTheme>);
