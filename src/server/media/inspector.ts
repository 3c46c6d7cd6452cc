/**
 * Looks into whole media files and makes their previews, in a child process of limited memory and time, one file at a
 * time. A file that does not fit the limits is refused; the server answers on.
 */

import { unreachable } from '../../contract/errors.ts';
import type { VideoLimits } from '../../contract/service/account.ts';
import type { MediaKind } from '../../contract/service/media-kind.ts';
import type { SealedFile } from '../storage/sealed-file.ts';
import { type ChildTask, type Inspection, type Preview, unsupported } from './inspection.ts';
import { createLimitedChild } from './limited-child.ts';

export interface Inspector {
  /**
   * Everything about the file, and a server that has too many of them (UPLOAD_SERVER_BUSY), is an answer. Rejects with
   * the signal's reason when it aborts, and when no child can be started.
   */
  inspect(file: SealedFile, kind: MediaKind, signal: AbortSignal): Promise<Inspection>;
  /** A small picture of a file that has passed `inspect`. Rejects as `inspect` does. */
  preview(file: SealedFile, kind: MediaKind, signal: AbortSignal): Promise<Preview>;
  /** A file is about to come: starts the child ahead, which takes longer than looking into most files. */
  expect(): void;
  /** Ends the child; queued inspections are answered UPLOAD_SERVER_BUSY. */
  close(): Promise<void>;
}

export interface InspectorOptions {
  readonly video: VideoLimits;
  readonly imageMegapixels: number;
  /** Milliseconds that one file may take, and more for a large one. */
  readonly timeoutMs?: number;
  /** Files that may wait; one more is answered UPLOAD_SERVER_BUSY. */
  readonly waitingMax?: number;
  /** The child's private memory in bytes (enforced by the kernel where `prlimit` exists). */
  readonly memoryBytes?: number;
  /** The program that takes pictures out of videos; found on the PATH when it is only a name. */
  readonly ffmpeg?: string;
}

/** Private memory that may be written: Node itself counts 660 MB, decoding 40 megapixels of AVIF 700 MB. */
const MEMORY_BYTES = 2 * 1024 ** 3;
const TIMEOUT_MS = 60_000;
/** A WebM is read from end to end; a disk that others use still gives this much. */
const BYTES_PER_MS = 20_000;
const WAITING_MAX = 32;

const BUSY: Inspection = {
  ok: false,
  code: 'UPLOAD_SERVER_BUSY',
  detail: 'The server is checking too many files at the moment. Try again in a few seconds.',
};

export const createInspector = (options: InspectorOptions): Inspector => {
  const { video, timeoutMs = TIMEOUT_MS, waitingMax = WAITING_MAX, ffmpeg = 'ffmpeg' } = options;
  const maxPixels = options.imageMegapixels * 1e6;
  const child = createLimitedChild<ChildTask, Inspection | Preview>(options.memoryBytes ?? MEMORY_BYTES);

  const run = async (task: ChildTask, signal: AbortSignal) => {
    signal.throwIfAborted();
    // Previews come one by one from the server itself; only what clients send can be too much.
    if (task.job === 'inspect' && child.waiting() >= waitingMax) return { kind: 'dropped' } as const;
    return child.run(task, timeoutMs + Math.round(task.file.size / BYTES_PER_MS), signal);
  };

  return {
    inspect: async (file, kind, signal) => {
      const outcome = await run({ job: 'inspect', file, kind, maxPixels, video }, signal);
      switch (outcome.kind) {
        case 'answered':
          return outcome.answer as Inspection;
        case 'dropped':
          return BUSY;
        case 'broke':
          return unsupported('The file cannot be read within the limits of the server.');
        case 'too-slow':
          return unsupported(`The file cannot be read within ${outcome.seconds} seconds.`);
        default:
          return unreachable(outcome);
      }
    },
    preview: async (file, kind, signal) => {
      const outcome = await run({ job: 'preview', file, kind, ffmpeg }, signal);
      switch (outcome.kind) {
        case 'answered':
          return outcome.answer as Preview;
        case 'dropped':
          return { kind: 'later' };
        case 'broke':
        case 'too-slow':
          return { kind: 'none' };
        default:
          return unreachable(outcome);
      }
    },
    expect: child.expect,
    close: async () => child.close(),
  };
};
