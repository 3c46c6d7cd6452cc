/**
 * Rules for tags (API document, "Content", tags; "Limits"): normalizes them, splits a typed line, checks the limits,
 * and applies added and removed tags. Pure.
 */
import { LIMITS } from './limits.ts';

/** A tag as it is stored and searched for. */
export const normalizeTag = (tag: string): string =>
  // Lower-casing may create composable sequences, so NFKC runs again: normalizing twice gives the same.
  tag.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase().normalize('NFKC');

/**
 * The tags of a typed line, separated by commas; without duplicates, in the order typed. A tag may itself contain
 * commas: one of `known` that the line repeats stays whole.
 */
export const tagsOfLine = (line: string, known: readonly string[] = []): string[] => {
  const lengths = known.map((tag) => tag.split(',').length).toSorted((one, other) => other - one);
  const pieces = line.split(',');
  const tags = new Set<string>();
  for (let at = 0; at < pieces.length; ) {
    const whole = (length: number) => normalizeTag(pieces.slice(at, at + length).join(','));
    const length = lengths.find((count) => known.includes(whole(count))) ?? 1;
    const tag = whole(length);
    if (tag !== '') tags.add(tag);
    at += length;
  }
  return [...tags];
};

/** Whether a normalized tag is longer than that of an item may be. */
export const isTagTooLong = (tag: string): boolean => [...tag].length > LIMITS.tagMaxCharacters;

/** Whether the tags exceed the number or length that an item may have. */
export const exceedTagLimits = (tags: readonly string[]): boolean =>
  tags.length > LIMITS.tagsMax || tags.some(isTagTooLong);

export interface Retagging {
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
}

/** The remaining tags of an item in their order, then the new ones. A tag both added and removed is removed. */
export const retagged = (tags: readonly string[], { addTags = [], removeTags = [] }: Retagging): string[] => {
  const removed = new Set(removeTags.map(normalizeTag));
  return [...new Set([...tags, ...addTags].map(normalizeTag))].filter((tag) => !removed.has(tag));
};
