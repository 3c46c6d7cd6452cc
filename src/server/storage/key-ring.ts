/**
 * The master keys of a server, newest first. The newest one wraps the keys of new objects. The older ones unwrap the
 * keys of older objects, until `server keys rotate` has wrapped those with the newest one.
 */
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Random } from '../clock-and-random.ts';
import {
  DamagedObjectError,
  deriveKeyBytes,
  isHeaderOf,
  keysOf,
  makeHeader,
  newSalt,
  type ObjectKeys,
  readHeader,
  saltOf,
} from './sealed-format.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 16;

/** The keys of one object, encrypted with a master key. */
export interface WrappedKeys {
  /** The master key that wraps them. */
  readonly keyId: string;
  readonly wrappedKey: Buffer;
}

/** What is stored of an object besides its segments; both null in rows of an earlier version, whose keys are derived. */
export interface StoredKeys {
  readonly keyId: string | null;
  readonly wrappedKey: Buffer | null;
}

interface NewKeys extends WrappedKeys {
  readonly keys: ObjectKeys;
  readonly salt: Buffer;
  /** The header of the object; `size` in bytes of plaintext, null while it is being received. */
  readonly header: (size: number | null) => Buffer;
}

export interface KeyRing {
  /** The id of the key for new objects; says nothing about the key. */
  readonly newestId: string;
  /** The ids of all keys, newest first. */
  readonly ids: readonly string[];
  create(id: string): NewKeys;
  /** Keys and size of an object by its header. Throws `DamagedObjectError`. */
  open(
    id: string,
    header: Buffer,
    stored: StoredKeys | undefined,
  ): { readonly keys: ObjectKeys; readonly size: number | null };
  /** The object's keys under the newest master key. Throws `DamagedObjectError`. */
  rewrap(id: string, header: () => Promise<Buffer>, stored: StoredKeys): Promise<WrappedKeys>;
}

interface MasterKey {
  readonly id: string;
  readonly key: KeyObject;
  readonly wrapping: KeyObject;
}

const masterKey = (key: KeyObject): MasterKey => ({
  id: createHmac('sha256', key).update('linkshot key id 1').digest().subarray(0, ID_BYTES).toString('hex'),
  key,
  wrapping: createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'linkshot key wrap 1', 32))),
});

/** `masters` are keys of 32 bytes, newest first. */
export const createKeyRing = (masters: readonly KeyObject[], random: Random): KeyRing => {
  const ring = masters.map(masterKey);
  const [newest] = ring;
  if (newest === undefined) throw new Error('A key ring needs a key.');

  const wrap = (id: string, bytes: Buffer): WrappedKeys => {
    const nonce = random.bytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', newest.wrapping, nonce).setAAD(Buffer.from(id));
    const sealed = cipher.update(bytes);
    cipher.final();
    return { keyId: newest.id, wrappedKey: Buffer.concat([nonce, sealed, cipher.getAuthTag()]) };
  };

  const unwrap = (id: string, keyId: string, wrapped: Buffer): Buffer => {
    const master = ring.find((each) => each.id === keyId);
    if (master === undefined) throw new DamagedObjectError(`Object ${id} needs a master key that is not configured.`);
    const tagAt = wrapped.length - TAG_BYTES;
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv('aes-256-gcm', master.wrapping, wrapped.subarray(0, NONCE_BYTES), options)
      .setAAD(Buffer.from(id))
      .setAuthTag(wrapped.subarray(tagAt));
    const bytes = decipher.update(wrapped.subarray(NONCE_BYTES, tagAt));
    try {
      decipher.final();
    } catch {
      throw new DamagedObjectError(`The key of object ${id} is damaged.`);
    }
    return bytes;
  };

  /** By the header alone: of the master keys, the one under which the object was stored. */
  const derive = (id: string, header: Buffer): Buffer => {
    const salt = saltOf(id, header);
    for (const { key } of ring) {
      const bytes = deriveKeyBytes(key, id, salt);
      if (isHeaderOf(keysOf(bytes), header)) return bytes;
    }
    throw new DamagedObjectError(`The header of object ${id} is damaged.`);
  };

  return {
    newestId: newest.id,
    ids: ring.map(({ id }) => id),
    create: (id) => {
      const salt = newSalt();
      const bytes = deriveKeyBytes(newest.key, id, salt);
      const keys = keysOf(bytes);
      return { keys, salt, ...wrap(id, bytes), header: (size) => makeHeader(keys, salt, size) };
    },
    open: (id, header, stored) => {
      const isWrapped = stored?.keyId != null && stored.wrappedKey !== null;
      const keys = keysOf(isWrapped ? unwrap(id, stored.keyId, stored.wrappedKey) : derive(id, header));
      return { keys, size: readHeader(keys, id, header) };
    },
    rewrap: async (id, header, { keyId, wrappedKey }) =>
      wrap(id, keyId === null || wrappedKey === null ? derive(id, await header()) : unwrap(id, keyId, wrappedKey)),
  };
};
