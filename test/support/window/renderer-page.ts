/**
 * Opens the real window in real Chromium, built as shipped and served under a stricter content security policy than the
 * hosts', with only its transport replaced by the double. In the page, `window.double` is the transport and
 * `window.make` its fixtures.
 */
import { createReadStream, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { pipeline } from 'node:stream';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PAGE_HEADERS } from '../../../src/host/page-security-headers.ts';
import { openBrowser } from '../browser/chromium.ts';
import { untilListening } from '../browser/until-listening.ts';
import type * as fixtures from './app-state.ts';
import type { PageTransportDouble } from './page-transport.ts';
import { PIN } from './page-transport.ts';
import { DRAWN_WORDS } from './picture-words.ts';
import { buildRenderer } from './renderer-build.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';

declare global {
  interface Window {
    double: PageTransportDouble;
    make: typeof fixtures;
  }
}

/** No inline style or script at all: what passes here passes in every host. */
const HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': (PAGE_HEADERS['content-security-policy'] ?? '').replace(" 'unsafe-inline'", ''),
};

/** The names of built files have the hash of their content. A browser keeps such a file compiled, which halves the cost of a page. */
const KEPT = { 'cache-control': 'public, max-age=31536000, immutable' };

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Animations use processor time while a page is open, and would be measured at an arbitrary moment. */
const STILL = { reducedMotion: 'reduce' } as const;

/** Where a page waits for the next test. */
const BLANK = '/blank';

/** Items with an even number have a picture; the others answer 404, as the host does without a picture. */
const thumbnail = (id: string): string | null => {
  const number = Number(id.slice(-12));
  if (number % 2 === 1) return null;
  const hue = (number * 47) % 360;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"><rect width="160" height="120" fill="hsl(${hue} 55% 78%)"/><circle cx="52" cy="46" r="18" fill="#fff"/><path d="M0 120 60 66l34 30 22-18 44 42z" fill="hsl(${hue} 45% 45%)"/></svg>`;
};

/** Every published picture. */
const MEDIA_PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="800"><rect width="1280" height="800" fill="hsl(222 60% 82%)"/><circle cx="380" cy="300" r="120" fill="#fff"/><path d="M0 800 430 430l260 210 150-120 440 280z" fill="hsl(222 45% 45%)"/>${DRAWN_WORDS}</svg>`;

/** As the hosts do: without ranges a player cannot jump. */
const serveRanges = (path: string | null, { headers }: IncomingMessage, response: ServerResponse): void => {
  if (path === null) return void response.writeHead(404).end();
  const { size } = statSync(path);
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const [start, end] = [Number(from), to === '' ? size - 1 : Number(to)];
  response.writeHead(headers.range === undefined ? 200 : 206, {
    ...HEADERS,
    'content-type': 'video/mp4',
    'accept-ranges': 'bytes',
    'content-length': end - start + 1,
    ...(headers.range !== undefined && { 'content-range': `bytes ${start}-${end}/${size}` }),
  });
  // Closes the file also where the player leaves in the middle.
  pipeline(createReadStream(path, { start, end }), response, () => {});
};

export interface RendererPages {
  readonly browser: Browser;
  /** What `/captures/…` answers, by the rest of its address: `ID/2` the frozen pixels of a display, `ID/picture` a PNG. `pins/ID`: of a pinned image. */
  readonly captures: Map<string, Uint8Array>;
  /**
   * Opens the window, or another page of the app, and waits until it is drawn and listens. Problems of the page (errors,
   * violated policy) end up in `problems`. The `close` of the page's context ends its use.
   */
  open(
    options?: BrowserContextOptions,
    which?: 'index' | 'overlay' | 'toast' | 'recorder' | 'pin',
  ): Promise<{ page: Page; problems: string[] }>;
  close(): Promise<void>;
}

interface RendererPagesOptions {
  /** The MP4 that every recording in review is. */
  readonly recording?: string;
}

/** What outlives a file: another file of the same process finds the pages, and what their processes have compiled. */
interface Place {
  readonly browser: Browser;
  readonly url: string;
  readonly reused: ReusedPages;
  readonly captures: Map<string, Uint8Array>;
  recording: string | null;
}

/** All requests of the pages of an origin. */
const serve = async (place: Pick<Place, 'captures' | 'recording'>): Promise<string> => {
  const outDir = await buildRenderer('with-double');
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page');
    const picture = pathname.startsWith('/thumbnails/') ? thumbnail(pathname) : undefined;
    if (picture !== undefined) {
      response.writeHead(picture === null ? 404 : 200, { 'content-type': 'image/svg+xml' }).end(picture ?? '');
      return;
    }
    if (pathname.startsWith('/pins/')) {
      const bytes = place.captures.get(pathname.slice(1));
      response.writeHead(bytes ? 200 : 404, { ...HEADERS, 'content-type': 'image/png' }).end(bytes);
      return;
    }
    if (pathname.startsWith('/captures/')) {
      const bytes = place.captures.get(pathname.slice('/captures/'.length));
      const type = pathname.endsWith('/picture') && bytes ? { 'content-type': 'image/png' } : {};
      response.writeHead(bytes ? 200 : 404, { ...HEADERS, ...type }).end(bytes);
      return;
    }
    // A player asks for ranges, an image does not.
    if (pathname.startsWith('/media/') && request.headers.range === undefined) {
      response.writeHead(200, { ...HEADERS, 'content-type': 'image/svg+xml' }).end(MEDIA_PICTURE);
      return;
    }
    if (/^\/(recordings|media)\//.test(pathname)) {
      serveRanges(place.recording, request, response);
      return;
    }
    if (pathname === BLANK) {
      response.writeHead(200, { ...HEADERS, 'content-type': 'text/html; charset=utf-8' }).end();
      return;
    }
    const file = join(outDir, normalize(pathname === '/' ? '/index.html' : pathname));
    const headers = { ...HEADERS, ...(pathname.startsWith('/assets/') && KEPT) };
    readFile(file).then(
      (bytes) => response.writeHead(200, { ...headers, 'content-type': TYPES[extname(file)] ?? '' }).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It ends with the process.
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const makePlace = async (): Promise<Place> => {
  const given = { captures: new Map<string, Uint8Array>(), recording: null };
  const [url, browser] = await Promise.all([serve(given), openBrowser()]);
  return Object.assign(given, { url, browser, reused: reusePages(browser, `${url}blank`) });
};

const resting: Place[] = [];

export const startRendererPages = async ({ recording }: RendererPagesOptions = {}): Promise<RendererPages> => {
  const place = resting.pop() ?? (await makePlace());
  const { browser, captures, url, reused } = place;
  place.recording = recording ?? null;
  return {
    browser,
    captures,
    open: async (options = {}, which = 'index') => {
      const page = await reused.take({ ...STILL, locale: 'en-GB', timezoneId: 'UTC', ...options });
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => {
        const isMissingThumbnail = /\/(thumbnails|recordings|media)\//.test(message.location().url);
        if (message.type() === 'error' && !isMissingThumbnail) problems.push(message.text());
      });
      await page.goto(`${url}${which}.html${which === 'pin' ? `#${PIN}` : ''}`);
      // The overlay is empty until a screen is frozen.
      const sign = which === 'overlay' ? page.locator('#root') : page.getByRole('main');
      const drawn = sign.waitFor({ state: which === 'overlay' ? 'attached' : 'visible' });
      await drawn.catch((error) => Promise.reject(new Error(`The window is not drawn. ${problems}`, { cause: error })));
      await untilListening(page);
      return { page, problems };
    },
    close: async () => {
      await reused.restAll();
      captures.clear();
      resting.push(place);
    },
  };
};
