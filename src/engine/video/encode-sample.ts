/**
 * Encodes short samples of a video to predict the bitrate and the speed of the full encode, which is cheaper than
 * encoding twice.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../api/errors.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import type { Clock } from '../ports.ts';
import { KEY_FRAME_SECONDS } from './encoder-params.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { type EncodeJob, sampleArguments } from './ffmpeg-arguments.ts';

export interface Sampled {
  /** Bits per second at the job's quality and size. Null: could not be measured. */
  readonly need: number | null;
  /** Seconds of video encoded per second of work in one pass. */
  readonly speed: number | null;
}

export interface SampleDeps {
  readonly ffmpeg: Ffmpeg;
  readonly clock: Clock;
  readonly folder: string;
}

/** Starts of the samples, spread evenly, so that titles and credits are weighted correctly. */
const startsOf = (seconds: number, count: number, sampleSeconds: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => Math.max(0, ((index + 0.5) / count) * seconds - sampleSeconds / 2));

/** Errors: CANCELLED and DISK_FULL only; a failed measurement gives null. */
export const sampleVideo = async (
  job: EncodeJob,
  count: number,
  { ffmpeg, clock, folder }: SampleDeps,
  signal: AbortSignal,
): Promise<Result<Sampled>> => {
  const { seconds } = job.params;
  const sampleSeconds = Math.min(KEY_FRAME_SECONDS, seconds / count);
  const path = join(folder, 'sample.h264');
  let bits = 0;
  let length = 0;
  const begun = clock.monotonic();
  for (const start of startsOf(seconds, count, sampleSeconds)) {
    let last = 0;
    const onProgress = (now: { readonly seconds: number }) => {
      last = now.seconds;
    };
    const run = await ffmpeg.run(sampleArguments(job, { start, seconds: sampleSeconds }, path), { onProgress }, signal);
    if (!run.ok && (run.error.code === 'CANCELLED' || run.error.code === 'DISK_FULL')) return run;
    const size = run.ok ? ((await stat(path).catch(() => null))?.size ?? 0) : 0;
    if (size === 0) continue;
    bits += size * 8;
    length += last > 0 ? Math.min(last, sampleSeconds) : sampleSeconds;
  }
  await rm(path, { force: true });
  const spent = (clock.monotonic() - begun) / 1_000;
  if (length === 0 || bits === 0) return ok({ need: null, speed: null });
  return ok({ need: bits / length, speed: spent > 0 ? length / spent : null });
};
