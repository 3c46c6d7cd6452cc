/**
 * Inspects whole media files and makes their previews in child processes, with limits on elapsed time, on Linux also on
 * processor time, and on memory where Node forks the children and `prlimit` exists. Accounts share the processes fairly
 * (`fairness/fair-pool.ts`). A file whose inspection exceeds the limits is refused.
 */

import type { VideoLimits } from '../../api/account.ts';
import { kindOfMime, type MediaKind } from '../../api/detect-media-kind.ts';
import { unreachable } from '../../api/errors.ts';
import type { AccountId } from '../../api/ids.ts';
import { setBounded } from '../../base/common/bounded-map.ts';
import type { Clock } from '../clock-and-random.ts';
import type { ServerConfig } from '../config/config.ts';
import { createFairPool, type Outcome, type Prepare } from '../fairness/fair-pool.ts';
import { createUsageLedger } from '../fairness/usage-ledger.ts';
import type { FileSource } from '../storage/file-source.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import type { SealedFile } from '../storage/sealed-reader.ts';
import {
  type ChildTask,
  type Inspection,
  PREVIEW_MIME,
  type Preview,
  type PreviewTask,
  unsupported,
} from './inspector-protocol.ts';
import { type ChildWork, startTaskChild } from './inspector-task-runner.ts';
import { forkInspector, type StartInspectorProcess } from './start-inspector-process.ts';

interface PreviewCache {
  /** An inspection of the object starts; call the returned function with the preview, or with null without one. */
  expect(id: ObjectId): (bytes: Uint8Array | null) => void;
  /** The preview, returned once; null: decode the file. */
  take(id: ObjectId): Promise<Uint8Array | null>;
  forget(id: ObjectId): void;
}

/** Previews of items that are never published are evicted after so many others; each has some 50 KB. */
const CACHED_MAX = 64;

/** Caches previews that inspections made of the pixels they decoded, until the published item needs them. */
const createPreviewCache = (): PreviewCache => {
  const cached = new Map<ObjectId, Promise<Uint8Array | null>>();

  return {
    expect: (id) => {
      const { promise, resolve } = Promise.withResolvers<Uint8Array | null>();
      setBounded(cached, id, promise, CACHED_MAX);
      return resolve;
    },
    take: async (id) => {
      const promise = cached.get(id);
      cached.delete(id);
      return (await promise) ?? null;
    },
    forget: (id) => void cached.delete(id),
  };
};

/** A whole file of an account. */
export interface MediaFile {
  readonly id: ObjectId;
  readonly accountId: AccountId;
  /** Opened once a process is free: what is fetched first takes space on the disk. */
  readonly source: FileSource;
  readonly kind: MediaKind;
}

export interface Inspector {
  /**
   * Returns any result about the file, including an overloaded server (UPLOAD_SERVER_BUSY). Rejects with the signal's
   * reason when it aborts, and when no child can be started.
   */
  inspect(media: MediaFile, signal: AbortSignal): Promise<Inspection>;
  /**
   * A preview of a file that has passed `inspect`: for an image the one that `inspect` has made, else it is decoded
   * again. Rejects as `inspect` does.
   */
  preview(media: MediaFile, signal: AbortSignal): Promise<Preview>;
  /** A stored preview as JPEG; null: not at the moment. Rejects as `inspect` does. */
  jpegOf(preview: Pick<MediaFile, 'accountId' | 'source'>, signal: AbortSignal): Promise<Uint8Array | null>;
  /** The recent usage of the account; choose the file of the account with the least. */
  debtOf(accountId: AccountId): number;
  /** A file will arrive soon: starts a child in advance, which takes longer than inspecting most files. */
  expect(): void;
  /** Stops the children; queued inspections get UPLOAD_SERVER_BUSY. */
  close(): Promise<void>;
}

export interface InspectorOptions {
  readonly video: VideoLimits;
  readonly imageMegapixels: number;
  readonly limits: ServerConfig['media'];
  readonly fairness: ServerConfig['fairness'];
  readonly clock: Clock;
  /** For a host that is not Node; default: forks Node children. */
  readonly start?: StartInspectorProcess;
  /** The program that extracts pictures from videos; looked up on the PATH if it is only a name. */
  readonly ffmpeg?: string;
}

/** A WebM is read from end to end; minimum throughput of a shared disk. */
const BYTES_PER_MS = 20_000;
const IDLE_MS = 20_000;
/** More than most screenshots take. */
const QUICK_MS = 500;
/** Fetching more than this takes a while, in which light tasks need another process. */
const QUICK_FETCH_BYTES = 16 * 1024 ** 2;
const SECOND = 1_000;

const BUSY: Inspection = {
  ok: false,
  code: 'UPLOAD_SERVER_BUSY',
  detail: 'The server is checking too many files at the moment. Try again in a few seconds.',
};

export const createInspector = (options: InspectorOptions): Inspector => {
  const { video, imageMegapixels, limits, fairness, clock, ffmpeg = 'ffmpeg' } = options;
  const { start = forkInspector(limits.memoryBytes) } = options;
  const ledger = createUsageLedger(clock, fairness.cores);
  const previews = createPreviewCache();
  const pool = createFairPool<ChildWork<ChildTask>, Inspection | Preview>({
    places: limits.processes,
    start: () => startTaskChild(start),
    ledger,
    waiting: { perOwner: limits.waitingPerAccount, inAll: limits.waitingInAll },
    quickMs: QUICK_MS,
    heavyDebtMs: fairness.heavySeconds * SECOND,
    idleMs: IDLE_MS,
  });

  /** A video of an hour has 200,000 frames and as many audio packets, in however few bytes. */
  const secondsFor = (megapixels: number, { source: { size }, kind }: MediaFile): number =>
    (kind.type === 'VIDEO' ? limits.videoCpuSeconds : limits.imageCpuSeconds) +
    limits.cpuSecondsPerMegapixel * Math.min(megapixels, imageMegapixels) +
    (limits.cpuSecondsPerGigabyte * size) / 1e9;

  const wallFor = ({ size }: FileSource): number =>
    Math.ceil(limits.wallSeconds * SECOND) + Math.round(size / BYTES_PER_MS);

  /** What `pool.run` needs to open the file when a process is free for it. */
  const withFile = (source: FileSource, workOn: (file: SealedFile) => ChildWork<ChildTask>) => {
    const prepare: Prepare<ChildWork<ChildTask>> = (run, signal) => source.open((file) => run(workOn(file)), signal);
    return { task: { prepare }, wallMs: wallFor(source), heavy: source.isFetched && source.size > QUICK_FETCH_BYTES };
  };

  const look = (media: MediaFile, signal: AbortSignal) => {
    const { id, accountId, source, kind } = media;
    const maxPixels = imageMegapixels * 1e6;
    const scans = { always: limits.jpegScans, megapixels: limits.jpegScanMegapixels };
    const task = { job: 'inspect', kind, maxPixels, scans, video } as const;
    const allowMs = (megapixels: number): number => secondsFor(megapixels, media) * SECOND;
    const made = kind.type === 'IMAGE' ? previews.expect(id) : () => {};
    const prepared = withFile(source, (file) => ({ task: { ...task, file }, allowMs, made }));
    return pool.run({ owner: accountId, limitMs: allowMs(0), ...prepared }, signal);
  };

  const decodeAgain = (
    { accountId, source, kind }: Omit<MediaFile, 'id'>,
    signal: AbortSignal,
    format: PreviewTask['format'] = 'webp',
  ) => {
    const posterSeconds = limits.previewCpuSeconds;
    const task = { job: 'preview', kind, format, ffmpeg, posterSeconds } as const;
    // ffmpeg also has its own limit; the child reads its input.
    const limitMs = (kind.type === 'VIDEO' ? 2 : 1) * posterSeconds * SECOND;
    const prepared = withFile(source, (file) => ({ task: { ...task, file }, allowMs: () => limitMs, made: () => {} }));
    return pool.run({ owner: accountId, limitMs, aside: true, ...prepared }, signal);
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
    jpegOf: async ({ accountId, source }, signal) => {
      signal.throwIfAborted();
      const outcome = await decodeAgain({ accountId, source, kind: kindOfMime(PREVIEW_MIME) }, signal, 'jpeg');
      const answer = outcome.kind === 'answered' ? (outcome.answer as Preview) : null;
      return answer?.kind === 'made' ? answer.bytes : null;
    },
    debtOf: ledger.debtOf,
    expect: pool.expect,
    close: async () => pool.close(),
  };
};
