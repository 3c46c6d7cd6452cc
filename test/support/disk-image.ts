/**
 * A disk that can lose power: an ext4 file system in a file, mounted as a loop device. A copy of the file contains what
 * the file system had written to the disk at one instant, without anything still in memory.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MEGABYTES = 256;
const TRIES = 100_000;
const STILL_MS = 12;
const NS_PER_MS = 1_000_000n;

export interface DiskImage {
  /** The mount point. */
  readonly folder: string;
  /**
   * Writes what a power cut would leave now to a file that `mountDisk` accepts, and returns the time in milliseconds
   * since 1970.
   */
  cutPower(file: string): number;
  unmount(): void;
}

const run = (program: string, ...words: readonly string[]): boolean => {
  try {
    execFileSync(program, words, { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
};

/** Null where mounting is not permitted. A missing `file` becomes a new disk. */
export const mountDisk = (file: string, folder: string): DiskImage | null => {
  mkdirSync(folder, { recursive: true });
  const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined;
  const isMade = isThere || (run('truncate', '-s', `${MEGABYTES}M`, file) && run('mkfs.ext4', '-q', '-F', file));
  if (!isMade || !run('mount', '-o', 'loop', file, folder)) return null;
  return {
    folder,
    cutPower(copy) {
      for (let attempt = 0; attempt < TRIES; attempt++) {
        // Quiet for longer than the resolution of the file's times, so that any write during the copy is detected.
        const before = statSync(file, { bigint: true }).mtimeNs;
        if (BigInt(Date.now() - STILL_MS) * NS_PER_MS < before) continue;
        run('cp', '--sparse=always', file, copy);
        const at = Date.now();
        if (statSync(file, { bigint: true }).mtimeNs === before) return at;
      }
      throw new Error('The disk is never still for as long as a copy takes.');
    },
    unmount: () => void (run('umount', folder) || run('umount', '-l', folder)),
  };
};

/** Whether the tests may mount here. */
export const canMount = (folder: string): boolean => {
  const disk = mountDisk(join(folder, 'try.img'), join(folder, 'try'));
  disk?.unmount();
  return disk !== null;
};
