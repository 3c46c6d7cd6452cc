import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRotatingLog } from '../../../src/base/node/rotating-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder('rotating-log');

test('keeps the newest lines in order, in files of limited size', async () => {
  const path = join(folder, 'app.log');
  const log = openRotatingLog(path, { maxBytes: 100, kept: 2 });
  for (let line = 0; line < 100; line += 1) log.write(`line ${line} `.padEnd(24, '.'));
  await log.close();
  const files = [`${path}.2`, `${path}.1`, path];
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'));
  expect(lines.map((line) => Number(line.split(' ')[1]))).toEqual(lines.map((_, index) => 100 - lines.length + index));
  expect(files.map((file) => statSync(file).size).filter((size) => size > 125)).toEqual([]);
  expect(existsSync(`${path}.3`)).toBe(false);
});

test.skipIf(process.platform === 'win32')('is readable by its owner alone', async () => {
  const path = join(folder, 'private.log');
  const log = openRotatingLog(path, { maxBytes: 100, kept: 1 });
  log.write('a line');
  await log.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a folder that is not there stops nobody', async () => {
  const log = openRotatingLog(join(folder, 'missing', 'app.log'), { maxBytes: 100, kept: 1 });
  log.write('a line');
  await log.close();
});
