/**
 * Drives the built desktop app with Playwright: on Electron's own binary, or on the double, which runs on Node with
 * Chromium pages. Both have the same interface.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ElectronApplication, _electron as electron, expect, type Page } from '@playwright/test';
import type { Menu, MenuItem } from 'electron';

const root = resolve(import.meta.dirname, '../../..');
const TRAY_HOOK = join(import.meta.dirname, 'tray-hook.cjs');
const START_MS = 240_000;

type WindowName = 'index' | 'overlay' | 'toast' | 'recorder';

export interface DesktopApp {
  readonly electron: ElectronApplication;
  readonly profile: string;
  /** Its output on both streams so far. */
  output(): string;
  /** The pages of one kind of window, sorted by address; waits for `count` of them. */
  pages(name: WindowName, count: number): Promise<Page[]>;
  /** The page of a window that exists once. */
  page(name: WindowName): Promise<Page>;
  /** Addresses of the visible windows, from the last `/` on, sorted. */
  shown(): Promise<string[]>;
  clipboard(): Promise<string>;
  /** The labels of the tray menu; submenus after ` > `. */
  tray(): Promise<string[]>;
  /** Clicks the first item whose label (as returned by `tray`) starts with this. */
  clickTray(label: string): Promise<void>;
  close(): Promise<void>;
}

export interface DesktopRequest {
  readonly binary: string;
  readonly profile: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const isPage = (page: Page, name: WindowName): boolean => new URL(page.url()).pathname.endsWith(`/${name}.html`);

type Labelled = { readonly label: string; readonly click: () => void };
declare global {
  /** Set by tray-hook.cjs in the process of the app. */
  var trayMenu: Menu | undefined;
}

export const launchDesktop = async ({ binary, profile, args = [], env = {} }: DesktopRequest): Promise<DesktopApp> => {
  const application = await electron.launch({
    executablePath: binary,
    args: ['-r', TRAY_HOOK, root, '--profile', profile, ...args],
    cwd: root,
    env: { ...(process.env as Record<string, string>), ...env },
    timeout: START_MS,
  });
  // The limit of the configuration is that of browsers; a crowded machine needs it here too.
  application.context().setDefaultTimeout(60_000);
  let output = '';
  const { stdout, stderr } = application.process();
  for (const stream of [stdout, stderr]) stream?.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const pages: DesktopApp['pages'] = async (name, count) => {
    const found = (): Page[] => application.windows().filter((page) => isPage(page, name));
    await expect.poll(() => found().length, `windows of ${name}`).toBe(count);
    return found().sort((one, other) => one.url().localeCompare(other.url()));
  };
  return {
    electron: application,
    profile,
    output: () => output,
    pages,
    page: async (name) => (await pages(name, 1))[0] as Page,
    shown: async () => {
      const urls = await application.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .filter((window) => window.isVisible())
          .map(({ webContents }) => webContents.getURL()),
      );
      return urls.map((url) => url.slice(url.lastIndexOf('/') + 1)).sort();
    },
    clipboard: () => application.evaluate(({ clipboard }) => clipboard.readText()),
    tray: () =>
      application.evaluate(() => {
        const labels = (items: readonly MenuItem[], before: string): string[] =>
          items.flatMap(({ label, submenu, type }) =>
            type === 'separator' ? [] : [before + label, ...labels(submenu?.items ?? [], `${before}${label} > `)],
          );
        return labels(globalThis.trayMenu?.items ?? [], '');
      }),
    clickTray: (wanted) =>
      application.evaluate((_, begin) => {
        const all = (items: readonly MenuItem[], before: string): Labelled[] =>
          items.flatMap((item) => [
            { label: before + item.label, click: () => item.click() },
            ...all(item.submenu?.items ?? [], `${before}${item.label} > `),
          ]);
        const item = all(globalThis.trayMenu?.items ?? [], '').find(({ label }) => label.startsWith(begin));
        if (!item) throw new Error(`The tray has no ${begin}`);
        item.click();
      }, wanted),
    close: () => application.close(),
  };
};

/** An executable to start instead of Electron's: the double. `remove` deletes it. */
export const makeDoubleBinary = (): { readonly path: string; remove(): void } => {
  const folder = mkdtempSync(join(tmpdir(), 'electron-double-'));
  const path = join(folder, 'electron');
  const binary = join(import.meta.dirname, '../electron/binary.ts');
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${binary}" "$@"\n`, { mode: 0o755 });
  return { path, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }) };
};
