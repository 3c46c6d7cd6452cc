/** Converts the received ZIP into the stored ZIP and the result for every file. Pure and synchronous. */

import { crc32, deflateRawSync } from 'node:zlib';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { FolderResult } from '../../api/folder-result.ts';
import { LIMITS } from '../../api/limits.ts';
import { GITIGNORE, selectFolder, stripTopFolder } from '../../common/folder/select-files.ts';
import { type ArchiveFile, readArchive } from './archive.ts';
import { unpackFile } from './zip-reader.ts';

/** Maximum bytes to unpack in search of text files: many times what may be kept, and a fraction of a second. */
const UNPACK_MAX = 128 * 1024 ** 2;

export interface NormalisedArchive {
  /** The stored ZIP; its length counts towards the quota. */
  readonly archive: Uint8Array;
  readonly folder: FolderResult;
}

const readGitignore = (files: readonly ArchiveFile[]): Result<Buffer | null> => {
  const root = files.find(({ path }) => path === GITIGNORE);
  return root && root.size <= LIMITS.folderFileBytes ? unpackFile(root) : ok(null);
};

/** Reads, filters and packs a folder (API document, "Archive rules" 2-8). Unpacks only files that may be kept. */
export const normaliseArchive = (archive: Buffer): Result<NormalisedArchive> => {
  const read = readArchive(archive);
  if (!read.ok) return read;
  const files = stripTopFolder(read.value);
  const gitignore = readGitignore(files);
  if (!gitignore.ok) return gitignore;

  const selection = selectFolder(files, gitignore.value);
  const kept: PackedFile[] = [];
  let unpacked = 0;
  for (const file of selection.candidates) {
    unpacked += file.size;
    if (unpacked > UNPACK_MAX) {
      const detail = `The folder unpacks to more than ${UNPACK_MAX / 1024 ** 2} MB. Leave out what is not source code.`;
      return err(failure('FOLDER_TOO_LARGE', detail, { params: { limitBytes: LIMITS.folderTextBytes } }));
    }
    const bytes = unpackFile(file);
    if (!bytes.ok) return bytes;
    const offered = selection.add(file, bytes.value);
    if (!offered.ok) return offered;
    if (offered.value === 'kept') kept.push({ path: file.path, bytes: bytes.value });
  }
  const folder = selection.finish();
  return folder.ok ? ok({ archive: packFiles(kept), folder: folder.value }) : folder;
};

/** Writes the stored ZIP deterministically: equal files give equal bytes (API document, "Archive rules" 8). */
interface PackedFile {
  readonly path: string;
  readonly bytes: Buffer;
}

const VERSION = 20;
const MADE_ON_UNIX = (3 << 8) | VERSION;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
/** 1980-01-01, the earliest date of the format. */
const DATE = 0x0021;
const REGULAR_FILE = 0o100644 << 16;

/** The fields that local and central header share, from "version needed" to the name's length. */
const common = (name: Buffer, bytes: Buffer, packed: Buffer): Buffer => {
  const header = Buffer.alloc(26);
  header.writeUInt16LE(VERSION, 0);
  header.writeUInt16LE(UTF8_NAMES, 2);
  header.writeUInt16LE(DEFLATED, 4);
  header.writeUInt16LE(DATE, 8);
  header.writeUInt32LE(crc32(bytes), 10);
  header.writeUInt32LE(packed.length, 14);
  header.writeUInt32LE(bytes.length, 18);
  header.writeUInt16LE(name.length, 22);
  return header;
};

const centralTail = (offset: number): Buffer => {
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(REGULAR_FILE >>> 0, 6);
  tail.writeUInt32LE(offset, 10);
  return tail;
};

const endRecord = (entries: number, size: number, start: number): Buffer => {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(start, 16);
  return end;
};

const LOCAL = Buffer.from('PK\x03\x04', 'latin1');
const CENTRAL = Buffer.from('PK\x01\x02', 'latin1');
const MADE_BY = Buffer.from([MADE_ON_UNIX & 0xff, MADE_ON_UNIX >> 8]);

/** The ZIP of `files`, in their order. */
export const packFiles = (files: readonly PackedFile[]): Buffer => {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { path, bytes } of files) {
    const name = Buffer.from(path, 'utf8');
    const packed = deflateRawSync(bytes);
    const header = common(name, bytes, packed);
    local.push(LOCAL, header, name, packed);
    central.push(CENTRAL, MADE_BY, header, centralTail(offset), name);
    offset += LOCAL.length + header.length + name.length + packed.length;
  }
  const directory = Buffer.concat(central);
  return Buffer.concat([...local, directory, endRecord(files.length, directory.length, offset)]);
};
