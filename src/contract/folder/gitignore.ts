/**
 * Judges paths by one .gitignore exactly as `git check-ignore` does: case-sensitive, byte by byte, with git's own
 * corner cases. The work is counted and bounded, and stars never multiply it, so no pattern can hang whoever asks.
 */
import { compileGlob, createWork, type Work } from './gitignore-glob.ts';

/** Steps that one judgement may take; about a third of a second. */
const MAX_STEPS = 40_000_000;

interface Rule {
  readonly excludes: boolean;
  readonly foldersOnly: boolean;
  /** A pattern without a slash looks at the last name of a path only. */
  readonly looksAt: 'name' | 'path';
  readonly matches: (text: string, work: Work) => boolean;
}

/** git compares bytes: `?` is one byte. A byte string holds one byte in each character. */
const byteString = (text: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return encodeURIComponent(text.toWellFormed()).replace(/%(..)/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
};

const byteStringOf = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return text;
};

/** Spaces at the end do not count unless a backslash stands before them. */
const trimEnd = (line: string): string => {
  let end = 0;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === ' ') continue;
    if (line[at] === '\\') at += 1;
    if (at >= line.length) return line;
    end = at + 1;
  }
  return line.slice(0, end);
};

/** Characters before the first wildcard; git compares these literally, and the rest as if it were a pattern of its own. */
const literalLength = (pattern: string): number => {
  const special = pattern.search(/[*?[\\]/);
  return special < 0 ? pattern.length : special;
};

const matcherOf = (pattern: string): Rule['matches'] => {
  const head = pattern.slice(0, literalLength(pattern));
  if (head === pattern) return (text) => text === pattern;
  const glob = compileGlob(pattern.slice(head.length));
  return (text, work) => text.startsWith(head) && glob(text, head.length, work);
};

const parseLine = (line: string): Rule | null => {
  if (line.startsWith('#')) return null;
  const trimmed = trimEnd(line);
  const excludes = !trimmed.startsWith('!');
  const body = excludes ? trimmed : trimmed.slice(1);
  const foldersOnly = body.endsWith('/');
  const pattern = foldersOnly ? body.slice(0, -1) : body;
  if (pattern === '') return null;
  if (!pattern.includes('/')) return { excludes, foldersOnly, looksAt: 'name', matches: matcherOf(pattern) };
  const anchored = pattern.startsWith('/') ? pattern.slice(1) : pattern;
  return { excludes, foldersOnly, looksAt: 'path', matches: matcherOf(anchored) };
};

/** The rules of a file, the last one first: in git the last match decides. */
const parseRules = (source: Uint8Array): readonly Rule[] =>
  byteStringOf(source)
    .replace(/^\xef\xbb\xbf/, '')
    .split('\n')
    .map((line) => parseLine(line.replace(/\r$/, '')))
    .filter((rule) => rule !== null)
    .reverse();

/**
 * For each excluded one of `paths` (files, relative, with '/') what excludes it: its outermost excluded folder, ending
 * with '/', or the path itself. Null when the patterns would take too much work: then nothing is judged.
 */
export const excludedBy = (
  source: Uint8Array,
  paths: Iterable<string>,
  maxSteps: number = MAX_STEPS,
): ReadonlyMap<string, string> | null => {
  const rules = parseRules(source);
  const work = createWork(maxSteps);
  const folders = new Map<string, boolean>();
  const excluded = new Map<string, string>();

  const isExcluded = (path: string, kind: 'file' | 'folder'): boolean => {
    const bytes = byteString(path);
    const name = bytes.slice(bytes.lastIndexOf('/') + 1);
    for (const rule of rules) {
      work.left -= 1;
      if (work.left < 0) return false;
      if (rule.foldersOnly && kind === 'file') continue;
      if (rule.matches(rule.looksAt === 'name' ? name : bytes, work)) return rule.excludes;
    }
    return false;
  };

  const isExcludedFolder = (path: string): boolean => {
    work.left -= path.length;
    const known = folders.get(path);
    if (known !== undefined) return known;
    const answer = isExcluded(path, 'folder');
    folders.set(path, answer);
    return answer;
  };

  const judge = (path: string): string | null => {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      // What is inside an excluded folder cannot be taken back in.
      if (isExcludedFolder(path.slice(0, slash))) return path.slice(0, slash + 1);
      if (work.left < 0) return null;
    }
    return isExcluded(path, 'file') ? path : null;
  };

  for (const path of paths) {
    const by = judge(path);
    if (work.left < 0) return null;
    if (by !== null) excluded.set(path, by);
  }
  return excluded;
};
