/** Ensures one owner per profile with a lock that the operating system releases when the process ends in any way. */
import Database from 'better-sqlite3';
import { err, failure, ok, type Result } from '../../api/errors.ts';

export interface ProfileLock {
  release(): void;
}

/** Errors: PROFILE_BUSY when another process (or another engine of this one) owns the profile. */
export const lockProfile = (path: string): Result<ProfileLock> => {
  const database = new Database(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    return err(
      failure('PROFILE_BUSY', 'Linkshot is already running with this profile. Use that one, or end it first.'),
    );
  }
  return ok({ release: () => void database.close() });
};
