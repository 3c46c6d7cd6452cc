/**
 * Detects which encoders and filters the installed ffmpeg supports, and reports them for the doctor command
 * (`reportToolchain`). A listed hardware encoder may lack a driver or a suitable graphics card, so it counts only
 * after it has encoded a small test video correctly.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../api/errors.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import { type Ffmpeg, type FfmpegSearch, locateFfmpeg } from './ffmpeg.ts';
import { viewAsService } from './probe-video.ts';

/** `x264` supports a quality mode and two passes; the others get only a bitrate. */
export interface Encoder {
  readonly name: string;
  readonly kind: 'x264' | 'bitrate';
  readonly place: 'software' | 'hardware';
}

export interface FfmpegCapabilities {
  /** Null: this ffmpeg has no such encoder. */
  readonly software: Encoder | null;
  readonly canToneMap: boolean;
  /** Arguments that encode every frame of the filters exactly once: two passes must see the same ones. */
  readonly everyFrame: readonly string[];
  /** The hardware encoder, tested at the first call with a small video in `folder`; null where none works. */
  hardware(folder: string, signal: AbortSignal): Promise<Encoder | null>;
}

const X264: Encoder = { name: 'libx264', kind: 'x264', place: 'software' };
const OPENH264: Encoder = { name: 'libopenh264', kind: 'bitrate', place: 'software' };

const HARDWARE: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  win32: ['h264_nvenc', 'h264_qsv', 'h264_amf', 'h264_mf'],
  darwin: ['h264_videotoolbox'],
  linux: ['h264_nvenc', 'h264_qsv', 'h264_amf'],
};

const LIMIT_MS = 30_000;
const TEST_FRAMES = 15;

/** Whether the encoder produces a video that the service reads as ordinary H.264. */
const encoderWorks = async (ffmpeg: Ffmpeg, name: string, folder: string, signal: AbortSignal): Promise<boolean> => {
  const path = join(folder, `test-${name}.mp4`);
  const picture = ['-f', 'lavfi', '-i', `testsrc=size=640x360:rate=30:duration=${TEST_FRAMES / 30}`];
  const args = [...picture, '-vf', 'format=yuv420p|nv12', '-c:v', name, '-b:v', '1M', '-f', 'mp4', path];
  const run = await ffmpeg.run(['-loglevel', 'error', ...args], { limitMs: LIMIT_MS }, signal);
  const view = run.ok && (await stat(path).catch(() => null)) ? await viewAsService(path) : null;
  await rm(path, { force: true });
  const stream = view?.ok ? view.value.probe?.streams[0] : undefined;
  return stream?.codec === 'h264' && stream.pixelFormat === 'yuv420p' && stream.width === 640;
};

const listed = async (
  ffmpeg: Ffmpeg,
  what: '-encoders' | '-filters',
  signal: AbortSignal,
): Promise<Result<ReadonlySet<string>>> => {
  const names = new Set<string>();
  const onLine = (line: string) => {
    const name = /^ [A-Z.|]+ +(\w+) /.exec(line)?.[1];
    if (name !== undefined) names.add(name);
  };
  const run = await ffmpeg.run([what], { onLine, limitMs: LIMIT_MS }, signal);
  return run.ok ? ok(names) : run;
};

/**
 * Build number in `N-107123-g…`, for builds between two versions: `-fps_mode` was added in 2022, and both names worked
 * for years.
 */
const FIRST_NEW_BUILD = 110_000;

/** The name of the option since 5.1; later versions removed the old one. */
const everyFrame = ({ version }: Ffmpeg): readonly string[] => {
  const [, major, minor] = /^ffmpeg version n?(\d+)\.(\d+)/.exec(version) ?? [];
  const [, build] = /^ffmpeg version N-(\d+)-/.exec(version) ?? [];
  const isOld =
    build === undefined
      ? major !== undefined && (Number(major) < 5 || (major === '5' && minor === '0'))
      : Number(build) < FIRST_NEW_BUILD;
  return isOld ? ['-vsync', '0'] : ['-fps_mode', 'passthrough'];
};

/** Errors: those of `ffmpeg.run`. They say nothing about the capabilities, so nothing is to be remembered of them. */
export const readCapabilities = async (ffmpeg: Ffmpeg, signal: AbortSignal): Promise<Result<FfmpegCapabilities>> => {
  const [listedEncoders, listedFilters] = await Promise.all([
    listed(ffmpeg, '-encoders', signal),
    listed(ffmpeg, '-filters', signal),
  ]);
  if (!listedEncoders.ok) return listedEncoders;
  if (!listedFilters.ok) return listedFilters;
  const encoders = listedEncoders.value;
  const filters = listedFilters.value;
  const findHardware = async (folder: string, end: AbortSignal): Promise<Encoder | null> => {
    for (const name of HARDWARE[process.platform] ?? [])
      if (encoders.has(name) && (await encoderWorks(ffmpeg, name, folder, end)))
        return { name, kind: 'bitrate', place: 'hardware' };
    return null;
  };
  let hardware: Promise<Encoder | null> | undefined;
  return ok({
    software: [X264, OPENH264].find(({ name }) => encoders.has(name)) ?? null,
    everyFrame: everyFrame(ffmpeg),
    canToneMap: filters.has('zscale') && filters.has('tonemap'),
    hardware(folder, end) {
      hardware ??= findHardware(folder, end).then((found) => {
        // A cancelled test has no result.
        if (end.aborted) hardware = undefined;
        return found;
      });
      return hardware;
    },
  });
};

// Reports the video capabilities of this computer for the doctor command. Its tests leave no files behind.

/** Names of encoders; null where none works. */
interface VideoTools {
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
  const capabilities = await readCapabilities(ffmpeg, signal);
  if (!capabilities.ok) return { path: ffmpeg.path, software: null, hardware: null, canToneMap: false };
  const { software, canToneMap, hardware } = capabilities.value;
  const inSoftware = software && (await encoderWorks(ffmpeg, software.name, folder, signal)) ? software.name : null;
  const inHardware = await hardware(folder, signal);
  return { path: ffmpeg.path, software: inSoftware, hardware: inHardware?.name ?? null, canToneMap };
};
