/**
 * Redaction of a picture in rounds, with a reader that sees only one line at a time. The copies are painted and their
 * pixels examined for real.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import { systemRandom } from '../../../src/engine/node-ports.ts';
import { blackOutBoxes } from '../../../src/engine/vision/black-out-boxes.ts';
import { createRedact, type RedactDeps } from '../../../src/engine/vision/redact-picture.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const never = new AbortController().signal;
const [WIDTH, LINE] = [200, 20];

/** A white picture with one secret in each line. */
const openPicture = async (lines: number) => {
  const folder = temporaryFolder('redact-picture');
  const [path, out, spoolDir] = [join(folder, 'in.png'), join(folder, 'out.png'), folder];
  const height = lines * LINE;
  await sharp({ create: { width: WIDTH, height, channels: 3, background: 'white' } }).toFile(path);
  return { folder, path, out, spoolDir, height };
};

/** Whether the middle of a line is not black. */
const visibleLines = async (path: string): Promise<readonly number[]> => {
  const { data, info } = await sharp(path).greyscale().raw().toBuffer({ resolveWithObject: true });
  const lines = Array.from({ length: info.height / LINE }, (_, line) => line);
  return lines.filter((line) => data[(line * LINE + LINE / 2) * info.width + info.width / 2] !== 0);
};

const wordIn = (line: number) => ({
  ...{ text: `ann${line}@example.com`, confidence: 95 },
  ...{ x: 40, y: line * LINE + 4, width: 120, height: 12 },
});

/** Each reading sees the first visible line only; `isBlind`: nothing that is painted stops it from seeing the first. */
const readerOf = (height: number, isBlind = false): RedactDeps['vision'] => {
  const read = async (path: string) => {
    const [first] = isBlind ? [0] : await visibleLines(path);
    const words = first === undefined ? [] : [wordIn(first)];
    return ok({ text: '', words, codes: [], more: [], missing: [], width: WIDTH, height });
  };
  return {
    readThoroughly: read,
    readEverywhere: read,
    hide: (path, target, boxes) => blackOutBoxes({ path, target, boxes }),
  };
};

it.each([1, 2, 4, 5, 8])('saves no copy in which a secret is still visible, with %d lines', async (lines) => {
  const { folder, path, out, spoolDir, height } = await openPicture(lines);
  const redact = createRedact({ vision: readerOf(height), spoolDir, random: systemRandom });
  const result = await redact({ path, out }, never);
  expect(result).toMatchObject({ ok: true });
  expect(result.ok && result.value.found).toHaveLength(lines);
  expect(await visibleLines(out)).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(['in.png', 'out.png']);
});

it('hides what only one of several readings of a copy still shows', async () => {
  const { path, out, spoolDir, height } = await openPicture(2);
  const vision = readerOf(height);
  const readEverywhere: typeof vision.readEverywhere = async (...asked) => {
    const read = await vision.readEverywhere(...asked);
    return read.ok ? ok({ ...read.value, words: [], more: [read.value.words] }) : read;
  };
  const redact = createRedact({ vision: { ...vision, readEverywhere }, spoolDir, random: systemRandom });
  expect(await redact({ path, out }, never)).toMatchObject({ ok: true });
  expect(await visibleLines(out)).toEqual([]);
});

it.each(['saves nothing', 'reports nothing as hidden'])('fails when every copy is read as secret: %s', async (what) => {
  const { folder, path, out, spoolDir, height } = await openPicture(1);
  const redact = createRedact({ vision: readerOf(height, true), spoolDir, random: systemRandom });
  const result = await redact({ path, out: what === 'saves nothing' ? out : null }, never);
  expect(result).toMatchObject({ ok: false, error: { code: 'SECRETS_NOT_HIDDEN' } });
  expect(existsSync(out)).toBe(false);
  expect(readdirSync(folder)).toEqual(['in.png']);
});

it.each(['exists', 'is in no folder'])('is not read for a new file that cannot be saved: it %s', async (what) => {
  const { folder, path, out, spoolDir, height } = await openPicture(1);
  const target = what === 'exists' ? out : join(folder, 'none', 'out.png');
  if (what === 'exists') writeFileSync(out, 'kept');
  let reads = 0;
  const vision = readerOf(height);
  const readThoroughly: typeof vision.readThoroughly = (...asked) => {
    reads += 1;
    return vision.readThoroughly(...asked);
  };
  const redact = createRedact({ vision: { ...vision, readThoroughly }, spoolDir, random: systemRandom });
  expect(await redact({ path, out: target }, never)).toMatchObject({ ok: false, error: { code: 'SAVE_FAILED' } });
  expect(reads).toBe(0);
  if (what === 'exists') expect(readFileSync(out, 'utf8')).toBe('kept');
});
