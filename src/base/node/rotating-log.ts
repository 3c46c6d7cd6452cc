/** A log file that is limited in size: when it is full, it becomes `NAME.1`, `NAME.1` becomes `NAME.2`, and so on. */
import { appendFile, stat } from 'node:fs/promises';
import { rename } from './retrying-fs.ts';

export interface RotatingLogOptions {
  /** Bytes after which the file is full. */
  readonly maxBytes: number;
  /** Number of full files that are kept. */
  readonly kept: number;
}

export interface RotatingLog {
  /** Appends a line, readable by its owner alone. A log that cannot be written is given no second try. */
  write(line: string): void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

export const openRotatingLog = (path: string, { maxBytes, kept }: RotatingLogOptions): RotatingLog => {
  let written: Promise<unknown> = Promise.resolve();

  const rotate = async (): Promise<void> => {
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    if (size < maxBytes) return;
    for (let number = kept; number > 0; number -= 1)
      await rename(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`).catch(() => {});
  };

  return {
    write(line) {
      written = written
        .then(rotate)
        .then(() => appendFile(path, `${line}\n`, { mode: 0o600 }))
        // A full disk must not end the program that logs.
        .catch(() => {});
    },
    close: async () => {
      await written;
    },
  };
};
