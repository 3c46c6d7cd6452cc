/**
 * The stored format of encrypted objects: a header, then segments, each encrypted and authenticated separately
 * (AES-256-GCM). Changed, swapped, truncated, added or moved bytes are detected before any of them is used.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/*
 *     header   magic (8)  salt (32)  size of the plaintext (8)  HMAC-SHA-256 of these (32)
 *     segment  nonce (12)  ciphertext (256 KiB, the last one shorter)  tag (16)
 *
 * Both keys are derived from the master key, the object's id and the salt (HKDF). The additional data of a segment are
 * its number and, for the last one, the size of the whole object. Nonces are random, so that a segment may be
 * rewritten.
 */

/**
 * A player's Range decrypts little more than requested, and the setup cost of a cipher is negligible for this many
 * bytes.
 */
export const SEGMENT_BYTES = 256 * 1024;
export const HEADER_BYTES = 80;

const MAGIC = Buffer.from('LSHOT\0\0\x01', 'latin1');
const SALT_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SIZE_AT = MAGIC.length + SALT_BYTES;
const MAC_AT = SIZE_AT + 8;
/** The size of an object that is still being received; it cannot be read until the size is known. */
const UNFINISHED = 0xffff_ffff_ffff_ffffn;

/** The stored bytes are damaged or incomplete. */
export class DamagedObjectError extends Error {
  override readonly name = 'DamagedObjectError';
}

/** The keys of one object. */
export interface ObjectKeys {
  readonly segments: KeyObject;
  readonly header: Buffer;
}

/** Both keys of an object in one piece, as they are derived and wrapped. */
const KEYS_BYTES = 64;

/** The bytes of `keysOf` for the object `id`, by the master key and the salt of its header. */
export const deriveKeyBytes = (master: KeyObject, id: string, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', master, salt, `linkshot object 1 ${id}`, KEYS_BYTES));

export const keysOf = (bytes: Buffer): ObjectKeys => ({
  segments: createSecretKey(bytes.subarray(0, KEYS_BYTES / 2)),
  header: bytes.subarray(KEYS_BYTES / 2),
});

const macOf = (keys: ObjectKeys, header: Buffer): Buffer =>
  createHmac('sha256', keys.header).update(header.subarray(0, MAC_AT)).digest();

export const newSalt = (): Buffer => randomBytes(SALT_BYTES);

/** A header for the keys that `salt` derives. `size` in bytes of plaintext; null while the object is being received. */
export const makeHeader = (keys: ObjectKeys, salt: Buffer, size: number | null): Buffer => {
  const bytes = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(bytes);
  salt.copy(bytes, MAGIC.length);
  bytes.writeBigUInt64BE(size === null ? UNFINISHED : BigInt(size), SIZE_AT);
  macOf(keys, bytes).copy(bytes, MAC_AT);
  return bytes;
};

/** The salt in a header, which is not authenticated yet. Throws `DamagedObjectError` for what is no header. */
export const saltOf = (id: string, header: Buffer): Buffer => {
  if (header.length < HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new DamagedObjectError(`Object ${id} does not begin like one.`);
  }
  return header.subarray(MAGIC.length, SIZE_AT);
};

/** Whether the header was made with these keys and is unchanged. */
export const isHeaderOf = (keys: ObjectKeys, header: Buffer): boolean =>
  header.length >= HEADER_BYTES && timingSafeEqual(macOf(keys, header), header.subarray(MAC_AT, HEADER_BYTES));

/**
 * Size in bytes of plaintext; null while the object is being received. Throws `DamagedObjectError` for a header of
 * another object, of another master key, or a modified one.
 */
export const readHeader = (keys: ObjectKeys, id: string, header: Buffer): number | null => {
  saltOf(id, header);
  if (!isHeaderOf(keys, header)) throw new DamagedObjectError(`The header of object ${id} is damaged.`);
  const size = header.readBigUInt64BE(SIZE_AT);
  return size === UNFINISHED ? null : Number(size);
};

export interface Segment {
  readonly index: number;
  /** Size of the whole object for its last segment, null for all others. */
  readonly endOf: number | null;
}

/**
 * The segment that contains byte `at` of an object of `size` bytes: its position in the file, and its plaintext range.
 */
export const segmentAt = (at: number, size: number) => {
  const index = Math.floor(at / SEGMENT_BYTES);
  const start = index * SEGMENT_BYTES;
  const end = Math.min(start + SEGMENT_BYTES, size);
  return { index, endOf: end === size ? size : null, start, end, ...recordOf(index, end - start) };
};

/** Position in the file of the record of a segment with `length` bytes of plaintext. */
const recordOf = (index: number, length: number) => ({
  position: HEADER_BYTES + index * (NONCE_BYTES + SEGMENT_BYTES + TAG_BYTES),
  bytes: NONCE_BYTES + length + TAG_BYTES,
});

/** Bytes on disk of an object of `size` bytes. */
export const storedSize = (size: number): number =>
  HEADER_BYTES + size + Math.ceil(size / SEGMENT_BYTES) * (NONCE_BYTES + TAG_BYTES);

const additionalData = ({ index, endOf }: Segment): Buffer => {
  const data = Buffer.alloc(16);
  data.writeUIntBE(index, 2, 6);
  data.writeUIntBE(endOf ?? 0, 10, 6);
  return data;
};

/** The record of a segment in three pieces, to be written in sequence. */
export const sealSegment = (key: KeyObject, segment: Segment, plaintext: Buffer): readonly [Buffer, Buffer, Buffer] => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(additionalData(segment));
  const ciphertext = cipher.update(plaintext);
  cipher.final();
  return [nonce, ciphertext, cipher.getAuthTag()];
};

/** The plaintext of a record. Throws `DamagedObjectError` unless it is exactly what was sealed at this position. */
export const openSegment = (key: KeyObject, segment: Segment, record: Buffer): Buffer => {
  const tagAt = record.length - TAG_BYTES;
  if (tagAt < NONCE_BYTES) throw new DamagedObjectError(`Segment ${segment.index} of an object is missing.`);
  const decipher = createDecipheriv('aes-256-gcm', key, record.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(additionalData(segment))
    .setAuthTag(record.subarray(tagAt));
  const plaintext = decipher.update(record.subarray(NONCE_BYTES, tagAt));
  try {
    decipher.final();
  } catch {
    throw new DamagedObjectError(`Segment ${segment.index} of an object is damaged.`);
  }
  return plaintext;
};
