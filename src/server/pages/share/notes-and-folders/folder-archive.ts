/**
 * Reads the stored ZIP of a folder: the list of files from its central directory, and single files by range, so that a
 * page of a large folder reads little. Throws if a record or a file of the ZIP is damaged.
 */

import { buffer } from 'node:stream/consumers';
import type { AccountId } from '../../../../api/ids.ts';
import { LIMITS } from '../../../../api/limits.ts';
import type { ContentRow } from '../../../content/content-rows.ts';
import type { ServerDeps } from '../../../deps.ts';
import { unpackFile } from '../../../folders/read-archive.ts';
import type { ObjectId } from '../../../storage/object-store-interface.ts';

/** A file in the central directory. */
export interface FolderFile {
  readonly path: string;
  /** Unpacked bytes. */
  readonly size: number;
  readonly crc: number;
  readonly packed: number;
  readonly method: 'stored' | 'deflated';
  readonly offset: number;
}

export interface StoredFolder {
  readonly accountId: AccountId;
  readonly objectId: ObjectId;
  /** Bytes of the ZIP. */
  readonly size: number;
}

const SIGNATURE = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 } as const;
const LENGTH = { local: 30, central: 46, end: 22 } as const;
/** A name of 200 characters of four bytes each, and the record around it. */
const ENTRY_MAX = LENGTH.central + LIMITS.folderPathCharacters * 4;

const damaged = (what: string): Error => new Error(`The stored folder is damaged: ${what}.`);

export const storedFolderOf = ({ accountId, objectId, size }: ContentRow): StoredFolder | null =>
  objectId === null ? null : { accountId, objectId, size };

const methodOf = (method: number): FolderFile['method'] => {
  if (method === 0) return 'stored';
  if (method === 8) return 'deflated';
  throw damaged('unknown compression');
};

export const createFolderArchive = ({ objects }: Pick<ServerDeps, 'objects'>) => {
  const read = (
    { objectId, size }: StoredFolder,
    start: number,
    length: number,
    signal: AbortSignal,
  ): Promise<Buffer> => {
    if (length === 0) return Promise.resolve(Buffer.alloc(0));
    if (start < 0 || start + length > size) throw damaged('a record lies outside of it');
    return buffer(objects.read(objectId, { start, end: start + length - 1 }, signal));
  };

  return {
    /** All files, in archive order. */
    list: async (folder: StoredFolder, signal: AbortSignal): Promise<readonly FolderFile[]> => {
      const end = await read(folder, folder.size - LENGTH.end, LENGTH.end, signal);
      if (end.readUInt32LE(0) !== SIGNATURE.end) throw damaged('it has no end');
      const [count, length, start] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)];
      if (length > LIMITS.folderFiles * ENTRY_MAX) throw damaged('its directory is too long');
      const directory = await read(folder, start, length, signal);
      const files: FolderFile[] = [];
      for (let at = 0; at < directory.length; ) {
        if (at + LENGTH.central > directory.length || directory.readUInt32LE(at) !== SIGNATURE.central)
          throw damaged('its directory cannot be read');
        const nameStart = at + LENGTH.central;
        const nameEnd = nameStart + directory.readUInt16LE(at + 28);
        files.push({
          path: directory.toString('utf8', nameStart, nameEnd),
          method: methodOf(directory.readUInt16LE(at + 10)),
          crc: directory.readUInt32LE(at + 16),
          packed: directory.readUInt32LE(at + 20),
          size: directory.readUInt32LE(at + 24),
          offset: directory.readUInt32LE(at + 42),
        });
        at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
      }
      if (files.length !== count) throw damaged('its directory is not complete');
      return files;
    },

    /** The bytes of one file, verified by its checksum. */
    readFile: async (folder: StoredFolder, file: FolderFile, signal: AbortSignal): Promise<Buffer> => {
      const header = await read(folder, file.offset, LENGTH.local, signal);
      if (header.readUInt32LE(0) !== SIGNATURE.local) throw damaged('a file is not where the directory says');
      const start = file.offset + LENGTH.local + header.readUInt16LE(26) + header.readUInt16LE(28);
      const data = await read(folder, start, file.packed, signal);
      const bytes = unpackFile({ ...file, data });
      if (!bytes.ok) throw damaged('a file does not match its checksum');
      return bytes.value;
    },
  };
};
