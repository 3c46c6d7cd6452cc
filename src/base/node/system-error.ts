/** Tells errors of the operating system, which a file or a socket gives, from others. */

export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error;

/** Whether the error says that there is no such file or folder. */
export const isMissing = (error: unknown): boolean =>
  isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
