/**
 * Stands in for Electron's main process on plain Node, so that the built main, preload and renderer run where Electron's
 * binary cannot be had: a window is a Chromium page, the real preload bundle runs in it first, `app://linkshot` is a
 * name of this computer whose requests go to `protocol.handle`. Not covered: the real sandbox, tray and menus.
 */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { type BrowserContext, chromium, type Page, type Route } from 'playwright-core';
import { preloadScript, unpack } from './preload.ts';

const SCHEME = 'app:';
/** A secure context, as the app's own scheme is. */
const STAND_IN = 'http://linkshot.localhost';

const inPage = (url: string): string => url.replace('app://linkshot', STAND_IN);
const inApp = (url: string): string => url.replace(STAND_IN, 'app://linkshot');

const handlers = new Map<string, Parameters<Electron.IpcMain['handle']>[1]>();
const protocols = new Map<string, (request: Request) => Promise<Response> | Response>();
let userData = '';
let browser: Promise<BrowserContext> | undefined;

const serve = async (route: Route): Promise<void> => {
  const request = new Request(inApp(route.request().url()), { method: route.request().method() });
  const reply = await protocols.get(SCHEME.slice(0, -1))?.(request);
  if (!reply) return route.abort();
  const headers = Object.fromEntries(reply.headers);
  await route.fulfill({ status: reply.status, headers, body: Buffer.from(await reply.arrayBuffer()) });
};

const launch = async (): Promise<BrowserContext> => {
  const context = await chromium.launchPersistentContext(join(userData, 'chromium'), {
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    headless: true,
    args: [
      `--remote-debugging-port=${process.env['SHIM_CDP_PORT'] ?? '0'}`,
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  await context.route(`${STAND_IN}/**`, serve);
  return context;
};

export const app = Object.assign(new EventEmitter(), {
  setPath: (_: string, path: string): void => {
    userData = path;
  },
  enableSandbox: (): void => {},
  whenReady: async (): Promise<void> => {
    browser = launch();
    await browser;
  },
  exit: (code = 0): void => {
    void browser?.then((context) => context.close()).finally(() => process.exit(code));
  },
  quit: (): void => {
    app.emit('before-quit', { preventDefault: () => {} });
  },
});
// Electron quits in order when it is asked to end.
process.on('SIGTERM', () => app.quit());

export const ipcMain = {
  handle: (channel: string, handler: Parameters<Electron.IpcMain['handle']>[1]): void =>
    void handlers.set(channel, handler),
  removeHandler: (channel: string): void => void handlers.delete(channel),
};

export const protocol = {
  registerSchemesAsPrivileged: (): void => {},
  handle: (scheme: string, handler: (request: Request) => Promise<Response> | Response): void =>
    void protocols.set(scheme, handler),
};

/** Permissions and new windows are Electron's own to refuse. */
const INERT = {
  session: { setPermissionRequestHandler: () => {}, setPermissionCheckHandler: () => {} },
  setWindowOpenHandler: () => {},
};

export class BrowserWindow extends EventEmitter {
  readonly #page: Promise<Page>;
  readonly webContents: EventEmitter & typeof INERT;
  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    this.#page = this.#open(options);
    const send = (channel: string, ...args: unknown[]): void => {
      const emit = ([name, values]: readonly [string, readonly unknown[]]): void =>
        (window as unknown as { __shimEmit?: (name: string, values: readonly unknown[]) => void }).__shimEmit?.(
          name,
          values,
        );
      // A page that is still loading has no listener yet; it asks for the state when it is ready.
      void this.#page.then((page) => page.evaluate(emit, [channel, args] as const)).catch(() => {});
    };
    this.webContents = Object.assign(new EventEmitter(), { ...INERT, send });
  }
  async #open({ width = 800, height = 600, webPreferences }: Electron.BrowserWindowConstructorOptions): Promise<Page> {
    const context = await (browser as Promise<BrowserContext>);
    const page = context.pages()[0] ?? (await context.newPage());
    await page.setViewportSize({ width, height });
    await page.exposeBinding('__shimInvoke', async ({ frame }, channel: string, args: unknown[]) => {
      const senderFrame = { url: inApp(frame.url()), parent: frame.parentFrame() };
      try {
        const handler = handlers.get(channel);
        if (!handler) throw new Error(`No handler registered for '${channel}'`);
        return { value: structuredClone(await handler({ senderFrame } as never, ...args.map(unpack))) };
      } catch (error) {
        return { error: String(error) };
      }
    });
    if (webPreferences?.preload) await page.addInitScript(preloadScript(readFileSync(webPreferences.preload, 'utf8')));
    return page;
  }
  async loadURL(url: string): Promise<void> {
    const page = await this.#page;
    await page.goto(inPage(url));
    this.emit('ready-to-show');
  }
  isMinimized = (): boolean => false;
  restore(): void {}
  show(): void {}
  focus(): void {}
  hide(): void {}
}

export class Tray extends EventEmitter {
  setToolTip(): void {}
  setContextMenu(): void {}
  destroy(): void {}
}

export class Notification extends EventEmitter {
  static isSupported = (): boolean => false;
  show(): void {}
}

export const Menu = { buildFromTemplate: (template: unknown): unknown => template };
export const globalShortcut = { register: () => true, unregister: () => {}, isRegistered: () => false };
export const shell = { openExternal: async (): Promise<void> => {} };
export const dialog = {
  showErrorBox: (title: string, content: string): void => console.error(`${title}: ${content}`),
};

/** The clipboard of the desktop, where a test can read it: the last line that starts with `clipboard:`. */
export const clipboard = {
  writeText: async (text: string): Promise<void> => console.log(`clipboard: ${text}`),
};
