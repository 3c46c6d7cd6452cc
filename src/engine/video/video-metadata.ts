/** The type of a video's metadata, used to plan its conversion. Also computes its displayed size. */
import type { VideoProbe } from '../../common/video/probe.ts';

export interface VideoMetadata {
  /** Bytes. */
  readonly size: number;
  /** As the service will read it; null where it contains no video, or a damaged one. */
  readonly service: VideoProbe | null;
  /** `other`: one that the service does not accept. */
  readonly container: 'mp4' | 'webm' | 'other';
  /** Codec and pixel format have the names of ffprobe. */
  readonly codec: string;
  readonly pixelFormat: string;
  /** Coded pixels, before rotation. */
  readonly width: number;
  readonly height: number;
  /** Width of a pixel divided by its height; not 1 in anamorphic videos. */
  readonly pixelAspect: number;
  /** Clockwise. */
  readonly rotation: 0 | 90 | 180 | 270;
  /** Average frames per second over the whole video, as the service measures it. */
  readonly fps: number;
  /** Frames per second during motion: above `fps` where the rate is variable. */
  readonly pace: number;
  /** Length of the video stream. */
  readonly seconds: number;
  /** Until the first sound ends, where that is later than the video stream; else `seconds`. */
  readonly wholeSeconds: number;
  /** Bits per second of the video stream alone. */
  readonly pictureBitrate: number;
  /** In file order; only those that can be decoded. */
  readonly sounds: readonly Sound[];
  readonly dynamicRange: 'standard' | 'high';
  /** What the file does not say of its colours, where the dynamic range is high. */
  readonly unknownColours: readonly ('primaries' | 'matrix')[];
  readonly scan: 'progressive' | 'interlaced';
  /** Subtitles, data, cover art and further video streams. */
  readonly extras: number;
  /** It contains a location, such as GPS coordinates, or possibly one. */
  readonly hasLocation: boolean;
  /** Its end is missing. */
  readonly isCut: boolean;
}

export interface Sound {
  readonly codec: string;
  /** Number of the audio stream in the file, from 0. */
  readonly index: number;
}

/** The displayed size before any change: rotation applied, pixels made square. */
export const shownSize = ({
  width,
  height,
  pixelAspect,
  rotation,
}: Pick<VideoMetadata, 'width' | 'height' | 'pixelAspect' | 'rotation'>): { width: number; height: number } => {
  // Enlarges the smaller dimension, so that no detail is lost.
  const square =
    pixelAspect >= 1 ? { width: width * pixelAspect, height } : { width, height: height / Math.max(pixelAspect, 0.01) };
  return rotation % 180 === 0 ? square : { width: square.height, height: square.width };
};
