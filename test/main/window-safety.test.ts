/** The Electron host is secure, checked in its sources: a run cannot cover all of its windows and channels. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countIn, unsafeIn } from '../support/electron-lint/lint.ts';
import type { SourceText } from '../support/electron-lint/syntax.ts';

const root = resolve(import.meta.dirname, '../..');

const sourcesOf = (folder: string): SourceText[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const path = `${folder}/${name.replaceAll('\\', '/')}`;
      return { path, text: readFileSync(join(root, path), 'utf8') };
    });

const sources = [...sourcesOf('src/main'), ...sourcesOf('src/preload')];
const sourceAt = (path: string): string => sources.find((each) => each.path === path)?.text ?? '';

const MAKER = 'src/main/windows/safe-window.ts';
const CHANNELS = 'src/main/ipc.ts';

it('every window is isolated, sandboxed and confined, and every channel checks the sender', () => {
  expect(unsafeIn(sources)).toEqual([]);
  const { windows, channels } = countIn(sources);
  expect(windows).toBeGreaterThan(0);
  expect(channels).toBeGreaterThan(0);
});

it('the sandbox is on for every process, and the scheme has no privilege that it does not need', () => {
  expect(sourceAt('src/main/index.ts')).toMatch(/^app\.enableSandbox\(\);$/m);
  expect(sourceAt('src/main/page-urls.ts')).not.toMatch(/bypassCSP|allowServiceWorkers|corsEnabled/);
});

describe('a planted violation is seen:', () => {
  /** The file with exactly one change. */
  const changed = (path: string, from: string | RegExp, to: string): SourceText[] => {
    const text = sourceAt(path).replace(from, to);
    expect(text).not.toBe(sourceAt(path));
    return [{ path, text }];
  };
  const added = (path: string, line: string): SourceText[] => [{ path, text: `${sourceAt(path)}\n${line}\n` }];
  const other = (line: string): SourceText[] => [{ path: 'src/main/other.ts', text: line }];

  const plants: readonly (readonly [string, () => SourceText[]])[] = [
    ['no sandbox', () => changed(MAKER, 'sandbox: true', 'sandbox: false')],
    ['no isolation', () => changed(MAKER, /\s*contextIsolation: true,/, '')],
    ['Node in the page', () => changed(MAKER, 'nodeIntegration: false', 'nodeIntegration: true')],
    ['Node in workers', () => changed(MAKER, 'sandbox: true', 'sandbox: true, nodeIntegrationInWorker: true')],
    ['no web security', () => changed(MAKER, 'webSecurity: true', 'webSecurity: !process.env.DEV')],
    ['insecure content', () => changed(MAKER, 'sandbox: true', 'sandbox: true, allowRunningInsecureContent: true')],
    ['experiments', () => changed(MAKER, 'sandbox: true', "sandbox: true, enableBlinkFeatures: 'X'")],
    ['webviews', () => changed(MAKER, 'webviewTag: false', 'webviewTag: true')],
    ['a spell checker that asks a third party', () => changed(MAKER, 'spellcheck: false', 'spellcheck: true')],
    ['preferences from elsewhere', () => changed(MAKER, 'sandbox: true,', 'sandbox: true, ...options.more,')],
    [
      'options behind them',
      () => changed(MAKER, /\},\n {2}\}\);\n {2}const \{ webContents/, '},\n ...options });\n  const { webContents'),
    ],
    ['an open handler that allows', () => changed(MAKER, "action: 'deny'", "action: 'allow'")],
    ['no open handler', () => changed(MAKER, /.*setWindowOpenHandler.*\n/, '')],
    ['navigation', () => changed(MAKER, "'will-navigate'", "'did-navigate'")],
    [
      'navigation that is only logged',
      () => changed(MAKER, 'event.preventDefault();\n  });', 'console.log(event.url);\n  });'),
    ],
    ['attached webviews', () => changed(MAKER, /.*will-attach-webview.*\n/, '')],
    ['permissions on request', () => changed(MAKER, /.*setPermissionRequestHandler.*\n/, '')],
    ['permissions on check', () => changed(MAKER, /.*setPermissionCheckHandler.*\n/, '')],
    ['a window made elsewhere', () => other('new BrowserWindow({ webPreferences: {} });')],
    ['a window made elsewhere by another name', () => other('new electron.WebContentsView();')],
    ['a window by another name', () => other('const Window = BrowserWindow; new Window();')],
    ['a window by the name of an import', () => other("import { BrowserWindow as Page } from 'electron'; new Page();")],
    ['a part of Electron taken out', () => other('const { handle } = ipcMain; handle(1);')],
    ['all of Electron', () => other("import * as electron from 'electron';")],
    ['Electron loaded on the way', () => other("const { shell } = await import('electron');")],
    ['a channel elsewhere', () => other("ipcMain.handle('x', () => 1);")],
    ['a message elsewhere', () => other("ipcMain.on('x', () => {});")],
    ['a channel of one window', () => other("window.webContents.ipc.handle('x', () => 1);")],
    ['a channel beside the checked one', () => added(CHANNELS, "ipcMain.handle('x', () => 1);")],
    ['a sender of any page', () => changed(CHANNELS, / && pageAt\(senderFrame\.url\) !== null/, '')],
    ['a sender of any frame', () => changed(CHANNELS, 'senderFrame?.parent === null', 'senderFrame')],
    ['a foreign page', () => other("window.loadURL('https://example.com');")],
    ['a foreign page by a name', () => other('const page = process.argv[1]; window.loadURL(page);')],
    ['a file of the disk', () => other("window.loadFile('index.html');")],
    ['the browser from elsewhere', () => other("shell['openExternal'](url);")],
    ['a program of the system', () => other('shell.openPath(path);')],
    ['a script in the page', () => other("window.webContents.executeJavaScript('1');")],
    ['a scheme of the disk', () => other("protocol.registerFileProtocol('app', () => {});")],
    ['a scheme without a policy', () => added('src/main/page-urls.ts', 'export const MORE = { bypassCSP: true };')],
    ['switches of Chromium', () => other("app.commandLine.appendSwitch('disable-web-security');")],
    [
      'features of Chromium',
      () => changed('src/main/index.ts', "'GlobalShortcutsPortal'", "'GlobalShortcutsPortal,Other'"),
    ],
    [
      'bad certificates',
      () => other("app.on('certificate-error', (event, _, __, ___, ____, answer) => answer(true));"),
    ],
    ['certificates unchecked', () => other('session.setCertificateVerifyProc((_, answer) => answer(0));')],
    ['code from text', () => other("eval('1');")],
    ['the remote module', () => other("import remote from '@electron/remote/main';")],
    [
      'all of IPC for the page',
      () => added('src/preload/index.ts', "contextBridge.exposeInMainWorld('ipc', ipcRenderer);"),
    ],
    [
      'a part of Electron for the page',
      () => changed('src/preload/index.ts', 'writeSlice: (', 'ipc: ipcRenderer, writeSlice: ('),
    ],
  ];

  it.each(plants)('%s', (_, plant) => {
    expect(unsafeIn(plant())).not.toEqual([]);
  });
});
