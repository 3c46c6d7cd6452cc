/** Quotes arguments as one command line of Windows, which programs split into the same arguments again. */
export const windowsCommandLine = (words: readonly string[]): string =>
  words
    .map(
      (word) => `"${word.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/\\+$/, (slashes) => slashes + slashes)}"`,
    )
    .join(' ');
