/** Writes ZIP archives record by record, with any field wrong, to test readers. */
import { crc32, deflateRawSync } from 'node:zlib';

interface HeaderFields {
  readonly signature: number;
  readonly version: number;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly name: Buffer;
  readonly extra: Buffer;
}

interface CentralFields extends HeaderFields {
  readonly comment: Buffer;
  readonly disk: number;
  readonly attributes: number;
  readonly offset: number;
}

export interface ForgedEntry {
  readonly name: string | Buffer;
  readonly bytes?: Buffer | string;
  readonly method?: 0 | 8;
  /** The file's data, if it is not `bytes` packed by `method`. */
  readonly data?: Buffer;
  /** Added to both headers. */
  readonly flags?: number;
  readonly extra?: Buffer;
  /** Wrong values of one header. */
  readonly local?: Partial<HeaderFields>;
  readonly central?: Partial<CentralFields>;
  /** Follows the data; 'signed' and 'plain' are valid ones and set flag and zero sizes. */
  readonly descriptor?: 'signed' | 'plain' | Buffer;
  /** Bytes before the local header. */
  readonly gap?: Buffer;
  /** 'local': not in the central directory; 'central': no local record. */
  readonly only?: 'local' | 'central';
}

interface ForgedEnd {
  readonly disk: number;
  readonly startDisk: number;
  readonly entriesHere: number;
  readonly entries: number;
  readonly size: number;
  readonly start: number;
  readonly commentLength: number;
}

export interface ForgedArchive {
  readonly prefix?: Buffer;
  readonly suffix?: Buffer;
  readonly comment?: Buffer;
  readonly beforeDirectory?: Buffer;
  readonly inDirectory?: Buffer;
  readonly afterDirectory?: Buffer;
  readonly end?: Partial<ForgedEnd>;
}

export const uint16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

export const extraField = (id: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([uint16(id), uint16(body.length), body]);
};

/** Thousands of entries may share their bytes. */
const checksums = new WeakMap<Buffer, number>();
const checksumOf = (bytes: Buffer): number => {
  const known = checksums.get(bytes) ?? crc32(bytes);
  checksums.set(bytes, known);
  return known;
};

/** Info-ZIP's second name of a file. */
export const unicodePath = (name: string, claimed: string, crc = crc32(name)): Buffer =>
  extraField(0x7075, Buffer.from([1]), uint32(crc), Buffer.from(claimed));

/** Writes what both headers have in common, and returns where it ends. */
const writeShared = (header: Buffer, at: number, fields: HeaderFields): number => {
  header.writeUInt16LE(fields.version, at);
  header.writeUInt16LE(fields.flags, at + 2);
  header.writeUInt16LE(fields.method, at + 4);
  header.writeUInt16LE(0x6c20, at + 6);
  header.writeUInt16LE(0x5b74, at + 8);
  header.writeUInt32LE(fields.crc >>> 0, at + 10);
  header.writeUInt32LE(fields.packed >>> 0, at + 14);
  header.writeUInt32LE(fields.size >>> 0, at + 18);
  header.writeUInt16LE(fields.name.length, at + 22);
  return header.writeUInt16LE(fields.extra.length, at + 24);
};

/** Each header is one buffer: archives of tests have tens of thousands. */
const localHeader = (fields: HeaderFields): Buffer => {
  const header = Buffer.alloc(30 + fields.name.length + fields.extra.length);
  header.writeUInt32LE(fields.signature >>> 0);
  const at = writeShared(header, 4, fields);
  fields.extra.copy(header, at + fields.name.copy(header, at));
  return header;
};

const centralHeader = (fields: CentralFields): Buffer => {
  const header = Buffer.alloc(46 + fields.name.length + fields.extra.length + fields.comment.length);
  header.writeUInt32LE(fields.signature >>> 0);
  header.writeUInt16LE((3 << 8) | 20, 4);
  const at = writeShared(header, 6, fields);
  header.writeUInt16LE(fields.comment.length, at);
  header.writeUInt16LE(fields.disk, at + 2);
  header.writeUInt32LE(fields.attributes >>> 0, at + 6);
  header.writeUInt32LE(fields.offset >>> 0, at + 10);
  let end = at + 14;
  for (const part of [fields.name, fields.extra, fields.comment]) end += part.copy(header, end);
  return header;
};

const endRecord = (end: ForgedEnd): Buffer =>
  Buffer.concat([
    Buffer.from('PK\x05\x06', 'latin1'),
    uint16(end.disk),
    uint16(end.startDisk),
    uint16(end.entriesHere),
    uint16(end.entries),
    uint32(end.size),
    uint32(end.start),
    uint16(end.commentLength),
  ]);

const descriptorOf = (entry: ForgedEntry, crc: number, packed: number, size: number): Buffer => {
  if (Buffer.isBuffer(entry.descriptor)) return entry.descriptor;
  if (!entry.descriptor) return Buffer.alloc(0);
  const plain = Buffer.concat([uint32(crc), uint32(packed), uint32(size)]);
  return entry.descriptor === 'signed' ? Buffer.concat([uint32(0x08074b50), plain]) : plain;
};

/** An archive of these entries; valid in every field that is not overridden. */
export const forgeZip = (entries: readonly ForgedEntry[], archive: ForgedArchive = {}): Buffer => {
  const none = Buffer.alloc(0);
  const parts: Buffer[] = [archive.prefix ?? none];
  const central: Buffer[] = [];
  let offset = parts[0]?.length ?? 0;
  for (const entry of entries) {
    const bytes = typeof entry.bytes === 'object' ? entry.bytes : Buffer.from(entry.bytes ?? '');
    const method = entry.method ?? 8;
    const data = entry.data ?? (method === 8 ? deflateRawSync(bytes) : bytes);
    const isStreamed = entry.descriptor !== undefined;
    const known = {
      version: 20,
      flags: (entry.flags ?? 0) | (isStreamed ? 8 : 0),
      method,
      crc: checksumOf(bytes),
      packed: data.length,
      size: bytes.length,
      name: Buffer.from(entry.name as string),
      extra: entry.extra ?? none,
    };
    const unknown = isStreamed ? { ...known, crc: 0, packed: 0, size: 0 } : known;
    const local = localHeader({ signature: 0x04034b50, ...unknown, ...entry.local });
    const gap = entry.gap ?? none;
    if (entry.only !== 'local') {
      const place = { comment: none, disk: 0, attributes: (0o100644 << 16) >>> 0, offset: offset + gap.length };
      central.push(centralHeader({ signature: 0x02014b50, ...known, ...place, ...entry.central }));
    }
    if (entry.only === 'central') continue;
    const descriptor = descriptorOf(entry, known.crc, known.packed, known.size);
    parts.push(gap, local, data, descriptor);
    offset += gap.length + local.length + data.length + descriptor.length;
  }
  const before = archive.beforeDirectory ?? none;
  const directory = Buffer.concat([...central, archive.inDirectory ?? none]);
  const comment = archive.comment ?? none;
  const end = endRecord({
    disk: 0,
    startDisk: 0,
    entriesHere: central.length,
    entries: central.length,
    size: directory.length,
    start: offset + before.length,
    commentLength: comment.length,
    ...archive.end,
  });
  parts.push(before, directory, archive.afterDirectory ?? none, end, comment, archive.suffix ?? none);
  return Buffer.concat(parts);
};

/** A valid archive of texts. */
export const zipOf = (files: Readonly<Record<string, string | Buffer>>): Buffer =>
  forgeZip(Object.entries(files).map(([name, bytes]) => ({ name, bytes })));
