/**
 * `npm run bench:overlay`: from the hotkey to the painted overlay in the browser host, on a virtual X screen of 1920x1080,
 * with the marks that every host has. Writes docs/benchmarks.md.
 */
import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { CAPTURE_MARKS } from '../../src/ipc/protocol/capture-performance-marks.ts';
import { makeProfile, startApp } from '../e2e/app-process.ts';
import { openXBrowser, type XBrowser } from '../support/screen/x-browser.ts';
import { median, percentile, roundsOf, table, writeSection } from './report.ts';

const PRESSES = roundsOf(40, 12, 'BENCH_PRESSES');
/** Loads what only a first capture loads. */
const WARM_UP = 3;
const SCREEN = { width: 1920, height: 1080 };
const PAUSE_MS = 700;
/** Of the try-out's account. */
const HOTKEY = 'ctrl+shift+l';

/** Milliseconds since 1970. */
type Marks = Record<keyof typeof CAPTURE_MARKS, number>;

const readMarks = (page: Page): Promise<Marks> =>
  page.evaluate((names) => {
    const last = (name: string): number =>
      performance.timeOrigin + (performance.getEntriesByName(name).at(-1)?.startTime ?? Number.NaN);
    return Object.fromEntries(Object.entries(names).map(([step, name]) => [step, last(name)])) as Marks;
  }, CAPTURE_MARKS);

const paintedCount = (page: Page): Promise<number> =>
  page.evaluate((name) => performance.getEntriesByName(name).length, CAPTURE_MARKS.painted);

/** One press; answers its marks, and when the program that presses was started. */
const press = async (desktop: XBrowser, page: Page): Promise<Marks & { readonly asked: number }> => {
  const before = await paintedCount(page);
  const asked = performance.timeOrigin + performance.now();
  await desktop.press(HOTKEY);
  await page.waitForFunction(([name, count]) => performance.getEntriesByName(name).length > count, [
    CAPTURE_MARKS.painted,
    before,
  ] as const);
  const marks = await readMarks(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // A hotkey repeated immediately is a bouncing key, and is ignored.
  await page.waitForTimeout(PAUSE_MS);
  return { ...marks, asked };
};

/** For comparison: a screenshot of the whole screen by a tool without a window. Milliseconds. */
const maim = (display: string): number => {
  const began = performance.now();
  execFileSync('maim', ['--hidecursor'], { env: { ...process.env, DISPLAY: display }, maxBuffer: 2 ** 26 });
  return performance.now() - began;
};

const profile = makeProfile();
const desktop = await openXBrowser(SCREEN, SCREEN);
const app = await startApp(profile.path, desktop.display);
try {
  const page = await (await desktop.browser.newContext({ viewport: null })).newPage();
  await page.goto(app.url);
  // The hotkey is heard from here on.
  await page.getByRole('button', { name: /^Region.*Ctrl\+Shift\+L$/ }).waitFor();
  const presses: (Marks & { asked: number })[] = [];
  const peers: number[] = [];
  for (let round = 0; round < WARM_UP + PRESSES; round += 1) {
    const marks = await press(desktop, page);
    const peer = maim(desktop.display);
    if (round < WARM_UP) continue;
    presses.push(marks);
    peers.push(peer);
  }
  const painted = presses.map((marks) => marks.painted - marks.start);
  const row = (name: string, values: readonly number[]): string[] => {
    return [name, median(values), percentile(values, 0.95), Math.max(...values)].map((cell) =>
      typeof cell === 'number' ? cell.toFixed(0) : cell,
    );
  };
  const rows = [
    row('**Press heard -> overlay painted**', painted),
    row(
      'Press heard -> page has heard of the frozen screen',
      presses.map((marks) => marks.heard - marks.start),
    ),
    row(
      '-> its pixels are in the page',
      presses.map((marks) => marks.received - marks.heard),
    ),
    row(
      '-> painted',
      presses.map((marks) => marks.painted - marks.received),
    ),
    row(
      '`xdotool` started -> overlay painted',
      presses.map((marks) => marks.painted - marks.asked),
    ),
    row('`maim` of the same screen, start to end', peers),
  ];
  const findings = `${PRESSES} presses after ${WARM_UP}, one display of ${SCREEN.width}x${SCREEN.height}.`;
  const figures = { 'Press to painted overlay, p50: wall / maim of the screen': median(painted) / median(peers) };
  writeSection('overlay', `${findings}\n\n${table(['Milliseconds', 'p50', 'p95', 'longest'], rows)}`, figures);
} finally {
  await app.kill('SIGTERM');
  await desktop.close();
  profile.remove();
}
