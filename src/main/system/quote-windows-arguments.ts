/** Quotes arguments as one command line of Windows, which programs split into the same arguments again. */
export const windowsCommandLine = (words: readonly string[]): string =>
  words
    .map(
      (word) => `"${word.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/\\+$/, (slashes) => slashes + slashes)}"`,
    )
    .join(' ');

/** A word for a command line that Electron joins without quotes. */
export const windowsWord = (word: string): string => (/\s/.test(word) ? windowsCommandLine([word]) : word);
