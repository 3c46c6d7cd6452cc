/**
 * Parses one file of ignore patterns as git does, and decides about a path by it: byte by byte, including git's corner
 * cases. Also converts text to strings with one character for each byte, and back.
 */
import { decodePercent } from '../../base/common/decode-percent.ts';
import { compileGlob, type Letters, type Work } from './gitignore-glob.ts';

/** A pattern as written in its file. `line` counts from one; `pattern` is a byte string. */
export interface Pattern {
  readonly line: number;
  readonly pattern: string;
}

interface Rule extends Pattern {
  readonly excludes: boolean;
  readonly foldersOnly: boolean;
  /** A pattern without a slash matches the last name of a path only. */
  readonly matchesAgainst: 'name' | 'path';
  readonly matches: (text: string, work: Work) => boolean;
}

/** git compares bytes: `?` is one byte. A byte string stores one byte in each character. */
export const byteString = (text: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return encodeURIComponent(text.toWellFormed()).replace(/%(..)/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
};

/** The text of a byte string; unchanged if it is not UTF-8. */
export const textOf = (bytes: string): string => {
  const hex = (character: string): string => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return decodePercent(bytes.replace(/[^\x20-\x24\x26-\x7e]/g, hex)) ?? bytes;
};

const byteStringOf = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return text;
};

/** Trailing spaces are ignored unless a backslash precedes them. */
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

/** Characters before the first wildcard; git compares these literally, and the rest as a separate pattern. */
const literalLength = (pattern: string): number => {
  const special = pattern.search(/[*?[\\]/);
  return special < 0 ? pattern.length : special;
};

/** ASCII only, as git folds. */
export const lower = (text: string): string => text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());

const matcherOf = (pattern: string, letters: Letters): Rule['matches'] => {
  const length = literalLength(pattern);
  const head = letters === 'folded' ? lower(pattern.slice(0, length)) : pattern.slice(0, length);
  if (length === pattern.length) return (text) => text === head;
  const glob = compileGlob(pattern.slice(length), letters);
  return (text, work) => text.startsWith(head) && glob(text, head.length, work);
};

const parseLine = (text: string, line: number, letters: Letters): Rule | null => {
  if (text.startsWith('#')) return null;
  const trimmed = trimEnd(text);
  const excludes = !trimmed.startsWith('!');
  const body = excludes ? trimmed : trimmed.slice(1);
  const foldersOnly = body.endsWith('/');
  const glob = foldersOnly ? body.slice(0, -1) : body;
  if (glob === '') return null;
  const rule = { line, pattern: trimmed, excludes, foldersOnly } as const;
  if (!glob.includes('/')) return { ...rule, matchesAgainst: 'name', matches: matcherOf(glob, letters) };
  const anchored = glob.startsWith('/') ? glob.slice(1) : glob;
  return { ...rule, matchesAgainst: 'path', matches: matcherOf(anchored, letters) };
};

/** The rules of a file, the last one first: in git the last match wins. */
const parseRules = (source: Uint8Array, letters: Letters): readonly Rule[] =>
  byteStringOf(source)
    .replace(/^\xef\xbb\xbf/, '')
    .split('\n')
    .map((line, index) => parseLine(line.replace(/\r$/, ''), index + 1, letters))
    .filter((rule) => rule !== null)
    .reverse();

/** The decision of a pattern about a path, with the pattern that made it. */
interface Verdict extends Pattern {
  readonly decision: 'out' | 'in';
}

export interface IgnoreFile {
  /**
   * The decision of the last matching pattern, or null without a match. `path` is a byte string, relative to the folder
   * that the patterns apply to. Do not ask about paths inside an excluded folder: they are excluded too.
   */
  readonly judge: (path: string, kind: 'file' | 'folder', work: Work) => Verdict | null;
}

/** `unknown`: excludes what either way of comparing letters excludes. */
export const readIgnoreFile = (source: Uint8Array, letters: Letters | 'unknown' = 'exact'): IgnoreFile => {
  if (letters === 'unknown') return strictest(readIgnoreFile(source, 'exact'), readIgnoreFile(source, 'folded'));
  const rules = parseRules(source, letters);
  return {
    judge: (asWritten, kind, work) => {
      const path = letters === 'folded' ? lower(asWritten) : asWritten;
      const name = path.slice(path.lastIndexOf('/') + 1);
      for (const rule of rules) {
        work.left -= 1;
        if (work.left < 0) return null;
        if (rule.foldersOnly && kind === 'file') continue;
        if (!rule.matches(rule.matchesAgainst === 'name' ? name : path, work)) continue;
        return { decision: rule.excludes ? 'out' : 'in', line: rule.line, pattern: rule.pattern };
      }
      return null;
    },
  };
};

/** Excludes what either does, and takes back in only what both do. */
const strictest = (one: IgnoreFile, other: IgnoreFile): IgnoreFile => ({
  judge: (...asked) => {
    const [first, second] = [one.judge(...asked), other.judge(...asked)];
    if (first?.decision === 'out') return first;
    return second?.decision === 'out' || first ? second : null;
  },
});
