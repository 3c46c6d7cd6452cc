/**
 * Opens a profile folder exclusively: creates it if missing, locks it, opens its database and keeps backups of it. Also
 * erases deleted data from the database's files.
 */

import { closeSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { messageOf } from '../../base/common/error-text.ts';
import { closeInherited, makePrivateFolder, openToOthers, type WindowsTools } from '../../base/node/private-folder.ts';
import { openSync } from '../../base/node/retrying-fs.ts';
import { openWhileLocked } from '../../base/node/retrying-sqlite.ts';
import { diskFull, isDiskFull } from '../../common/disk-full.ts';
import type { Clock } from '../ports.ts';
import { openDatabase, type Profile } from './database.ts';
import { keepBackups, replaceBackups } from './database-backup.ts';
import type { DatabaseRuns } from './database-runs.ts';

export interface OpenProfile extends Profile {
  /** Erases deleted data from the database file and its backups. */
  scrub(): Promise<void>;
  close(): void;
}

const DATABASE = 'profile.sqlite';
const LOCK = 'lock.sqlite';
const SEARCH_INDEXES = ['library_index', 'picture_index'] as const;

/**
 * `log` gets a sentence where Windows does not restrict the folder to its user. Errors: PROFILE_BUSY, PROFILE_NEWER,
 * DISK_FULL, PROFILE_DAMAGED where the folder cannot be used.
 */
export const openProfile = (
  profileDir: string,
  clock: Clock,
  log: (line: string) => void = () => {},
  windows?: WindowsTools,
): Result<OpenProfile> => {
  let lock: ProfileLock | null = null;
  try {
    // An existing folder keeps its mode, because the user may have chosen any folder, and the files are private. On
    // Windows files have the permissions of their folder, so it loses those that it inherits, once: asking Windows for
    // them takes a twentieth of a second.
    makePrivateFolder(resolve(profileDir));
    const isNew = !existsSync(join(profileDir, DATABASE));
    if (isNew && !closeInherited(resolve(profileDir), 'folder', windows)) log(openToOthers(profileDir));
    for (const name of [LOCK, DATABASE]) closeSync(openSync(join(profileDir, name), 'a', 0o600));
    const locked = lockProfile(join(profileDir, LOCK));
    if (!locked.ok) return locked;
    lock = locked.value;
    const opened = openDatabase(join(profileDir, DATABASE), clock);
    if (!opened.ok) {
      lock.release();
      return opened;
    }
    const { runs, ...profile } = opened.value;
    const endBackups = keepBackups(profile.database, join(profileDir, DATABASE), clock, runs.backedUp);
    return ok({
      ...profile,
      async scrub() {
        const { database } = profile;
        try {
          // A search index only marks a row as deleted, and keeps its words until it is rewritten.
          for (const index of SEARCH_INDEXES) database.exec(`INSERT INTO ${index} (${index}) VALUES ('optimize')`);
          database.exec('VACUUM');
          database.pragma('wal_checkpoint(TRUNCATE)');
        } catch (error) {
          // Without space for it the old pages are overwritten over time.
          if (!isDiskFull(error)) throw error;
        }
        await replaceBackups(database, join(profileDir, DATABASE), clock);
        runs.backedUp();
      },
      close() {
        endBackups();
        closeBoth(profile, runs, locked.value);
      },
    });
  } catch (error) {
    lock?.release();
    if (isDiskFull(error)) return err(diskFull());
    const reason = messageOf(error);
    return err(failure('PROFILE_DAMAGED', `The profile folder ${profileDir} cannot be used: ${reason}.`));
  }
};

/** What `use` returns; closes the profile where it throws, so that the profile can be opened again. */
export const closedOnFailure = async <T>(
  profile: OpenProfile,
  use: (profile: OpenProfile) => Promise<T>,
): Promise<T> => {
  try {
    return await use(profile);
  } catch (error) {
    profile.close();
    throw error;
  }
};

const closeBoth = ({ database }: Profile, runs: DatabaseRuns, lock: ProfileLock): void => {
  const counted = runs.end();
  database.close();
  counted?.written();
  lock.release();
};

// Ensures one owner per profile with a lock that the operating system releases when the process ends in any way.

interface ProfileLock {
  release(): void;
}

/** Errors: PROFILE_BUSY when another process (or another engine of this one) owns the profile. */
const lockProfile = (path: string): Result<ProfileLock> => openWhileLocked(() => lockNow(path));

const lockNow = (path: string): Result<ProfileLock> => {
  const database = new Database(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    return err(
      failure('PROFILE_BUSY', 'Linkshot is already running with this profile. Use that one, or quit it first.'),
    );
  }
  return ok({ release: () => void database.close() });
};
