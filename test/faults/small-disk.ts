/** Disks of a test: small ones that fill up, and ones that are pulled out; real ones where the machine lets a test mount. */
import { execFileSync } from 'node:child_process';
import fs, { renameSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface SmallDisk {
  readonly kind: 'mounted' | 'injected';
  /** Leaves no byte free. */
  fill(): void;
  makeRoom(): void;
}

const mount = (...args: readonly string[]): boolean => {
  try {
    execFileSync('mount', args, { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
};
const unmount = (folder: string) => void execFileSync('umount', ['-l', folder], { stdio: 'pipe' });

/** Makes `folder`, which is empty, a disk of its own. Without the right to mount, writes of this process fail as on one. */
export const smallDisk = (folder: string, megabytes: number): SmallDisk => {
  if (!mount('-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'linkshot-test', folder)) return injected();
  onTestFinished(() => unmount(folder));
  const ballast = join(folder, 'ballast');
  return {
    kind: 'mounted',
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

const injected = (): SmallDisk => {
  const { writev } = fs;
  const use = (one: unknown): void => {
    fs.writev = one as typeof writev;
    syncBuiltinESMExports();
  };
  const refuse = (...parameters: readonly unknown[]) => {
    const done = parameters.at(-1) as (error: Error) => void;
    done(Object.assign(new Error('ENOSPC: no space left on device, writev'), { code: 'ENOSPC' }));
  };
  onTestFinished(() => use(writev));
  return { kind: 'injected', fill: () => use(refuse), makeRoom: () => use(writev) };
};

/** Shows the folder `at` as the drive `seenAt`. Pulled out it is gone; without the right to mount it is moved away. */
export const plugDrive = (at: string, seenAt: string): { in(): void; out(): void } => {
  const plug = () => mount('--bind', at, seenAt);
  if (!plug()) {
    return { in: () => renameSync(`${seenAt}.out`, seenAt), out: () => renameSync(seenAt, `${seenAt}.out`) };
  }
  onTestFinished(() => unmount(seenAt));
  return { in: () => void plug(), out: () => unmount(seenAt) };
};
