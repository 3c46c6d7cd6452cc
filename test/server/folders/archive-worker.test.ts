import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../src/api/ids.ts';
import { systemClock } from '../../../src/server/clock-and-random.ts';
import { DEFAULT_CONFIG, type ServerConfig } from '../../../src/server/config/config.ts';
import { createArchiveWorker } from '../../../src/server/folders/archive-worker.ts';
import { readArchive } from '../../../src/server/folders/read-archive.ts';
import type { SealedFile } from '../../../src/server/storage/sealed-reader.ts';
import { longestBlockMs } from '../../support/cpu-time.ts';
import { zipOf } from '../../support/folder/forge-zip.ts';
import { sealFile } from '../../support/server/sealed-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'linkshot-maker-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const saved = (name: string, files: Readonly<Record<string, string>>): Promise<SealedFile> => {
  writeFileSync(join(folder, name), zipOf(files));
  return sealFile(join(folder, name));
};
const { signal } = new AbortController();
const account = 'account' as AccountId;
const open = (options: Partial<ServerConfig['folders']> = {}) => {
  const { folders, fairness } = DEFAULT_CONFIG;
  return createArchiveWorker({ clock: systemClock, limits: { ...folders, ...options }, fairness });
};

/** 2,000 files and 20 MB of text: the maximum. */
const largest = () => {
  const line = (index: number) => `const value${index} = ${index * 7919};\n`;
  const text = Array.from({ length: 380 }, (_, index) => line(index))
    .join('')
    .slice(0, 10_480);
  return saved(
    'largest.zip',
    Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`src/f${index}.ts`, text])),
  );
};

test('the server keeps answering while the largest folder is made', async () => {
  const archive = await largest();
  let made: unknown;
  const blocked = await longestBlockMs(async () => {
    made = await open().make(account, archive, signal);
  });
  expect(made).toMatchObject({ ok: true, value: { folder: { files: 2_000 } } });
  expect(blocked).toBeLessThan(300);
});

test('a result is returned completely: the archive with its summary, or the refusal', async () => {
  const maker = open();
  const made = await maker.make(account, await saved('good.zip', { 'a.txt': 'text', '.env': 'x' }), signal);
  expect(made).toMatchObject({ ok: true, value: { folder: { files: 1, skippedFiles: 1 } } });
  const stored = made.ok && readArchive(Buffer.from(made.value.archive));
  expect(stored).toMatchObject({ ok: true, value: [{ path: 'a.txt', size: 4 }] });
  writeFileSync(join(folder, 'bad.zip'), 'no archive');
  expect(await maker.make(account, await sealFile(join(folder, 'bad.zip')), signal)).toMatchObject({
    ok: false,
    error: { code: 'FOLDER_ARCHIVE_INVALID' },
  });
});

test('a cancelled job frees the thread for the next', async () => {
  const maker = open();
  const archive = await largest();
  const first = new AbortController();
  const given = maker.make(account, archive, first.signal);
  const next = maker.make(account, await saved('next.zip', { 'a.txt': 'text' }), signal);
  setTimeout(() => first.abort(new Error('gone')), 50);
  await expect(given).rejects.toThrow('gone');
  expect((await next).ok).toBe(true);
});

test('an archive that cannot be read is an error, and the next one is made all the same', async () => {
  const maker = open();
  const missing = { ...(await saved('gone.zip', { a: 'x' })), path: join(folder, 'missing.zip') };
  await expect(maker.make(account, missing, signal)).rejects.toThrow('ENOENT');
  expect((await maker.make(account, await saved('after.zip', { 'a.txt': 'text' }), signal)).ok).toBe(true);
});

test('a thread that was started ahead is used, and an unused one ends with the pool', async () => {
  const maker = open();
  maker.expect();
  maker.expect();
  expect((await maker.make(account, await saved('ahead.zip', { 'a.txt': 'text' }), signal)).ok).toBe(true);
  maker.expect();
  await maker.close();
  expect(await maker.make(account, await saved('again.zip', { 'a.txt': 'text' }), signal)).toMatchObject({
    error: { code: 'UPLOAD_SERVER_BUSY' },
  });
});

test('too many at once are refused with a request to retry later', async () => {
  const maker = open({ waitingPerAccount: 4, waitingInAll: 32 });
  const archive = await saved('small.zip', { 'a.txt': 'text' });
  const answers = await Promise.all(Array.from({ length: 9 }, () => maker.make(account, archive, signal)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(5);
  const refused = answers.filter((answer) => !answer.ok).map((answer) => answer.error);
  expect(refused).toHaveLength(4);
  for (const { code, afterMs } of refused) {
    expect(code).toBe('UPLOAD_SERVER_BUSY');
    expect(afterMs).toBeGreaterThan(0);
  }
});

test('an account that sends many folders keeps no other waiting behind them, and is the one that is refused', async () => {
  const maker = open({ waitingPerAccount: 4, waitingInAll: 4 });
  const archive = await saved('one.zip', { 'a.txt': 'text' });
  const order: string[] = [];
  const send = async (owner: string) => {
    const { ok } = await maker.make(owner as AccountId, archive, signal);
    order.push(ok ? owner : `${owner} refused`);
  };
  const sent = Array.from({ length: 5 }, () => send('greedy'));
  await Promise.all([...sent, send('other')]);
  expect(order).toEqual(['greedy refused', 'greedy', 'other', 'greedy', 'greedy', 'greedy']);
});
