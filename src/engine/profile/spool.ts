/**
 * The spool: the folder for files that the app owns until they are published, and the names of these files. The folder
 * has mode 0700 and its files 0600; each start deletes files that belong to nothing and are older than a day.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { chmod, lstat, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import { ageMs } from '../../base/common/wall-clock.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import { syncWithName } from '../../base/node/sync-to-disk.ts';
import { isMissing } from '../../base/node/system-error.ts';
import { diskFullOrThrow } from '../../common/disk-full.ts';
import type { Clock } from '../ports.ts';
import { UNFINISHED } from '../spool-file-endings.ts';

/** File extension of note texts, by which a rebuilt queue recognizes them. */
export const NOTE_ENDING = '.note';

/** File extension of the drawing beside a captured picture; useless without the picture. */
export const DRAWING_ENDING = '.drawing';

/** Ending of the copies of captures that a page should put on the clipboard. */
export const CLIPBOARD_ENDING = '.clipboard.png';

/** File extensions of prepared bodies; only videos have one. */
const PREPARED_ENDINGS = ['', '.mp4', '.webm'] as const;

/**
 * Path of an item's prepared body. It can be prepared again, so a rebuilt queue does not list it as an item of its own.
 */
export const preparedPath = (spoolDir: string, id: ItemId, ending: (typeof PREPARED_ENDINGS)[number] = ''): string =>
  join(spoolDir, `${id}.0${ending}`);
/** Where an item may have one. */
export const preparedPaths = (spoolDir: string, id: ItemId): readonly string[] =>
  PREPARED_ENDINGS.map((ending) => preparedPath(spoolDir, id, ending));
export const isPreparedFile = (name: string): boolean =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.0(\.\w+)?$/.test(name);

const OUTSIDE = err(failure('COMMAND_INVALID', 'A file of the app lies outside its own folder.'));

/** A younger orphan may belong to a host that is about to add it. */
const ORPHAN_MS = 24 * 60 * 60_000;

export interface Spool {
  readonly dir: string;
  /**
   * Prepares a file of this folder, links resolved, for being the only copy of an item: sets its mode to 0600 and syncs
   * it with its name, so call it before the row is stored. Errors: COMMAND_INVALID for another file, DISK_FULL.
   */
  admit(path: string): Promise<Result<null>>;
  has(path: string): Promise<boolean>;
  /** Deletes a file that is no longer needed; a missing file is ignored. */
  remove(path: string): Promise<void>;
  /** Deletes files older than a day that are not wanted. */
  sweep(isWanted: (path: string) => boolean): Promise<void>;
  /** Complete files, oldest first. */
  list(): Promise<readonly { readonly path: string; readonly name: string; readonly size: number }[]>;
}

/** Creates a folder with mode 0700; also restricts an existing one. */
export const makePrivateDir = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
};

export const openSpool = (profileDir: string, clock: Clock): Spool => {
  const dir = join(profileDir, 'spool');
  makePrivateDir(dir);

  const files = async () => {
    const found = [];
    for (const name of await readdir(dir)) {
      const path = join(dir, name);
      const stats = await lstat(path).catch(() => null);
      if (stats?.isFile()) found.push({ path, name, size: stats.size, touchedAt: stats.mtimeMs });
    }
    return found.sort((a, b) => a.touchedAt - b.touchedAt);
  };

  return {
    dir,
    has: (path) =>
      lstat(path).then(
        () => true,
        (error: unknown) => !isMissing(error),
      ),
    async admit(path) {
      const real = await realpath(path).catch(() => null);
      if (!real?.startsWith((await realpath(dir)) + sep)) return OUTSIDE;
      try {
        await chmod(real, 0o600);
        await syncWithName(real);
        return ok(null);
      } catch (error) {
        return diskFullOrThrow(error);
      }
    },
    remove: (path) => rm(path, { force: true }),
    async sweep(isWanted) {
      for (const file of await files()) {
        if (!isWanted(file.path) && ageMs(file.touchedAt, clock.now()) > ORPHAN_MS)
          await rm(file.path, { force: true });
      }
    },
    list: async () => (await files()).filter((file) => file.size > 0 && !file.name.endsWith(UNFINISHED)),
  };
};
