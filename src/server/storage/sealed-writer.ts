/**
 * Writes encrypted objects to open files: ranges in any order where the size is known, or a stream.
 */

import type { KeyObject } from 'node:crypto';
import { close, fdatasync, open, writev } from 'node:fs';
import { retryWhileInUse } from '../../base/node/retrying-fs.ts';
import { freeMemory } from '../free-buffer-memory.ts';
import type { ObjectId, ObjectSink, StagedObject } from './object-store-interface.ts';
import { SEGMENT_BYTES, sealSegment, segmentAt } from './sealed-format.ts';
import { createBlocks } from './split-into-blocks.ts';

/** Callbacks instead of `FileHandle`: parts are written constantly, and this saves a third of the processor time. */
const settle = <T>(start: (done: (error: Error | null, value?: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    start((error, value) => (error === null ? resolve(value as T) : reject(error)));
  });

export const openDescriptor = (path: string): Promise<number> =>
  retryWhileInUse(() => settle<number>((done) => open(path, 'r+', done)));

const closeDescriptor = (fd: number): Promise<void> => settle((done) => close(fd, (error) => done(error ?? null)));

/** Writes `buffers` in sequence; a disk may accept fewer bytes than it gets. */
const writeAll = async (fd: number, buffers: readonly Buffer[], position: number): Promise<void> => {
  let left = buffers;
  for (let at = position; left.length > 0; ) {
    let written = await settle<number>((done) => writev(fd, left, at, done));
    at += written;
    const firstLeft = left.findIndex((buffer) => {
      if (buffer.length > written) return true;
      written -= buffer.length;
      return false;
    });
    left =
      firstLeft < 0
        ? []
        : left.slice(firstLeft).map((buffer, index) => (index === 0 ? buffer.subarray(written) : buffer));
  }
};

/** The object properties that a writer needs. */
interface Written {
  readonly id: ObjectId;
  readonly key: KeyObject;
  readonly size: number;
}

/** Writes to the open file `fd` of an object; writes must cover whole segments. */
export const createStagedWriter = (fd: number, { id, key, size }: Written): StagedObject => ({
  write: async (lease, bytes) => {
    lease.check(id, bytes.length);
    const { position } = lease;
    const end = position + bytes.length;
    if (position % SEGMENT_BYTES !== 0 || end > size || (end % SEGMENT_BYTES !== 0 && end !== size)) {
      throw new Error(`Bytes ${position} to ${end} of ${size} are not whole segments.`);
    }
    const plaintext = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const sealed: Buffer[] = [];
    for (let at = position; at < end; ) {
      const segment = segmentAt(at, size);
      sealed.push(...sealSegment(key, segment, plaintext.subarray(at - position, segment.end - position)));
      at = segment.end;
    }
    try {
      await writeAll(fd, sealed, segmentAt(position, size).position);
    } finally {
      sealed.forEach(freeMemory);
    }
  },
  sync: () => settle((done) => fdatasync(fd, done)),
  close: () => closeDescriptor(fd),
});

interface FileSink extends Omit<ObjectSink, 'finish'> {
  /** Resolves with the size in bytes of plaintext. */
  finish(): Promise<number>;
}

/** Appends to the new file `fd`; `finishedHeader` makes the header once the size is known. */
export const createSink = (fd: number, key: KeyObject, finishedHeader: (size: number) => Buffer): FileSink => {
  let size = 0;
  let isEnding = false;
  const blocks = createBlocks(SEGMENT_BYTES, async (plaintext) => {
    const { index, position } = segmentAt(size, size + plaintext.length);
    size += plaintext.length;
    const sealed = sealSegment(key, { index, endOf: isEnding ? size : null }, plaintext);
    await writeAll(fd, sealed, position);
    sealed.forEach(freeMemory);
  });

  return {
    append: blocks.append,
    finish: async () => {
      isEnding = true;
      await blocks.end();
      await writeAll(fd, [finishedHeader(size)], 0);
      return size;
    },
    close: () => closeDescriptor(fd),
  };
};
