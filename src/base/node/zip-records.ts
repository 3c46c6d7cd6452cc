/**
 * Builds the records of a plain ZIP around the data of its files (PKWARE APPNOTE 6.3): headers and the end record. One
 * disk, UTF-8 names, no extra fields, the same date for every file.
 */

const VERSION = 20;
const MADE_ON_UNIX = (3 << 8) | VERSION;
const UTF8_NAMES = 0x0800;
/** 1980-01-01, the first date of the format: with a real time, equal folders would differ. */
const DATE = 0x0021;
const REGULAR_FILE = (0o100644 << 16) >>> 0;

export const METHOD = { stored: 0, deflated: 8 } as const;

/** A file as stored in an archive. `size`: bytes before compression. `data`: the stored bytes. */
export interface ZipEntry {
  readonly name: Buffer;
  readonly size: number;
  readonly crc: number;
  readonly method: number;
  readonly data: Buffer;
}

/** The fields that both headers of a file share, from "version needed" to the length of the extra fields. */
const writeCommon = ({ name, size, crc, method, data }: ZipEntry, into: Buffer, at: number): void => {
  into.writeUInt16LE(VERSION, at);
  into.writeUInt16LE(UTF8_NAMES, at + 2);
  into.writeUInt16LE(method, at + 4);
  into.writeUInt16LE(DATE, at + 8);
  into.writeUInt32LE(crc, at + 10);
  into.writeUInt32LE(data.length, at + 14);
  into.writeUInt32LE(size, at + 18);
  into.writeUInt16LE(name.length, at + 22);
};

/** The header before a file's name and data. */
export const localHeader = (entry: ZipEntry): Buffer => {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  writeCommon(entry, header, 4);
  return header;
};

/** The header before a file's name in the central directory. `offset`: of its local header. */
export const centralHeader = (entry: ZipEntry, offset: number): Buffer => {
  const header = Buffer.alloc(46);
  header.write('PK\x01\x02', 'latin1');
  header.writeUInt16LE(MADE_ON_UNIX, 4);
  writeCommon(entry, header, 6);
  header.writeUInt32LE(REGULAR_FILE, 38);
  header.writeUInt32LE(offset, 42);
  return header;
};

/** The end of the archive. `size` and `start`: of the central directory. */
export const endRecord = (entries: number, size: number, start: number): Buffer => {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(start, 16);
  return end;
};
