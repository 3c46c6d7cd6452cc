/**
 * Reuses pages between tests, because a new context compiles the whole window again, which takes five times the
 * processor time of a reload. A test gets the page like a new one: empty storage and history, the pointer outside, no
 * key held, and the given options applied.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { PATIENCE_MS } from '../poll-timeouts.ts';

export interface ReusedPages {
  /** A page that shows nothing. The `close` of its context ends its use. */
  take(options: BrowserContextOptions): Promise<Page>;
  /** Ends every use, and every other context of the browser. */
  restAll(): Promise<void>;
}

const PAGE_EVENTS = [
  ...['console', 'pageerror', 'dialog', 'request', 'requestfailed', 'requestfinished', 'response', 'popup', 'load'],
  ...['filechooser', 'download', 'websocket', 'worker', 'domcontentloaded', 'framenavigated', 'crash'],
] as const;
const CONTEXT_EVENTS = ['page', 'console', 'dialog', 'weberror', 'request', 'response', 'requestfailed'] as const;

const VIEWPORT = { width: 1280, height: 720 };

/** Calls `leftBehind` when something is done to a page that its next load would not undo. */
const watch = (page: Page, leftBehind: () => void): void => {
  const note = <T extends object>(owner: T, ...names: readonly (keyof T & string)[]): void => {
    for (const name of names) {
      const act = (owner[name] as (...words: unknown[]) => unknown).bind(owner);
      Object.assign(owner, {
        [name]: (...words: unknown[]) => {
          leftBehind();
          return act(...words);
        },
      });
    }
  };
  note(page, 'addInitScript', 'exposeFunction', 'exposeBinding', 'close', 'setExtraHTTPHeaders', 'routeWebSocket');
  note(page.context(), 'addInitScript', 'exposeFunction', 'exposeBinding', 'setExtraHTTPHeaders', 'setGeolocation');
  note(page.clock, 'install', 'pauseAt', 'setFixedTime', 'setSystemTime');
};

/** Answers what releases the keys that are still held: a later test would press each of its own with them. */
const watchHeldKeys = ({ keyboard }: Page): (() => Promise<void>) => {
  const held = new Set<string>();
  const [down, up] = [keyboard.down.bind(keyboard), keyboard.up.bind(keyboard)];
  keyboard.down = async (key) => {
    held.add(key);
    await down(key);
  };
  keyboard.up = async (key) => {
    held.delete(key);
    await up(key);
  };
  return async () => {
    for (const key of held) await keyboard.up(key);
  };
};

/** `blank`: the address of an empty page, of the same origin as those that are shown. */
export const reusePages = (browser: Browser, blank: string): ReusedPages => {
  const resting = new Map<string, Page[]>();

  const open = async (options: BrowserContextOptions): Promise<Page> => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const closeContext = context.close.bind(context);
    let isSpoilt = false;
    watch(page, () => {
      isSpoilt = true;
    });
    const releaseKeys = watchHeldKeys(page);
    const clear = await prepareClear(page, options, blank);
    const rest = async (): Promise<void> => {
      if (isSpoilt) return closeContext();
      await releaseKeys();
      await clear();
      const key = JSON.stringify(options);
      resting.set(key, [...(resting.get(key) ?? []), page]);
    };
    Object.assign(context, { close: rest });
    return page;
  };
  const restAll = async (): Promise<void> => {
    const atRest = new Set([...resting.values()].flat().map((page) => page.context()));
    await Promise.all(browser.contexts().map((context) => (atRest.has(context) ? null : context.close())));
  };

  return {
    take: async (options) => resting.get(JSON.stringify(options))?.pop() ?? open(options),
    restAll,
  };
};

/** Answers what makes the page new again. */
const prepareClear = async (
  page: Page,
  options: BrowserContextOptions,
  blank: string,
): Promise<() => Promise<void>> => {
  const context: BrowserContext = page.context();
  const session = await context.newCDPSession(page);
  const { origin } = new URL(blank);
  return async () => {
    for (const type of PAGE_EVENTS) page.removeAllListeners(type);
    for (const type of CONTEXT_EVENTS) context.removeAllListeners(type);
    for (const other of context.pages()) if (other !== page) await other.close();
    await Promise.all([
      page.unrouteAll({ behavior: 'ignoreErrors' }),
      context.unrouteAll({ behavior: 'ignoreErrors' }),
      context.setOffline(false),
      page.mouse.move(-10, -10),
    ]);
    await page.goto(blank);
    await Promise.all([
      page.evaluate(() => sessionStorage.clear()),
      session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
      session.send('Page.resetNavigationHistory'),
      context.clearCookies(),
      context.clearPermissions().then(() => context.grantPermissions(options.permissions ?? [])),
      page.setViewportSize(options.viewport ?? VIEWPORT),
      page.emulateMedia({
        media: null,
        colorScheme: options.colorScheme ?? 'light',
        reducedMotion: options.reducedMotion ?? 'no-preference',
        forcedColors: options.forcedColors ?? 'none',
        contrast: options.contrast ?? 'no-preference',
      }),
    ]);
  };
};
