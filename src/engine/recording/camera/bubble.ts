/** Size, place and round shape of the camera bubble, and the ffmpeg arguments that put it into the picture; pure. */

import type { CameraCorner } from '../../../ipc/protocol/recording.ts';
import { pipeInput } from '../input-arguments.ts';

/** Pixels of the video; all even, so that no colour is shifted. */
export interface Bubble {
  readonly diameter: number;
  readonly x: number;
  readonly y: number;
}

const even = (value: number): number => Math.floor(value / 2) * 2;

/** Of the shorter side of the video. */
const SHARE = 1 / 4;
/** A face is recognised from this size on; no more than half of the shorter side. */
const LEAST = 96;
const MARGIN_SHARE = 1 / 40;
const LEAST_MARGIN = 4;

export const placeBubble = (
  { width, height }: { readonly width: number; readonly height: number },
  corner: CameraCorner,
): Bubble => {
  const side = Math.min(width, height);
  const diameter = even(Math.max(side * SHARE, Math.min(LEAST, side / 2)));
  const margin = even(Math.max(LEAST_MARGIN, side * MARGIN_SHARE));
  return {
    diameter,
    x: corner.endsWith('left') ? margin : even(width - diameter - margin),
    y: corner.startsWith('top') ? margin : even(height - diameter - margin),
  };
};

/** Over which the circle fades into the screen. */
const EDGE_PIXELS = 2;

/** The opacity of each pixel of the square around the bubble: a circle with a soft edge. */
export const roundMask = (diameter: number): Buffer => {
  const mask = Buffer.alloc(diameter * diameter);
  const radius = diameter / 2;
  for (let y = 0; y < diameter; y++)
    for (let x = 0; x < diameter; x++) {
      const inside = radius - Math.hypot(x + 0.5 - radius, y + 0.5 - radius);
      mask[y * diameter + x] = Math.round(255 * Math.min(1, Math.max(0, inside / EDGE_PIXELS)));
    }
  return mask;
};

/** Of a frame of the camera: Y, U and V of 4:2:0. The mask follows as its fourth plane. */
export const pictureBytes = (diameter: number): number => (diameter * diameter * 3) / 2;

/** The square in the middle, as in a mirror, in the colours of the video. */
export const cameraFilters = (diameter: number): string =>
  [
    "crop='min(iw,ih)':'min(iw,ih)'",
    `scale=${diameter}:${diameter}:flags=bicubic:out_color_matrix=bt709:out_range=tv`,
    'hflip',
    'format=yuv420p',
  ].join(',');

/** The descriptor of the frames in the ffmpeg that records. */
export const CAMERA_PIPE = 4;

/** Frames with their mask, timed by their arrival, as the screen is. */
export const bubbleInput = ({ diameter }: Bubble, fps: number): readonly string[] => [
  ...['-thread_queue_size', '8', '-use_wallclock_as_timestamps', '1', '-colorspace', 'bt709', '-color_range', 'tv'],
  ...['-f', 'rawvideo', '-pixel_format', 'yuva420p', '-video_size', `${diameter}x${diameter}`],
  ...['-framerate', String(fps), '-i', pipeInput(CAMERA_PIPE)],
];

/** Without frames of the camera the screen stays. */
export const overlayFilter = ({ x, y }: Bubble): string => `overlay=${x}:${y}:format=yuv420:eof_action=pass`;
