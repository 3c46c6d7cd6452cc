import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRotatingLog } from '../../../src/base/node/rotating-log.ts';
import { itWith } from '../../support/only-on.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder('rotating-log');

test('keeps the newest lines in order, in files of limited size', () => {
  const path = join(folder, 'app.log');
  const log = openRotatingLog(path, { maxBytes: 100, kept: 2 });
  for (let line = 0; line < 100; line += 1) log(`line ${line} `.padEnd(24, '.'));
  const files = [`${path}.2`, `${path}.1`, path];
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'));
  expect(lines.map((line) => Number(line.split(' ')[1]))).toEqual(lines.map((_, index) => 100 - lines.length + index));
  expect(files.map((file) => statSync(file).size).filter((size) => size > 125)).toEqual([]);
  expect(existsSync(`${path}.3`)).toBe(false);
});

itWith('modes of files')('is readable by its owner alone', () => {
  const path = join(folder, 'private.log');
  const log = openRotatingLog(path, { maxBytes: 100, kept: 1 });
  log('a line');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a folder that does not exist throws nothing', () => {
  const log = openRotatingLog(join(folder, 'missing', 'app.log'), { maxBytes: 100, kept: 1 });
  expect(() => log('a line')).not.toThrow();
});
