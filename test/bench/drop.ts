/**
 * `npm run bench:drop`: from a picture dropped into the window to its link, in Chromium and the browser host, beside a bare page
 * that sends the same bytes to a bare route. Writes docs/benchmarks.md.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { noise, pngOf } from '../support/media/pixels.ts';
import { buildRenderer } from '../support/window/renderer-build.ts';
import { dropInto, INSTALL } from './drop-page.ts';
import { type ServerProcess, startServer } from './measure.ts';
import { median, percentile, roundsOf, table, writeSection } from './report.ts';

const ROUNDS = roundsOf(15, 7);
const SESSIONS = roundsOf(7, 3, 'BENCH_SESSIONS');
/** Loads what only a first picture loads. */
const WARM_UP = 2;
/** Between drops, so that what one leaves for later is done. */
const PAUSE_MS = 600;
/** From the drawn window to the first picture. */
const SETTLE_MS = 2_000;
const SIZES = [
  { name: '30 kB', bytes: 30_000, width: 640, height: 480 },
  { name: '1 MB', bytes: 1_000_000, width: 2_000, height: 1_500 },
  { name: '5 MB', bytes: 5_000_000, width: 4_000, height: 3_000 },
] as const;
type Size = (typeof SIZES)[number];

const root = resolve(import.meta.dirname, '../..');
const node = process.execPath;
const work = mkdtempSync(join(tmpdir(), 'linkshot-bench-drop-'));
const data = join(work, 'server');
const serverCommand = (...args: string[]): string[] => [join(root, 'src/server/cli.ts'), ...args, '--data', data];
const admin = (...args: string[]): Record<string, string> =>
  JSON.parse(execFileSync(node, serverCommand(...args), { encoding: 'utf8' })) as Record<string, string>;

let seed = 1;
/** A photograph-like JPEG that nothing has seen before: blurred noise of another seed each time. */
const encode = async ({ width, height }: Size, quality: number): Promise<Buffer> => {
  const coarse = await pngOf(noise(Math.ceil(width / 5), Math.ceil(height / 5), seed++));
  return sharp(coarse).resize(width, height, { kernel: 'cubic', fit: 'fill' }).jpeg({ quality }).toBuffer();
};

/** Pictures of about so many bytes. */
const picturesOf = async (size: Size, count: number): Promise<readonly Buffer[]> => {
  let [low, high] = [5, 98];
  while (high - low > 2) {
    const middle = (low + high) >> 1;
    if ((await encode(size, middle)).length < size.bytes) low = middle;
    else high = middle;
  }
  const pictures: Buffer[] = [];
  while (pictures.length < count) pictures.push(await encode(size, low));
  return pictures;
};

const openPage = async (browser: Browser, url: string, who: keyof typeof INSTALL): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  const page = await context.newPage();
  await page.addInitScript(INSTALL[who]);
  await page.goto(url);
  await page.getByRole('main').waitFor();
  return page;
};

interface Session {
  readonly ours: Page;
  readonly bare: Page;
  close(): Promise<void>;
}

/** A new process and a new page of each contender. */
const openSession = async (browser: Browser, command: readonly string[]): Promise<Session> => {
  const running: ServerProcess[] = [];
  const app = await startServer(node, command.with(1, mkdtempSync(join(work, 'profile-'))));
  running.push(app);
  const peer = await startServer(node, [join(import.meta.dirname, 'peers/bare-drop.ts'), join(work, 'bare.bin')]);
  running.push(peer);
  const ours = await openPage(browser, app.ready['address'] ?? '', 'linkshot');
  const bare = await openPage(browser, peer.ready['url'] ?? '', 'bare');
  await sleep(SETTLE_MS);
  return {
    ours,
    bare,
    async close() {
      await ours.context().close();
      await bare.context().close();
      for (const server of running) await server.stop();
    },
  };
};

interface Pair {
  readonly ours: number;
  readonly bare: number;
}

let dropped = 0;
const dropBoth = async ({ ours, bare }: Session, picture: Buffer): Promise<Pair> => {
  dropped += 1;
  const name = `picture-${dropped}.jpg`;
  const pair = { bare: await dropInto(bare, name, picture), ours: await dropInto(ours, name, picture) };
  await sleep(PAUSE_MS);
  return pair;
};

const rowsOf = (name: string, pairs: readonly Pair[]): readonly string[] => {
  const ours = pairs.map((pair) => pair.ours);
  const facts = [median(ours), percentile(ours, 0.95), median(pairs.map(({ bare }) => bare))];
  return [name, ...facts.map((value) => value.toFixed(0)), ratioOf(pairs).toFixed(2)];
};
const ratioOf = (pairs: readonly Pair[]): number => median(pairs.map(({ ours, bare }) => ours / bare));

const config = join(work, 'config.json');
const limits = { requestsPerMinute: 1e6, uploadRequestsPerMinute: 1e6, partsPerMinute: 1e6 };
writeFileSync(config, JSON.stringify({ limits }));
const server = await startServer(node, serverCommand('serve', '--port', '0', '--config', config));
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
try {
  admin('account', 'add', 'bench', '--plan', 'pro');
  const scopes = 'content:read,content:write,account:read';
  const key = admin('key', 'add', '--account', 'bench', '--scopes', scopes)['apiKey'] ?? '';
  const rendererDir = await buildRenderer('shipped');
  const openApp = join(import.meta.dirname, 'peers/open-app.ts');
  const command = [openApp, '', server.ready['url'] ?? '', key, rendererDir];

  const first: Pair[] = [];
  for (const picture of await picturesOf(SIZES[0], SESSIONS)) {
    const session = await openSession(browser, command);
    first.push(await dropBoth(session, picture));
    await session.close();
  }
  const measured: (readonly [string, readonly Pair[]])[] = [['First picture of a session', first]];
  const session = await openSession(browser, command);
  for (const size of SIZES) {
    const pairs: Pair[] = [];
    for (const picture of await picturesOf(size, WARM_UP + ROUNDS)) pairs.push(await dropBoth(session, picture));
    measured.push([size.name, pairs.slice(WARM_UP)]);
  }
  await session.close();

  const head = ['Milliseconds', 'Drop -> link, median', 'p95', 'Bare PUT, median', 'Ratio, median'];
  const rows = measured.map(([name, pairs]) => rowsOf(name, pairs));
  const findings = `${ROUNDS} pictures of each size, ${SESSIONS} sessions whose first picture has 30 kB.\n\n${table(head, rows)}`;
  const figures = Object.fromEntries(measured.map(([name, pairs]) => [`${name}: wall / bare PUT`, ratioOf(pairs)]));
  writeSection('drop', findings, figures);
} finally {
  await browser.close();
  await server.stop();
  rmSync(work, { recursive: true, force: true });
}
