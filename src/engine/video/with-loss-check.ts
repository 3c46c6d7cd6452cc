/** Runs work with ffmpeg on a source, and tells a drive that goes away meanwhile from a damaged video. */
import { err, type Failure, type Result } from '../../api/errors.ts';
import { findSourceLoss } from '../upload/find-source-loss.ts';
import type { OpenSourceAt } from '../upload/upload-source.ts';
import { isReadError } from './ffmpeg.ts';

/** Calls `onReadError` as `withReadErrors` does. */
type Work<T> = (onReadError: () => void) => Promise<Result<T>>;

/** Also a part of the video that is behind the end of what could be read. */
const isOfVideo = ({ code }: Failure, hasReadError: boolean): boolean =>
  code.startsWith('VIDEO_') || (hasReadError && code === 'COMMAND_INVALID');

interface SourceAt {
  readonly path: string;
  readonly openSource: OpenSourceAt;
}

/**
 * ffmpeg does not distinguish a drive that goes away from a damaged video or its end, so the file is looked at
 * afterwards. Where its drive was away only for a moment, all is done once more; what fails again is damaged. `discard`
 * deletes what was made of an incomplete reading. Errors: those of the work, SOURCE_*.
 */
export const withLossCheck = async <T>(
  { path, openSource }: SourceAt,
  work: Work<T>,
  discard: (made: T) => Promise<void> = async () => {},
): Promise<Result<T>> => {
  for (let isSecond = false; ; isSecond = true) {
    let hasReadError = false;
    const done = await work(() => {
      hasReadError = true;
    });
    const isDoubtful = done.ok ? hasReadError : isOfVideo(done.error, hasReadError);
    if (!isDoubtful) return done;
    const loss = await findSourceLoss(path, openSource);
    const mayHelp = !isSecond && (hasReadError || (!done.ok && isReadError(done.error)));
    if (!loss && !mayHelp) return done;
    if (done.ok) await discard(done.value);
    if (loss) return err(loss);
  }
};
