/**
 * A file system that updates modification times late, as NTFS may until the writer closes the file: once read, the
 * times of a file never change.
 */
import type { BigIntStats } from 'node:fs';
import { open } from 'node:fs/promises';
import type { OpenFile } from '../../src/engine/upload/upload-source.ts';

/** `onRead` is called before each read with its number, from 1 on, over all files. */
export const lateTimes = (onRead: (nth: number) => void = () => {}): OpenFile => {
  const seen = new Map<string, bigint>();
  let reads = 0;
  return async (path, flags) => {
    const file = await open(path, flags);
    return {
      async stat(options) {
        const facts: BigIntStats = await file.stat(options);
        if (!seen.has(path)) seen.set(path, facts.mtimeNs);
        facts.mtimeNs = seen.get(path) ?? facts.mtimeNs;
        return facts;
      },
      read(into, offset, length, position) {
        reads += 1;
        onRead(reads);
        return file.read(into, offset, length, position);
      },
      close: () => file.close(),
    };
  };
};
