/** How a folder stands in its archive, and how large that can become. */
import { byteString } from './gitignore-file.ts';

/**
 * The service drops the one top folder that all files of an archive sit in (API document, "Archive rules" 7). The app
 * therefore always gives it one to drop: otherwise a folder that holds nothing but another one would lose that.
 */
const TOP = 'folder/';

export const archivePath = (path: string): string => TOP + path;

/** Bytes of a ZIP's own records, without the names in them. */
export const ZIP_RECORD = { local: 30, central: 46, end: 22 } as const;

/** The archive of a folder's files is never larger: what deflate would make larger is stored as it is. */
export const archiveBytesAtMost = (files: readonly { readonly path: string; readonly size: number }[]): number =>
  files.reduce<number>(
    (total, { path, size }) =>
      total + size + ZIP_RECORD.local + ZIP_RECORD.central + 2 * byteString(archivePath(path)).length,
    ZIP_RECORD.end,
  );
