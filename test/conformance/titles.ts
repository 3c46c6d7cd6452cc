/** Reads the titles of tests from their files as text, so that thousands of titles are known without running a test. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export interface TestTitle {
  /** Path below `test/` without its ending: `server/uploads/parts`. */
  readonly file: string;
  /** The titles of its groups and its own, joined by ` > `, unchanged: `%s` represents the cases of a table. */
  readonly title: string;
}

const TESTS = resolve(import.meta.dirname, '..');
/** What decides whether a test runs here, before its title. */
const CONDITION =
  /^( *(?:describe|it|test))(?:(?:With|About)\('[^']*'(?:, '[^']*')*\)|\.skipIf\((?:[^()]|\([^()]*\))*\))/gm;
/** The end of a title that says on Windows why its test is skipped. */
const REASON = /\$\{unless\('[^']*'\)\}/g;
const OPENING = /^( *)(describe|it|test)\b(\.each|\.for)?/;
/** A title in quotes at the start of the text. */
const TITLE = /^\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/s;

/** All titles below `test/`. The formatter's indentation tells which group a test belongs to. */
export const testTitles = (): readonly TestTitle[] =>
  globSync('**/*.{test,spec}.{ts,tsx}', { cwd: TESTS })
    .toSorted()
    .flatMap((path) =>
      titlesIn(readFileSync(resolve(TESTS, path), 'utf8')).map((title) => ({
        file: path.replaceAll('\\', '/').replace(/\.(test|spec)\.tsx?$/, ''),
        title,
      })),
    );

const titlesIn = (source: string): readonly string[] => {
  const lines = source.replace(CONDITION, '$1').replace(REASON, '').split('\n');
  const groups: { readonly indent: number; readonly title: string }[] = [];
  return lines.flatMap((line, index) => {
    const opening = OPENING.exec(line);
    if (opening === null) return [];
    const [head, spaces = '', kind, each] = opening;
    const rest = lines.slice(index).join('\n').slice(head.length);
    const title = each === undefined ? titleAt(rest, /^\(/) : titleAt(rest, tableEnd(spaces));
    if (title === undefined) return [];
    while ((groups.at(-1)?.indent ?? -1) >= spaces.length) groups.pop();
    if (kind === 'describe') {
      groups.push({ indent: spaces.length, title });
      return [];
    }
    return [[...groups.map((group) => group.title), title].join(' > ')];
  });
};

/** Where the cases of a table end and its title begins: on the first line, or where the indentation is back. */
const tableEnd = (spaces: string): RegExp =>
  new RegExp(`^[^\\n]*?\\)\\((?=\\s*['"\`])|\\n${spaces}[\\])}][^\\n]*?\\)\\((?=\\s*['"\`])`);

const titleAt = (text: string, before: RegExp): string | undefined => {
  const start = before.exec(text);
  if (start === null) return undefined;
  const found = TITLE.exec(text.slice(start.index + start[0].length));
  const raw = found?.[1] ?? found?.[2] ?? found?.[3];
  return raw?.replace(/\\(.)/g, '$1').replace(/\s+/g, ' ');
};
