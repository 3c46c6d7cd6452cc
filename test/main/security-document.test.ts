/** docs/security.md is true: every file and every test that it names exists, and every point names a test. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');

interface Row {
  readonly number: number;
  readonly where: string;
  readonly tests: string;
}

/** The rows of the table below a heading. */
const rowsOf = (heading: string): Row[] => {
  const section = page.slice(page.indexOf(`## ${heading}`)).split(/\n## /)[0] ?? '';
  return [...section.matchAll(/^\| (\d+) \|[^|]+\|([^|]+)\|([^|]+)\|$/gm)].map(
    ([, number, where = '', tests = '']) => ({
      number: Number(number),
      where,
      tests,
    }),
  );
};

const filesIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|docs|electron-builder|package)[^`]*)`/g)].flatMap(([, path]) => path ?? []);

const named = (tests: string): { readonly file: string; readonly title: string }[] =>
  [...tests.matchAll(/`(test\/[^`]+)`: ([^;|]+)/g)].map(([, file = '', title = '']) => ({ file, title: title.trim() }));

describe.each([
  ['Electron’s checklist', "Electron's checklist", 20],
  ['the promises of the app', 'What the app promises', 38],
  ['the promises of the server', 'What the server promises', 24],
] as const)('%s', (_, heading, points) => {
  const rows = rowsOf(heading);

  it('has every point once, in order', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: points }, (__, index) => index + 1));
  });

  it('names its places, in files that exist', () => {
    for (const { number, where } of rows) {
      expect(filesIn(where), `point ${number}`).not.toEqual([]);
      for (const path of filesIn(where)) expect(existsSync(join(root, path)), `point ${number}: ${path}`).toBe(true);
    }
  });

  it('names tests that are there', () => {
    for (const { number, tests } of rows) {
      expect(named(tests), `point ${number}`).not.toEqual([]);
      for (const { file, title } of named(tests))
        expect(readFileSync(join(root, file), 'utf8'), `point ${number}: ${file}`).toContain(title);
    }
  });
});

it('names Electron with the pinned version', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: { electron: string };
  };
  expect(devDependencies.electron).toMatch(/^\d+\.\d+\.\d+$/);
  expect(page).toContain(`Electron ${devDependencies.electron}.`);
});
