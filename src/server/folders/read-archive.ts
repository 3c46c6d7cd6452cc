/**
 * Reads a ZIP that has only one interpretation, or refuses it (API document, "Archive rules" 2; API decisions 7): its
 * records follow each other without gaps, the headers of each file agree, and all names are safe relative paths. Also
 * unpacks single files, and verifies their size and checksum.
 */
import { isUtf8 } from 'node:buffer';
import { crc32, inflateRawSync } from 'node:zlib';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';

// Reads the names of an archive's entries, and rejects names that programs may read differently.

const EXTRA = { zip64: 0x0001, strongEncryption: 0x0017, unicodePath: 0x7075, aes: 0x9901 } as const;

const unsafeName = (name: string): string | null => {
  if (name.includes('\0')) return 'A name in the archive holds a NUL.';
  if (name.includes('\\')) return 'A name in the archive holds a backslash.';
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'A name in the archive is an absolute path.';
  const path = name.endsWith('/') ? name.slice(0, -1) : name;
  for (const part of path.split('/')) {
    if (part === '' || part === '.') return 'A name in the archive has an empty part.';
    if (part === '..') return 'A name in the archive leads out of the folder.';
  }
  return null;
};

/** The Unicode Path field repeats the name for programs without UTF-8; both must be equal. */
const agreesWithUnicodePath = (name: Buffer, field: Buffer): boolean =>
  field.length > 5 && field[0] === 1 && field.readUInt32LE(1) === crc32(name) && field.subarray(5).equals(name);

const readExtra = (name: Buffer, extra: Buffer): string | null => {
  const seen = new Set<number>();
  for (let at = 0; at < extra.length; ) {
    if (at + 4 > extra.length) return 'An extra field of the archive is damaged.';
    const id = extra.readUInt16LE(at);
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (end > extra.length) return 'An extra field of the archive is damaged.';
    if (id === EXTRA.zip64) return 'The archive is in the ZIP64 format.';
    if (id === EXTRA.strongEncryption || id === EXTRA.aes) return 'The archive is encrypted.';
    if (id === EXTRA.unicodePath) {
      if (seen.has(id) || !agreesWithUnicodePath(name, extra.subarray(at + 4, end))) {
        return 'A file of the archive has two different names.';
      }
      seen.add(id);
    }
    at = end;
  }
  return null;
};

/** The name of an entry, which ends with '/' for a folder; or what is wrong with it or with its extra fields. */
const readName = (bytes: Buffer, extra: Buffer): Result<string, string> => {
  if (!isUtf8(bytes)) return err('A name in the archive is not UTF-8.');
  const name = bytes.toString('utf8');
  const problem = unsafeName(name) ?? readExtra(bytes, extra);
  return problem === null ? ok(name) : err(problem);
};

/** Checks that the names form one tree: no duplicates, and no name that is both a file and a folder. */
const readTree = (names: readonly string[]): Result<void, string> => {
  const sorted = names.toSorted();
  const firstFrom = (name: string): string | undefined => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] as string) < name) low = middle + 1;
      else high = middle;
    }
    return sorted[low];
  };
  for (const [index, name] of sorted.entries()) {
    if (name === sorted[index + 1]) return err('The archive holds two entries of the same name.');
    if (!name.endsWith('/') && firstFrom(`${name}/`)?.startsWith(`${name}/`)) {
      return err('The archive names the same path as a file and as a folder.');
    }
  }
  return ok(undefined);
};

/** A file of the archive. `data` is a view of the archive's stored bytes. */
export interface ArchiveFile {
  readonly path: string;
  /** Unpacked bytes, according to both headers. */
  readonly size: number;
  readonly crc: number;
  readonly method: Method;
  readonly data: Buffer;
}

type Method = 'stored' | 'deflated';

/** Aborts the walk with the reason; it never leaves this module. */
class Refusal extends Error {}

const refuse = (reason: string): never => {
  throw new Refusal(reason);
};

export const archiveInvalid = (reason: string): Failure =>
  failure('FOLDER_ARCHIVE_INVALID', `${reason} Pack the folder again as a plain ZIP.`);

const SIGNATURE = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50, descriptor: 0x08074b50 } as const;
const END_BYTES = Buffer.from('PK\x05\x06', 'latin1');
const LOCATOR_64 = Buffer.from('PK\x06\x07', 'latin1');
const SIZE = { local: 30, central: 46, end: 22, descriptor: 12 } as const;

/** General purpose flags. Levels do not affect the meaning of the bytes. */
const FLAG = { encrypted: 0x0001, levels: 0x0006, descriptor: 0x0008, utf8: 0x0800 } as const;
const FLAGS_KNOWN = FLAG.levels | FLAG.descriptor | FLAG.utf8;

/** The maximum ratio of deflate is 1032 : 1. */
const DEFLATE_RATIO = 1_032;

const UNIX_TYPE = 0o170000;
const UNIX_FILE = 0o100000;
const UNIX_FOLDER = 0o040000;

interface Directory {
  readonly start: number;
  readonly end: number;
  readonly entries: number;
}

const readEnd = (archive: Buffer): Directory => {
  const end = archive.lastIndexOf(END_BYTES);
  if (end < 0) return refuse('The file is not a ZIP archive.');
  if (end + SIZE.end > archive.length) return refuse('The end of the archive is cut off.');
  if (end + SIZE.end + archive.readUInt16LE(end + 20) !== archive.length) {
    return refuse('There are bytes after the end of the archive.');
  }
  if (archive.readUInt16LE(end + 4) !== 0 || archive.readUInt16LE(end + 6) !== 0) {
    return refuse('The archive is split over several disks.');
  }
  const entries = archive.readUInt16LE(end + 10);
  if (archive.readUInt16LE(end + 8) !== entries) return refuse('The archive is split over several disks.');
  const size = archive.readUInt32LE(end + 12);
  const start = archive.readUInt32LE(end + 16);
  const hasLocator = end >= 20 && archive.subarray(end - 20, end - 16).equals(LOCATOR_64);
  if (hasLocator || entries === 0xffff || size === 0xffffffff || start === 0xffffffff) {
    return refuse('The archive is in the ZIP64 format.');
  }
  if (entries > LIMITS.folderRawEntries) return refuse(`The archive has more than ${LIMITS.folderRawEntries} entries.`);
  if (start + size !== end) return refuse('The central directory is not where the archive says.');
  return { start, end, entries };
};

/** Fields common to both headers of a file. */
interface Header {
  readonly flags: number;
  readonly method: Method;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly name: string;
  /** Position after name, extra fields and comment. */
  readonly next: number;
}

interface Entry extends Header {
  readonly offset: number;
}

const readMethod = (method: number): Method => {
  if (method === 0) return 'stored';
  if (method === 8) return 'deflated';
  return refuse('The archive uses a compression other than deflate.');
};

const readFlags = (flags: number): number => {
  if (flags & FLAG.encrypted) return refuse('The archive is encrypted.');
  return flags & ~FLAGS_KNOWN ? refuse('The archive uses features beyond a plain ZIP.') : flags;
};

/**
 * Reads the fields common to both kinds of header; `at` is the offset of the flags, `fixed` the header's fixed length.
 */
const readHeader = (archive: Buffer, start: number, kind: 'local' | 'central', limit: number): Header => {
  const at = start + (kind === 'local' ? 6 : 8);
  const nameStart = start + SIZE[kind];
  const extraStart = nameStart + archive.readUInt16LE(at + 20);
  const extraEnd = extraStart + archive.readUInt16LE(at + 22);
  const next = kind === 'central' ? extraEnd + archive.readUInt16LE(at + 24) : extraEnd;
  if (next > limit) return refuse('An entry of the archive is cut off.');
  const name = readName(archive.subarray(nameStart, extraStart), archive.subarray(extraStart, extraEnd));
  if (!name.ok) return refuse(name.error);
  const packed = archive.readUInt32LE(at + 12);
  const size = archive.readUInt32LE(at + 16);
  if (packed === 0xffffffff || size === 0xffffffff) return refuse('The archive is in the ZIP64 format.');
  return {
    flags: readFlags(archive.readUInt16LE(at)),
    method: readMethod(archive.readUInt16LE(at + 2)),
    crc: archive.readUInt32LE(at + 8),
    packed,
    size,
    name: name.value,
    next,
  };
};

/** Maximum bytes of an empty deflate stream. */
const NOTHING_PACKED = 8;

const checkKind = ({ name, size, packed }: Header, attributes: number): void => {
  const type = (attributes >>> 16) & UNIX_TYPE;
  const isFolder = name.endsWith('/');
  if (type !== 0 && type !== UNIX_FILE && type !== UNIX_FOLDER) {
    refuse('The archive holds a link or another special file.');
  }
  if (type === UNIX_FOLDER && !isFolder) refuse('The archive names a folder like a file.');
  if (isFolder && (size !== 0 || packed > NOTHING_PACKED)) refuse('A folder of the archive holds bytes of its own.');
};

const readDirectory = (archive: Buffer, directory: Directory): readonly Entry[] => {
  const entries: Entry[] = [];
  let at = directory.start;
  while (at < directory.end) {
    if (entries.length === directory.entries) return refuse('The central directory holds more than it says.');
    if (at + SIZE.central > directory.end || archive.readUInt32LE(at) !== SIGNATURE.central) {
      return refuse('The central directory is damaged.');
    }
    const header = readHeader(archive, at, 'central', directory.end);
    if (archive.readUInt16LE(at + 34) !== 0) return refuse('The archive is split over several disks.');
    checkKind(header, archive.readUInt32LE(at + 38));
    if (header.method === 'stored' && header.packed !== header.size)
      return refuse('A stored file lies about its size.');
    if (header.size > header.packed * DEFLATE_RATIO) return refuse('A packed file lies about its size.');
    entries.push({ ...header, offset: archive.readUInt32LE(at + 42) });
    at = header.next;
  }
  return entries.length === directory.entries ? entries : refuse('The central directory holds less than it says.');
};

/** Checks the record after the bytes of a file whose sizes were unknown when its header was written. */
const checkDescriptor = (archive: Buffer, start: number, end: number, entry: Entry): void => {
  const signature = end - start - SIZE.descriptor;
  if (signature !== 0 && signature !== 4) refuse('There are bytes between the files of the archive.');
  if (signature === 4 && archive.readUInt32LE(start) !== SIGNATURE.descriptor) refuse('A data descriptor is damaged.');
  const at = start + signature;
  const agrees =
    archive.readUInt32LE(at) === entry.crc &&
    archive.readUInt32LE(at + 4) === entry.packed &&
    archive.readUInt32LE(at + 8) === entry.size;
  if (!agrees) refuse('A data descriptor does not agree with the central directory.');
};

/**
 * Checks the local record of an entry, which must fill the archive from its offset up to `end`, and returns the file's
 * bytes.
 */
const readLocal = (archive: Buffer, entry: Entry, end: number): Buffer => {
  if (entry.offset + SIZE.local > end || archive.readUInt32LE(entry.offset) !== SIGNATURE.local) {
    return refuse('The central directory points to something that is not a file.');
  }
  const local = readHeader(archive, entry.offset, 'local', end);
  const isStreamed = (local.flags & FLAG.descriptor) !== 0;
  if (local.name !== entry.name) return refuse('A file has two different names.');
  if (local.method !== entry.method || (local.flags ^ entry.flags) & FLAG.descriptor) {
    return refuse('The two headers of a file do not agree.');
  }
  const agrees = (value: number, expected: number) => value === expected || (isStreamed && value === 0);
  if (!agrees(local.crc, entry.crc) || !agrees(local.packed, entry.packed) || !agrees(local.size, entry.size)) {
    return refuse('The two headers of a file do not agree.');
  }
  const dataEnd = local.next + entry.packed;
  if (dataEnd > end) return refuse('Files of the archive overlap, or one is cut off.');
  if (isStreamed) checkDescriptor(archive, dataEnd, end, entry);
  else if (dataEnd !== end) return refuse('There are bytes between the files of the archive.');
  return archive.subarray(local.next, dataEnd);
};

const walk = (archive: Buffer): readonly ArchiveFile[] => {
  const directory = readEnd(archive);
  const entries = readDirectory(archive, directory).toSorted((a, b) => a.offset - b.offset);
  if ((entries[0]?.offset ?? directory.start) !== 0)
    return refuse('There are bytes before the first file of the archive.');
  const files: ArchiveFile[] = [];
  for (const [index, entry] of entries.entries()) {
    const data = readLocal(archive, entry, entries[index + 1]?.offset ?? directory.start);
    if (entry.name.endsWith('/')) continue;
    const { name: path, size, crc, method } = entry;
    files.push({ path, size, crc, method, data });
  }
  const tree = readTree(entries.map(({ name }) => name));
  return tree.ok ? files : refuse(tree.error);
};

/** The files of an archive in the order of their bytes, without folders. FOLDER_ARCHIVE_INVALID contains the reason. */
export const readArchive = (archive: Buffer): Result<readonly ArchiveFile[]> => {
  try {
    return ok(walk(archive));
  } catch (error) {
    if (error instanceof Refusal) return err(archiveInvalid(error.message));
    throw error;
  }
};

// Unpacks one file of an archive, never beyond the size in its headers, and verifies it against them.

/** The smallest output buffer that zlib accepts. */
const CHUNK_MIN = 64;

interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

const inflate = ({ data, size }: ArchiveFile): Buffer | null => {
  try {
    // With `info` Node also returns how much it read: bytes after the end of the stream would allow a second
    // interpretation.
    const options = { maxOutputLength: Math.max(size, 1), chunkSize: Math.max(size, CHUNK_MIN), info: true };
    const { buffer, engine } = inflateRawSync(data, options) as unknown as Inflated;
    return engine.bytesWritten === data.length ? buffer : null;
  } catch {
    return null;
  }
};

/** The bytes of a file; FOLDER_ARCHIVE_INVALID if they contradict the headers. */
export const unpackFile = (file: ArchiveFile): Result<Buffer> => {
  const bytes = file.method === 'stored' ? file.data : inflate(file);
  if (!bytes || bytes.length !== file.size || crc32(bytes) !== file.crc) {
    return err(archiveInvalid('A file of the archive is damaged or lies about its size.'));
  }
  return ok(bytes);
};
