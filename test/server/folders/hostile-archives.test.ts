import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIMITS } from '../../../src/api/limits.ts';
import { type ForgedEntry, forgeZip } from '../../support/folder/forge-zip.ts';
import { sealFile } from '../../support/server/sealed-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'linkshot-hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The resources of a separate process for one archive: milliseconds of processor time, bytes. */
const cost = async (archive: Buffer): Promise<{ ms: number; growth: number; code: string }> => {
  const path = join(folder, 'archive.zip');
  writeFileSync(path, archive);
  const sealed = await sealFile(path);
  const script = `
    import { readFileSync } from 'node:fs';
    import { DEFAULT_CONFIG } from './src/server/config/config.ts';
    import { createArchiveWorker } from './src/server/folders/archive-worker.ts';
    const { folders: limits, fairness } = DEFAULT_CONFIG;
    const maker = createArchiveWorker({ clock: { now: () => 0 }, limits, fairness });
    const { signal } = new AbortController();
    await maker.make('account', ${JSON.stringify({ ...sealed, size: 0 })}, signal);
    const peak = () => Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
    const before = peak();
    const used = process.cpuUsage();
    const made = await maker.make('account', ${JSON.stringify(sealed)}, signal);
    const ms = process.cpuUsage(used).user / 1_000;
    const growth = peak() - before;
    console.log(JSON.stringify({ ms, growth, code: made.ok ? 'ok' : made.error.code }));
  `;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
};

const many = (count: number, entry: (index: number) => ForgedEntry) =>
  Array.from({ length: count }, (_, index) => entry(index));

/** One file's content, packed once and reused. */
const repeated = (bytes: Buffer) => {
  const data = deflateRawSync(bytes);
  return (index: number): ForgedEntry => ({ name: `f${index}`, bytes, data });
};

/** Half a gigabyte costs a second to pack, and two archives have it. */
let packedHalfGigabyte: ForgedEntry | null = null;
const halfGigabyte = (): ForgedEntry => {
  packedHalfGigabyte ??= repeated(Buffer.alloc(512 * 1024 ** 2))(0);
  return packedHalfGigabyte;
};

/** As many ordinary files as an archive may have entries: it is read whole and refused at the end, like the others. */
const honest = (): Buffer =>
  forgeZip(
    many(LIMITS.folderRawEntries - 1, (index) => ({
      name: `src/part-${index % 500}/module-${index}.ts`,
      bytes: `export const value${index} = ${index};\n`,
    })),
  );

let honestMs = 0;
beforeAll(async () => {
  honestMs = (await cost(honest())).ms;
});

const HOSTILE: Readonly<Record<string, readonly [code: string, archive: () => Buffer]>> = {
  '40,000 honest files of 512 KB of zeros': [
    'FOLDER_TOO_LARGE',
    () => forgeZip(many(40_000, repeated(Buffer.alloc(512 * 1024)))),
  ],
  'a file of half a gigabyte': ['FOLDER_EMPTY', () => forgeZip([halfGigabyte()])],
  'a file of half a gigabyte that says it is small': [
    'FOLDER_ARCHIVE_INVALID',
    () => {
      const lie = { size: 400_000 };
      return forgeZip([{ ...halfGigabyte(), local: lie, central: lie }]);
    },
  ],
  '45,000 names of 300 characters': [
    'FOLDER_EMPTY',
    () => forgeZip(many(45_000, (index) => ({ name: `${'d/'.repeat(150)}${index}`, method: 0 }))),
  ],
  'names of thousands of folders': [
    'FOLDER_EMPTY',
    () => forgeZip(many(240, (index) => ({ name: `${'vendor/'.repeat(9_000)}${index}`, method: 0 }))),
  ],
  'a .gitignore of stars over 49,000 files': [
    'FOLDER_TOO_MANY_FILES',
    () =>
      forgeZip([
        { name: '.gitignore', bytes: '*a**b?[!x]\n'.repeat(40_000) },
        ...many(49_000, (index) => ({ name: `${'a'.repeat(30)}${index}`, method: 0 })),
      ]),
  ],
  'the beginnings of three million keys': [
    'FOLDER_TOO_LARGE',
    () => forgeZip(many(60, repeated(Buffer.from('-----BEGIN '.repeat(47_000))))),
  ],
};

test.each(Object.keys(HOSTILE))(
  '%s costs less than four times an ordinary archive of as many files, and 150 MiB',
  async (kind) => {
    const [code, make] = HOSTILE[kind] ?? ['', () => Buffer.alloc(0)];
    const archive = make();
    expect(archive.length).toBeLessThanOrEqual(LIMITS.folderArchiveBytes);
    const spent = await cost(archive);
    expect(spent.code).toBe(code);
    expect(spent.ms).toBeLessThan(4 * honestMs);
    expect(spent.growth).toBeLessThan(150 * 1024 ** 2);
  },
);
