/** Reads the names of an archive's entries, and rejects names that programs may read differently. */
import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { err, ok, type Result } from '../../api/errors.ts';

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
export const readName = (bytes: Buffer, extra: Buffer): Result<string, string> => {
  if (!isUtf8(bytes)) return err('A name in the archive is not UTF-8.');
  const name = bytes.toString('utf8');
  const problem = unsafeName(name) ?? readExtra(bytes, extra);
  return problem === null ? ok(name) : err(problem);
};

/** Checks that the names form one tree: no duplicates, and no name that is both a file and a folder. */
export const readTree = (names: readonly string[]): Result<void, string> => {
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
