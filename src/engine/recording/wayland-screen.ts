/**
 * Prepares the video input of a recording on Wayland: a separate program sends the frames of one screen through a pipe,
 * and ffmpeg crops them to the area. The program is wf-recorder where the compositor lets programs read the screen;
 * elsewhere it is GStreamer, which gets the screen from the ScreenCast portal after the user has agreed. KDE Plasma is
 * refused.
 */
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { Area, Display } from '../../ipc/protocol/capture.ts';
import { isInside } from '../capture/areas.ts';
import { SCREENCOPY } from '../capture/wayland/grim.ts';
import type { PointerChoice } from '../ports.ts';
import { programsIn } from '../run-helper-program.ts';
import { askCompositor, type Output } from '../wayland/compositor.ts';
import { desktopName, type Environment } from '../wayland/session-environment.ts';
import { type PictureInput, pipeInput } from './input-arguments.ts';
import { NOT_ON_KDE } from './recording-errors.ts';
import { openScreenCast, type ScreenCastTokens } from './screen-cast.ts';

/** A program that writes raw frames (BGRx) to its pipe `FRAMES_PIPE` until nobody reads them. */
export interface FrameSender {
  readonly program: string;
  readonly args: readonly string[];
  /** It may send no frame at all, and then does so when it is started again; undefined: it sends frames always. */
  readonly firstFrameWithinMs?: number;
}

/** How one segment is recorded; `close` ends what was opened for it. */
interface WaylandFrames {
  readonly picture: PictureInput;
  readonly sender: FrameSender;
  close(): Promise<void>;
}

export interface WaylandScreen {
  /** Asks the user, where the desktop does, before a countdown runs. Errors: CAPTURE_UNAVAILABLE, CANCELLED. */
  ask(signal: AbortSignal): Promise<Result<void>>;
  /** Errors: CAPTURE_UNAVAILABLE, CANCELLED. */
  open(signal: AbortSignal): Promise<Result<WaylandFrames>>;
}

export interface WaylandScreenRequest {
  readonly environment: Environment;
  readonly tokens: ScreenCastTokens;
  readonly area: Area;
  readonly displays: readonly Display[];
  readonly pointer: PointerChoice;
  readonly fps: number;
}

const unavailable = (detail: string) => err(failure('CAPTURE_UNAVAILABLE', detail));

/** Errors: CAPTURE_UNAVAILABLE. Rejects with the signal's reason. */
export const findWaylandScreen = async (
  request: WaylandScreenRequest,
  signal: AbortSignal,
): Promise<Result<WaylandScreen>> => {
  const { environment, displays, area } = request;
  const name = desktopName(environment);
  if (name === 'KDE Plasma') return unavailable(NOT_ON_KDE);
  const asked = await askCompositor(environment, signal);
  if (!asked.ok) return unavailable(asked.error);
  const index = displays.findIndex((display) => isInside(area, display));
  const [display, output] = [displays[index], asked.value.outputs[index]];
  if (!display || !output)
    return unavailable(`${name} records one screen at a time. Choose an area that lies on one screen.`);
  const screen = { ...request, output, input: frameInput(request, display, output) };
  const run = programsIn(environment);
  if (asked.value.protocols.has(SCREENCOPY)) {
    const { end } = await run('wf-recorder', ['-h'], signal);
    return end === 'missing' ? unavailable(needs(name, 'wf-recorder')) : ok(byWfRecorder(screen));
  }
  const { end } = await run('gst-inspect-1.0', ['pipewiresrc'], signal);
  return end === 'good' ? ok(byPortal(screen)) : unavailable(needs(name, GSTREAMER));
};

/** Packages of Debian. */
const GSTREAMER = 'gstreamer1.0-tools, gstreamer1.0-plugins-base and gstreamer1.0-pipewire';
const needs = (desktop: string, packages: string): string =>
  `Recording ${desktop} needs ${packages}. Install what is missing, and try again.`;

interface ScreenToRecord extends WaylandScreenRequest {
  readonly output: Output;
  readonly input: PictureInput;
}

/** The frames arrive when they are shown, so the clock of their arrival is theirs, as with the sound. */
const frameInput = ({ area, fps }: WaylandScreenRequest, display: Display, output: Output): PictureInput => {
  const ratio = output.width / display.width;
  const scaled = (length: number): number => Math.round(length * ratio);
  const part = [area.width, area.height, area.x - display.x, area.y - display.y].map(scaled);
  return {
    name: 'frames',
    input: [
      ...['-thread_queue_size', '8', '-use_wallclock_as_timestamps', '1', '-f', 'rawvideo', '-pixel_format', 'bgr0'],
      ...['-video_size', `${output.width}x${output.height}`, '-framerate', String(fps), '-i', pipeInput(FRAMES_PIPE)],
    ],
    filters: [`crop=${part.join(':')}`],
  };
};

/** The descriptor of the frames, in their sender and in ffmpeg. */
export const FRAMES_PIPE = 3;

const byWfRecorder = ({ output, input }: ScreenToRecord): WaylandScreen => {
  const args = [
    // Frames also while nothing changes: ffmpeg repeats none.
    ...['-D', '-o', output.name, '-c', 'rawvideo', '-m', 'rawvideo', '-x', 'bgr0', '-f', `pipe:${FRAMES_PIPE}`],
  ];
  return {
    ask: async () => ok(undefined),
    open: async () => ok({ picture: input, sender: { program: 'wf-recorder', args }, close: async () => {} }),
  };
};

/**
 * GNOME sends a frame when a stream begins, and others only when the screen changes. It sometimes begins before
 * GStreamer reads, so that this frame is lost; then a still screen sends none.
 */
const FIRST_FRAME_MS = 3_000;

const byPortal = (screen: ScreenToRecord): WaylandScreen => {
  const open: WaylandScreen['open'] = async (signal) => {
    const cast = await openScreenCast(screen, signal);
    if (!cast.ok) return cast;
    const { width, height } = screen.output;
    const format = `video/x-raw,format=BGRx,width=${width},height=${height},pixel-aspect-ratio=1/1`;
    const args = [
      ...['-q', 'pipewiresrc', `path=${cast.value.node}`, 'do-timestamp=true', 'keepalive-time=33', '!'],
      ...['videorate', '!', `video/x-raw,framerate=${screen.fps}/1`, '!', 'queue', 'max-size-buffers=4', '!'],
      ...['videoconvert', '!', 'videoscale', '!', format, '!', 'fdsink', `fd=${FRAMES_PIPE}`, 'sync=false'],
    ];
    const sender = { program: 'gst-launch-1.0', args, firstFrameWithinMs: FIRST_FRAME_MS };
    return ok({ picture: screen.input, sender, close: cast.value.close });
  };
  return {
    async ask(signal) {
      if (screen.tokens.read(screen.output.name) !== null) return ok(undefined);
      const opened = await open(signal);
      if (opened.ok) await opened.value.close();
      return opened.ok ? ok(undefined) : opened;
    },
    open,
  };
};
