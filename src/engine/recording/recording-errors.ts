/**
 * Builds the errors of a recording that cannot start because the disk is full, and of recordings that end by
 * themselves.
 */
import { type Failure, failure } from '../../api/errors.ts';

export const cancelled = (): Failure => failure('CANCELLED', 'The recording was cancelled.');

export const noSpace = (): Failure =>
  failure('DISK_FULL', 'There is not enough disk space for a recording. Free some space, then record again.', {
    params: { for: 'recording' },
  });

export const limitReached = (of: 'length' | 'size'): Failure =>
  failure('RECORDING_LIMIT', 'The recording reached the limit of your account and was stopped.', { params: { of } });

export const interrupted = (by: 'disk' | 'screen', why: string): Failure =>
  failure('RECORDING_INTERRUPTED', `The recording was interrupted. ${why} Everything recorded until then is saved.`, {
    params: { by },
  });

/** With a KWin that has no screen, no frame came and it ended (docs/platforms.md). */
export const NOT_ON_KDE =
  'Linkshot cannot record KDE Plasma on Wayland yet. Sign in with an X11 session ("Plasma (X11)") to record.';
