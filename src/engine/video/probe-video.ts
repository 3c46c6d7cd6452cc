/**
 * Reads what a video is, without trusting it: first as the service will read it (mediabunny, no process, milliseconds),
 * and only what the service would not take also with ffmpeg, which knows every container and counts real frames.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { detectMedia } from '../../api/media-kind.ts';
import { readVideo, type VideoProbe } from '../../common/video/probe.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { readWithFfmpeg } from './ffmpeg-probe.ts';
import { fileSource } from './file-source.ts';
import { hasLocation } from './location-metadata.ts';
import type { VideoMetadata } from './video-metadata.ts';

/** What the service would read in a file. */
export interface ServiceView {
  readonly size: number;
  /** Whether the first bytes are those of a video or of something that moves, in any container that is known. */
  readonly isVideo: boolean;
  readonly container: 'mp4' | 'webm' | 'other';
  /** Null where it reads no video in it, or a damaged one. */
  readonly probe: VideoProbe | null;
  readonly isCut: boolean;
  readonly hasLocation: boolean;
}

/** The service looks at the first part; less tells the same. */
const HEAD_BYTES = 64 * 1024;

const MOVING = /^video\/|^image\/gif$|^application\/(mxf|ogg|vnd\.ms-asf|vnd\.rn-realmedia)/;

const CUT = /cut off|end is missing/;

/** Opens the file as the service will. Errors: SOURCE_MISSING, SOURCE_UNREADABLE. */
export const viewAsService = async (path: string): Promise<Result<ServiceView>> => {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const name = code === 'ENOENT' ? 'SOURCE_MISSING' : 'SOURCE_UNREADABLE';
    return err(failure(name, `The video cannot be opened (${code}).`, { params: { system: code } }));
  }
  try {
    const { size } = await file.stat();
    const source = fileSource(file, size);
    const head = await source.read(0, HEAD_BYTES);
    const container = (await detectMedia(head))?.container;
    if (container !== 'mp4' && container !== 'webm') {
      const isVideo = MOVING.test((await fileTypeFromBuffer(head))?.mime ?? '');
      return ok({ size, isVideo, container: 'other', probe: null, isCut: false, hasLocation: false });
    }
    const read = await readVideo(source, container);
    return ok({
      size,
      isVideo: true,
      container,
      probe: read.ok ? read.probe : null,
      isCut: !read.ok && CUT.test(read.reason),
      hasLocation: await hasLocation(source, container),
    });
  } finally {
    await file.close();
  }
};

/** Facts of a video that the service reads whole: enough to send it as it is. */
export const factsOfService = (view: ServiceView, probe: VideoProbe): VideoMetadata => {
  const [stream, ...others] = probe.streams;
  return {
    ...{
      size: view.size,
      service: probe,
      container: probe.container,
      hasLocation: view.hasLocation,
      isCut: view.isCut,
    },
    ...{ codec: stream.codec, pixelFormat: stream.pixelFormat, width: stream.width, height: stream.height },
    ...{ pixelAspect: 1, rotation: stream.rotation, fps: stream.fps, pace: stream.fps, seconds: probe.seconds },
    pictureBitrate: probe.bitrate,
    sounds: probe.audioCodecs.map((codec, index) => ({ codec, index })),
    dynamicRange: 'standard',
    scan: 'progressive',
    extras: others.length,
  };
};

/** Facts of any video that ffmpeg decodes. Errors: VIDEO_UNREADABLE and those of a run. */
export const probeVideo = async (
  path: string,
  view: ServiceView,
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
): Promise<Result<VideoMetadata>> => {
  const read = await readWithFfmpeg(path, ffmpeg, signal);
  if (!read.ok) return read;
  const { isShort, ...facts } = read.value;
  const { size, container, probe: service, hasLocation: place } = view;
  return ok({ ...facts, size, container, service, hasLocation: place, isCut: view.isCut || isShort });
};
