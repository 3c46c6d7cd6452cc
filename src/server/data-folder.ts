/**
 * Creates the server's data folder with access for its owner only, or finds an existing one, and locks it for one
 * server at a time. Also creates private files, reads and renews the id of the server's node in the folder, and
 * distinguishes a folder from its copies.
 */

import { chmodSync, closeSync, existsSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { closeInherited, makePrivateFolder, openToOthers, type WindowsTools } from '../base/node/private-folder.ts';
import { openSync, readFileSync, writeFileSync } from '../base/node/retrying-fs.ts';
import { openWhileLocked } from '../base/node/retrying-sqlite.ts';
import type { Random } from './clock-and-random.ts';
import type { Log } from './log.ts';

const ENDING_MS = 5_000;

export interface DataFolder {
  /** The SQLite file; exists only where the records are in it. */
  readonly database: string;
  readonly objects: string;
  /** Encrypted copies of objects that are stored elsewhere, while they are read. */
  readonly scratch: string;
  readonly lock: string;
  /** Names the folder, and so the one server on it, among all nodes. */
  readonly nodeId: string;
}

/** Creates the folder if it is missing and restricts it to its owner; logs a warning where Windows refuses that. */
export const prepareDataFolder = (path: string, log: Log = () => {}, windows?: WindowsTools): DataFolder => {
  const root = resolve(path);
  makePrivateFolder(root);
  chmodSync(root, 0o700);
  if (!closeInherited(root, 'folder', windows)) log(openToOthers(root), { level: 'warn' });
  const lock = lockIn(root);
  makePrivateFile(lock);
  return {
    database: databaseIn(root),
    objects: join(root, 'objects'),
    scratch: join(root, 'scratch'),
    lock,
    nodeId: nodeIdIn(root),
  };
};

/**
 * The folder of a server that has its records in it. Throws with a sentence that names `option`, without creating
 * anything.
 */
export const findDataFolder = (path: string, option: '--data' | '--from'): DataFolder => {
  const root = resolve(path);
  if (!existsSync(databaseIn(root))) throw new Error(`${root} is no data folder of a server; name one with ${option}.`);
  return prepareDataFolder(path);
};

/** The file of the records. */
export const databaseIn = (root: string): string => join(root, 'linkshot.sqlite');

/** Exists also where the records are in PostgreSQL. */
export const lockIn = (root: string): string => join(root, 'serve.lock');

export const nodeIdIn = (root: string): string => join(root, 'node-id');

/** Creates the file if it is missing. SQLite gives its companion files the mode of the database. */
export const makePrivateFile = (path: string): void => closeSync(openSync(path, 'a', 0o600));

/**
 * Locks the folder for one server until `release`, or until the process ends in any way. Uses a lock of the operating
 * system through SQLite, so nothing stale remains. Waits for a server that is just ending; throws with the sentence
 * `inUse` when another one keeps the lock, and with a sentence for the operator when the file cannot be locked.
 */
export const lockDataFolder = (
  path: string,
  inUse = 'Another server is running on this data folder; stop it first, or give each its own --data.',
): { release(): void } => {
  try {
    const locked = openWhileLocked(() => lockedNow(path));
    return { release: () => void locked.close() };
  } catch (error) {
    throw new Error(isBusy(error) ? inUse : unlockable(path, error), { cause: error });
  }
};

const lockedNow = (path: string): Database.Database => {
  const lock = new Database(path, { timeout: ENDING_MS });
  try {
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
};

const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');

const unlockable = (path: string, error: unknown): string => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return `${path} cannot be locked (${[code, message].filter(Boolean).join(': ')}); check that its disk works, has space, can be written and supports locks.`;
};

/** The name of the folder; null: it has none yet. */
export const findNodeId = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** Reads the name of the folder, or gives it one. Call it with the lock of the folder. */
export const readNodeId = (path: string, random: Random): string => findNodeId(path) ?? renewNodeId(path, random);

/** Gives the folder another name. Call it with the lock of the folder. */
export const renewNodeId = (path: string, random: Random): string => {
  const id = random.uuid();
  writeFileSync(path, `${id}\n`, { mode: 0o600 });
  return id;
};

/** Differs between the folder of this lock file and any copy that exists beside it. */
export const placeOfFolder = (lock: string): string => {
  const { dev, ino } = statSync(lock, { bigint: true });
  return `${hostname()} ${dev}:${ino}`;
};
