/** What is known of a video before anything is decided about it. Plain data. */
import type { VideoProbe } from '../../common/video/probe.ts';

export interface VideoMetadata {
  /** Bytes. */
  readonly size: number;
  /** As the service will read it; null where it reads no video in it, or a damaged one. */
  readonly service: VideoProbe | null;
  /** Names of ffprobe; `other` is a container that the service does not take. */
  readonly container: 'mp4' | 'webm' | 'other';
  readonly codec: string;
  readonly pixelFormat: string;
  /** Coded pixels, before rotation. */
  readonly width: number;
  readonly height: number;
  /** Width of a pixel by its height; not 1 in anamorphic videos. */
  readonly pixelAspect: number;
  /** Clockwise. */
  readonly rotation: 0 | 90 | 180 | 270;
  /** Frames per second on average over the whole video; this is what the service counts. */
  readonly fps: number;
  /** Frames per second while something moves: above `fps` where the rate varies. */
  readonly pace: number;
  /** Length of the pictures. */
  readonly seconds: number;
  /** Bits per second of the pictures alone. */
  readonly pictureBitrate: number;
  /** In the order of the file; only those that can be decoded. */
  readonly sounds: readonly Sound[];
  readonly dynamicRange: 'standard' | 'high';
  readonly scan: 'progressive' | 'interlaced';
  /** Subtitles, data, chapters of cover art and further pictures. */
  readonly extras: number;
  /** It holds a place, such as GPS coordinates, or something that may be one. */
  readonly hasLocation: boolean;
  /** Its end is missing. */
  readonly isCut: boolean;
}

export interface Sound {
  readonly codec: string;
  /** Number of the audio stream in the file, from 0. */
  readonly index: number;
}

/** The size that a viewer sees, before any change: rotation applied, pixels made square. */
export const shownSize = ({
  width,
  height,
  pixelAspect,
  rotation,
}: Pick<VideoMetadata, 'width' | 'height' | 'pixelAspect' | 'rotation'>): { width: number; height: number } => {
  // The smaller measure grows, so that no detail is lost.
  const square =
    pixelAspect >= 1 ? { width: width * pixelAspect, height } : { width, height: height / Math.max(pixelAspect, 0.01) };
  return rotation % 180 === 0 ? square : { width: square.height, height: square.width };
};
