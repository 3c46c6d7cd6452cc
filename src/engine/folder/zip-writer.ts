/**
 * Compresses files, and writes them as a plain ZIP as the service requires: one disk, entries deflated where that makes
 * them smaller, UTF-8 names, no extra fields. Equal files in the same order give equal bytes, so that a repeated
 * archive is identical.
 */
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { centralHeader, endRecord, localHeader, METHOD, type ZipEntry } from '../../base/node/zip-records.ts';

/** Files that are written together. */
const FILES_PER_WRITE = 64;
const WINDOW_BITS = { least: 9, most: 15 } as const;
/** 3 % more bytes than zlib's default 6 and a tenth less time; the service repacks the files anyway. */
const LEVEL = 4;

const deflate = promisify<Buffer, object, Buffer>(deflateRaw);

/**
 * Packs one file on a thread of the pool. A window no larger than the file and an output buffer for the whole result
 * make small files fast.
 */
export const packFile = async (path: string, bytes: Buffer): Promise<ZipEntry> => {
  const bits = 32 - Math.clz32(bytes.length);
  const windowBits = Math.min(WINDOW_BITS.most, Math.max(WINDOW_BITS.least, bits));
  const deflated = await deflate(bytes, { windowBits, chunkSize: bytes.length + 64, level: LEVEL });
  const isSmaller = deflated.length < bytes.length;
  return {
    name: Buffer.from(path, 'utf8'),
    size: bytes.length,
    crc: crc32(bytes),
    method: isSmaller ? METHOD.deflated : METHOD.stored,
    data: isSmaller ? deflated : bytes,
  };
};

/**
 * Writes the files in order, each once it is packed, and returns the archive's size. Rejects with disk errors and with
 * the signal's reason.
 */
export const writeZip = async (
  file: Pick<FileHandle, 'writev'>,
  files: readonly Promise<ZipEntry>[],
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<number> => {
  const directory: Buffer[] = [];
  let offset = 0;
  const write = async (parts: readonly Buffer[]): Promise<void> => {
    const wanted = parts.reduce((total, { length }) => total + length, 0);
    const { bytesWritten } = await file.writev(parts);
    // A disk that accepts only a part is full; the next write reports it.
    if (bytesWritten < wanted) await file.writev([Buffer.concat(parts).subarray(bytesWritten)]);
  };
  for (let start = 0; start < files.length; start += FILES_PER_WRITE) {
    signal.throwIfAborted();
    const parts: Buffer[] = [];
    for (const packed of await Promise.all(files.slice(start, start + FILES_PER_WRITE))) {
      const header = localHeader(packed);
      parts.push(header, packed.name, packed.data);
      directory.push(centralHeader(packed, offset), packed.name);
      offset += header.length + packed.name.length + packed.data.length;
    }
    await write(parts);
    onProgress(Math.min(1, (start + FILES_PER_WRITE) / files.length));
  }
  const central = Buffer.concat(directory);
  const end = endRecord(files.length, central.length, offset);
  await write([central, end]);
  return offset + central.length + end.length;
};
