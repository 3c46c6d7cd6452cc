/** Writes the stored ZIP deterministically: equal files give equal bytes (API document, "Archive rules" 8). */
import { crc32, deflateRawSync } from 'node:zlib';

export interface PackedFile {
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
