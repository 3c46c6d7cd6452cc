/** Finds the ffmpeg program on first use and searches again while it is missing. */
import { type Ffmpeg, type FfmpegSearch, locateFfmpeg } from './ffmpeg.ts';

export type FindFfmpeg = (signal: AbortSignal) => Promise<Ffmpeg | null>;

export const createFindFfmpeg = (search: FfmpegSearch): FindFfmpeg => {
  let found: Promise<Ffmpeg | null> | undefined;
  return async (signal) => {
    // Not cancellable by the first caller, because others may wait for the same search; the search itself is short.
    found ??= locateFfmpeg(search, new AbortController().signal);
    const ffmpeg = await found;
    if (!ffmpeg) found = undefined;
    return signal.aborted ? null : ffmpeg;
  };
};
