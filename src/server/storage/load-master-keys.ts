/**
 * Loads the server's master keys from the environment or a key file, newest first; without either, the first start
 * creates a key file. Stored data is unreadable without its keys, so a wrong or missing key stops the start. Also
 * records in the database that new objects need the newest key (`registerKeys`).
 */

import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { accessSync, closeSync, constants, existsSync, fsyncSync, mkdirSync, statSync, writeSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { messageOf } from '../../base/common/error-text.ts';
import { closeInherited, closeToOthers, openToOthers, type WindowsTools } from '../../base/node/private-folder.ts';
import { openSync, readFileSync, renameSync } from '../../base/node/retrying-fs.ts';
import type { Log } from '../log.ts';
import type { KeyRing } from './key-ring.ts';
import { holdsObjects } from './local-objects.ts';
import type { ObjectRows } from './object-rows.ts';

const KEY_BYTES = 32;
/** 32 bytes in base64url have 43 characters. */
const KEY_TEXT = /^[0-9A-Za-z_-]{43}$/;
const CHECK_TEXT = 'linkshot key check 1';

/** The key is unusable; the message is a sentence for the operator. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
}

export interface KeyOptions {
  /** The data folder. */
  readonly data: string;
  /** The folder of the objects; it contains a keyed check value. */
  readonly objects: string;
  /** From the configuration; null: a file beside the data folder. */
  readonly keyFile: string | null;
  /** From the environment: base64url, newest first, with commas or spaces between; then no file is read or created. */
  readonly keyText: string | null;
  /** By default those of this system. */
  readonly windows?: WindowsTools;
  /** The records of several servers say which keys are needed (`registerKeys`), and not the folder of one. */
  readonly isShared?: boolean;
  readonly log: Log;
}

/**
 * Reads the keys, newest first, or creates one for a data folder without objects. Throws `KeyError`.
 */
export const openMasterKeys = (options: KeyOptions): readonly KeyObject[] => {
  const { objects, keyText, isShared = false } = options;
  refuseTwoPlaces(options);
  mkdirSync(objects, { recursive: true, mode: 0o700 });
  const check = read(keyCheckIn(objects));
  if (check === null && holdsObjects(objects)) {
    throw new KeyError(
      'The data folder holds files that were stored without encryption by an early version; start with an empty --data.',
    );
  }
  const { keys, from } =
    keyText === null ? fromFile(options, check !== null) : fromText(keyText, 'LINKSHOT_SERVER_KEY');
  const masters = keys.map((bytes) => createSecretKey(bytes));
  if (check === null) writeKeyCheck(objects, masters);
  else if (!isShared && !masters.some((master) => equal(Buffer.from(check, 'base64url'), checkOf(master)))) {
    throw new KeyError(`The key in ${from} is not the one that this data folder was encrypted with.`);
  }
  return masters;
};

const refuseTwoPlaces = ({ keyText, keyFile }: Pick<KeyOptions, 'keyText' | 'keyFile'>): void => {
  if (keyText === null || keyFile === null) return;
  throw new KeyError('Both LINKSHOT_SERVER_KEY and keyFile are given; keep the one that holds the key.');
};

/** The keys that a start would read, newest first; null: it would create one. Changes nothing. Throws `KeyError`. */
export const findMasterKeys = (options: Omit<KeyOptions, 'objects' | 'isShared'>): readonly KeyObject[] | null => {
  refuseTwoPlaces(options);
  const found =
    options.keyText === null ? inFiles(options, placesOf(options)) : fromText(options.keyText, 'LINKSHOT_SERVER_KEY');
  return found?.keys.map((bytes) => createSecretKey(bytes)) ?? null;
};

const checkOf = (master: KeyObject): Buffer => createHmac('sha256', master).update(CHECK_TEXT).digest();

const keyCheckIn = (objects: string): string => join(objects, 'key-check');

/** Whether a server has run on the folder of the objects: it needs a certain key. */
export const hasKeyCheck = (objects: string): boolean => existsSync(keyCheckIn(objects));

/** From now on the folder needs the newest of the keys. */
export const writeKeyCheck = (objects: string, [newest]: readonly KeyObject[]): void => {
  if (newest !== undefined) write(keyCheckIn(objects), checkOf(newest).toString('base64url'));
};

/**
 * Registers the newest key, which new objects need from now on. Throws `KeyError` when a key is not configured that
 * something stored may need.
 */
export const registerKeys = async (
  ring: Pick<KeyRing, 'ids' | 'newestId'>,
  rows: Pick<ObjectRows, 'registerMasterKey'>,
): Promise<void> => {
  const missing = await rows.registerMasterKey(ring.newestId, ring.ids);
  if (missing.length > 0) {
    throw new KeyError(
      `Stored files need the master key ${missing.join(', ')}, which is not configured; add it after the newest one, and remove it once "keys rotate" is done.`,
    );
  }
};

const equal = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

interface FoundKeys {
  /** Newest first. */
  readonly keys: readonly Buffer[];
  readonly from: string;
}

const fromText = (text: string, from: string): FoundKeys => {
  const keys = text.trim().split(/[\s,]+/);
  if (!keys.every((key) => KEY_TEXT.test(key))) {
    throw new KeyError(`${from} must hold a key of 32 bytes in base64url, which are 43 characters.`);
  }
  return { keys: keys.map((key) => Buffer.from(key, 'base64url')), from };
};

const placesOf = ({ data, keyFile }: Pick<KeyOptions, 'data' | 'keyFile'>): readonly string[] =>
  keyFile === null ? defaultPlaces(data) : [outside(data, resolve(keyFile))];

const inFiles = ({ log }: Pick<KeyOptions, 'log'>, places: readonly string[]): FoundKeys | null => {
  for (const path of places) {
    const text = read(path);
    if (text === null) continue;
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
      log(`The key file ${path} can be read by other users; close it with chmod 600.`, { level: 'warn' });
    }
    return fromText(text, path);
  }
  return null;
};

const fromFile = (options: KeyOptions, inUse: boolean): FoundKeys => {
  const places = placesOf(options);
  const found = inFiles(options, places);
  if (found !== null) {
    // A file that the operator has named keeps its permissions, as it keeps its mode elsewhere.
    if (options.keyFile === null) warnUnless(closeInherited(found.from, 'file', options.windows), found.from, options);
    return found;
  }
  if (inUse) {
    throw new KeyError(
      `The key file ${places[0]} is missing; put it back from your backup. Without it nothing stored can be read.`,
    );
  }
  const [place] = places.filter(canHold);
  if (place === undefined)
    throw new KeyError(`The key file ${places[0]} cannot be made: its folder cannot be written.`);
  return makeKey(place, options);
};

const warnUnless = (isClosed: boolean, path: string, { log }: Pick<KeyOptions, 'log'>): void => {
  if (!isClosed) log(openToOthers(path), { level: 'warn' });
};

const makeKey = (path: string, { data, log, windows }: KeyOptions): FoundKeys => {
  const bytes = randomBytes(KEY_BYTES);
  warnUnless(write(path, `${bytes.toString('base64url')}\n`, windows), path, { log });
  log(`A new key was made in ${path}. Back it up: without it nothing stored can be read.`);
  if (isInside(data, path)) {
    log('It lies in the data folder, where it protects little; better give keyFile a place elsewhere.', {
      level: 'warn',
    });
  }
  return { keys: [bytes], from: path };
};

/**
 * Beside the data folder, or in it when the parent is not writable. A separately mounted data folder, as in a
 * container, may be all that survives a restart: a key beside it would be lost and everything stored with it.
 */
const defaultPlaces = (data: string): readonly string[] => {
  const folder = resolve(data);
  const inside = join(folder, 'server.key');
  const beside = `${folder}.key`;
  const mounted = existsSync(folder) && statSync(folder).dev !== statSync(dirname(folder)).dev;
  return mounted ? [inside, beside] : [beside, inside];
};

const canHold = (path: string): boolean => {
  try {
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

const isInside = (folder: string, path: string): boolean => `${path}${sep}`.startsWith(`${resolve(folder)}${sep}`);

const outside = (data: string, path: string): string => {
  if (!isInside(data, path)) return path;
  throw new KeyError(`keyFile must lie outside the data folder, and ${path} lies in it.`);
};

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new KeyError(`The key file ${path} cannot be read: ${messageOf(error)}.`);
  }
};

/** Atomic and durable: half a key would lock the operator out. Returns whether other users have no access. */
const write = (path: string, text: string, windows?: WindowsTools): boolean => {
  const unfinished = `${path}.new`;
  const file = openSync(unfinished, 'w', 0o600);
  let isClosed = false;
  try {
    isClosed = closeToOthers(unfinished, 'file', windows);
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, path);
  if (process.platform === 'win32') return isClosed;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
  return isClosed;
};
