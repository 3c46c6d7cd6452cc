/** Tells a file whose drive is gone while it is open from one that may not be read. */
import type { Failure } from '../api/errors.ts';

/**
 * Where a drive was pulled out, or a network drive is unreachable, on Linux, macOS and Windows. A damaged sector is EIO
 * too.
 */
const AWAY: ReadonlySet<unknown> = new Set([
  'EIO',
  'ENXIO',
  'ENODEV',
  'ESTALE',
  'ENOTCONN',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOMEDIUM',
  'ECONNRESET',
  'ECONNABORTED',
  'UNKNOWN',
]);

export const isAwayCode = (code: unknown): boolean => AWAY.has(code);

/** Whether the file may be read again without the user's help, once its drive is back. */
export const isDriveAway = ({ code, params }: Failure): boolean =>
  code === 'SOURCE_UNREADABLE' && isAwayCode(params?.['system']);
