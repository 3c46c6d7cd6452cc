/**
 * The rules of notes (API document, "What the service does" and "Limits"): valid texts, and valid combinations of
 * format and language.
 */

import type { PasteFormat, PasteLanguage } from '../../api/content.ts';
import { LIMITS } from '../../api/limits.ts';
import { NOTE_LANGUAGES } from '../../common/rendering/languages.ts';
import type { Issue } from '../problem.ts';

/** The format and language of a note. `language` is null for everything but code. */
export interface NoteKind {
  readonly format: PasteFormat;
  readonly language: PasteLanguage | null;
}

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

export interface KindChange {
  readonly format?: PasteFormat | undefined;
  readonly language?: PasteLanguage | null | undefined;
}

/**
 * The kind of a note after `change`, or what is wrong with it. Only code has a language, `text` by default; another
 * format drops it.
 */
export const kindOf = (change: KindChange, before: NoteKind | null): NoteKind | Issue => {
  const format = change.format ?? before?.format;
  if (format === undefined) return { path: '/format', message: 'must be plain, markdown or code' };
  if (format === 'code') return { format, language: change.language ?? before?.language ?? 'text' };
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
