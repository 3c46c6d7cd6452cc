/**
 * No regular expression of the sources backtracks exponentially: a text of fifty characters could stop a process for
 * ever. One that takes quadratic time is only used on texts with a bound.
 */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseSync } from '@swc/core';
import { analyse } from 'scslre';
import { expect, test } from 'vitest';
import { nodesIn } from './support/electron-lint/syntax.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** Why their texts are short, by file. */
const BOUNDED: Readonly<Record<string, string>> = {
  'src/cli/commands/upload.ts': 'an argument that the user has typed',
  'src/common/rendering/detect-note-kind.ts': 'the first 240 characters',
  'src/common/rendering/language-patterns.ts': 'lines of at most 240 characters',
  'src/server/accounts/authenticate.ts': 'a header, of at most 16 KB, without line ends',
  'src/server/accounts/browser-name.ts': 'the first 512 characters',
};

const reportsOf = (text: string, isTsx: boolean) => {
  const module = parseSync(text, { syntax: 'typescript', tsx: isTsx });
  return nodesIn(module.body)
    .filter(({ type }) => type === 'RegExpLiteral')
    .flatMap(({ pattern, flags }) =>
      analyse({ source: String(pattern), flags: String(flags) }, { reportTypes: { Move: false } }).reports.map(
        ({ exponential }) => ({ pattern: String(pattern), exponential }),
      ),
    );
};

const found = globSync('src/**/*.{ts,tsx}', { cwd: ROOT })
  .map((path) => path.replaceAll('\\', '/'))
  .sort()
  .map((path) => ({
    path,
    reports: reportsOf(readFileSync(resolve(ROOT, path), 'utf8'), path.endsWith('.tsx')),
  }));

test('none is exponential', () => {
  expect(
    found.flatMap(({ path, reports }) =>
      reports.filter(({ exponential }) => exponential).map(({ pattern }) => `${path}: ${pattern}`),
    ),
  ).toEqual([]);
});

test('one that is quadratic is for short texts', () => {
  expect(found.flatMap(({ path, reports }) => (reports.length === 0 ? [] : path))).toEqual(Object.keys(BOUNDED));
});

test('a planted one is caught', () => {
  expect(reportsOf('export const PLANTED = /^(?:a+)+$/;', false)).toContainEqual({
    pattern: '^(?:a+)+$',
    exponential: true,
  });
});
