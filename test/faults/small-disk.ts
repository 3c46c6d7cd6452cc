/** Real disks where the machine lets a test mount some: small ones that fill up, and ones that are pulled out. */
import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface SmallDisk {
  /** Leaves no byte free. */
  fill(): void;
  makeRoom(): void;
}

/** Null where only root may mount; `folder` then stays what it is. Unmounted when the test ends. */
export const mountSmallDisk = (folder: string, megabytes: number): SmallDisk | null => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'linkshot-test', folder], {
      stdio: 'pipe',
    });
  } catch {
    return null;
  }
  onTestFinished(() => {
    try {
      execFileSync('umount', ['-l', folder], { stdio: 'pipe' });
    } catch {
      // The test has unmounted it itself.
    }
  });
  const ballast = join(folder, 'ballast');
  return {
    fill: () => {
      for (let bytes = megabytes * 1024 * 1024; bytes >= 1; ) {
        try {
          writeFileSync(ballast, Buffer.alloc(bytes), { flag: 'a' });
        } catch {
          bytes = Math.floor(bytes / 2);
        }
      }
    },
    makeRoom: () => rmSync(ballast, { force: true }),
  };
};

/** Shows the folder `at` as the drive `seenAt`. Pulled out it is gone; without the right to mount it is moved away. */
export const plugDrive = (at: string, seenAt: string): { in(): void; out(): void } => {
  const plug = () => execFileSync('mount', ['--bind', at, seenAt], { stdio: 'pipe' });
  const pull = () => execFileSync('umount', ['-l', seenAt], { stdio: 'pipe' });
  try {
    plug();
  } catch {
    return { in: () => renameSync(`${seenAt}.out`, seenAt), out: () => renameSync(seenAt, `${seenAt}.out`) };
  }
  onTestFinished(() => void pull());
  return { in: () => void plug(), out: () => void pull() };
};
