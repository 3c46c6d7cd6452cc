/**
 * Reads the metadata of an untrusted video in one of two ways: as the service will, in this process with the library
 * mediabunny; or with ffmpeg, which supports more containers and counts the real frames. Also detects metadata that may
 * contain a location.
 */
import { fileTypeFromBuffer } from 'file-type';
import { detectMedia } from '../../api/detect-media-kind.ts';
import { err, type Failure, ok, type Result } from '../../api/errors.ts';
import type { ByteSource } from '../../common/video/byte-source.ts';
import { type Box, boxBatches, TOP_BOXES_MAX } from '../../common/video/iso-boxes.ts';
import { hasOtherTracks } from '../../common/video/other-tracks.ts';
import { readVideo, type VideoProbe } from '../../common/video/probe.ts';
import { type OpenSourceAt, openSource } from '../upload/upload-source.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { readWithFfmpeg } from './probe-with-ffmpeg.ts';
import type { VideoMetadata } from './video-metadata.ts';

/** What the service would read from a file. */
export interface ServiceView {
  readonly size: number;
  /** Whether the first bytes are those of a video or animation in any known container. */
  readonly isVideo: boolean;
  readonly container: 'mp4' | 'webm' | 'other';
  /** Null where it contains no video, or a damaged one. */
  readonly probe: VideoProbe | null;
  readonly isCut: boolean;
  readonly hasLocation: boolean;
}

/** The service inspects the first part; this much gives the same result. */
const HEAD_BYTES = 64 * 1024;

const MOVING = /^video\/|^image\/(gif|apng)$|^application\/(mxf|ogg|vnd\.ms-asf|vnd\.rn-realmedia)/;

const CUT = /cut off|end is missing/;

/** Reads the file as the service will. Errors: SOURCE_*. */
export const viewAsService = async (path: string, openAt: OpenSourceAt = openSource): Promise<Result<ServiceView>> => {
  const opened = await openAt(path);
  if (!opened.ok) return opened;
  const file = opened.value;
  const { size } = file;
  const read: { failure: Failure | null } = { failure: null };
  const source: ByteSource = {
    size,
    async read(position, length) {
      const bytes = await file.read(Buffer.allocUnsafe(Math.max(0, Math.min(length, size - position))), position);
      if (bytes.ok) return bytes.value;
      read.failure = bytes.error;
      throw new Error(bytes.error.detail);
    },
  };
  try {
    const view = await viewOf(source);
    return read.failure ? err(read.failure) : ok(view);
  } catch (error) {
    if (read.failure) return err(read.failure);
    throw error;
  } finally {
    await file.close();
  }
};

const viewOf = async (source: ByteSource): Promise<ServiceView> => {
  const { size } = source;
  const head = await source.read(0, HEAD_BYTES);
  const container = (await detectMedia(head))?.container;
  if (container !== 'mp4' && container !== 'webm') {
    const isVideo = MOVING.test((await fileTypeFromBuffer(head))?.mime ?? '');
    return { size, isVideo, container: 'other', probe: null, isCut: false, hasLocation: false };
  }
  const read = await readVideo(source, container);
  return {
    size,
    isVideo: true,
    container,
    probe: read.ok ? read.probe : null,
    isCut: !read.ok && CUT.test(read.reason),
    hasLocation: await hasLocation(source, container),
  };
};

/** Metadata of a video that the service can read: enough to send it unchanged. */
export const metadataOfService = (view: ServiceView, probe: VideoProbe): VideoMetadata => {
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
    wholeSeconds: probe.seconds,
    pictureBitrate: probe.bitrate,
    sounds: probe.audioCodecs.map((codec, index) => ({ codec, index })),
    dynamicRange: 'standard',
    unknownColours: [],
    scan: 'progressive',
    extras: others.length,
  };
};

/** Metadata of any video that ffmpeg decodes. Errors: VIDEO_UNREADABLE and those of a run. */
export const probeVideo = async (
  path: string,
  view: ServiceView,
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
): Promise<Result<VideoMetadata>> => {
  const read = await readWithFfmpeg(path, ffmpeg, signal);
  if (!read.ok) return read;
  const { isShort, ...metadata } = read.value;
  const { size, container, probe: service, hasLocation: hasPlace } = view;
  // The service's own probe knows the end of each track; another one than the picture may last longer.
  return ok({
    ...metadata,
    size,
    container,
    service,
    hasLocation: hasPlace,
    isCut: view.isCut || (!service && isShort),
  });
};

// Detects location metadata in videos: GPS tags of phones, boxes of dashcams, tracks of captions and cameras. A false
// positive only costs a remux.

const needles = (...texts: readonly string[]): readonly Buffer[] => texts.map((text) => Buffer.from(text, 'latin1'));

/** Tags of Apple, Android, 3GPP; a table of dashcams; tracks of GoPro and Google; names of XMP. */
const MP4_NEEDLES = [
  ...needles('\xa9xyz', 'loci', 'location.ISO6709', 'gpmd', 'camm', 'gps '),
  ...needles('GPSCoordinates', 'GPSLatitude'),
];
const WEBM_NEEDLES = needles('LOCATION', 'location');

/** Top-level boxes of an MP4 with metadata. Hours of video have tables of some MB. */
const DESCRIBING = new Set(['moov', 'meta', 'udta', 'uuid']);
/** Dashcams write each place into padding, after this word. The bytes of other padding are no metadata, and may be many. */
const PADDING = new Set(['free', 'skip']);
const PLACE_IN_PADDING = 'GPS ';
const BOX_BYTES_MAX = 32 * 1024 ** 2;
/** Tags of a WebM are before or after its media. */
const WEBM_END_BYTES = 256 * 1024;

const includesAny = (bytes: Uint8Array, sought: readonly Buffer[]): boolean => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return sought.some((needle) => buffer.includes(needle));
};

const isDashcamPlace = async (file: ByteSource, { bodyStart, end }: Box): Promise<boolean> =>
  end - bodyStart > PLACE_IN_PADDING.length &&
  Buffer.from(await file.read(bodyStart, PLACE_IN_PADDING.length)).toString('latin1') === PLACE_IN_PADDING;

/** What is too much to search counts as a location. */
const inBoxes = async (file: ByteSource): Promise<boolean> => {
  let left = TOP_BOXES_MAX;
  for await (const batch of boxBatches(file, 0, file.size)) {
    for (const box of batch) {
      if (box === null) return false;
      if (left-- === 0) return true;
      if (PADDING.has(box.type) && (await isDashcamPlace(file, box))) return true;
      if (!DESCRIBING.has(box.type)) continue;
      const length = box.end - box.start;
      if (length > BOX_BYTES_MAX || includesAny(await file.read(box.start, length), MP4_NEEDLES)) return true;
    }
  }
  return false;
};

/** Whether the video may contain a location: other tracks than pictures and sound may contain anything. */
const hasLocation = async (file: ByteSource, container: 'mp4' | 'webm'): Promise<boolean> => {
  if (await hasOtherTracks(file, container)) return true;
  if (container === 'mp4') return inBoxes(file);
  const ends = [0, Math.max(0, file.size - WEBM_END_BYTES)];
  for (const at of ends) if (includesAny(await file.read(at, WEBM_END_BYTES), WEBM_NEEDLES)) return true;
  return false;
};
