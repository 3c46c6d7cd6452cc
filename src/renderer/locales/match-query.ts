/**
 * Matches a query against the names of a palette command or of a setting: every typed word must be a prefix of one of
 * their words. Pure.
 */

/** Lower case; `ё` equals `е`, as most people type it. */
const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

export const hasWords = (typed: string): boolean => wordsOf(typed).length > 0;

/** `names`: the names of the command in every language. A query without words matches everything. */
export const matchesQuery = (typed: string, names: readonly string[]): boolean => {
  const known = names.flatMap(wordsOf);
  return wordsOf(typed).every((begun) => known.some((word) => word.startsWith(begun)));
};
