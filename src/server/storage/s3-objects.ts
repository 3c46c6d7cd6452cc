/**
 * Stores objects in an S3-compatible store as encrypted chunks of 2 MiB (`s3-chunks.ts`); the header and the wrapped
 * keys are in the object's database row. A chunk is durable once the store has answered, and a commit changes only the
 * row. Needs PUT, GET with Range and DELETE of single objects.
 */
import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { open as openFile, rm } from '../../base/node/retrying-fs.ts';
import type { KeyRing } from './key-ring.ts';
import type { ObjectRow, ObjectRows } from './object-rows.ts';
import {
  type ObjectId,
  type ObjectSink,
  type ObjectStore,
  RemovedObjectError,
  type StagedObject,
} from './object-store-interface.ts';
import {
  CHUNK_BYTES,
  CHUNK_SEGMENTS,
  CUTS_MAX,
  chunkInFile,
  chunksOf,
  FULL_CHUNK_STORED,
  getStored,
  isFinal,
  isNoSuchKey,
  keyOf,
  putStored,
  removeStored,
} from './s3-chunks.ts';
import { type S3Client, S3RefusedError, S3UnavailableError } from './s3-client.ts';
import { probeS3UnlessFull } from './s3-probe.ts';
import {
  DamagedObjectError,
  HEADER_BYTES,
  openSegment,
  SEGMENT_BYTES,
  sealSegment,
  segmentAt,
} from './sealed-format.ts';
import { createBlocks } from './split-into-blocks.ts';

/** Chunks that a stream may write before its row is asked again. */
const FIRST_RESERVE = 4;
const DELETES_AT_ONCE = 8;
const LATE_MS = 10_000;
const FETCHES_AT_ONCE = 4;
/** A monitor asks often; each probe is three requests. */
const PROBE_AGAIN_MS = 5_000;

type Opened = { readonly row: ObjectRow; readonly keys: ReturnType<KeyRing['open']>['keys']; readonly size: number };

interface S3ObjectsDeps {
  readonly client: S3Client;
  readonly ring: KeyRing;
  readonly rows: Pick<
    ObjectRows,
    'byId' | 'isKept' | 'insert' | 'reserve' | 'keepAlive' | 'finish' | 'makePermanent' | 'remove' | 'abandon'
  >;
  /** Names this node in the probe. */
  readonly node: string;
  /** A private folder for encrypted copies that a child process reads. */
  readonly scratch: string;
}

export const createS3Objects = ({ client, ring, rows, node, scratch }: S3ObjectsDeps): ObjectStore => {
  const removing = new Set<ObjectId>();
  const writing = new Map<ObjectId, Set<Promise<void>>>();

  /**
   * Writes nothing to an object that is being removed: its chunk would stay for ever. Another node may remove it while the
   * chunk is written. Throws `RemovedObjectError`.
   */
  const putChunk = async (id: ObjectId, chunk: number, body: Buffer): Promise<void> => {
    if (removing.has(id) || !(await rows.isKept(id))) throw new RemovedObjectError(id);
    const putAndLook = async (): Promise<void> => {
      await putStored(client, keyOf(id, chunk), body);
      if (await rows.isKept(id)) return;
      await removeStored(client, keyOf(id, chunk));
      throw new RemovedObjectError(id);
    };
    const done = putAndLook();
    const all = writing.get(id) ?? new Set();
    writing.set(id, all.add(done));
    try {
      await done;
    } finally {
      all.delete(done);
      if (all.size === 0) writing.delete(id);
    }
  };

  const removeChunks = async (id: ObjectId, chunks: readonly number[]): Promise<void> => {
    for (let at = 0; at < chunks.length; at += DELETES_AT_ONCE) {
      await Promise.all(chunks.slice(at, at + DELETES_AT_ONCE).map((chunk) => removeStored(client, keyOf(id, chunk))));
    }
  };

  const open = async (id: ObjectId): Promise<Opened> => {
    const row = await rows.byId(id);
    if (row?.header == null) throw new DamagedObjectError(`Object ${id} has no row.`);
    const { keys, size } = ring.open(id, row.header, row);
    if (size === null) throw new DamagedObjectError(`Object ${id} was never finished.`);
    return { row, keys, size };
  };

  /** Seals `plaintext`, which begins at byte `position`, in one piece; `end` is the size of the object if it ends with it. */
  const seal = (keys: Opened['keys'], position: number, plaintext: Buffer, end: number | null): Buffer => {
    const sealed: Buffer[] = [];
    for (let at = 0; at < plaintext.length; at += SEGMENT_BYTES) {
      const segment = plaintext.subarray(at, at + SEGMENT_BYTES);
      const isLast = end !== null && position + at + segment.length === end;
      const index = (position + at) / SEGMENT_BYTES;
      sealed.push(...sealSegment(keys.segments, { index, endOf: isLast ? end : null }, segment));
    }
    return Buffer.concat(sealed);
  };

  const stagedObject = (id: ObjectId, { keys, size }: Opened): StagedObject => ({
    write: async (lease, bytes) => {
      lease.check(id, bytes.length);
      const { position } = lease;
      const end = position + bytes.length;
      if (position % CHUNK_BYTES !== 0 || end > size || (end % CHUNK_BYTES !== 0 && end !== size)) {
        throw new Error(`Bytes ${position} to ${end} of ${size} are not whole segments of chunks.`);
      }
      const plaintext = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let at = 0; at < plaintext.length; at += CHUNK_BYTES) {
        const chunk = seal(keys, position + at, plaintext.subarray(at, at + CHUNK_BYTES), size);
        await putChunk(id, (position + at) / CHUNK_BYTES, chunk);
      }
    },
    sync: async () => {},
    close: async () => {},
  });

  const sink = (id: ObjectId, { keys, header }: ReturnType<KeyRing['create']>): ObjectSink => {
    let [size, reserved, isEnding] = [0, FIRST_RESERVE, false];
    const blocks = createBlocks(CHUNK_BYTES, async (plaintext) => {
      const chunk = size / CHUNK_BYTES;
      if (chunk >= reserved) {
        reserved *= 2;
        await rows.reserve(id, reserved);
      }
      const end = isEnding ? size + plaintext.length : null;
      await putChunk(id, chunk, seal(keys, size, plaintext, end));
      size += plaintext.length;
    });

    const keepAlive = rows.keepAlive(id);
    return {
      append: async (bytes) => {
        await keepAlive();
        await blocks.append(bytes);
      },
      finish: async () => {
        isEnding = true;
        await blocks.end();
        await rows.finish(id, size, header(size));
      },
      close: async () => {},
    };
  };

  /** Begins to read the sealed segments from `first` to `last` of one chunk. */
  const request = (id: ObjectId, size: number, first: number, last: number, signal: AbortSignal) => {
    const chunk = Math.floor(first / CHUNK_SEGMENTS);
    const chunkStart = HEADER_BYTES + chunk * FULL_CHUNK_STORED;
    const from = segmentAt(first * SEGMENT_BYTES, size).position - chunkStart;
    const to = segmentAt(last * SEGMENT_BYTES, size);
    const range = `bytes=${from}-${to.position - chunkStart + to.bytes - 1}`;
    const sent = client.send({
      ...{ operation: 'get', method: 'GET', key: keyOf(id, chunk), headers: { range } },
      ...{ signal, isStreamed: true },
    });
    // It is awaited when its turn comes.
    sent.catch(() => {});
    return sent;
  };

  /** The plaintext of the segments from `first` to `last` of one chunk; continues where a body was cut. */
  async function* chunkSegments(
    id: ObjectId,
    { keys, size }: Opened,
    {
      first,
      last,
      signal,
      ahead,
    }: { first: number; last: number; signal: AbortSignal; ahead: ReturnType<typeof request> },
  ) {
    let next = first;
    let sent = ahead;
    for (let cuts = 0; next <= last; ) {
      try {
        const { status, body } = await sent;
        if (status !== 206) throw new DamagedObjectError(`The object store ignored the range of object ${id}.`);
        let [held, heldBytes]: [Buffer[], number] = [[], 0];
        for await (const piece of body) {
          held.push(piece as Buffer);
          heldBytes += (piece as Buffer).length;
          for (let place = segmentAt(next * SEGMENT_BYTES, size); next <= last && heldBytes >= place.bytes; ) {
            const bytes = Buffer.concat(held);
            yield openSegment(keys.segments, place, bytes.subarray(0, place.bytes));
            held = [bytes.subarray(place.bytes)];
            heldBytes = bytes.length - place.bytes;
            next += 1;
            if (next <= last) place = segmentAt(next * SEGMENT_BYTES, size);
          }
        }
        if (next <= last) throw new Error('The body was cut.');
      } catch (error) {
        signal.throwIfAborted();
        if (isNoSuchKey(error) || (error instanceof S3RefusedError && error.status === 416)) {
          throw new DamagedObjectError(`A chunk of object ${id} is missing or cut.`);
        }
        if (isFinal(error)) throw error;
        cuts += 1;
        if (cuts > CUTS_MAX) throw new S3UnavailableError('get', 'the body was cut', null);
        sent = request(id, size, next, last, signal);
      }
    }
  }

  async function* bytesOf(id: ObjectId, { start, end }: { start: number; end: number }, signal: AbortSignal) {
    const opened = await open(id);
    const { size } = opened;
    const limit = Math.min(end + 1, size);
    if (start >= limit) return;
    const lastSegment = Math.floor((limit - 1) / SEGMENT_BYTES);
    const stop = new AbortController();
    const both = AbortSignal.any([signal, stop.signal]);
    const spanFrom = (first: number) => {
      const last = Math.min(lastSegment, Math.floor(first / CHUNK_SEGMENTS) * CHUNK_SEGMENTS + CHUNK_SEGMENTS - 1);
      return { first, last, signal: both, ahead: request(id, size, first, last, both) };
    };
    try {
      let span: ReturnType<typeof spanFrom> | null = spanFrom(Math.floor(start / SEGMENT_BYTES));
      let at = Math.floor(start / SEGMENT_BYTES) * SEGMENT_BYTES;
      while (span !== null) {
        const following: ReturnType<typeof spanFrom> | null = span.last < lastSegment ? spanFrom(span.last + 1) : null;
        for await (const plaintext of chunkSegments(id, opened, span)) {
          yield plaintext.subarray(Math.max(0, start - at), limit - at);
          at += plaintext.length;
        }
        span = following;
      }
    } finally {
      stop.abort();
    }
  }

  /** A whole chunk as it is stored. */
  const fetchChunk = async (id: ObjectId, chunk: number, bytes: number, signal: AbortSignal): Promise<Buffer> => {
    const stored = await getStored(client, keyOf(id, chunk), signal);
    if (stored === null) throw new DamagedObjectError(`A chunk of object ${id} is missing.`);
    if (stored.length !== bytes) throw new DamagedObjectError(`A chunk of object ${id} is cut.`);
    return stored;
  };

  /** Writes the object as a sealed file. */
  const fetchTo = async (file: FileHandle, id: ObjectId, { row, size }: Opened, signal: AbortSignal): Promise<void> => {
    await file.write(row.header ?? Buffer.alloc(0), 0, HEADER_BYTES, 0);
    let next = 0;
    const fetchNext = async (): Promise<void> => {
      while (next < chunksOf(size)) {
        const chunk = next++;
        const { position, bytes } = chunkInFile(size, chunk);
        const stored = await fetchChunk(id, chunk, bytes, signal);
        for (let written = 0; written < stored.length; ) {
          written += (await file.write(stored, written, stored.length - written, position + written)).bytesWritten;
        }
      }
    };
    // All have ended before the file is closed.
    const ended = await Promise.allSettled(Array.from({ length: FETCHES_AT_ONCE }, fetchNext));
    for (const end of ended) if (end.status === 'rejected') throw end.reason;
  };

  let probed: { readonly outcome: Promise<void>; ended: number } | null = null;

  return {
    stage: async (id, size) => {
      const { keyId, wrappedKey, header } = ring.create(id);
      await rows.insert({ id, size, chunks: chunksOf(size), header: header(size), keyId, wrappedKey });
    },
    openStaged: async (id) => {
      const opened = await open(id);
      if (opened.row.state !== 'staged') throw new Error(`Object ${id} is permanent.`);
      return stagedObject(id, opened);
    },
    stageStream: async (id) => {
      const made = ring.create(id);
      const { keyId, wrappedKey, header } = made;
      await rows.insert({ id, size: null, chunks: FIRST_RESERVE, header: header(null), keyId, wrappedKey });
      return sink(id, made);
    },
    commit: async (id) => {
      await open(id);
      if (!(await rows.makePermanent(id))) throw new RemovedObjectError(id);
    },
    size: async (id) => (await open(id)).size,
    read: (id, range, signal) =>
      addAbortSignal(signal, Readable.from(bytesOf(id, range, signal), { objectMode: false })),
    remove: async (id) => {
      removing.add(id);
      try {
        await Promise.allSettled(writing.get(id) ?? []);
        const row = await rows.byId(id);
        if (row === undefined) return;
        const chunks = Array.from({ length: row.chunks ?? 0 }, (_, chunk) => chunk);
        await removeChunks(id, chunks);
        await rows.remove(id);
        // A node that was killed meanwhile may have sent one that arrives now.
        if (row.state === 'staged') setTimeout(() => void removeChunks(id, chunks).catch(() => {}), LATE_MS).unref();
      } finally {
        removing.delete(id);
      }
    },
    abandon: rows.abandon,
    isFetched: true,
    withSealedFile: async (id, use, signal) => {
      const opened = await open(id);
      const { keys, size } = opened;
      const path = join(scratch, randomUUID());
      try {
        const file = await openFile(path, 'wx', 0o600);
        try {
          await fetchTo(file, id, opened, signal);
        } finally {
          await file.close();
        }
        return await use({ path, key: keys.segments.export().toString('base64'), size });
      } finally {
        await rm(path, { force: true });
      }
    },
    probe: () => {
      if (probed === null || performance.now() - probed.ended > PROBE_AGAIN_MS) {
        const probing = { outcome: probeS3UnlessFull(client, node, 'health'), ended: Number.POSITIVE_INFINITY };
        probing.outcome.then(
          () => {
            probing.ended = performance.now();
          },
          () => {
            probed = null;
          },
        );
        probed = probing;
      }
      return probed.outcome;
    },
  };
};
