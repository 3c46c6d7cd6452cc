/**
 * Reads the archive of a shared folder by byte ranges: lists its files and extracts one without downloading the rest.
 * Archives are untrusted: reads and extracted sizes are bounded by the limits of a folder.
 */
import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';

/** Bytes `first` to `last`, inclusive; `first` null: the last `last` bytes, or all where there are fewer. */
export type ReadBytes = (first: number | null, last: number) => Promise<Result<ByteRange>>;

interface ByteRange {
  readonly bytes: Buffer;
  /** Offset in the archive. */
  readonly start: number;
}

export interface ArchiveEntry {
  readonly path: string;
  /** Bytes when unpacked. */
  readonly size: number;
  readonly packed: number;
  readonly crc: number;
  readonly method: number;
  readonly offset: number;
}

const SIGNATURE = { local: 0x04034b50, central: 0x02014b50 } as const;
const END = Buffer.from('PK\x05\x06', 'latin1');
const SIZE = { local: 30, central: 46, end: 22 } as const;
/** The directory of most folders fits in this, and so comes with the first request. */
const TAIL_BYTES = 64 * 1024;
/** The longest names at four bytes per character, plus the record of each. */
const DIRECTORY_MAX = LIMITS.folderFiles * (SIZE.central + LIMITS.folderPathCharacters * 4);
const EXTRA_MAX = 64 * 1024;
const METHOD = { stored: 0, deflated: 8 } as const;

const inflate = promisify<Buffer, object, Buffer>(inflateRaw);

const damaged = (what: string): Result<never> =>
  err(failure('FOLDER_ARCHIVE_INVALID', `The shared folder cannot be read: ${what}.`));

/** The files of the archive, in its order. Errors: those of `read`; FOLDER_ARCHIVE_INVALID. */
export const listArchive = async (read: ReadBytes): Promise<Result<readonly ArchiveEntry[]>> => {
  const tail = await read(null, TAIL_BYTES);
  if (!tail.ok) return tail;
  const { bytes, start } = tail.value;
  const end = bytes.lastIndexOf(END);
  if (end === -1 || end + SIZE.end > bytes.length) return damaged('it has no end');
  const [length, from] = [bytes.readUInt32LE(end + 12), bytes.readUInt32LE(end + 16)];
  if (length > DIRECTORY_MAX || from + length !== start + end)
    return damaged('its directory is not where it should be');
  if (from >= start) return entriesOf(bytes.subarray(from - start, end));
  const directory = await read(from, from + length - 1);
  return directory.ok ? entriesOf(directory.value.bytes) : directory;
};

const entriesOf = (directory: Buffer): Result<readonly ArchiveEntry[]> => {
  const entries: ArchiveEntry[] = [];
  for (let at = 0; at < directory.length; ) {
    const nameStart = at + SIZE.central;
    if (nameStart > directory.length || directory.readUInt32LE(at) !== SIGNATURE.central)
      return damaged('its directory is broken');
    const nameEnd = nameStart + directory.readUInt16LE(at + 28);
    const entry: ArchiveEntry = {
      path: directory.toString('utf8', nameStart, nameEnd),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    };
    if (!entry.path.endsWith('/')) entries.push(entry);
    if (entries.length > LIMITS.folderFiles) return damaged('it holds more files than a folder may');
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return ok(entries);
};

/** The bytes of one file, verified by its checksum. Errors: those of `read`; FOLDER_ARCHIVE_INVALID. */
export const readArchived = async (read: ReadBytes, entry: ArchiveEntry): Promise<Result<Buffer>> => {
  const { path, offset, packed, size, method, crc } = entry;
  if (size > LIMITS.folderFileBytes || packed > 2 * LIMITS.folderFileBytes) return damaged('a file is too large');
  const nameBytes = Buffer.byteLength(path);
  const range = await read(offset, offset + SIZE.local + nameBytes + EXTRA_MAX + packed - 1);
  if (!range.ok) return range;
  const { bytes } = range.value;
  if (bytes.length < SIZE.local || bytes.readUInt32LE(0) !== SIGNATURE.local)
    return damaged('a file is not in its place');
  const from = SIZE.local + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  const data = bytes.subarray(from, from + packed);
  const unpacked = data.length === packed ? await unpack(data, method, size) : null;
  if (unpacked?.length !== size || crc32(unpacked) !== crc) return damaged('a file does not match its checksum');
  return ok(unpacked);
};

/** Null where the data cannot be unpacked to this size. */
const unpack = (data: Buffer, method: number, size: number): Promise<Buffer | null> | Buffer | null => {
  if (method === METHOD.stored) return data;
  // Fails for data that is not deflate or unpacks to more than its stated size.
  return method === METHOD.deflated ? inflate(data, { maxOutputLength: Math.max(1, size) }).catch(() => null) : null;
};
