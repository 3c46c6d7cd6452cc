/**
 * Small disks that fill up and disks that can be pulled out, for tests; real ones where the machine lets a test mount.
 */
import { execFileSync } from 'node:child_process';
import fs, { renameSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, sep } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { OpenProfile } from '../../src/engine/profile/open-profile.ts';

export interface SmallDisk {
  /** Leaves no byte free. */
  fill(): void;
  makeRoom(): void;
}

export interface SmallDatabase extends SmallDisk {
  /** The profile on this disk. */
  holding(profile: OpenProfile): OpenProfile;
  /** The same; the disk is full from the first synced write after the queue has an item of this file. */
  holdingUntilQueued(profile: OpenProfile, fileName: string): OpenProfile;
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
  if (!mount('-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'linkshot-test', folder))
    return simulatedDisk(folder);
  onTestFinished(() => unmount(folder));
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

/** A disk that is full for the database only. */
export const smallDatabase = (): SmallDatabase => {
  const paths = new Set<string>();
  const setFull = refusingDatabases((path) => paths.has(path));
  const holding = (profile: OpenProfile): OpenProfile => {
    paths.add(profile.database.name);
    return profile;
  };
  return {
    fill: () => setFull(true),
    makeRoom: () => setFull(false),
    holding,
    holdingUntilQueued(profile, fileName) {
      const queued = profile.database.prepare<[string]>('SELECT 1 FROM queue WHERE instr(item, ?) > 0');
      let wasQueued = false;
      return {
        ...holding(profile),
        durably(work) {
          if (!wasQueued && queued.get(fileName) !== undefined) {
            wasQueued = true;
            setFull(true);
          }
          return profile.durably(work);
        },
      };
    },
  };
};

/** A disk in `folder` that only this process sees: its writes to files, and to databases in the folder, fail. */
export const simulatedDisk = (folder: string): SmallDisk => {
  const { writev } = fs;
  const { writeFile } = fs.promises;
  const noSpace = (call: string) =>
    Object.assign(new Error(`ENOSPC: no space left on device, ${call}`), { code: 'ENOSPC' });
  const refuse = (...parameters: readonly unknown[]) => {
    const done = parameters.at(-1) as (error: Error) => void;
    done(noSpace('writev'));
  };
  /** The file is there, and empty. */
  const refuseFile = async (path: unknown) => {
    writeFileSync(path as string, '');
    throw noSpace('write');
  };
  const setFull = refusingDatabases((path) => path.startsWith(folder + sep));
  const change = (full: boolean): void => {
    setFull(full);
    fs.writev = (full ? refuse : writev) as typeof writev;
    fs.promises.writeFile = full ? refuseFile : writeFile;
    syncBuiltinESMExports();
  };
  onTestFinished(() => change(false));
  return { fill: () => change(true), makeRoom: () => change(false) };
};

/** While full, statements that write to these databases fail as SQLite lets them fail on a full disk. */
const refusingDatabases = (isOnDisk: (path: string) => boolean): ((full: boolean) => void) => {
  const memory = new Database(':memory:');
  const statements = Object.getPrototypeOf(memory.prepare('SELECT 1')) as Pick<Database.Statement, 'run'>;
  memory.close();
  const { run } = statements;
  let isFull = false;
  statements.run = function (this: Database.Statement, ...values) {
    if (isFull && !this.readonly && isOnDisk(this.database.name))
      throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
    return run.apply(this, values);
  };
  onTestFinished(() => {
    statements.run = run;
  });
  return (full) => {
    isFull = full;
  };
};

/** Mounts the folder `at` as the drive `seenAt` and unmounts it; without the right to mount it is moved. */
export const plugDrive = (at: string, seenAt: string): { in(): void; out(): void } => {
  const plug = () => mount('--bind', at, seenAt);
  if (!plug()) {
    return { in: () => renameSync(`${seenAt}.out`, seenAt), out: () => renameSync(seenAt, `${seenAt}.out`) };
  }
  onTestFinished(() => unmount(seenAt));
  return { in: () => void plug(), out: () => unmount(seenAt) };
};
