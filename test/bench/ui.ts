/**
 * `npm run bench:ui`: how fast the window is with a library of 10,000 items: the built renderer in real Chromium, the real host
 * with its engine and database, small pictures too. Writes docs/benchmarks.md.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { ok } from '../../src/api/errors.ts';
import type { Library } from '../../src/engine/library/library-store.ts';
import { createMemoryKeyStore } from '../../src/engine/profile/system-key-store.ts';
import { startBrowserHost } from '../../src/web/start-browser-host.ts';
import { buildRenderer } from '../support/window/renderer-build.ts';
import { startBundle } from '../support/window/start-bundle.ts';
import { isCheck, median, percentile, roundsOf, table, writeSection } from './report.ts';
import { installProbe } from './ui-probe.ts';
import { fillProfile } from './ui-profile.ts';

const ITEMS = 10_000;
const ROUNDS = roundsOf(9, 5);
/** A start takes half a second, and spreads by a third. */
const STARTS = roundsOf(15, 11);
const VIEWPORT = { width: 1280, height: 800 };
const THROTTLE = 2;
/** A brisk turn of the wheel: 50 rows of the list a second, for eight seconds. */
const SCROLL = { distance: 24_000, speed: 3_000 };
/** Only in the library: other screens have lists too. */
const ROW = 'main li[aria-setsize]';
const QUERIES = ['v', 'vis', 'visitors', 'northern lights', 'снимок', 'отч', 'draft 42', '9999', 'nothing-like-it'];
const LETTERS = 'visitors';

const milliseconds = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
const row = (name: string, limit: string, values: readonly number[]): string[] => [
  name,
  limit,
  ...[median(values), percentile(values, 0.95), Math.max(...values)].map(milliseconds),
];

/** Only the engine: each query is sent as the window sends it, a page of 200 by time. */
const searchEngine = (library: Library): readonly number[] =>
  Array.from({ length: ROUNDS }).flatMap(() =>
    QUERIES.map((text) => {
      const started = performance.now();
      library.search({ text, sort: 'newest', limit: 200 }, Date.now());
      return performance.now() - started;
    }),
  );

interface Opening {
  readonly page: Page;
  /** Of the browser: another one has nothing in its cache. */
  close(): Promise<void>;
}

const openPage = async (browser: Browser, address: string, hash: string): Promise<Opening> => {
  const options: BrowserContextOptions = { viewport: VIEWPORT, locale: 'en-GB', timezoneId: 'UTC' };
  const context = await browser.newContext(options);
  const page = await context.newPage();
  // The first visit leaves the key in the tab; only the one that is measured has the probe.
  await page.goto(address);
  await page.getByRole('main').waitFor();
  await page.goto('about:blank');
  await page.addInitScript(installProbe);
  const url = new URL(address);
  await page.goto(`${url.origin}/${hash}`, { waitUntil: 'commit' });
  return { page, close: () => context.close() };
};

const throttle = async (page: Page, rate: number): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  await session.detach();
};

/** From the beginning of the navigation to the frame in which `selector` is seen. */
const start = async (browser: Browser, address: string, hash: string, selector: string): Promise<number> => {
  const { page, close } = await openPage(browser, address, hash);
  const painted = await page.evaluate((wanted) => window.probe.painted(wanted), selector);
  await close();
  return painted;
};

interface Starts {
  readonly home: number;
  readonly library: number;
  /** The peer: the same navigation to a page that holds a heading and no script. */
  readonly bare: number;
}

/** In turn, so that a slower minute of the machine is one of each. */
const measureStarts = async (browser: Browser, address: string): Promise<readonly Starts[]> => {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><main><h1>Bare</h1></main>'),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await rounds(
      async () => ({
        home: await start(browser, address, '', 'main h1'),
        library: await start(browser, address, '#library', ROW),
        bare: await start(browser, `http://127.0.0.1:${port}/`, '', 'main h1'),
      }),
      STARTS,
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

/** From the host's answer to the frame that shows its rows, when the library is opened from another screen. */
const firstPaint = async (browser: Browser, address: string, rate: number): Promise<number> => {
  const { page, close } = await openPage(browser, address, '#settings');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await throttle(page, rate);
  const span = await page.evaluate(async (selector) => {
    location.hash = '#library';
    const painted = await window.probe.painted(selector);
    return painted - window.probe.answeredAt;
  }, ROW);
  await close();
  return span;
};

interface Scrolling {
  readonly fps: number;
  readonly frames: readonly number[];
}

/** Scrolls with the wheel, and answers the spans between the frames that the page could draw meanwhile. */
const scroll = async (page: Page): Promise<Scrolling> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
  await page.evaluate(() => window.probe.watchFrames());
  await session.send('Input.synthesizeScrollGesture', {
    ...{ x: VIEWPORT.width / 2, y: VIEWPORT.height / 2, yDistance: -SCROLL.distance, speed: SCROLL.speed },
    ...{ gestureSourceType: 'mouse', preventFling: true },
  });
  const times = await page.evaluate(() => window.probe.frames());
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await session.detach();
  const frames = times.slice(1).map((time, index) => time - (times[index] ?? time));
  return { fps: (1_000 * frames.length) / ((times.at(-1) ?? 0) - (times[0] ?? 0)), frames };
};

const scrollLibrary = async (browser: Browser, address: string, look: 'list' | 'grid'): Promise<Scrolling> => {
  const { page, close } = await openPage(browser, address, '#library');
  await page.locator(ROW).first().waitFor();
  if (look === 'grid') {
    await page.getByRole('button', { name: 'Grid view' }).click();
    await page.getByRole('button', { name: 'List view' }).waitFor();
  }
  const scrolling = await scroll(page);
  const seen = await page.locator('main').evaluate((main) => main.scrollTop);
  if (seen < SCROLL.distance * 0.9) throw new Error(`Only ${seen} px were scrolled.`);
  if (look === 'grid') {
    await page.getByRole('button', { name: 'List view' }).click();
    await page.getByRole('button', { name: 'Grid view' }).waitFor();
  }
  await close();
  return scrolling;
};

/** The same rows with the same styles, all rendered without a virtual list, as a plain page would. */
const plainList = async (browser: Browser, address: string): Promise<{ paint: number; scrolling: Scrolling }> => {
  const { page, close } = await openPage(browser, address, '#library');
  await page.locator(ROW).first().waitFor();
  const paint = await page.evaluate(async (count) => {
    const list = document.querySelector<HTMLElement>('main ul');
    const one = list?.querySelector<HTMLElement>('li');
    if (!list || !one) throw new Error('no list');
    const copy = one.outerHTML;
    const { height } = one.getBoundingClientRect();
    const plain = document.createElement('ul');
    plain.className = list.className;
    list.replaceWith(plain);
    const started = performance.now();
    plain.innerHTML = copy.repeat(count);
    for (const row of plain.children as HTMLCollectionOf<HTMLElement>)
      row.style.cssText = `position:static;height:${height}px`;
    return (await window.probe.painted('main li')) - started;
  }, ITEMS);
  const scrolling = await scroll(page);
  await close();
  return { paint, scrolling };
};

interface Answer {
  readonly pause: number;
  readonly answered: number;
  readonly painted: number;
}

/** Types a word letter by letter, each after the answer to the one before. */
const typeAndSearch = async (browser: Browser, address: string): Promise<readonly Answer[]> => {
  const { page, close } = await openPage(browser, address, '#library');
  await page.locator(ROW).first().waitFor();
  await page.getByRole('searchbox').focus();
  const answers: Answer[] = [];
  for (const letter of LETTERS) {
    const painted = page.evaluate(() => window.probe.answerPainted());
    await page.keyboard.press(letter);
    const at = await painted;
    const { typedAt, sentAt, answeredAt } = await page.evaluate(() => window.probe);
    answers.push({ pause: sentAt - typedAt, answered: answeredAt - sentAt, painted: at - answeredAt });
  }
  await close();
  return answers;
};

const rounds = async <Found>(measure: () => Promise<Found>, count = ROUNDS): Promise<readonly Found[]> => {
  const found: Found[] = [];
  // The first warms the host and the disk.
  for (let round = 0; round <= count; round += 1) found.push(await measure());
  return found.slice(1);
};

const measureAll = async (
  browser: Browser,
  address: string,
  rendererDir: string,
  engine: readonly number[],
): Promise<void> => {
  const starts = await measureStarts(browser, address);
  const [home, library, bare] = [
    starts.map((found) => found.home),
    starts.map((found) => found.library),
    starts.map((found) => found.bare),
  ];
  const figures = {
    'Start to home: wall / bare page': median(home) / median(bare),
    'Start to library: wall / bare page': median(library) / median(bare),
  };
  if (isCheck) {
    writeSection('ui', '', figures);
    return;
  }
  const paint = await rounds(() => firstPaint(browser, address, 1));
  const slowPaint = await rounds(() => firstPaint(browser, address, THROTTLE));
  const answers = (await rounds(() => typeAndSearch(browser, address))).flat();
  const list = await rounds(() => scrollLibrary(browser, address, 'list'));
  const grid = await rounds(() => scrollLibrary(browser, address, 'grid'));
  const plain = await rounds(() => plainList(browser, address));
  const { bytes } = startBundle(rendererDir, 'index.html');

  const times = [
    row('Start of the window -> home is painted', '1,000', home),
    row('Start of the window -> the library is painted', '1,000', library),
    row('The same browser: start of a bare page -> it is painted', '', bare),
    row('Answer with the library -> its rows are painted', '200', paint),
    row(`The same, processor ${THROTTLE}x slower`, '', slowPaint),
    row(
      'The same for a plain list of all 10,000 rows',
      '',
      plain.map((found) => found.paint),
    ),
    row('Search, the engine alone', '50', engine),
    row(
      'Search, the window: question sent -> answer in the page',
      '50',
      answers.map((answer) => answer.answered),
    ),
    row(
      'Search, the window: answer in the page -> painted',
      '50',
      answers.map((answer) => answer.painted),
    ),
    row(
      'Search: key pressed -> question sent (waits for the next key)',
      '',
      answers.map((answer) => answer.pause),
    ),
  ];
  const scrolled = (name: string, found: readonly Scrolling[]): string[] => {
    const frames = found.flatMap((scrolling) => scrolling.frames);
    const worst = [percentile(frames, 0.95), percentile(frames, 0.99), Math.max(...frames)].map(milliseconds);
    return [name, median(found.map(({ fps }) => fps)).toFixed(1), ...worst];
  };
  const scrolls = [
    scrolled('List', list),
    scrolled('Pictures', grid),
    scrolled(
      'Plain list',
      plain.map((found) => found.scrolling),
    ),
  ];
  const ratio = median(plain.map((found) => found.paint)) / median(paint);
  const findings = [
    `${STARTS} starts, ${ROUNDS} rounds of the others, ${ITEMS.toLocaleString('en')} items, a window of ${VIEWPORT.width} x ${VIEWPORT.height}.`,
    table(['Milliseconds', 'limit', 'median', 'p95', 'longest'], times),
    `A plain list of the same rows takes ${ratio.toFixed(0)} times as long to be painted.`,
    table(['Scrolling, processor 2x slower (at least 55 fps)', 'fps', 'frame p95, ms', 'p99', 'longest'], scrolls),
    `What the window loads before it is drawn: ${(bytes / 1_000).toFixed(0)} kB after gzip (limit 350).`,
  ];
  writeSection('ui', findings.join('\n\n'), figures);
};

const work = mkdtempSync(join(tmpdir(), 'linkshot-bench-ui-'));
const rendererDir = await buildRenderer('shipped');
const profileDir = join(work, 'profile');
let engine: readonly number[] = [];
await fillProfile(profileDir, ITEMS, (library) => {
  engine = searchEngine(library);
});
const started = await startBrowserHost({
  ...{
    profileDir,
    rendererDir,
    port: 0,
    service: 'try-out',
    secrets: async () => createMemoryKeyStore(),
    environment: {},
  },
  opener: { open: async () => ok(undefined) },
  log: (line) => console.error(line),
});
if (!started.ok) throw new Error(started.error.detail);
const { address, close } = started.value;
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
try {
  await measureAll(browser, address, rendererDir, engine);
} finally {
  await browser.close();
  await close();
  rmSync(work, { recursive: true, force: true });
}
