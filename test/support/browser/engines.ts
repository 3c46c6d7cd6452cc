/**
 * The browsers of the tests in windows of their own screens: Chromium, Firefox over WebDriver BiDi, and WebKitGTK, whose
 * engine is Safari's. Each has its own clipboard, which the tests read as another program does.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { openXDesktop, type XDesktop } from '../screen/x-desktop.ts';
import { openBidi } from './bidi.ts';
import { openBidiTab } from './bidi-tab.ts';
import { CHROMIUM } from './chromium.ts';
import { dropByEvents } from './file-drop.ts';
import { openPlaywrightTab } from './playwright-tab.ts';
import type { Tab } from './tab.ts';
import { openWebDriver } from './webdriver.ts';
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
  /** With a window manager; the window of the browser covers it. */
  readonly screen: XDesktop;
  open(): Promise<Tab>;
  /** Drops files into the middle of the page, from another program where the browser gives them to the page. */
  drop(tab: Tab, ...paths: readonly string[]): Promise<void>;
  clipboard(): Promise<string>;
  /** As if another program had copied it. */
  putOnClipboard(text: string): Promise<void>;
  close(): Promise<void>;
}

export const FIREFOX = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr';
const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver';
const MINI_BROWSER = ['4.1', '6.0', '4.0'].map(
  (version) => `/usr/lib/x86_64-linux-gnu/webkit2gtk-${version}/MiniBrowser`,
);

const SCREEN = { width: 1400, height: 1000 };

const programs: Record<EngineName, readonly string[]> = {
  chromium: [CHROMIUM],
  firefox: [FIREFOX],
  webkit: [WEBKIT_DRIVER],
};

/** Why an engine cannot be used here; null: it can. */
export const whyNot = (name: EngineName): string | null => {
  if (process.platform !== 'linux') return 'its window needs a virtual X screen';
  const missing = programs[name].find((program) => !existsSync(program));
  return missing === undefined ? null : `${missing} is not installed (scripts/provision)`;
};

/** Opens a browser with an empty profile on a screen of its own. */
export const openEngine = async (name: EngineName, options: EngineOptions = {}): Promise<Engine> => {
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
      name,
      screen,
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

interface Started {
  open(): Promise<Tab>;
  close(): Promise<void>;
}
type Start = (environment: NodeJS.ProcessEnv, options: EngineOptions) => Promise<Started>;

const startChromium: Start = async (env, { colors = 'light', scripts, language = 'en' }) => {
  const browser = await chromium.launch({
    ...{ headless: false, env: env as Record<string, string>, executablePath: CHROMIUM },
    args: [
      ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
      ...['--window-position=0,0', `--window-size=${SCREEN.width},${SCREEN.height}`],
    ],
  });
  const context = await browser.newContext({
    ...{ viewport: null, colorScheme: colors, javaScriptEnabled: scripts !== 'blocked', locale: language },
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

const startWebKit: Start = async (environment, { colors, scripts }) => {
  const session = await openWebDriver({
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
  // The session ends with its last window: a closed tab shows nothing until it is opened again.
  const closed: string[] = [await session.ask<string>('GET', '/window')];
  return {
    async open() {
      const handle =
        closed.pop() ?? (await session.ask<{ handle: string }>('POST', '/window/new', { type: 'tab' })).handle;
      return webDriverTab(session, handle, () => closed.push(handle));
    },
    close: () => session.end(),
  };
};

const starters: Readonly<Record<EngineName, Start>> = {
  chromium: startChromium,
  firefox: startFirefox,
  webkit: startWebKit,
};
