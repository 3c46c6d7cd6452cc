/**
 * `npm run test:vision`: how many words of the corpus are read, and how fast, by the app's own process and by Debian's
 * tesseract on the same pictures, one after the other. Writes docs/benchmarks.md; exit code 1 below the goal.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { systemClock } from '../../src/engine/node-ports.ts';
import { openSource } from '../../src/engine/upload/upload-source.ts';
import { createVisionProcessClient } from '../../src/engine/vision/vision-process-client.ts';
import { openBrowser } from '../support/browser/chromium.ts';
import { CORPUS, type CorpusPicture, foundWords, wordsIn } from '../support/vision/corpus.ts';
import { table, writeSection } from './report.ts';

const GOAL = 0.98;
/** CSS pixels, from which on the goal applies. */
const GOAL_SIZE = 14;
const run = promisify(execFile);

interface Reading {
  /** Words of the truth that were found. */
  readonly found: number;
  readonly seconds: number;
}

interface Compared {
  readonly picture: CorpusPicture;
  readonly words: number;
  readonly megapixels: number;
  readonly ours: Reading;
  readonly native: Reading;
}

const only = process.env['ONLY'];
const folder = mkdtempSync(join(tmpdir(), 'linkshot-vision-'));
const vision = createVisionProcessClient({ clock: systemClock, openSource, profileDir: folder, environment: {} });
const never = new AbortController().signal;

const timed = async (read: () => Promise<string>, truth: readonly string[]): Promise<Reading & { text: string }> => {
  const started = performance.now();
  const text = await read();
  return { text, found: foundWords(truth, wordsIn(text)), seconds: (performance.now() - started) / 1_000 };
};

const readOurs = async (path: string): Promise<string> => {
  const read = await vision.readFile(path, {}, never);
  if (!read.ok) throw new Error(read.error.detail);
  if (read.value.missing.length > 0) throw new Error('The Russian data is missing: install tesseract-ocr-rus.');
  return read.value.text;
};

const readNative = async (path: string): Promise<string> => {
  // One thread, as in the app's process.
  const env = { ...process.env, OMP_THREAD_LIMIT: '1' };
  return (await run('tesseract', [path, '-', '-l', 'eng+rus'], { env })).stdout;
};

const shownShare = (found: number, words: number): string => `${((100 * found) / words).toFixed(2)} %`;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const rowOf = (name: string, all: readonly Compared[]): string[] => {
  const words = sum(all.map((one) => one.words));
  const megapixels = sum(all.map((one) => one.megapixels));
  const of = (which: 'ours' | 'native') => [
    shownShare(sum(all.map((one) => one[which].found)), words),
    (sum(all.map((one) => one[which].seconds)) / megapixels).toFixed(2),
  ];
  const [ours = '', oursSeconds = ''] = of('ours');
  const [native = '', nativeSeconds = ''] = of('native');
  return [name, String(all.length), String(words), ours, native, oursSeconds, nativeSeconds];
};

const shareOf = (all: readonly Compared[], which: 'ours' | 'native'): number =>
  sum(all.map((one) => one[which].found)) / sum(all.map((one) => one.words));

const compare = async (): Promise<readonly Compared[]> => {
  const browser = await openBrowser();
  const results: Compared[] = [];
  try {
    for (const picture of CORPUS.filter(({ name }) => only === undefined || name.includes(only))) {
      const context = await browser.newContext({
        deviceScaleFactor: picture.scale,
        viewport: { width: 1600, height: 900 },
      });
      const page = await context.newPage();
      await page.setContent(picture.html);
      const truth = wordsIn(await page.evaluate(() => document.body.innerText));
      const png = await page.locator('body').screenshot({ animations: 'disabled' });
      await context.close();
      const path = join(folder, `${results.length}.png`);
      writeFileSync(path, png);
      const { width = 0, height = 0 } = await sharp(png).metadata();
      const ours = await timed(() => readOurs(path), truth);
      const native = await timed(() => readNative(path), truth);
      results.push({ picture, words: truth.length, megapixels: (width * height) / 1e6, ours, native });
      if (process.env['VERBOSE']) {
        const missing = (text: string) => truth.filter((word) => !wordsIn(text).includes(word)).join(' ');
        console.log(`${picture.name}: ${ours.found}, ${native.found} of ${truth.length}`);
        if (ours.found < truth.length) console.log(`   ours misses: ${missing(ours.text)}`);
        if (ours.found < native.found) console.log(`   ours: ${ours.text.replaceAll('\n', ' | ')}`);
        if (process.env['KEEP'])
          writeFileSync(join(process.env['KEEP'], `${picture.name.replaceAll(/\W+/g, '-')}.png`), png);
      }
    }
  } finally {
    await browser.close();
    vision.close();
    rmSync(folder, { recursive: true });
  }
  return results;
};

const results = await compare();
const version = (await run('tesseract', ['--version'])).stdout.split('\n')[0] ?? 'tesseract';
const large = results.filter(({ picture }) => picture.size >= GOAL_SIZE);
const small = results.filter(({ picture }) => picture.size < GOAL_SIZE);
const by = (of: (picture: CorpusPicture) => string): string[][] =>
  [...Map.groupBy(large, ({ picture }) => of(picture))].map(([name, all]) => rowOf(name, all));
const HEAD = ['Pictures', 'Number', 'Words', 'Linkshot', 'Native', 'Linkshot, s/MP', 'Native, s/MP'];
const findings = table(HEAD, [
  rowOf(`${GOAL_SIZE} px and more`, large),
  ...(small.length > 0 ? [rowOf(`11 to ${GOAL_SIZE - 1} px`, small)] : []),
  ...by(({ language }) => `${GOAL_SIZE} px and more, ${language === 'both' ? 'both languages' : language}`),
  ...by(({ theme }) => `${GOAL_SIZE} px and more, ${theme}`),
  ...by(({ kind }) => `${GOAL_SIZE} px and more, ${kind}`),
  rowOf('All', results),
]);
writeSection('vision', `Native: ${version}.\n\n${findings}`);
const ours = shareOf(large, 'ours');
const native = shareOf(large, 'native');
if (ours < GOAL || ours < native) {
  console.log(`Below the goal: ${shownShare(ours, 1)} of ${shownShare(GOAL, 1)}, native ${shownShare(native, 1)}.`);
  process.exitCode = 1;
}
