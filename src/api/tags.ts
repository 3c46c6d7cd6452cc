/** Tags as the service keeps them (API document, "Content", tags; "Limits"). Pure. */
import { LIMITS } from './limits.ts';

/** A tag as it is stored and looked for. */
export const normalizeTag = (tag: string): string =>
  // Lower case may compose anew, so that normalizing twice gives the same.
  tag.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase().normalize('NFKC');

/** The tags of a line typed by a person, with commas between them; each once, in the order typed. */
export const tagsOfLine = (line: string): string[] => [...new Set(line.split(',').map(normalizeTag).filter(Boolean))];

/** Whether they are more, or longer, than an item may have. */
export const areTooMuch = (tags: readonly string[]): boolean =>
  tags.length > LIMITS.tagsMax || tags.some((tag) => [...tag].length > LIMITS.tagMaxCharacters);

export interface Retagging {
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
}

/** What stays of an item's tags, in their order, and then the new ones. What is added and removed at once is removed. */
export const retagged = (tags: readonly string[], { addTags = [], removeTags = [] }: Retagging): string[] => {
  const removed = new Set(removeTags.map(normalizeTag));
  return [...new Set([...tags, ...addTags].map(normalizeTag))].filter((tag) => !removed.has(tag));
};
