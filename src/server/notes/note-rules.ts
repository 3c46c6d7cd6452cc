/**
 * The rules of notes (API document, "What the service does" and "Limits"): valid texts, valid combinations of format
 * and language, file names and default titles.
 */

import MarkdownIt, { type Token } from 'markdown-it';
import type { PasteFormat, PasteLanguage } from '../../api/content.ts';
import { LIMITS } from '../../api/limits.ts';
import { withoutByteOrderMark } from '../../base/common/byte-order-mark.ts';
import { NOTE_LANGUAGES } from '../../common/rendering/code-languages.ts';
import type { NoteKind } from '../content/publish-item.ts';
import type { Issue } from '../problem-details.ts';

/**
 * What is wrong with a text, or null. 1-200,000 code points; every character is kept, including control characters. An
 * unpaired surrogate is invalid and has no UTF-8.
 */
export const textIssue = (text: string): Issue | null => {
  if (text === '') return { path: '/text', message: 'must not be empty' };
  if (!text.isWellFormed()) return { path: '/text', message: 'must be valid Unicode (it has half a surrogate pair)' };
  if (codePoints(text) <= LIMITS.noteMaxCharacters) return null;
  return { path: '/text', message: `must be at most ${LIMITS.noteMaxCharacters.toLocaleString('en')} characters` };
};

/** A code point above U+FFFF takes two UTF-16 units. Expects a well-formed text. */
const codePoints = (text: string): number => {
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd8_00 && unit <= 0xdb_ff) pairs += 1;
  }
  return text.length - pairs;
};

/** The bytes that the quota counts and the object contains. */
export const noteBytes = (text: string): Buffer => Buffer.from(text, 'utf8');

interface KindChange {
  readonly format?: PasteFormat | undefined;
  readonly language?: PasteLanguage | null | undefined;
}

/**
 * The kind of a note after `change`, or what is wrong with it. Only code has a language, `text` by default and for null;
 * another format drops it.
 */
export const kindOf = (change: KindChange, before: NoteKind | null): NoteKind | Issue => {
  const format = change.format ?? before?.format;
  if (format === undefined) return { path: '/format', message: 'must be plain, markdown or code' };
  if (format === 'code') {
    const language = change.language === undefined ? before?.language : change.language;
    return { format, language: language ?? 'text' };
  }
  if (change.language != null) return { path: '/language', message: 'belongs to code; leave it out for other formats' };
  return { format, language: null };
};

const endingOf = ({ format, language }: NoteKind): string =>
  format === 'markdown' ? 'md' : NOTE_LANGUAGES[language ?? 'text'].extension;

/** File name for downloads: the title, without characters that file systems forbid, and the extension of the kind. */
export const fileNameOf = (title: string, kind: NoteKind): string => {
  const stem = title
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const ending = endingOf(kind);
  const available = LIMITS.storedFilenameMaxCharacters - ending.length - 1;
  const name = stem.toLowerCase().endsWith(`.${ending}`) ? stem.slice(0, -ending.length - 1) : stem;
  return `${[...(name || 'note')].slice(0, available).join('').trimEnd()}.${ending}`;
};

/** The same file name after the note's kind has changed. */
export const withEnding = (name: string, kind: NoteKind): string => {
  const ending = endingOf(kind);
  return name.endsWith(`.${ending}`) ? name : fileNameOf(name.replace(/\.[a-z]{1,4}$/, ''), kind);
};

// Derives the default title of a note: its first line with text, without Markdown syntax.

const UNTITLED = 'Untitled note';
/** UTF-16 units that are read, after leading blank lines; a title is far shorter. */
const LOOK_AT = 4_000;

const markdown = new MarkdownIt({ html: true, maxNesting: 20 });

/** At most 180 code points on one line, never empty. A longer line is cut and ends with an ellipsis. */
export const titleOf = (text: string, format: PasteFormat): string => {
  const beginning = withoutByteOrderMark(text)
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .slice(0, LOOK_AT)
    .toWellFormed();
  const line = format === 'markdown' ? firstMarkdownLine(beginning) : firstLine(beginning);
  return line === '' ? UNTITLED : cut(line);
};

/** Prefers a line with a letter or a digit over one of punctuation only. */
const firstLine = (text: string): string => {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .filter((line) => line !== '');
  return lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? lines[0] ?? '';
};

const firstMarkdownLine = (text: string): string => {
  for (const token of markdown.parse(text, {})) {
    const line = firstLine(token.type === 'html_block' ? token.content.replace(/<[^>]*>/g, '') : textOf(token));
    if (line !== '') return line;
  }
  return firstLine(text);
};

const textOf = (token: Token): string => {
  switch (token.type) {
    case 'softbreak':
    case 'hardbreak':
      return '\n';
    case 'html_inline':
      return '';
    default:
      return token.children === null ? token.content : token.children.map(textOf).join('');
  }
};

const cut = (line: string): string => {
  const characters = [...line];
  const { titleMaxCharacters } = LIMITS;
  if (characters.length <= titleMaxCharacters) return line;
  return `${characters
    .slice(0, titleMaxCharacters - 1)
    .join('')
    .trimEnd()}…`;
};
