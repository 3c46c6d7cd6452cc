/** One command line of these words, which programs of Windows split into the same words again. */
export const windowsCommandLine = (words: readonly string[]): string =>
  words
    .map(
      (word) => `"${word.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/\\+$/, (slashes) => slashes + slashes)}"`,
    )
    .join(' ');
