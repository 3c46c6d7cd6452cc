/** ffmpeg for whoever needs no more of it than that it runs: found when it is first needed, and looked for again while missing. */
import { type Ffmpeg, type FfmpegPlaces, locateFfmpeg } from './ffmpeg.ts';

export type FindFfmpeg = (signal: AbortSignal) => Promise<Ffmpeg | null>;

export const createFindFfmpeg = (places: FfmpegPlaces): FindFfmpeg => {
  let found: Promise<Ffmpeg | null> | undefined;
  return async (signal) => {
    // Whoever asks first and is cancelled must not decide for the others: the search has a short end of its own.
    found ??= locateFfmpeg(places, new AbortController().signal);
    const ffmpeg = await found;
    if (!ffmpeg) found = undefined;
    return signal.aborted ? null : ffmpeg;
  };
};
