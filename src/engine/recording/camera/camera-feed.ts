/**
 * Runs the camera in an ffmpeg of its own and writes its frames, with their round mask, into the ffmpeg that records.
 * That one gets frames at a steady pace whatever the camera does: before its first frame and after its end they are
 * transparent, so a slow, busy or unplugged camera never stops a recording.
 */
import type { Readable, Writable } from 'node:stream';
import { type Failure, failure } from '../../../api/errors.ts';
import { spawn } from '../../../base/node/run-program.ts';
import type { CameraDevice } from '../../ports.ts';
import { withoutAddresses } from '../../video/ffmpeg.ts';
import { cameraFilters, pictureBytes, roundMask } from './bubble.ts';

export interface CameraFeed {
  /** Writes frames into the pipe until it closes; a later pipe replaces it. */
  writeTo(pipe: Writable): void;
  /** Turns the camera off. */
  close(): void;
}

export interface CameraFeedRequest {
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly camera: CameraDevice;
  readonly diameter: number;
  /** Arguments that make ffmpeg pass on every frame once. */
  readonly everyFrame: readonly string[];
  /** The camera shows its first frame. */
  readonly onShown: () => void;
  /** It could not be opened, or ended by itself. Errors: CAMERA_NOT_SHOWN. */
  readonly onFailed: (reason: Failure) => void;
}

/** A frame is repeated after so long without a new one: the recording waits for the next. */
const REPEAT_MS = 50;
/** Some cameras need seconds to start. */
const FIRST_FRAME_MS = 10_000;
/** An unplugged camera may just send nothing more. */
const STALLED_MS = 4_000;
const STDERR_KEPT = 8_000;

/** What became of a camera that is not shown. */
export type CameraProblem = 'missing' | 'busy' | 'denied' | 'gone' | 'failed';

const SENTENCES: Readonly<Record<CameraProblem, (name: string, words: string) => string>> = {
  missing: (name, words) => `The camera “${name}” is not connected; connected: ${words}.`,
  busy: (name) => `The camera “${name}” is used by another program.`,
  denied: (name) => `Linkshot has no permission to use the camera “${name}”.`,
  gone: (name) => `The camera “${name}” was disconnected.`,
  failed: (name, words) => `The camera “${name}” sends no picture${words === '' ? '' : ` (${words})`}.`,
};

const GOES_ON = 'The recording goes on without it.';

/** `name` null: this computer has no camera. `words`: of ffmpeg; of a missing camera the names of the others. */
export const cameraNotShown = (by: CameraProblem, name: string | null, words = ''): Failure => {
  const what = name === null ? 'No camera was found.' : SENTENCES[by](name, words);
  return failure('CAMERA_NOT_SHOWN', `${what} ${GOES_ON}`, { params: { by, name } });
};

/** Recognises the problem in the stderr of ffmpeg; V4L2, DirectShow and AVFoundation use other words. */
export const cameraProblemIn = (stderr: string, wasShown: 'shown' | 'never shown'): CameraProblem => {
  if (/resource busy|already in use|in use by another/i.test(stderr)) return 'busy';
  if (/permission denied|not authorized|access is denied/i.test(stderr)) return 'denied';
  if (wasShown === 'shown' || /no such (device|file)|could not find video device/i.test(stderr)) return 'gone';
  return 'failed';
};

const lastLine = (stderr: string): string => withoutAddresses(stderr).trim().split('\n').at(-1)?.slice(0, 200) ?? '';

/** Calls `onFrame` with each frame; the mask is its fourth plane. */
const readFrames = async (output: Readable, diameter: number, onFrame: (frame: Buffer) => void): Promise<void> => {
  const mask = roundMask(diameter);
  const bytes = pictureBytes(diameter);
  let frame = Buffer.alloc(bytes + mask.length);
  let at = 0;
  for await (const chunk of output as AsyncIterable<Buffer>) {
    for (let read = 0; read < chunk.length; ) {
      const count = Math.min(chunk.length - read, bytes - at);
      chunk.copy(frame, at, read, read + count);
      read += count;
      at += count;
      if (at < bytes) continue;
      mask.copy(frame, bytes);
      onFrame(frame);
      // The one before may still be on its way.
      frame = Buffer.alloc(frame.length);
      at = 0;
    }
  }
};

export const openCameraFeed = (request: CameraFeedRequest): CameraFeed => {
  const { camera, diameter } = request;
  const blank = Buffer.alloc(pictureBytes(diameter) + diameter * diameter);
  let latest: Buffer = blank;
  let pipe: Writable | null = null;
  let isWriting = false;
  let repeat: NodeJS.Timeout | undefined;

  const write = () => {
    if (pipe === null || pipe.destroyed) return;
    repeat?.refresh();
    // The encoder has not read the one before: the next one will be newer.
    if (isWriting) return;
    isWriting = true;
    const to = pipe;
    to.write(latest, () => {
      if (to === pipe) isWriting = false;
    });
  };

  const args = [
    ...['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'error', '-fflags', 'nobuffer', ...camera.input],
    ...['-map', '0:v:0', '-vf', cameraFilters(diameter), ...request.everyFrame, '-f', 'rawvideo', 'pipe:1'],
  ];
  const child = spawn(request.program, args, {
    env: { ...request.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl+C in a terminal ends the recording, which then closes the camera.
    detached: process.platform !== 'win32',
  });
  if (!child.stdout || !child.stderr) throw new Error('Both of these are pipes.');
  let stderr = '';
  let isClosed = false;
  let state: 'opening' | 'shown' | 'ended' = 'opening';

  const end = (problem: (before: 'shown' | 'never shown') => CameraProblem) => {
    if (state === 'ended') return;
    const before = state === 'shown' ? 'shown' : 'never shown';
    state = 'ended';
    clearTimeout(stall);
    child.kill('SIGKILL');
    latest = blank;
    write();
    if (!isClosed) request.onFailed(cameraNotShown(problem(before), camera.name, lastLine(stderr)));
  };
  const onSilence = () => end((before) => (before === 'shown' ? 'gone' : 'failed'));
  let stall = setTimeout(onSilence, FIRST_FRAME_MS);

  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT);
  });
  child.on('error', ({ message }) => {
    stderr += message;
    end(() => 'failed');
  });
  child.on('close', () => end((before) => cameraProblemIn(stderr, before)));
  readFrames(child.stdout, diameter, (frame) => {
    if (state === 'ended') return;
    latest = frame;
    write();
    if (state === 'opening') {
      clearTimeout(stall);
      stall = setTimeout(onSilence, STALLED_MS);
      state = 'shown';
      request.onShown();
    } else stall.refresh();
  }).catch(() => {});

  return {
    writeTo(target) {
      clearInterval(repeat);
      pipe = target;
      isWriting = false;
      // The encoder has ended.
      target.on('error', () => {});
      target.on('close', () => {
        if (pipe === target) clearInterval(repeat);
      });
      repeat = setInterval(write, REPEAT_MS);
      write();
    },
    close() {
      isClosed = true;
      clearInterval(repeat);
      pipe = null;
      end(() => 'gone');
    },
  };
};
