/** Recognises a full disk in what SQLite or the file system throws, and turns thrown errors into failures. */
import { err, type Failure, failure, type Result } from '../api/errors.ts';

/** Whether SQLite or the file system reports a full disk. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(SQLITE_FULL|ENOSPC|EDQUOT|SQLITE_IOERR_WRITE)$/.test(String(error.code));

export const diskFull = (): Failure =>
  failure('DISK_FULL', 'The disk is full. Free some space, then try again; nothing was lost.');

/** For a `catch`: DISK_FULL as a result. Throws every other error again. */
export const diskFullOrThrow = (error: unknown): Result<never> => {
  if (isDiskFull(error)) return err(diskFull());
  throw error;
};

/** For what may be missing later: a cache, or what is read or requested again. */
export const ignoringFullDisk = (write: () => void): void => {
  try {
    write();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
};

/** What users see of a thrown error: DISK_FULL on a full disk, which they can act on; APP_FAILED with `detail` else. */
export const failureOfThrown = (error: unknown, detail: string): Failure =>
  isDiskFull(error) ? diskFull() : failure('APP_FAILED', detail);
