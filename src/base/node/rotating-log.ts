/** A log file that is limited in size: when it is full, it becomes `NAME.1`, `NAME.1` becomes `NAME.2`, and so on. */
import { appendFileSync, existsSync, statSync } from 'node:fs';
import { renameSync } from './retrying-fs.ts';

export interface RotatingLogOptions {
  /** Bytes after which the file is full. */
  readonly maxBytes: number;
  /** Number of full files that are kept. */
  readonly kept: number;
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Returns a function that appends a line to the file, readable by its owner alone. The line is written when it returns,
 * so that the last one before a crash is there; where it cannot be written, it is dropped.
 */
export const openRotatingLog = (path: string, { maxBytes, kept }: RotatingLogOptions): ((line: string) => void) => {
  const rotate = (): void => {
    for (let number = kept; number > 0; number -= 1) {
      const from = number === 1 ? path : `${path}.${number - 1}`;
      if (existsSync(from)) renameSync(from, `${path}.${number}`);
    }
  };
  return (line) => {
    try {
      if (sizeOf(path) >= maxBytes) rotate();
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not end the program that logs.
    }
  };
};
