/**
 * `npm run test:secrets`: plants more than 400 secrets and as many decoys in pictures of screens, hides what looks secret, and
 * lets three programs look for what is left: the app's own recognition, Debian's tesseract and zbar. Writes
 * docs/benchmarks.md; exit code 1 below the goals.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom } from '../../src/engine/node-ports.ts';
import { openSource } from '../../src/engine/upload/upload-source.ts';
import { createRedact } from '../../src/engine/vision/redact-picture.ts';
import { createVisionProcessClient } from '../../src/engine/vision/vision-process-client.ts';
import type { SecretKind } from '../../src/ipc/protocol/vision.ts';
import { openBrowser } from '../support/browser/chromium.ts';
import { drawSecretPicture } from '../support/vision/draw-secret-pictures.ts';
import { hitsOf, readByTesseract, readByZbar, tells, wrongPixels } from '../support/vision/redaction-measures.ts';
import { makeSecretCorpus, type SecretPicture } from '../support/vision/secret-corpus.ts';
import { table, writeSection } from './report.ts';

/** Of another part, or other secrets, the figures are only printed. */
const isWhole = ['PICTURES', 'SEED', 'ONLY'].every((name) => process.env[name] === undefined);
const PICTURES = Number(process.env['PICTURES'] ?? 80);
/** Other secrets than those that the rules were made with. */
const SEED = Number(process.env['SEED'] ?? 7_000);
const only = process.env['ONLY'];
const RECALL = 0.97;
const PRECISION = 0.9;

interface Outcome {
  readonly picture: SecretPicture;
  readonly kind: SecretKind;
  readonly isFound: boolean;
  readonly isKindRight: boolean;
  /** The programs that still tell it. */
  readonly toldBy: readonly string[];
}

const folder = mkdtempSync(join(tmpdir(), 'linkshot-secrets-'));
const vision = createVisionProcessClient({ clock: systemClock, openSource, profileDir: folder, environment: {} });
const redact = createRedact({ vision, spoolDir: folder, random: systemRandom });
const never = new AbortController().signal;
const browser = await openBrowser();

const outcomes: Outcome[] = [];
let [rightBoxes, wrongBoxes, outside, inside, decoys, seconds, megapixels] = [0, 0, 0, 0, 0, 0, 0];
try {
  for (const [index, picture] of makeSecretCorpus(PICTURES, SEED).entries()) {
    if (only !== undefined && !picture.name.includes(only)) continue;
    const drawn = await drawSecretPicture(browser, picture);
    const [path, out] = [join(folder, `${index}.png`), join(folder, `${index}-out.png`)];
    writeFileSync(path, drawn.png);
    const started = performance.now();
    const result = await redact({ path, out }, never);
    seconds += (performance.now() - started) / 1_000;
    if (!result.ok) throw new Error(result.error.detail);
    const hits = hitsOf(picture, drawn, result.value.found);
    const pixels = await wrongPixels(path, out, result.value.found);
    const again = await vision.readFile(out, {}, never);
    if (!again.ok) throw new Error(again.error.detail);
    const texts = {
      Linkshot: [again.value.text, ...again.value.codes.map(({ text }) => text)].join('\n'),
      tesseract: await readByTesseract(out),
      zbar: await readByZbar(out),
    };
    decoys += picture.decoys;
    rightBoxes += hits.rightBoxes;
    wrongBoxes += hits.wrongBoxes.length;
    outside += pixels.outside;
    inside += pixels.inside;
    megapixels += (drawn.png.readUInt32BE(16) * drawn.png.readUInt32BE(20)) / 1e6;
    for (const [at, { kind, value }] of picture.secrets.entries()) {
      const toldBy = Object.entries(texts).flatMap(([name, text]) => (tells(text, value) ? [name] : []));
      const isFound = hits.isFound[at] === true;
      outcomes.push({ picture, kind, isFound, isKindRight: hits.isKindRight[at] === true, toldBy });
      if (!isFound || toldBy.length > 0)
        console.log(
          `${picture.name}: ${kind} ${value}: ${isFound ? 'found' : 'missed'}, told by ${toldBy.join(', ') || 'none'}`,
        );
    }
    for (const { kind, x, y } of hits.wrongBoxes) console.log(`${picture.name}: wrong ${kind} at ${x},${y}`);
    rmSync(path);
    rmSync(out);
  }
} finally {
  await browser.close();
  vision.close();
  rmSync(folder, { recursive: true });
}

const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
const rowOf = (name: string, all: readonly Outcome[]): string[] => {
  const found = all.filter(({ isFound }) => isFound);
  return [
    name,
    String(all.length),
    percent(found.length, all.length),
    percent(found.filter(({ isKindRight }) => isKindRight).length, found.length),
    String(found.filter(({ toldBy }) => toldBy.length > 0).length),
    String(all.filter(({ isFound, toldBy }) => !isFound && toldBy.length > 0).length),
  ];
};
const by = (of: (outcome: Outcome) => string): string[][] =>
  [...Map.groupBy(outcomes, of)].map(([name, all]) => rowOf(name, all));
const found = outcomes.filter(({ isFound }) => isFound);
const HEAD = ['Secrets', 'Number', 'Hidden', 'Right kind', 'Hidden, still told', 'Missed, told'];
const findings = table(HEAD, [
  ...by(({ kind }) => kind),
  ...by(({ picture: { size } }) => (size < 14 ? '11 to 13 px' : '14 px and more')).toSorted(),
  rowOf('All', outcomes),
]);
const precision = rightBoxes / Math.max(1, rightBoxes + wrongBoxes);
const section = `${findings}\n\nPrecision: ${percent(rightBoxes, rightBoxes + wrongBoxes)} (${wrongBoxes} of ${rightBoxes + wrongBoxes} boxes are not on a secret; ${decoys} decoys). Pixels that differ outside of the boxes: ${outside}; not black inside: ${inside}. Time: ${(seconds / megapixels).toFixed(1)} s per megapixel.`;
if (isWhole) writeSection('secrets', section);
else console.log(section);
const recall = found.length / Math.max(1, outcomes.length);
const isTold = found.some(({ toldBy }) => toldBy.length > 0);
if (recall < RECALL || precision < PRECISION || isTold || outside + inside > 0) {
  console.log(
    `Below the goals: ${percent(RECALL, 1)} found, ${percent(PRECISION, 1)} right, none told, no other pixel.`,
  );
  process.exitCode = 1;
}
