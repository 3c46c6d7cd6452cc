/** Whether what was typed means a command: every typed word begins one of its words. Pure. */

/** Small letters; `ё` counts as `е`, as most people type it. */
const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** `names`: all that it is called, in every language. Nothing typed means everything. */
export const matchesQuery = (typed: string, names: readonly string[]): boolean => {
  const known = names.flatMap(wordsOf);
  return wordsOf(typed).every((begun) => known.some((word) => word.startsWith(begun)));
};
