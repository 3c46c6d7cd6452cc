/**
 * The browsers of the tests. On Linux each has a window on a screen of its own: Chromium, Firefox over WebDriver BiDi, and
 * WebKitGTK, whose engine is Safari's. On Windows there is Edge, on macOS Safari. The tests read the clipboard as another
 * program does.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { vi } from 'vitest';
import { copyToClipboard } from '../../../src/host/copy-text-with-programs.ts';
import { createClipboardReader } from '../../../src/host/read-clipboard-with-programs.ts';
import { PATIENCE_MS } from '../poll-timeouts.ts';
import { openXDesktop, type XDesktop } from '../screen/x-desktop.ts';
import { openBidi } from './bidi.ts';
import { openBidiTab } from './bidi-tab.ts';
import { CHROMIUM } from './chromium.ts';
import { dropByEvents } from './file-drop.ts';
import { openPlaywrightTab } from './playwright-tab.ts';
import type { Tab } from './tab.ts';
import { openWebDriver, type WebDriverSession } from './webdriver.ts';
import { webDriverTab } from './webdriver-tab.ts';
import { readXClipboard, writeXClipboard } from './x-clipboard.ts';
import { dropOnScreen } from './x-drop.ts';

export type EngineName = 'chromium' | 'firefox' | 'webkit';

export interface EngineOptions {
  readonly colors?: 'light' | 'dark';
  readonly scripts?: 'run' | 'blocked';
  /** Such as `ru`. */
  readonly language?: string;
}

export interface Engine {
  readonly name: EngineName;
  /** With a window manager; the window of the browser covers it. Null: that of the machine. */
  readonly screen: XDesktop | null;
  open(): Promise<Tab>;
  /** Drops files into the middle of the page, from another program where the browser gives them to the page. */
  drop(tab: Tab, ...paths: readonly string[]): Promise<void>;
  clipboard(): Promise<string>;
  /** As if another program had copied it. */
  putOnClipboard(text: string): Promise<void>;
  close(): Promise<void>;
}

const FIREFOX = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr';
const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver';
const SAFARI_DRIVER = '/usr/bin/safaridriver';
const MINI_BROWSER = ['4.1', '6.0', '4.0'].map(
  (version) => `/usr/lib/x86_64-linux-gnu/webkit2gtk-${version}/MiniBrowser`,
);

const SCREEN = { width: 1400, height: 1000 };

/** Absent: this system has no such browser. */
const programs: Partial<Record<NodeJS.Platform, Partial<Record<EngineName, readonly string[]>>>> = {
  linux: { chromium: [CHROMIUM], firefox: [FIREFOX], webkit: [WEBKIT_DRIVER] },
  // Playwright knows where Edge is.
  win32: { chromium: [] },
  darwin: { webkit: [SAFARI_DRIVER] },
};

/** Why an engine cannot be used here; null: it can. */
export const whyNot = (name: EngineName, { colors, scripts }: EngineOptions): string | null => {
  const needed = programs[process.platform]?.[name];
  if (needed === undefined) return `not driven on ${process.platform}`;
  if (process.platform === 'darwin' && (colors === 'dark' || scripts === 'blocked'))
    return 'Safari cannot be set to it';
  const missing = needed.find((program) => !existsSync(program));
  const set = name === 'chromium' ? '' : ' browsers';
  return missing === undefined ? null : `${missing} is not installed (scripts/provision${set})`;
};

/** Opens a browser with an empty profile. */
export const openEngine = (name: EngineName, options: EngineOptions = {}): Promise<Engine> =>
  process.platform === 'linux' ? openOnXScreen(name, options) : openOnThisScreen(name, options);

const openOnXScreen = async (name: EngineName, options: EngineOptions): Promise<Engine> => {
  const screen = await openXDesktop(SCREEN.width, SCREEN.height);
  try {
    const home = await mkdtemp(join(tmpdir(), `linkshot-${name}-`));
    const environment = {
      ...process.env,
      ...screen.environment,
      ...{ HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home, NO_AT_BRIDGE: '1' },
      ...(options.language !== undefined && { LANGUAGE: options.language }),
    };
    const browser = await starters[name](environment, options);
    return {
      ...{ name, screen },
      open: browser.open,
      drop: (tab, ...paths) =>
        name === 'webkit'
          ? dropByEvents(tab, paths)
          : dropOnScreen(screen, { x: SCREEN.width / 2, y: SCREEN.height / 2 }, paths),
      clipboard: () => readXClipboard(screen),
      putOnClipboard: (text) => writeXClipboard(screen, text),
      async close() {
        await browser.close();
        await screen.close();
        await rm(home, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  } catch (error) {
    await screen.close();
    throw error;
  }
};

const openOnThisScreen = async (name: EngineName, options: EngineOptions): Promise<Engine> => {
  const browser = await starters[name](process.env, options);
  const reader = createClipboardReader(process.platform, process.env);
  return {
    ...{ name, screen: null },
    open: browser.open,
    drop: (tab, ...paths) => dropByEvents(tab, paths),
    async clipboard() {
      const text = await reader.readText();
      return text.ok ? text.value : '';
    },
    async putOnClipboard(text) {
      if (!(await copyToClipboard(text, process.platform, process.env))) throw new Error('No program took the text.');
    },
    close: browser.close,
  };
};

interface Started {
  open(): Promise<Tab>;
  close(): Promise<void>;
}
type Start = (environment: NodeJS.ProcessEnv, options: EngineOptions) => Promise<Started>;

const startChromium: Start = async (env, { colors = 'light', scripts, language = 'en' }) => {
  const browser = await chromium.launch({
    ...(process.platform === 'linux' ? { executablePath: CHROMIUM } : { channel: 'msedge' }),
    ...{ headless: false, env: env as Record<string, string> },
    args: [
      ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
      ...['--window-position=0,0', `--window-size=${SCREEN.width},${SCREEN.height}`],
    ],
  });
  const context = await browser.newContext({
    ...{ viewport: null, colorScheme: colors, javaScriptEnabled: scripts !== 'blocked', locale: language },
    // What a user answers when the browser asks.
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  return { open: () => openPlaywrightTab(context), close: () => browser.close() };
};

const startFirefox: Start = async (environment, { colors, scripts, language = 'en' }) => {
  const profile = await mkdtemp(join(tmpdir(), 'linkshot-firefox-profile-'));
  const preferences = {
    'browser.aboutwelcome.enabled': false,
    'browser.shell.checkDefaultBrowser': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'termsofuse.bypassNotification': true,
    'intl.accept_languages': language,
    // A page hears that another window is active, which a driven Firefox keeps from it by default.
    'focusmanager.testmode': false,
    'javascript.enabled': scripts !== 'blocked',
    'layout.css.prefers-color-scheme.content-override': colors === 'dark' ? 0 : 1,
  };
  const lines = Object.entries(preferences).map((pair) => `user_pref(${pair.map((part) => JSON.stringify(part))});`);
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  const args = ['--no-remote', '--profile', profile, `--width=${SCREEN.width}`, `--height=${SCREEN.height}`];
  const session = await openBidi(FIREFOX, args, environment);
  return {
    open: () => openBidiTab(session),
    async close() {
      await session.end();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

const openWebKitSession = (
  environment: NodeJS.ProcessEnv,
  { colors, scripts }: EngineOptions,
): Promise<WebDriverSession> =>
  process.platform === 'darwin'
    ? openWebDriver({ driver: SAFARI_DRIVER, environment, capabilities: { browserName: 'safari' } })
    : openWebDriver({
        driver: WEBKIT_DRIVER,
        environment: { ...environment, WEBKIT_DISABLE_DMABUF_RENDERER: '1' },
        capabilities: {
          'webkitgtk:browserOptions': {
            binary: MINI_BROWSER.find(existsSync),
            args: [
              ...['--automation', `--geometry=${SCREEN.width}x${SCREEN.height}`],
              ...(colors === 'dark' ? ['--dark-mode'] : []),
              ...(scripts === 'blocked' ? ['--enable-javascript=false'] : []),
            ],
          },
        },
      });

/** By the dialog of GTK, which lists a file where there is no printer: neither the driver nor a page that it drives prints. */
const printIntoHome = (environment: NodeJS.ProcessEnv) => {
  const xdotool = (...args: readonly string[]) => promisify(execFile)('xdotool', [...args], { env: environment });
  const path = join(environment['HOME'] ?? '', 'output.pdf');
  /** A double click on the first printer, once the dialog has found it. */
  const accept = async (): Promise<void> => {
    const dialog = ['search', '--onlyvisible', '--name', '^Print$', 'windowactivate', '--sync'];
    await xdotool(...dialog, 'mousemove', '--window', '%1', '60', '88', 'click', '--repeat', '2', '--delay', '60', '1');
  };
  return async (): Promise<Buffer> => {
    await rm(path, { force: true });
    await xdotool('key', 'ctrl+p');
    return vi.waitFor(
      async () => {
        const pdf = await readFile(path).catch(() => null);
        if (pdf === null) await accept();
        if (!pdf?.subarray(-8).includes('%%EOF')) throw new Error('The document is not complete.');
        return pdf;
      },
      { timeout: PATIENCE_MS, interval: 500 },
    );
  };
};

const startWebKit: Start = async (environment, options) => {
  const session = await openWebKitSession(environment, options);
  const run = promisify(execFile);
  const zoom = (way: 'in' | 'out') =>
    process.platform === 'linux'
      ? run('xdotool', ['key', way === 'in' ? 'ctrl+plus' : 'ctrl+0'], { env: environment })
      : Promise.resolve();
  const printByDialog = process.platform === 'linux' ? { printByDialog: printIntoHome(environment) } : {};
  // The session ends with its last window: a closed tab shows nothing until it is opened again.
  const closed: string[] = [await session.ask<string>('GET', '/window')];
  return {
    async open() {
      const handle =
        closed.pop() ?? (await session.ask<{ handle: string }>('POST', '/window/new', { type: 'tab' })).handle;
      return webDriverTab(session, handle, { onClosed: () => closed.push(handle), zoom, ...printByDialog });
    },
    close: () => session.end(),
  };
};

const starters: Readonly<Record<EngineName, Start>> = {
  chromium: startChromium,
  firefox: startFirefox,
  webkit: startWebKit,
};
