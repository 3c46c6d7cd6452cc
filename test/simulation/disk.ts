/**
 * Files in virtual time, with realistic errors. Remembers every content that a file ever had: nothing else may be
 * published.
 */
import { createHash } from 'node:crypto';
import { err, failure, ok } from '../../src/api/errors.ts';
import type { Spool } from '../../src/engine/profile/spool.ts';
import type { OpenFile } from '../../src/engine/upload/upload-source.ts';
import type { Dice } from './rng.ts';
import type { Life, Timeline } from './timeline.ts';

interface Inode {
  readonly number: number;
  bytes: Buffer;
  modified: number;
}

export interface SimulatedDisk {
  /** Answers the SHA-256 of what the file holds now. */
  write(path: string, bytes: Buffer): string;
  /** Same bytes, another modification time. */
  touch(path: string): void;
  remove(path: string): void;
  read(path: string): Buffer | undefined;
  /** A folder is one file here, with the ending of a folder of code. */
  isFolder(path: string): Promise<boolean>;
  /** A virus scanner locks the file. */
  readonly locked: Set<string>;
  opener(life: Life): OpenFile;
  spool(life: Life, onRemove: (path: string) => void): Spool;
}

export const SPOOL = '/profile/spool';
const DAY = 24 * 60 * 60_000;

export const createDisk = (timeline: Timeline, dice: Dice): SimulatedDisk => {
  const files = new Map<string, Inode>();
  const locked = new Set<string>();
  let inodes = 0;
  let moment = 0;

  const fault = (code: string) => Object.assign(new Error(code), { code });
  const io = (life: Life) => timeline.pass(dice.number() * 2, life);

  const disk: SimulatedDisk = {
    write(path, bytes) {
      moment++;
      const known = files.get(path);
      if (known) Object.assign(known, { bytes, modified: moment });
      else files.set(path, { number: ++inodes, bytes, modified: moment });
      return createHash('sha256').update(bytes).digest('hex');
    },
    touch(path) {
      const known = files.get(path);
      if (known) known.modified = ++moment;
    },
    remove: (path) => void files.delete(path),
    read: (path) => files.get(path)?.bytes,
    isFolder: (path) => Promise.resolve(files.has(path) && path.endsWith('.src')),
    locked,
    opener: (life) => async (path) => {
      await io(life);
      const inode = files.get(path);
      if (!inode) throw fault('ENOENT');
      if (locked.has(path)) throw fault('EBUSY');
      return {
        async stat() {
          await io(life);
          return {
            size: BigInt(inode.bytes.byteLength),
            mtimeNs: BigInt(inode.modified),
            dev: 1n,
            ino: BigInt(inode.number),
            isFile: () => true,
          };
        },
        async read(into, offset, length, position) {
          await io(life);
          return { bytesRead: inode.bytes.copy(into, offset, position, position + length) };
        },
        close: () => Promise.resolve(),
      };
    },
    spool: (life, onRemove) => ({
      dir: SPOOL,
      has: (path) => Promise.resolve(files.has(path)),
      async admit(path) {
        await io(life);
        return path.startsWith(`${SPOOL}/`) ? ok(null) : err(failure('COMMAND_INVALID', 'Not a file of the spool.'));
      },
      async remove(path) {
        await io(life);
        onRemove(path);
        files.delete(path);
      },
      async sweep(isWanted) {
        await io(life);
        for (const path of files.keys()) {
          // Unfinished files are of no use to anyone once their maker is dead.
          if (path.startsWith(`${SPOOL}/`) && !isWanted(path) && timeline.now() > DAY) files.delete(path);
        }
      },
      list: () => Promise.resolve([]),
    }),
  };
  return disk;
};
