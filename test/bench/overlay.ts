/**
 * `npm run bench:overlay`: from the hotkey to the painted overlay in the browser host, on a virtual X screen of 1920x1080,
 * with the marks that every host has. Writes docs/benchmarks.md.
 */
import type { Page } from 'playwright-core';
import { CAPTURE_MARKS } from '../../src/contract/app/capture-marks.ts';
import { makeProfile, startApp } from '../e2e/app-process.ts';
import { openXBrowser, type XBrowser } from '../support/screen/x-browser.ts';
import { median, table, writeSection } from './report.ts';

const PRESSES = Number(process.env['BENCH_PRESSES'] ?? 40);
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
  // A hotkey that comes again at once is a bouncing key, and does nothing.
  await page.waitForTimeout(PAUSE_MS);
  return { ...marks, asked };
};

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)] ?? Number.NaN;

const profile = makeProfile();
const desktop = await openXBrowser(SCREEN, SCREEN);
process.env['DISPLAY'] = desktop.display;
const app = await startApp(profile.path);
try {
  const page = await (await desktop.browser.newContext({ viewport: null })).newPage();
  await page.goto(app.url);
  // The hotkey is heard from here on.
  await page.getByRole('button', { name: /^Region.*Ctrl\+Shift\+L$/ }).waitFor();
  const presses: (Marks & { asked: number })[] = [];
  for (let round = 0; round < WARM_UP + PRESSES; round += 1) {
    const marks = await press(desktop, page);
    if (round >= WARM_UP) presses.push(marks);
  }
  const row = (name: string, of: (marks: Marks & { asked: number }) => number): string[] => {
    const values = presses.map(of);
    return [name, median(values), percentile(values, 0.95), Math.max(...values)].map((cell) =>
      typeof cell === 'number' ? cell.toFixed(0) : cell,
    );
  };
  const rows = [
    row('**Press heard -> overlay painted**', ({ start, painted }) => painted - start),
    row('Press heard -> page has heard of the frozen screen', ({ start, heard }) => heard - start),
    row('-> its pixels are in the page', ({ heard, received }) => received - heard),
    row('-> painted', ({ received, painted }) => painted - received),
    row('`xdotool` started -> overlay painted', ({ asked, painted }) => painted - asked),
  ];
  const findings = `${PRESSES} presses after ${WARM_UP}, one display of ${SCREEN.width}x${SCREEN.height}.`;
  writeSection('overlay', `${findings}\n\n${table(['Milliseconds', 'p50', 'p95', 'longest'], rows)}`);
} finally {
  await app.kill('SIGTERM');
  await desktop.close();
  profile.remove();
}
