/**
 * Looks into whole media files in a child process of limited memory and time, one file at a time. Whatever a file does
 * to its decoder, the server answers on: the child is killed, the file is refused, and the next one gets a new child.
 */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { VideoLimits } from '../../contract/account.ts';
import type { SealedFile } from '../storage/sealed-file.ts';
import { type Inspection, type InspectionTask, unsupported } from './inspection.ts';
import type { MediaKind } from './signature.ts';

export interface Inspector {
  /**
   * Everything about the file, and a server that has too many of them (UPLOAD_SERVER_BUSY), is an answer. Rejects with
   * the signal's reason when it aborts, and when no child can be started.
   */
  inspect(file: SealedFile, kind: MediaKind, signal: AbortSignal): Promise<Inspection>;
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
}

const CHILD = fileURLToPath(new URL('./inspector-child.ts', import.meta.url));
/** Private memory that may be written: Node itself counts 660 MB, decoding 40 megapixels of AVIF 700 MB. */
const MEMORY_BYTES = 2 * 1024 ** 3;
const JS_HEAP_MB = 256;
const TIMEOUT_MS = 60_000;
/** A WebM is read from end to end; a disk that others use still gives this much. */
const BYTES_PER_MS = 20_000;
const WAITING_MAX = 32;
/** An idle child is ended so that its memory returns to the system. */
const IDLE_MS = 20_000;

const BUSY: Inspection = {
  ok: false,
  code: 'UPLOAD_SERVER_BUSY',
  detail: 'The server is checking too many files at the moment. Try again in a few seconds.',
};

interface Job {
  readonly task: InspectionTask;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly answer: (inspection: Inspection) => void;
  readonly fail: (error: unknown) => void;
}

/** Best effort where the system has the tool; the time limit and the heap limit hold everywhere. */
const limitMemory = (pid: number, bytes: number): Promise<void> =>
  new Promise((resolve) => {
    execFile('prlimit', ['--pid', String(pid), `--data=${bytes}`, '--core=0'], () => resolve());
  });

/** Resolves once the child is ready and its limits stand. Rejects when it cannot run at all, which is no file's fault. */
const startChild = async (memoryBytes: number): Promise<ChildProcess> => {
  const child = fork(CHILD, {
    execArgv: [`--max-old-space-size=${JS_HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
    env: { PATH: process.env['PATH'], VIPS_BLOCK_UNTRUSTED: '1', MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`The inspector ended at its start (${code ?? signal}).`)));
  });
  child.removeAllListeners();
  if (child.pid !== undefined) {
    // The service's own answers come first.
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    await limitMemory(child.pid, memoryBytes);
  }
  return child;
};

export const createInspector = (options: InspectorOptions): Inspector => {
  const { timeoutMs = TIMEOUT_MS, waitingMax = WAITING_MAX, memoryBytes = MEMORY_BYTES } = options;
  const waiting: Job[] = [];
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let working = false;
  let closed = false;

  const endChild = (): void => {
    clearTimeout(idle);
    child?.kill('SIGKILL');
    child = null;
  };

  const ask = (asked: ChildProcess, { task, timeoutMs, signal }: Job): Promise<Inspection> =>
    new Promise((resolve) => {
      const settle = (inspection: Inspection, fate: 'keep' | 'kill'): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        asked.removeAllListeners();
        if (fate === 'kill') endChild();
        resolve(inspection);
      };
      const stop = () => settle(BUSY, 'kill');
      const end = () =>
        settle(closed ? BUSY : unsupported('The file cannot be read within the limits of the server.'), 'kill');
      const tooSlow = unsupported(`The file cannot be read within ${Math.round(timeoutMs / 1_000)} seconds.`);
      const timer = setTimeout(() => settle(tooSlow, 'kill'), timeoutMs);
      signal.addEventListener('abort', stop);
      asked.once('message', (inspection) => settle(inspection as Inspection, 'keep'));
      asked.once('error', end);
      asked.once('exit', end);
      asked.send(task, (error) => error && end());
    });

  const work = async (): Promise<void> => {
    if (working) return;
    working = true;
    clearTimeout(idle);
    // A failure is told to the job that needs the child.
    if (waiting.length === 0) child = child?.connected ? child : await startChild(memoryBytes).catch(() => null);
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      try {
        child = child?.connected ? child : await startChild(memoryBytes);
        job.answer(closed || job.signal.aborted ? BUSY : await ask(child, job));
      } catch (error) {
        job.fail(error);
      }
    }
    working = false;
    if (closed) endChild();
    else idle = setTimeout(endChild, IDLE_MS).unref();
  };

  const enqueue = (task: InspectionTask, signal: AbortSignal): Promise<Inspection> =>
    new Promise((resolve, reject) => {
      const abort = () => {
        const place = waiting.indexOf(job);
        if (place >= 0) waiting.splice(place, 1);
        job.fail(signal.reason);
      };
      const settled = () => signal.removeEventListener('abort', abort);
      const job: Job = {
        task,
        timeoutMs: timeoutMs + Math.round(task.file.size / BYTES_PER_MS),
        signal,
        answer: (inspection) => {
          settled();
          resolve(inspection);
        },
        fail: (error) => {
          settled();
          reject(error);
        },
      };
      signal.addEventListener('abort', abort);
      waiting.push(job);
      void work();
    });

  return {
    inspect: async (file, kind, signal) => {
      const { video, imageMegapixels } = options;
      signal.throwIfAborted();
      if (closed || waiting.length >= waitingMax) return BUSY;
      return enqueue({ file, kind, maxPixels: imageMegapixels * 1e6, video }, signal);
    },
    expect: () => {
      if (!closed) void work();
    },
    close: async () => {
      closed = true;
      for (const job of waiting.splice(0)) job.answer(BUSY);
      endChild();
    },
  };
};
