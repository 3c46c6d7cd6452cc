/** The server's data folder: readable by its owner alone, with the database and the objects; one server at a time runs on it. */
import { chmodSync, closeSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { makePrivateFolder } from '../base/node/private-folder.ts';

const ENDING_MS = 5_000;

export interface DataFolder {
  readonly database: string;
  readonly objects: string;
  readonly lock: string;
}

/** Makes the folder where it is missing and closes it to others. */
export const prepareDataFolder = (path: string): DataFolder => {
  const root = resolve(path);
  makePrivateFolder(root);
  chmodSync(root, 0o700);
  const database = join(root, 'linkshot.sqlite');
  const lock = join(root, 'serve.lock');
  // SQLite gives what it puts beside a database the mode of that, so only these two need to be made by hand.
  for (const file of [database, lock]) closeSync(openSync(file, 'a', 0o600));
  return { database, objects: join(root, 'objects'), lock };
};

/**
 * Holds the folder for one server until `release`, or until the process ends in any way. A lock of the operating system
 * by way of SQLite, so that nothing stale stays behind. A server that is just ending is waited for; throws when another one
 * goes on holding it.
 */
export const lockDataFolder = (path: string): { release(): void } => {
  const lock = new Database(path, { timeout: ENDING_MS });
  try {
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    throw new Error('Another server is running on this data folder; stop it first, or give each its own --data.');
  }
  return { release: () => void lock.close() };
};
