/**
 * Stores objects in an S3-compatible store, as chunks of 2 MiB: `{prefix}/{id}/{n}` has the sealed segments 8n to 8n + 7,
 * byte for byte as a sealed file has them. Header and keys are in the row of the object. A chunk is durable when the store
 * has answered; committing an object is a matter of its row alone. Needs PUT, GET with Range and DELETE of single objects.
 */
import { createHash } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';
import type { KeyRing } from './key-ring.ts';
import type { ObjectRow, ObjectRows } from './object-rows.ts';
import type { ObjectId, ObjectSink, ObjectStore, StagedObject } from './object-store.ts';
import { type S3Client, S3RefusedError, S3UnavailableError } from './s3-client.ts';
import {
  DamagedObjectError,
  HEADER_BYTES,
  openSegment,
  SEGMENT_BYTES,
  sealSegment,
  segmentAt,
  storedSize,
} from './sealed-format.ts';

const SEGMENTS = 8;
export const CHUNK_BYTES = SEGMENTS * SEGMENT_BYTES;
const FULL_CHUNK_STORED = storedSize(CHUNK_BYTES) - HEADER_BYTES;
/** Chunks that a stream may write before its row is asked again. */
const FIRST_RESERVE = 4;
const DELETES_AT_ONCE = 8;
/** How often a body that was cut is continued. */
const CUTS = 5;

type Opened = { readonly row: ObjectRow; readonly keys: ReturnType<KeyRing['open']>['keys']; readonly size: number };

interface S3ObjectsDeps {
  readonly client: S3Client;
  readonly ring: KeyRing;
  readonly rows: Pick<ObjectRows, 'byId' | 'insert' | 'reserve' | 'finish' | 'makePermanent' | 'remove'>;
  /** Names this node in the probe. */
  readonly node: string;
}

export type S3Objects = Omit<ObjectStore, 'sealedFile'>;

const chunksOf = (size: number): number => Math.ceil(size / CHUNK_BYTES);
const keyOf = (id: ObjectId, chunk: number): string => `${id}/${chunk}`;

export const createS3Objects = ({ client, ring, rows, node }: S3ObjectsDeps): S3Objects => {
  const put = async (key: string, body: Buffer): Promise<void> => {
    const { body: answer } = await client.send({ operation: 'put', method: 'PUT', key, body });
    await answer.dump();
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
        await put(keyOf(id, (position + at) / CHUNK_BYTES), chunk);
      }
    },
    sync: async () => {},
    close: async () => {},
  });

  const sink = (id: ObjectId, { keys, header }: ReturnType<KeyRing['create']>): ObjectSink => {
    const pending = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    let [filled, size, reserved] = [0, 0, FIRST_RESERVE];

    const flush = async (end: number | null): Promise<void> => {
      const position = size - filled;
      const chunk = position / CHUNK_BYTES;
      if (chunk >= reserved) {
        reserved *= 2;
        await rows.reserve(id, reserved);
      }
      await put(keyOf(id, chunk), seal(keys, position, pending.subarray(0, filled), end));
      filled = 0;
    };

    return {
      append: async (bytes) => {
        for (let at = 0; at < bytes.length; ) {
          if (filled === CHUNK_BYTES) await flush(null);
          const count = Math.min(CHUNK_BYTES - filled, bytes.length - at);
          pending.set(bytes.subarray(at, at + count), filled);
          filled += count;
          size += count;
          at += count;
        }
      },
      finish: async () => {
        if (filled > 0) await flush(size);
        await rows.finish(id, size, header(size));
      },
      close: async () => {},
    };
  };

  /** Begins to read the sealed segments from `first` to `last` of one chunk. */
  const request = (id: ObjectId, size: number, first: number, last: number, signal: AbortSignal) => {
    const chunk = Math.floor(first / SEGMENTS);
    const chunkStart = HEADER_BYTES + chunk * FULL_CHUNK_STORED;
    const from = segmentAt(first * SEGMENT_BYTES, size).position - chunkStart;
    const to = segmentAt(last * SEGMENT_BYTES, size);
    const range = `bytes=${from}-${to.position - chunkStart + to.bytes - 1}`;
    const sent = client.send({ operation: 'get', method: 'GET', key: keyOf(id, chunk), headers: { range }, signal });
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
        if (next <= last) throw new S3UnavailableError('get', 'the body was cut', null);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof S3RefusedError && (error.s3Code === 'NoSuchKey' || error.status === 416)) {
          throw new DamagedObjectError(`A chunk of object ${id} is missing or cut.`);
        }
        cuts += 1;
        const isFinal = error instanceof DamagedObjectError || error instanceof S3RefusedError;
        if (isFinal || cuts > CUTS) throw error;
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
      const last = Math.min(lastSegment, Math.floor(first / SEGMENTS) * SEGMENTS + SEGMENTS - 1);
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

  const removeChunk = async (key: string): Promise<void> => {
    const { body } = await client.send({ operation: 'delete', method: 'DELETE', key, accept: [404] });
    await body.dump();
  };

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
      await rows.makePermanent(id);
    },
    size: async (id) => (await open(id)).size,
    read: (id, range, signal) =>
      addAbortSignal(signal, Readable.from(bytesOf(id, range, signal), { objectMode: false })),
    remove: async (id) => {
      const row = await rows.byId(id);
      if (row === undefined) return;
      const chunks = Array.from({ length: row.chunks ?? 0 }, (_, chunk) => chunk);
      for (let at = 0; at < chunks.length; at += DELETES_AT_ONCE) {
        await Promise.all(chunks.slice(at, at + DELETES_AT_ONCE).map((chunk) => removeChunk(keyOf(id, chunk))));
      }
      await rows.remove(id);
    },
    probe: async () => {
      const key = `probe/${node}`;
      const bytes = createHash('sha256').update(node).digest();
      await put(key, bytes);
      const { body } = await client.send({ operation: 'get', method: 'GET', key });
      if (!Buffer.from(await body.arrayBuffer()).equals(bytes))
        throw new Error('The object store gave other bytes back.');
      await removeChunk(key);
    },
  };
};
