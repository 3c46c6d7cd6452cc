/**
 * Looks into whole media files and makes their previews, in child processes of limited memory and time. No account keeps
 * the others waiting (`fairness/pool.ts`). A file that does not fit the limits is refused; the server answers on.
 */

import type { VideoLimits } from '../../api/account.ts';
import { unreachable } from '../../api/errors.ts';
import type { AccountId } from '../../api/ids.ts';
import type { MediaKind } from '../../api/media-kind.ts';
import type { Clock } from '../clock-and-random.ts';
import type { ServerConfig } from '../config/config.ts';
import { createPool, type Outcome } from '../fairness/fair-pool.ts';
import { createLedger } from '../fairness/usage-ledger.ts';
import type { ObjectId } from '../storage/object-store.ts';
import type { SealedFile } from '../storage/sealed-file.ts';
import { type ChildWork, startTaskChild } from './child-process-tasks.ts';
import { type ChildTask, type Inspection, type Preview, unsupported } from './inspection-result.ts';
import { forkInspector, type StartInspectorProcess } from './inspector-process.ts';
import { createPreviewCache } from './preview-cache.ts';

/** A whole file of an account. */
export interface MediaFile {
  readonly id: ObjectId;
  readonly accountId: AccountId;
  readonly file: SealedFile;
  readonly kind: MediaKind;
}

export interface Inspector {
  /**
   * Everything about the file, and a server that has too many of them (UPLOAD_SERVER_BUSY), is an answer. Rejects with
   * the signal's reason when it aborts, and when no child can be started.
   */
  inspect(media: MediaFile, signal: AbortSignal): Promise<Inspection>;
  /**
   * A small picture of a file that has passed `inspect`: of an image the one that `inspect` has made with it, else it is
   * decoded once more. Rejects as `inspect` does.
   */
  preview(media: MediaFile, signal: AbortSignal): Promise<Preview>;
  /** What the account has cost lately; whoever chooses between files of several accounts takes the least first. */
  debtOf(accountId: AccountId): number;
  /** A file is about to come: starts a child ahead, which takes longer than looking into most files. */
  expect(): void;
  /** Ends the children; queued inspections are answered UPLOAD_SERVER_BUSY. */
  close(): Promise<void>;
}

export interface InspectorOptions {
  readonly video: VideoLimits;
  readonly imageMegapixels: number;
  readonly limits: ServerConfig['media'];
  readonly clock: Clock;
  /** Milliseconds that one file may take however busy the machine is, and more for a large one. */
  readonly wallMs?: number;
  /** A child's private memory in bytes (enforced by the kernel where `prlimit` exists). */
  readonly memoryBytes?: number;
  /** For a host that is no Node; absent: children of Node are forked. */
  readonly start?: StartInspectorProcess;
  /** The program that takes pictures out of videos; found on the PATH when it is only a name. */
  readonly ffmpeg?: string;
}

/** Private memory that may be written: Node itself counts 660 MB, decoding 40 megapixels of AVIF 700 MB. */
const MEMORY_BYTES = 2 * 1024 ** 3;
const WALL_MS = 60_000;
/** A WebM is read from end to end; a disk that others use still gives this much. */
const BYTES_PER_MS = 20_000;
const IDLE_MS = 20_000;
/** More than most screenshots take. */
const QUICK_MS = 500;
const HEAVY_DEBT_MS = 1_000;
const SECOND = 1_000;

const BUSY: Inspection = {
  ok: false,
  code: 'UPLOAD_SERVER_BUSY',
  detail: 'The server is checking too many files at the moment. Try again in a few seconds.',
};

export const createInspector = (options: InspectorOptions): Inspector => {
  const { video, imageMegapixels, limits, clock, wallMs = WALL_MS, ffmpeg = 'ffmpeg' } = options;
  const { memoryBytes = MEMORY_BYTES, start = forkInspector(memoryBytes) } = options;
  const ledger = createLedger(clock);
  const previews = createPreviewCache();
  const pool = createPool<ChildWork<ChildTask>, Inspection | Preview>({
    places: limits.processes,
    start: () => startTaskChild(start),
    ledger,
    waiting: { perOwner: limits.waitingPerAccount, inAll: limits.waitingInAll },
    quickMs: QUICK_MS,
    heavyDebtMs: HEAVY_DEBT_MS,
    idleMs: IDLE_MS,
  });

  /** A video of an hour has 200,000 frames and as many packets of sound, in however few bytes. */
  const secondsFor = (megapixels: number, { file: { size }, kind }: MediaFile): number =>
    (kind.type === 'VIDEO' ? limits.videoCpuSeconds : limits.imageCpuSeconds) +
    limits.cpuSecondsPerMegapixel * Math.min(megapixels, imageMegapixels) +
    (limits.cpuSecondsPerGigabyte * size) / 1e9;

  const wallFor = ({ size }: SealedFile): number => wallMs + Math.round(size / BYTES_PER_MS);

  const look = (media: MediaFile, signal: AbortSignal) => {
    const { id, accountId, file, kind } = media;
    const maxPixels = imageMegapixels * 1e6;
    const task = { job: 'inspect', file, kind, maxPixels, scanMegapixels: limits.jpegScanMegapixels, video } as const;
    const allowMs = (megapixels: number): number => secondsFor(megapixels, media) * SECOND;
    const work: ChildWork<ChildTask> = { task, allowMs, made: kind.type === 'IMAGE' ? previews.expect(id) : () => {} };
    return pool.run({ owner: accountId, task: work, limitMs: allowMs(0), wallMs: wallFor(file) }, signal);
  };

  const decodeAgain = ({ accountId, file, kind }: MediaFile, signal: AbortSignal) => {
    const posterSeconds = limits.previewCpuSeconds;
    const task = { job: 'preview', file, kind, ffmpeg, posterSeconds } as const;
    // ffmpeg has its own limit besides; the child reads what it is given.
    const limitMs = (kind.type === 'VIDEO' ? 2 : 1) * posterSeconds * SECOND;
    const work: ChildWork<ChildTask> = { task, allowMs: () => limitMs, made: () => {} };
    return pool.run({ owner: accountId, task: work, limitMs, wallMs: wallFor(file), aside: true }, signal);
  };

  const inspectionOf = (outcome: Outcome<Inspection | Preview>): Inspection => {
    switch (outcome.kind) {
      case 'answered':
        return outcome.answer as Inspection;
      case 'dropped':
        return BUSY;
      case 'broke':
        return unsupported('The file cannot be read within the limits of the server.');
      case 'too-slow':
        return unsupported(
          'The file is damaged or too complex: it cannot be read within the time that its size allows.',
        );
      default:
        return unreachable(outcome);
    }
  };

  return {
    inspect: async (media, signal) => {
      signal.throwIfAborted();
      const inspection = inspectionOf(await look(media, signal));
      if (!inspection.ok) previews.forget(media.id);
      return inspection;
    },
    preview: async (media, signal) => {
      signal.throwIfAborted();
      const bytes = await previews.take(media.id);
      if (bytes !== null) return { kind: 'made', bytes };
      const outcome = await decodeAgain(media, signal);
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
    debtOf: ledger.debtOf,
    expect: pool.expect,
    close: async () => pool.close(),
  };
};
