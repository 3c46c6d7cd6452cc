/**
 * Prints the progress of a long command for the operator, at most one line every two seconds. Also formats numbers of
 * bytes.
 */

const EVERY_MS = 2_000;

interface Progress {
  /** Something is done; `line` is only called when it is shown. */
  step(line: () => string): void;
}

export const createProgress = (log: (line: string) => void): Progress => {
  let shown = performance.now();
  return {
    step: (line) => {
      if (performance.now() - shown < EVERY_MS) return;
      shown = performance.now();
      log(line());
    },
  };
};

/** Like `12.3 MiB`. */
export const sizeText = (bytes: number): string => {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [value, unit] = [bytes, 0];
  for (; value >= 1024 && unit < units.length - 1; unit += 1) value /= 1024;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
};
