/**
 * Writes a plain ZIP as the service requires: one disk, deflated entries, UTF-8 names, no extra fields. Equal files
 * give equal bytes, so a repeated archive is identical.
 */
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { ZIP_RECORD } from '../../common/folder/archive-size.ts';

const VERSION = 20;
const MADE_ON_UNIX = (3 << 8) | VERSION;
const UTF8_NAMES = 0x0800;
const METHOD = { stored: 0, deflated: 8 } as const;
/** 1980-01-01, the first date of the format: a real time would make equal folders differ. */
const DATE = 0x0021;
const REGULAR_FILE = (0o100644 << 16) >>> 0;

/** Files that are written together. */
const FILES_PER_WRITE = 64;
const WINDOW_BITS = { least: 9, most: 15 } as const;
/** 3 % more bytes than zlib's default 6 and a tenth less time; the service repacks the files anyway. */
const LEVEL = 4;

const deflate = promisify<Buffer, object, Buffer>(deflateRaw);

/** A file as stored in an archive. */
export interface PackedFile {
  readonly name: Buffer;
  readonly size: number;
  readonly crc: number;
  readonly method: number;
  readonly data: Buffer;
}

/**
 * Packs one file on a thread of the pool. A window no larger than the file and an output buffer for the whole result
 * make small files fast.
 */
export const packFile = async (path: string, bytes: Buffer): Promise<PackedFile> => {
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

/** The part that both headers of a file share, from "version needed" to the length of the extra fields. */
const common = ({ name, size, crc, method, data }: PackedFile, into: Buffer, at: number): void => {
  into.writeUInt16LE(VERSION, at);
  into.writeUInt16LE(UTF8_NAMES, at + 2);
  into.writeUInt16LE(method, at + 4);
  into.writeUInt16LE(DATE, at + 8);
  into.writeUInt32LE(crc, at + 10);
  into.writeUInt32LE(data.length, at + 14);
  into.writeUInt32LE(size, at + 18);
  into.writeUInt16LE(name.length, at + 22);
};

const localHeader = (packed: PackedFile): Buffer => {
  const header = Buffer.alloc(ZIP_RECORD.local);
  header.write('PK\x03\x04', 'latin1');
  common(packed, header, 4);
  return header;
};

const centralHeader = (packed: PackedFile, offset: number): Buffer => {
  const header = Buffer.alloc(ZIP_RECORD.central);
  header.write('PK\x01\x02', 'latin1');
  header.writeUInt16LE(MADE_ON_UNIX, 4);
  common(packed, header, 6);
  header.writeUInt32LE(REGULAR_FILE, 38);
  header.writeUInt32LE(offset, 42);
  return header;
};

const endRecord = (entries: number, size: number, start: number): Buffer => {
  const end = Buffer.alloc(ZIP_RECORD.end);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(start, 16);
  return end;
};

/**
 * Writes the files in order, each once it is packed, and returns the archive's size. Rejects with disk errors and with
 * the signal's reason.
 */
export const writeZip = async (
  file: Pick<FileHandle, 'writev'>,
  files: readonly Promise<PackedFile>[],
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
