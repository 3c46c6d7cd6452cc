/** The path prefix of a folder's files in its archive, and the maximum size of that archive. */
import { byteString } from './gitignore-file.ts';

/**
 * The service drops the one top folder that contains all files of an archive (API document, "Archive rules" 7). The app
 * therefore always adds one: otherwise a folder that contains only one subfolder would lose that subfolder.
 */
const TOP = 'folder/';

export const archivePath = (path: string): string => TOP + path;

/** Bytes of a ZIP's own records, without the names in them. */
const ZIP_RECORD = { local: 30, central: 46, end: 22 } as const;

/** Upper bound of the archive of a folder's files: files that deflate would enlarge are stored uncompressed. */
export const archiveBytesAtMost = (files: readonly { readonly path: string; readonly size: number }[]): number =>
  files.reduce<number>(
    (total, { path, size }) =>
      total + size + ZIP_RECORD.local + ZIP_RECORD.central + 2 * byteString(archivePath(path)).length,
    ZIP_RECORD.end,
  );
