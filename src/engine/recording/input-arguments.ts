/** Builds the ffmpeg input arguments for screen and audio on each platform; pure. */

import { unreachable } from '../../api/errors.ts';
import type { Area, Display } from '../../ipc/protocol/capture.ts';
import { isInside } from '../capture/areas.ts';
import type { PointerChoice } from '../ports.ts';

/** A video input of ffmpeg with its filters. */
export interface PictureInput {
  readonly name: 'x11grab' | 'ddagrab' | 'gdigrab' | 'avfoundation' | 'frames';
  readonly input: readonly string[];
  /** Filters that produce plain frames of the area. */
  readonly filters: readonly string[];
}

/** An audio device to record. */
export type SoundDevice =
  | { readonly format: 'pulse'; readonly name: string }
  | { readonly format: 'dshow'; readonly name: string }
  | { readonly format: 'avfoundation'; readonly index: number };

export interface PictureRequest {
  /** As Node reports it. */
  readonly platform: string;
  /** Value of `DISPLAY`; used on X11 only. */
  readonly display: string;
  readonly area: Area;
  readonly displays: readonly Display[];
  readonly pointer: PointerChoice;
  readonly fps: number;
}

/** Frames queued for the encoder: enough for a delay of seconds without excessive memory. */
const WAITING = ['-thread_queue_size', '128'];

/**
 * A pipe from which ffmpeg reads frames. `async:` reads ahead, and hides the pipe from ffmpeg, which ignores the `q` that
 * stops it where an input is a pipe.
 */
export const pipeInput = (descriptor: number): string => `async:pipe:${descriptor}`;

const x11 = ({ display, area, pointer, fps }: PictureRequest): PictureInput => ({
  name: 'x11grab',
  input: [
    ...WAITING,
    ...['-f', 'x11grab', '-framerate', String(fps), '-draw_mouse', pointer === 'show' ? '1' : '0'],
    ...['-video_size', `${area.width}x${area.height}`, '-grab_x', String(area.x), '-grab_y', String(area.y)],
    ...['-i', display],
  ],
  filters: [],
});

/** Captures the first output of the first graphics card, which is the display where there is only one. */
const ddagrab = ({ area, pointer, fps }: PictureRequest, display: Display): PictureInput => ({
  name: 'ddagrab',
  input: [
    ...[...WAITING, '-f', 'lavfi', '-i'],
    [
      'ddagrab=output_idx=0',
      `framerate=${fps}`,
      `draw_mouse=${pointer === 'show' ? 1 : 0}`,
      `offset_x=${area.x - display.x}:offset_y=${area.y - display.y}`,
      `video_size=${area.width}x${area.height}`,
    ].join(':'),
  ],
  filters: ['hwdownload', 'format=bgra'],
});

const gdigrab = ({ area, pointer, fps }: PictureRequest): PictureInput => ({
  name: 'gdigrab',
  input: [
    ...WAITING,
    ...['-f', 'gdigrab', '-framerate', String(fps), '-draw_mouse', pointer === 'show' ? '1' : '0'],
    ...['-offset_x', String(area.x), '-offset_y', String(area.y)],
    ...['-video_size', `${area.width}x${area.height}`, '-i', 'desktop'],
  ],
  filters: [],
});

/** Captures a whole screen, which is cropped. */
const avfoundation = ({ area, pointer, fps }: PictureRequest, display: Display): PictureInput => ({
  name: 'avfoundation',
  input: [
    ...WAITING,
    ...['-f', 'avfoundation', '-framerate', String(fps), '-capture_cursor', pointer === 'show' ? '1' : '0'],
    ...['-i', `Capture screen ${display.number - 1}:none`],
  ],
  filters: [`crop=${area.width}:${area.height}:${area.x - display.x}:${area.y - display.y}`],
});

/**
 * The preferred input first, then fallbacks for when it does not start. Empty: this platform cannot record the area.
 */
export const pictureInputs = (request: PictureRequest): readonly PictureInput[] => {
  const display = request.displays.find((one) => isInside(request.area, one));
  switch (request.platform) {
    case 'win32': {
      // Outputs are numbered by graphics card, not in the order of the displays: another screen would be recorded.
      const isOnlyDisplay = display !== undefined && request.displays.length === 1;
      return [...(isOnlyDisplay ? [ddagrab(request, display)] : []), gdigrab(request)];
    }
    case 'darwin':
      return display ? [avfoundation(request, display)] : [];
    default:
      return [x11(request)];
  }
};

/** Requests 50 ms fragments: by default the server sends two seconds at once, which delays the video. */
const PULSE_BYTES = String((48_000 * 2 * 2) / 20);

export const soundInput = (device: SoundDevice): readonly string[] => {
  const waiting = ['-thread_queue_size', '1024'];
  switch (device.format) {
    case 'pulse':
      return [...waiting, '-f', 'pulse', '-name', 'Linkshot', '-fragment_size', PULSE_BYTES, '-i', device.name];
    case 'dshow':
      return [...waiting, '-f', 'dshow', '-i', `audio=${device.name}`];
    case 'avfoundation':
      return [...waiting, '-f', 'avfoundation', '-i', `none:${device.index}`];
    default:
      return unreachable(device);
  }
};
