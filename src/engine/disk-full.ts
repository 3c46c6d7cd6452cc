/** Recognises the error of a full disk, from SQLite or the file system, and builds the failure that reports it. */

import { type Failure, failure } from '../api/errors.ts';

/** Whether SQLite or the file system reports a full disk. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(SQLITE_FULL|ENOSPC|EDQUOT|SQLITE_IOERR_WRITE)$/.test(String(error.code));

export const diskFull = (): Failure =>
  failure('DISK_FULL', 'The disk is full. Free some space, then try again; nothing was lost.');
