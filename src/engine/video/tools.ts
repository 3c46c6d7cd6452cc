/**
 * What this computer's ffmpeg can really do. An encoder that is merely listed counts for nothing: drivers are missing,
 * and a card's encoder may be busy or too old, so each must first make a small video that reads as it should.
 */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ffmpeg } from './ffmpeg.ts';
import { viewAsService } from './probe.ts';

/** `x264` knows quality and two passes; of the others only a bitrate is asked. */
export interface Encoder {
  readonly name: string;
  readonly kind: 'x264' | 'bitrate';
  readonly place: 'software' | 'hardware';
}

export interface Tools {
  /** Null: none works. */
  readonly software: Encoder | null;
  readonly canToneMap: boolean;
  /** Arguments under which every frame of the filters is encoded, none twice: two passes must see the same ones. */
  readonly everyFrame: readonly string[];
  /** The hardware's encoder, tested at the first call; null where none works. */
  hardware(signal: AbortSignal): Promise<Encoder | null>;
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

/** Whether the encoder makes a video that the service would read as H.264 of the common kind. */
const works = async (ffmpeg: Ffmpeg, name: string, folder: string, signal: AbortSignal): Promise<boolean> => {
  const path = join(folder, `test-${name}.mp4`);
  const picture = ['-f', 'lavfi', '-i', `testsrc=size=640x360:rate=30:duration=${TEST_FRAMES / 30}`];
  const args = [...picture, '-vf', 'format=yuv420p|nv12', '-c:v', name, '-b:v', '1M', '-f', 'mp4', path];
  const run = await ffmpeg.run(['-loglevel', 'error', ...args], { limitMs: LIMIT_MS }, signal);
  const view = run.ok && (await stat(path).catch(() => null)) ? await viewAsService(path) : null;
  await rm(path, { force: true });
  const stream = view?.ok ? view.value.probe?.streams[0] : undefined;
  return stream?.codec === 'h264' && stream.pixelFormat === 'yuv420p' && stream.width === 640;
};

const listed = async (ffmpeg: Ffmpeg, what: '-encoders' | '-filters', signal: AbortSignal): Promise<Set<string>> => {
  const names = new Set<string>();
  const onLine = (line: string) => {
    const name = /^ [A-Z.|]+ +(\w+) /.exec(line)?.[1];
    if (name !== undefined) names.add(name);
  };
  await ffmpeg.run([what], { onLine, limitMs: LIMIT_MS }, signal);
  return names;
};

/** The name of the option since 5.1; later versions no longer know the old one. */
const everyFrame = async (ffmpeg: Ffmpeg, signal: AbortSignal): Promise<readonly string[]> => {
  let isOld = false;
  const onLine = (line: string) => {
    const version = /^ffmpeg version n?(\d+)\.(\d+)/.exec(line);
    if (version) isOld = Number(version[1]) < 5 || (version[1] === '5' && version[2] === '0');
  };
  await ffmpeg.run(['-version'], { onLine, limitMs: LIMIT_MS }, signal);
  return isOld ? ['-vsync', '0'] : ['-fps_mode', 'passthrough'];
};

/** `folder`: where test videos may be written. */
export const readTools = async (ffmpeg: Ffmpeg, folder: string, signal: AbortSignal): Promise<Tools> => {
  const encoders = await listed(ffmpeg, '-encoders', signal);
  const filters = await listed(ffmpeg, '-filters', signal);
  const find = async (candidates: readonly Encoder[], end: AbortSignal): Promise<Encoder | null> => {
    for (const encoder of candidates)
      if (encoders.has(encoder.name) && (await works(ffmpeg, encoder.name, folder, end))) return encoder;
    return null;
  };
  let hardware: Promise<Encoder | null> | undefined;
  return {
    software: await find([X264, OPENH264], signal),
    everyFrame: await everyFrame(ffmpeg, signal),
    canToneMap: filters.has('zscale') && filters.has('tonemap'),
    hardware(end) {
      const candidates = HARDWARE[process.platform] ?? [];
      hardware ??= find(
        candidates.map((name) => ({ name, kind: 'bitrate', place: 'hardware' })),
        end,
      ).then((found) => {
        // A test that was cancelled says nothing.
        if (end.aborted) hardware = undefined;
        return found;
      });
      return hardware;
    },
  };
};
