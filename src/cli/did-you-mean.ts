/** Finds the word that was probably meant, or null when no word is similar enough. */
export const didYouMean = (typed: string, words: readonly string[]): string | null => {
  const begins = typed.length >= 3 ? words.filter((word) => word.startsWith(typed)) : [];
  if (begins.length === 1) return begins[0] ?? null;
  const near = words
    .map((word) => ({ word, steps: steps(typed, word) }))
    .filter(({ word, steps }) => steps <= Math.max(1, Math.floor(Math.min(word.length, typed.length) / 3)))
    .sort((a, b) => a.steps - b.steps);
  return near[0]?.word ?? null;
};

/** The edit distance: letters to insert, drop or replace, or neighbours to swap. */
const steps = (from: string, to: string): number => {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row++) {
    const line = [row];
    for (let column = 1; column <= to.length; column++) {
      const at = (up: number, left: number) => (up === 0 ? line : rows[row - up])?.[column - left] ?? 0;
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      line.push(
        Math.min(
          at(1, 0) + 1,
          at(0, 1) + 1,
          at(1, 1) + (isSame ? 0 : 1),
          row > 1 && column > 1 && isSwap ? at(2, 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(line);
  }
  return rows[from.length]?.[to.length] ?? 0;
};
