/**
 * Windows with real Chromium pages: the real preload runs first, and `app://linkshot` maps to a local host name whose
 * requests go to the handler of `protocol.handle`. Not covered: the sandbox and the permissions of Chromium.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { type BrowserContext, type CDPSession, chromium, type Page, type Route } from 'playwright-core';
import { HEADLESS } from '../browser/chromium.ts';
import { desktop } from './desktop.ts';
import { answerIpc, type Frame } from './ipc.ts';
import type { ShownPage } from './page.ts';
import { preloadScript, unpack } from './preload-script.ts';
import { screen } from './screen.ts';
import type { BrowserWindow } from './window.ts';

const SCHEME = 'app';
const OWN = `${SCHEME}://linkshot`;
/** A secure context, like the app's own scheme. */
const STAND_IN = 'http://linkshot.localhost';

type GlobalRequest = Parameters<Parameters<Electron.Protocol['handle']>[1]>[0];

const inPage = (url: string): string => url.replace(OWN, STAND_IN);
const inApp = (url: string): string => url.replace(STAND_IN, OWN);

/** The scheme's own handler replies; everything else fails like an unreachable network. */
const serve = async (route: Route): Promise<void> => {
  const request = route.request();
  const handler = request.url().startsWith(`${STAND_IN}/`) ? desktop.protocols.get(SCHEME) : undefined;
  if (!handler) return route.abort('addressunreachable');
  const { method, headers, body } = {
    method: request.method(),
    headers: request.headers(),
    body: request.postDataBuffer(),
  };
  const asked = new Request(inApp(request.url()), { method, headers, ...(body ? { body: new Uint8Array(body) } : {}) });
  const reply = await handler(asked as unknown as GlobalRequest);
  const answer = {
    status: reply.status,
    headers: Object.fromEntries(reply.headers),
    body: Buffer.from(await reply.arrayBuffer()),
  };
  // The page may have been closed meanwhile.
  await route.fulfill(answer).catch(() => {});
};

/** The frame of a message, with its parents. */
const frameOf = (frame: ReturnType<Page['mainFrame']>): Frame => {
  const parent = frame.parentFrame();
  return { url: inApp(frame.url()), parent: parent && frameOf(parent) };
};

export interface Chromium {
  readonly open: (window: BrowserWindow) => ShownPage;
  /** The address of Chromium's debugging protocol: `ws://…`. */
  readonly debuggerUrl: string;
  close(): Promise<void>;
}

/** `profileDir`: Chromium's own. `port`: of its debugger; 0: any. */
export const launchChromium = async (profileDir: string, port: number): Promise<Chromium> => {
  const context = await chromium.launchPersistentContext(profileDir, {
    ...HEADLESS,
    headless: true,
    viewport: null,
    args: [`--remote-debugging-port=${port}`, ...HEADLESS.args],
  });
  const [realPort, path] = (await readFile(join(profileDir, 'DevToolsActivePort'), 'utf8')).trim().split('\n');
  return {
    debuggerUrl: `ws://127.0.0.1:${realPort}${path}`,
    open: (window) => openPage(context, window),
    close: () => context.close(),
  };
};

interface Opened {
  readonly page: Page;
  readonly session: CDPSession;
  readonly targetId: string;
}

const openPage = (context: BrowserContext, window: BrowserWindow): ShownPage => {
  const { webContents } = window;
  /** The address that the app itself requested; any other navigation fires an event. */
  let asked = '';
  let targetId = '';

  const route = async (route: Route, page: Page): Promise<void> => {
    const request = route.request();
    const isLed =
      request.isNavigationRequest() &&
      request.frame() === page.mainFrame() &&
      inApp(request.url()) !== asked.replace(/#.*/, '');
    if (!isLed) return serve(route);
    let isPrevented = false;
    const event = {
      url: inApp(request.url()),
      preventDefault: () => {
        isPrevented = true;
      },
    };
    webContents.emit('will-navigate', event);
    await (isPrevented ? route.abort('aborted') : serve(route));
  };

  const open = async (): Promise<Opened> => {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    targetId = (await session.send('Target.getTargetInfo')).targetInfo.targetId;
    await page.route('**/*', (each) => route(each, page));
    await page.exposeBinding('__electronInvoke', async ({ frame }, channel: string, args: unknown[]) => {
      try {
        return {
          value: await answerIpc({ senderFrame: frameOf(frame), sender: webContents }, channel, args.map(unpack)),
        };
      } catch (error) {
        return { error: String(error) };
      }
    });
    const { preload } = window.options.webPreferences ?? {};
    if (preload) await page.addInitScript(preloadScript(readFileSync(preload, 'utf8')));
    page.on('popup', (popup) => {
      const verdict = webContents.openHandler?.({ url: inApp(popup.url()) } as Electron.HandlerDetails);
      if (verdict?.action !== 'allow') void popup.close();
    });
    page.on('crash', () => webContents.crash('crashed'));
    return { page, session, targetId };
  };

  let opened = open();
  const failed = (error: Error): void => {
    if (!window.isDestroyed()) console.error(`A page of the double failed: ${error.message}`);
  };
  const load = async (url: string): Promise<void> => {
    const { page } = await opened;
    asked = url;
    await page.goto(inPage(url)).catch(failed);
  };
  const place = async ({ width, height }: Electron.Rectangle): Promise<void> => {
    const { session } = await opened;
    const { scaleFactor } = screen.getDisplayMatching(window.getBounds());
    const metrics = { width, height, deviceScaleFactor: scaleFactor, mobile: false };
    await session.send('Emulation.setDeviceMetricsOverride', metrics);
  };

  return {
    load,
    // A crashed page cannot be reloaded: it is replaced.
    async reload() {
      const before = await opened;
      opened = open();
      await place(window.getBounds());
      await load(asked);
      await before.page.close().catch(() => {});
    },
    crash: () => void opened.then(({ session }) => session.send('Page.crash')).catch(() => {}),
    send: (channel, args) => {
      const emit = ([name, values]: readonly [string, readonly unknown[]]): void =>
        (globalThis as { __electronEmit?: (name: string, values: readonly unknown[]) => void }).__electronEmit?.(
          name,
          values,
        );
      // A loading page has no listener yet; it requests the state when it is ready.
      void opened.then(({ page }) => page.evaluate(emit, [channel, args] as const)).catch(() => {});
    },
    evaluate: async (code) => (await opened).page.evaluate(code),
    place: (bounds) => void place(bounds).catch(failed),
    targetId: () => targetId,
    close: () => void opened.then(({ page }) => page.close()).catch(() => {}),
  };
};
