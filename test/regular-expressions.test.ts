/**
 * No regular expression of the sources backtracks exponentially: a text of fifty characters could stop a process for
 * ever. One that takes quadratic time is only used on texts with a bound.
 */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseSync } from '@swc/core';
import { analyse } from 'scslre';
import { expect, test, vi } from 'vitest';
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

/** Modules that build a pattern only when they are called, and why its parts are harmless. */
const BUILT_LATER: Readonly<Record<string, string>> = {
  'src/base/node/windows-registry.ts': 'the escaped name of a value',
  'src/server/storage/s3-list.ts': 'the name of an element',
};

const analysed = (source: string, flags: string) =>
  analyse({ source, flags }, { reportTypes: { Move: false } }).reports.map(({ exponential }) => ({
    pattern: source,
    exponential,
  }));

const reportsOf = (text: string, isTsx: boolean) => {
  const module = parseSync(text, { syntax: 'typescript', tsx: isTsx });
  return nodesIn(module.body)
    .filter(({ type }) => type === 'RegExpLiteral')
    .flatMap(({ pattern, flags }) => analysed(String(pattern), String(flags)));
};

/** What `load` builds from parts, which the syntax does not show. */
const builtBy = async (load: () => Promise<unknown>): Promise<readonly RegExp[]> => {
  const built: RegExp[] = [];
  const construct = (target: RegExpConstructor, given: [string, string?]): RegExp => {
    const pattern = new target(...given);
    built.push(pattern);
    return pattern;
  };
  vi.stubGlobal('RegExp', new Proxy(RegExp, { construct }));
  await load().finally(() => vi.unstubAllGlobals());
  return built;
};

const sources = globSync('src/**/*.{ts,tsx}', { cwd: ROOT })
  .map((path) => path.replaceAll('\\', '/'))
  .sort()
  .map((path) => ({ path, text: readFileSync(resolve(ROOT, path), 'utf8') }));

const built: { readonly path: string; readonly patterns: readonly RegExp[] }[] = [];
for (const { path, text } of sources)
  if (text.includes('new RegExp('))
    // Another file of this process may have loaded the module: by this name it is loaded once more.
    built.push({ path, patterns: await builtBy(() => import(`${resolve(ROOT, path)}?analysed`)) });

const found = sources.map(({ path, text }) => ({
  path,
  reports: [
    ...reportsOf(text, path.endsWith('.tsx')),
    ...built
      .filter((module) => module.path === path)
      .flatMap(({ patterns }) => patterns.flatMap(({ source, flags }) => analysed(source, flags))),
  ],
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

test('one that is built from parts is built when its module loads, so that it is analysed here', () => {
  expect(built.flatMap(({ path, patterns }) => (patterns.length === 0 ? path : []))).toEqual(Object.keys(BUILT_LATER));
});

test('a planted one is caught', async () => {
  expect(reportsOf('export const PLANTED = /^(?:a+)+$/;', false)).toContainEqual({
    pattern: '^(?:a+)+$',
    exponential: true,
  });
  const [planted] = await builtBy(async () => new RegExp(['^(?:a+)', '+$'].join('')));
  expect(analysed(planted?.source ?? '', '')).toContainEqual({ pattern: '^(?:a+)+$', exponential: true });
});
