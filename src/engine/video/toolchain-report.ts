/** Reports the video capabilities of this computer for the doctor command. Its tests leave no files behind. */
import { type FfmpegSearch, locateFfmpeg } from './ffmpeg.ts';
import { encoderWorks, readCapabilities } from './ffmpeg-capabilities.ts';

/** Names of encoders; null where none works. */
export interface VideoTools {
  /** Path of ffmpeg. */
  readonly path: string;
  readonly software: string | null;
  readonly hardware: string | null;
  readonly canToneMap: boolean;
}

/** Null without ffmpeg. Every named encoder has just encoded a test video in `folder`. */
export const reportToolchain = async (
  environment: FfmpegSearch['environment'],
  folder: string,
  signal: AbortSignal,
): Promise<VideoTools | null> => {
  const configured = environment['LINKSHOT_FFMPEG'] ?? null;
  const ffmpeg = await locateFfmpeg({ configured, environment }, signal);
  if (!ffmpeg) return null;
  const { software, canToneMap, hardware } = await readCapabilities(ffmpeg, signal);
  const inSoftware = software && (await encoderWorks(ffmpeg, software.name, folder, signal)) ? software.name : null;
  const inHardware = await hardware(folder, signal);
  return { path: ffmpeg.path, software: inSoftware, hardware: inHardware?.name ?? null, canToneMap };
};
