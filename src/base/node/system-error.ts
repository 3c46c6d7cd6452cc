/** Tells errors of the operating system, which a file or a socket gives, from others. */

export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error;
