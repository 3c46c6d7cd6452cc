/**
 * Reads the tracked paths from a repository's index, so that git need not be installed. A tracked file is never
 * ignored. A damaged index counts as empty, so that more files are excluded, not fewer.
 */
import { readIfThere } from './optional-files.ts';
import type { Reach } from './reach.ts';

/** Paths are byte strings relative to the top of the repository, without a trailing '/'. */
export interface Tracked {
  has(path: string): boolean;
  /** Whether anything in this folder is tracked. */
  hasIn(folder: string): boolean;
  /** Whether the folder is a submodule. */
  isSubmodule(folder: string): boolean;
}

const HEADER = 12;
/** Bytes of an entry before the object name (times, numbers, mode, sizes); the name's length depends on its hash. */
const ENTRY_STAT_BYTES = 40;
const MODE = 24;
const NAME_LENGTHS = [20, 32];
const EXTENDED = 0x4000;
const LENGTH_MASK = 0x0fff;
const SUBMODULE = 0o160000;

interface Entry {
  readonly path: string;
  readonly isSubmodule: boolean;
}

/** A variable-length number of version 4: seven bits per byte, each continuation adding one. */
const readVarint = (bytes: Buffer, start: number): { readonly value: number; readonly next: number } => {
  let at = start;
  let byte = bytes[at++] ?? 0;
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes[at++] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at };
};

/** The entries with object names of this length; null when the bytes do not parse. */
const readEntries = (bytes: Buffer, nameLength: number): readonly Entry[] | null => {
  const version = bytes.readUInt32BE(4);
  const entries: Entry[] = [];
  let at = HEADER;
  let previous = '';
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + ENTRY_STAT_BYTES + nameLength;
    if (flagsAt + 2 > bytes.length) return null;
    const flags = bytes.readUInt16BE(flagsAt);
    let pathAt = flagsAt + (version >= 3 && flags & EXTENDED ? 4 : 2);
    let prefix = '';
    if (version === 4) {
      const { value, next } = readVarint(bytes, pathAt);
      prefix = previous.slice(0, previous.length - value);
      pathAt = next;
    }
    const end = bytes.indexOf(0, pathAt);
    if (end < 0) return null;
    const path = prefix + bytes.toString('latin1', pathAt, end);
    // The entry stores its path length as well; a wrong object name length breaks it and the sort order.
    const storedLength = flags & LENGTH_MASK;
    if (path === '' || path < previous || (storedLength !== LENGTH_MASK && storedLength !== path.length)) return null;
    entries.push({ path, isSubmodule: bytes.readUInt32BE(at + MODE) === SUBMODULE });
    previous = path;
    // Entries of versions before 4 are padded with at least one zero to a multiple of eight.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return entries;
};

const parseIndex = (bytes: Buffer): readonly Entry[] => {
  if (bytes.length < HEADER || bytes.toString('latin1', 0, 4) !== 'DIRC') return [];
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return [];
  for (const length of NAME_LENGTHS) {
    const entries = readEntries(bytes, length);
    if (entries) return entries;
  }
  return [];
};

/** Reads the index at this path; a repository without one tracks nothing yet. Rejects where it cannot be read. */
export const readIndex = async (path: string, reach: Reach): Promise<Tracked> => {
  const bytes = await readIfThere(path, reach);
  const entries = bytes ? parseIndex(bytes) : [];
  /** Index of the first entry that does not sort before the path. */
  const firstFrom = (wanted: string): number => {
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((entries[middle] as Entry).path < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const entryOf = (path: string): Entry | undefined => {
    const found = entries[firstFrom(path)];
    return found?.path === path ? found : undefined;
  };
  return {
    has: (wanted) => entryOf(wanted) !== undefined,
    hasIn: (folder) => entries[firstFrom(`${folder}/`)]?.path.startsWith(`${folder}/`) ?? false,
    isSubmodule: (folder) => entryOf(folder)?.isSubmodule ?? false,
  };
};
