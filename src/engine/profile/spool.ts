/** The folder for files that the app owns until they are published: 0700, its files 0600, nothing kept for ever. */
import { chmodSync, mkdirSync } from 'node:fs';
import { chmod, lstat, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { ItemId } from '../../api/ids.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import { type Clock, UNFINISHED } from '../ports.ts';

/** The text of a note has this ending, so that a rebuilt queue knows it for what it is. */
export const NOTE_ENDING = '.note';

/** What was drawn on a captured picture lies beside it, with this ending; without its picture it is nothing. */
export const DRAWING_ENDING = '.drawing';

/** What is made of an item's source. It can be made again, so a rebuilt queue shows that item and no other for it. */
export const madePath = (spoolDir: string, id: ItemId, ending = ''): string => join(spoolDir, `${id}.0${ending}`);
export const isMade = (name: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.0(\.\w+)?$/.test(name);

/** An orphan younger than this may belong to a host that is about to add it. */
const ORPHAN_MS = 24 * 60 * 60_000;

export interface Spool {
  readonly dir: string;
  /** Whether the path is a file of this folder, links resolved; makes it 0600. */
  admit(path: string): Promise<boolean>;
  /** Removes a file that is no longer needed; one that is gone already is fine. */
  remove(path: string): Promise<void>;
  /** Removes what no row points at and what is older than a day. */
  sweep(isWanted: (path: string) => boolean): Promise<void>;
  /** Whole files, oldest first. */
  list(): Promise<readonly { readonly path: string; readonly name: string; readonly size: number }[]>;
}

/** Makes a folder of the profile that only its owner may enter, also when it was there before with other rights. */
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
      const facts = await lstat(path).catch(() => null);
      if (facts?.isFile()) found.push({ path, name, size: facts.size, touchedAt: facts.mtimeMs });
    }
    return found.sort((a, b) => a.touchedAt - b.touchedAt);
  };

  return {
    dir,
    async admit(path) {
      const real = await realpath(path).catch(() => null);
      if (!real?.startsWith((await realpath(dir)) + sep)) return false;
      await chmod(real, 0o600);
      return true;
    },
    remove: (path) => rm(path, { force: true }),
    async sweep(isWanted) {
      for (const file of await files()) {
        if (!isWanted(file.path) && clock.now() - file.touchedAt > ORPHAN_MS) await rm(file.path, { force: true });
      }
    },
    list: async () => (await files()).filter((file) => file.size > 0 && !file.name.endsWith(UNFINISHED)),
  };
};
