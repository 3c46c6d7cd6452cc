/**
 * Encodes one segment of a recording with ffmpeg. The output passes through this process, so that ffmpeg ends when this
 * process does. Also starts the program that sends the frames on Wayland, and ends a recording that gets none. The file
 * is synced every second, so that a power cut loses little.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { onAbort } from '../../base/common/on-abort.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import { spawn } from '../../base/node/run-program.ts';
import { syncFolder } from '../../base/node/sync-to-disk.ts';
import { isDiskFull } from '../../common/disk-full.ts';
import { withoutAddresses } from '../video/ffmpeg.ts';
import { CAMERA_PIPE } from './camera/bubble.ts';
import type { CameraFeed } from './camera/camera-feed.ts';
import { cancelled } from './recording-errors.ts';
import { FRAMES_PIPE, type FrameSender } from './wayland-screen.ts';

/** How it ended: as requested, by itself without a known error, or by an error; everything up to then is recorded. */
export type SegmentEnd =
  | { readonly by: 'asked' }
  | { readonly by: 'itself'; readonly stderr: string }
  | { readonly by: 'fault'; readonly failure: Failure };

export interface RunningSegment {
  /** Bytes in the file so far. */
  bytes(): number;
  /** Ends it cleanly; the last frames are in the file when it resolves. */
  stop(): Promise<SegmentEnd>;
  /** Resolves when it has ended for any reason; never rejects. */
  readonly ended: Promise<SegmentEnd>;
}

export interface SegmentRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** A program whose frames ffmpeg reads from its pipe `FRAMES_PIPE`. */
  readonly sender?: FrameSender;
  /** A camera whose frames ffmpeg reads from its pipe `CAMERA_PIPE`. */
  readonly camera?: Pick<CameraFeed, 'writeTo'> | null;
  /** Of the new file. */
  readonly path: string;
  readonly onBytes: () => void;
}

const SYNC_MS = 1_000;
/** Output arrives twice a second once a sound server has started; without output for this long, the screen is lost. */
const STALLED_MS = 12_000;
/** A sender without a first frame is started so often; the last time it has `STALLED_MS`. */
const STARTS = 3;
/** Milliseconds for the encoder to write its remaining frames after a stop request; then it is killed. */
export const STOP_MS = 8_000;
const STDERR_KEPT = 8_000;

/** The last lines of stderr without memory addresses. */
const lastLines = (stderr: string): string =>
  withoutAddresses(stderr).trim().split('\n').slice(-2).join(' ').slice(-300);

export const captureFailed = (detail: string): Failure =>
  failure('CAPTURE_UNAVAILABLE', `The screen cannot be recorded: ${detail}`);

/** Nothing was recorded for `STALLED_MS`. */
const STALLED = captureFailed('nothing more came from it.');

const full = (): Failure => failure('DISK_FULL', 'The disk is full. Free some space, then record again.');

/**
 * Ends a sender when its stdin closes, as it does when this process dies: one that has no more frames would never
 * notice that nobody reads them.
 */
const GUARD =
  'exec 4<&0 </dev/null; "$@" 4<&- & sender=$!; { while read -r _; do :; done; kill -9 "$sender"; } <&4 3>&- 4<&- & wait "$sender"';
/** Of a shell that finds no such program. */
const NOT_FOUND = 127;

const startSender = ({ program, args }: FrameSender, environment: SegmentRequest['environment']) => {
  const child = spawn('/bin/sh', ['-c', GUARD, 'sh', program, ...args], {
    env: { ...environment },
    // Not stdout, to which programs write words of their own.
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let words = '';
  let stderr = '';
  child.stdin?.on('error', () => {});
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT);
  });
  child.on('error', ({ message }) => {
    words = message;
  });
  // Its guard keeps its pipes open.
  child.on('exit', (code) => {
    if (code === NOT_FOUND) words = `it needs ${program}. Install it, and try again.`;
    else if (code !== 0 && code !== null) words = lastLines(stderr);
  });
  return {
    frames: child.stdio[FRAMES_PIPE] as Readable,
    /** What it said, where it ended by itself and with an error. */
    words: () => words,
    end: () => void child.stdin?.destroy(),
  };
};

/**
 * Resolves once data was recorded; starts a sender without a first frame again. Errors: CAPTURE_UNAVAILABLE with
 * ffmpeg's message, DISK_FULL, CANCELLED.
 */
export const startSegment = async (request: SegmentRequest, signal: AbortSignal): Promise<Result<RunningSegment>> => {
  const within = request.sender?.firstFrameWithinMs;
  for (let starts = 1; within !== undefined && starts < STARTS; starts += 1) {
    const started = await startOnce(request, within, signal);
    if (started.ok || started.error !== STALLED) return started;
  }
  return startOnce(request, STALLED_MS, signal);
};

/** As `startSegment`; `firstWithinMs`: for the first data. */
const startOnce = async (
  request: SegmentRequest,
  firstWithinMs: number,
  signal: AbortSignal,
): Promise<Result<RunningSegment>> => {
  if (signal.aborted) return err(cancelled());
  let file: FileHandle;
  try {
    file = await open(request.path, 'wx', 0o600);
  } catch (error) {
    return err(isDiskFull(error) ? full() : captureFailed(String((error as Error).message)));
  }
  await syncFolder(dirname(request.path));
  const sender = request.sender ? startSender(request.sender, request.environment) : null;
  const { camera } = request;
  // In the order of `FRAMES_PIPE` and `CAMERA_PIPE`.
  const frames: (Readable | 'ignore')[] = sender || camera ? [sender?.frames ?? 'ignore'] : [];
  const child = spawn(request.program, [...request.args], {
    env: { ...request.environment },
    stdio: ['pipe', 'pipe', 'pipe', ...frames, ...(camera ? (['pipe'] as const) : [])],
    // Ctrl+C in a terminal signals all programs of its group; this one is stopped by `q` instead.
    detached: process.platform !== 'win32',
  });
  // Only ffmpeg reads them: so the sender ends when ffmpeg does.
  sender?.frames.destroy();
  camera?.writeTo(child.stdio[CAMERA_PIPE] as Writable);
  let stderr = '';
  let bytes = 0;
  let stopReason: 'stop' | 'discard' | null = null;
  let fault: Failure | null = null;
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();

  const kill = () => void child.kill('SIGKILL');
  if (!child.stdin || !child.stdout || !child.stderr) throw new Error('All of these are pipes.');
  child.stdin.on('error', () => {});
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT);
  });
  const closed = new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      fault ??= captureFailed(error.message);
      resolve(null);
    });
    child.on('close', resolve);
  });

  const onStall = () => {
    fault ??= STALLED;
    kill();
  };
  let stall = setTimeout(onStall, firstWithinMs);
  const fill = async (): Promise<void> => {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
      bytes += chunk.length;
      clearTimeout(stall);
      stall = setTimeout(onStall, STALLED_MS);
      begin();
      request.onBytes();
    }
  };
  const sync = setInterval(() => void file.datasync().catch(() => {}), SYNC_MS);

  const run = async (): Promise<SegmentEnd> => {
    try {
      await fill();
    } catch (error) {
      fault ??= isDiskFull(error) ? full() : captureFailed((error as Error).message);
      kill();
    }
    const code = await closed;
    const words = sender?.words();
    sender?.end();
    clearInterval(sync);
    clearTimeout(stall);
    await file
      .sync()
      .finally(() => file.close())
      .catch(() => {});
    if (fault) return { by: 'fault', failure: fault };
    if (stopReason !== null) return { by: 'asked' };
    if (words) return { by: 'fault', failure: captureFailed(words) };
    if (code === 0) return { by: 'itself', stderr: lastLines(stderr) };
    return { by: 'fault', failure: captureFailed(lastLines(stderr) || `it ended with ${code}.`) };
  };
  const ended = run();

  const stop = async (): Promise<SegmentEnd> => {
    stopReason ??= 'stop';
    // `q` ends ffmpeg cleanly on every system; one that does not respond is killed, and its fragments are still
    // complete.
    child.stdin?.write('q\n', () => {});
    const timeout = setTimeout(kill, STOP_MS);
    const end = await ended;
    clearTimeout(timeout);
    return end;
  };

  const unfollow = onAbort(signal, () => {
    stopReason = 'discard';
    kill();
  });
  const first = await Promise.race([begun.then(() => null), ended]);
  unfollow();
  if (first === null && !signal.aborted) return ok({ bytes: () => bytes, stop, ended });
  await ended;
  await rm(request.path, { force: true });
  if (signal.aborted) return err(cancelled());
  return err(first?.by === 'fault' ? first.failure : captureFailed('it ended at once.'));
};

/** Starts a segment and runs `close` when it has ended, or at once if it does not start. Errors: those of `start`. */
export const closeAfter = async (
  start: () => Promise<Result<RunningSegment>>,
  close: () => Promise<void>,
): Promise<Result<RunningSegment>> => {
  const started = await start().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  if (started.ok) void started.value.ended.then(close);
  else await close();
  return started;
};
