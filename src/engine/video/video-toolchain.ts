/**
 * Provides ffmpeg, its capabilities and work folders for videos. ffmpeg is searched for on first use, and again while
 * it is missing, because the user may install it meanwhile.
 */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { rm, rmSync } from '../../base/node/retrying-fs.ts';
import type { Ffmpeg, FindFfmpeg } from './ffmpeg.ts';
import { type FfmpegCapabilities, readCapabilities } from './ffmpeg-capabilities.ts';

export interface VideoToolchain {
  readonly ffmpeg: Ffmpeg;
  readonly tools: FfmpegCapabilities;
}

export interface Toolchain {
  /** Errors: VIDEO_TOOL_MISSING, VIDEO_FIT_FAILED where ffmpeg does not answer, CANCELLED. */
  open(signal: AbortSignal): Promise<Result<VideoToolchain>>;
  /** `inWorkFolder` of its folder. */
  inFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T>;
}

/** Suffix of the work folders. They are beside the spool's files, so that a result can be renamed instead of copied. */
const WORK = '.fit';

/**
 * Runs the work with a new folder in `dir`, and deletes the folder afterwards; one that another program holds is deleted
 * at a later start. `name`: never used before.
 */
export const inWorkFolder = async <T>(dir: string, name: string, work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = join(dir, `${name}${WORK}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
};

/** Deletes leftovers of an earlier process in `dir`, which only this process uses, as far as no other program holds them. */
export const openToolchain = (dir: string, findFfmpeg: FindFfmpeg): Toolchain => {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(dir)) {
    if (!name.endsWith(WORK)) continue;
    try {
      rmSync(join(dir, name), { recursive: true, force: true });
    } catch {
      // The ffmpeg of a killed app may still write into it.
    }
  }
  let found: VideoToolchain | null = null;

  return {
    inFolder: (name, work) => inWorkFolder(dir, name, work),
    async open(signal) {
      if (found && existsSync(found.ffmpeg.path)) return ok(found);
      const ffmpeg = await findFfmpeg(signal);
      if (signal.aborted) return err(failure('CANCELLED', 'Preparing the video was cancelled.'));
      if (!ffmpeg) return err(failure('VIDEO_TOOL_MISSING', 'ffmpeg was not found on this computer.'));
      const tools = await readCapabilities(ffmpeg, signal);
      if (signal.aborted) return err(failure('CANCELLED', 'Preparing the video was cancelled.'));
      if (!tools.ok) return tools;
      found = { ffmpeg, tools: tools.value };
      return ok(found);
    },
  };
};
