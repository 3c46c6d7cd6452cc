/**
 * Converts a received ZIP into the stored ZIP, which has only the accepted text files, and reports what was kept and
 * what was skipped (API document, "Archive rules"). Pure and synchronous; equal files give equal bytes.
 */

import { crc32, deflateRawSync } from 'node:zlib';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { FolderResult } from '../../api/folder-result.ts';
import { LIMITS } from '../../api/limits.ts';
import { centralHeader, endRecord, localHeader, METHOD } from '../../base/node/zip-records.ts';
import { GITIGNORE, selectFolder, stripTopFolder } from '../../common/folder/select-files.ts';
import { type ArchiveFile, readArchive, unpackFile } from './read-archive.ts';

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

// Writes the stored ZIP deterministically: equal files give equal bytes (API document, "Archive rules" 8).

interface PackedFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** The ZIP of `files`, in their order. */
export const packFiles = (files: readonly PackedFile[]): Buffer => {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { path, bytes } of files) {
    const name = Buffer.from(path, 'utf8');
    const data = deflateRawSync(bytes);
    const entry = { name, size: bytes.length, crc: crc32(bytes), method: METHOD.deflated, data };
    const header = localHeader(entry);
    local.push(header, name, data);
    central.push(centralHeader(entry, offset), name);
    offset += header.length + name.length + data.length;
  }
  const directory = Buffer.concat(central);
  return Buffer.concat([...local, directory, endRecord(files.length, directory.length, offset)]);
};
