/**
 * The paths that a repository tracks, read from its index: git itself need not be installed. Whatever an ignore file
 * says, a tracked file is not ignored. An index that cannot be understood tracks nothing, so that more stays out, not less.
 */
import { readFile } from 'node:fs/promises';

/** Paths are byte strings from the top of the repository on, without '/' at the end. */
export interface Tracked {
  has(path: string): boolean;
  /** Whether anything in this folder is tracked. */
  hasIn(folder: string): boolean;
  /** Whether the folder is another repository that this one points to. */
  isSubmodule(folder: string): boolean;
}

const HEADER = 12;
/** Of an entry: times, numbers, mode and sizes before the object's name, whose length depends on its hash. */
const FACTS = 40;
const MODE = 24;
const NAME_LENGTHS = [20, 32];
const EXTENDED = 0x4000;
const LENGTH_MASK = 0x0fff;
const SUBMODULE = 0o160000;

interface Entry {
  readonly path: string;
  readonly isSubmodule: boolean;
}

/** A number of version 4: seven bits a byte, each continuation adding one. */
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

/** The entries with object names of this length; null when the bytes are no such index. */
const readEntries = (bytes: Buffer, nameLength: number): readonly Entry[] | null => {
  const version = bytes.readUInt32BE(4);
  const entries: Entry[] = [];
  let at = HEADER;
  let previous = '';
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + FACTS + nameLength;
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
    // The length is told twice; an object name of another length makes nonsense of it, and of the order.
    const told = flags & LENGTH_MASK;
    if (path === '' || path < previous || (told !== LENGTH_MASK && told !== path.length)) return null;
    entries.push({ path, isSubmodule: bytes.readUInt32BE(at + MODE) === SUBMODULE });
    previous = path;
    // Entries but those of version 4 end at a multiple of eight, with at least one zero.
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

/** Reads the index at this path; a repository without one tracks nothing yet. */
export const readIndex = async (path: string): Promise<Tracked> => {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  const entries = parseIndex(bytes);
  /** Number of the first entry that is not before the path. */
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
