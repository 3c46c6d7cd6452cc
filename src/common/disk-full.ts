/** Recognises a full disk in what SQLite or the file system throws, and turns thrown errors into failures. */
import { err, type Failure, failure, type Result } from '../api/errors.ts';

const hasCode = (error: unknown, codes: RegExp): boolean =>
  error instanceof Error && 'code' in error && codes.test(String(error.code));

/** Whether the file system, or a store in its place, has no space left, also for this user alone. */
export const isOutOfSpace = (error: unknown): boolean => hasCode(error, /^(ENOSPC|EDQUOT)$/);

/** Whether SQLite or the file system reports a full disk. */
export const isDiskFull = (error: unknown): boolean =>
  isOutOfSpace(error) || hasCode(error, /^(SQLITE_FULL|SQLITE_IOERR_WRITE)$/);

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
