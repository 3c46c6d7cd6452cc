/** Locates the entry files of worker threads and child processes, in the sources and in a built package. */

/**
 * The URL of the program `name` in the folder of `here` (`import.meta.url`): a source file, or in a bundle an entry of
 * that name beside all others.
 */
export const workerFile = (here: string, name: string): URL => {
  const extension = here.slice(here.lastIndexOf('.'));
  return new URL(`./${name}${extension}`, here);
};
