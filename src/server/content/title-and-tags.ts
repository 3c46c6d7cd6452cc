/**
 * Validates and normalizes the title and the tags of an item (API document, "Content"). Also derives the default title
 * from a file name, builds the text that a search compares, and reads what is searched for.
 */
import type { Content } from '../../api/content.ts';
import { LIMITS } from '../../api/limits.ts';
import { normalizeTag } from '../../api/tag-rules.ts';
import { invalidInput, type ProblemError } from '../problem-details.ts';

const CONTROL = /\p{Cc}/u;
/** Longer lists are refused before they are normalized. */
const RAW_TAGS_MAX = 100;

const codePoints = (text: string): number => [...text].length;

const refusal = (path: string, message: string): ProblemError => invalidInput({ path, message });

/** A title for storage: line breaks and other control characters become spaces. Throws INVALID_INPUT. */
export const checkTitle = (title: string): string => {
  if (!title.isWellFormed()) throw refusal('/title', 'must be valid Unicode');
  const clean = title.replace(/\p{Cc}+/gu, ' ').trim();
  if (codePoints(clean) > LIMITS.titleMaxCharacters)
    throw refusal('/title', `must have at most ${LIMITS.titleMaxCharacters} characters`);
  return clean;
};

/** The default title of an item: its file name without extension. */
export const titleFromName = (filename: string): string => {
  const stem = filename.replace(/(?<=.)\.[^.\s]{1,16}$/u, '');
  return [...stem].slice(0, LIMITS.titleMaxCharacters).join('').trim();
};

/** The default title of a folder of code, whose archive has this name. */
export const titleFromArchiveName = (filename: string): string => filename.replace(/(?<=.)\.zip$/i, '');

/** The title that an item has got when it was made without one; not that of a note, which its text gives. */
export const defaultTitleOf = ({ type, originalName = '' }: Pick<Content, 'type' | 'originalName'>): string =>
  checkTitle(type === 'FOLDER' ? titleFromArchiveName(originalName) : titleFromName(originalName));

/** Tags for storage: normalized, without duplicates, in the given order. Throws INVALID_INPUT. */
export const checkTags = (tags: readonly string[]): readonly string[] => {
  if (tags.length > RAW_TAGS_MAX) throw refusal('/tags', `must hold at most ${LIMITS.tagsMax} tags`);
  const unique = new Set<string>();
  for (const [index, tag] of tags.entries()) {
    const path = `/tags/${index}`;
    if (!tag.isWellFormed() || CONTROL.test(tag)) throw refusal(path, 'must not contain control characters');
    const normal = normalizeTag(tag);
    const length = codePoints(normal);
    if (length < 1 || length > LIMITS.tagMaxCharacters)
      throw refusal(path, `must have 1 to ${LIMITS.tagMaxCharacters} characters`);
    unique.add(normal);
  }
  if (unique.size > LIMITS.tagsMax) throw refusal('/tags', `must hold at most ${LIMITS.tagsMax} tags`);
  return [...unique];
};

/** The text that the search of own items uses. */
export const searchTextOf = (item: { title: string; tags: readonly string[]; originalName: string }): string =>
  searchForm([item.title, ...item.tags, item.originalName].join('\n'));

/** Case and compatible forms of a letter do not matter in a search. */
const searchForm = (text: string): string => text.normalize('NFKC').toLowerCase();

/** As much of a text as a search may have; never half a character. */
export const cutSearch = (text: string): string => [...text].slice(0, LIMITS.searchMaxCharacters).join('');

/**
 * What was typed into a search, in the form that is compared, and cut if `isTooLong`: NFKC makes up to eighteen
 * characters of one, so the limit holds for that form. Null: nothing was typed.
 */
export const readSearch = (typed: string): { readonly search: string | null; readonly isTooLong: boolean } => {
  const trimmed = typed.trim();
  if (trimmed === '') return { search: null, isTooLong: false };
  const whole = searchForm(trimmed);
  const search = cutSearch(whole);
  return { search, isTooLong: search !== whole };
};
