/** Opens the server's own store of files, with the rows of its objects in memory or in a database of a test. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type Database from 'better-sqlite3';
import { systemClock, systemRandom } from '../../../src/server/clock-and-random.ts';
import { openDatabase } from '../../../src/server/database.ts';
import { createKeyRing } from '../../../src/server/storage/key-ring.ts';
import { createLocalObjects, type LocalObjects } from '../../../src/server/storage/local-objects.ts';
import { createObjectRows } from '../../../src/server/storage/object-rows.ts';
import { afterEveryFile } from '../ends.ts';

const opened: Database.Database[] = [];
afterEveryFile(() => {
  for (const database of opened.splice(0)) database.close();
});

/** A database in memory, closed after the test file. */
export const databaseInMemory = (): Database.Database => {
  const database = openDatabase(':memory:');
  opened.push(database);
  return database;
};

interface Options {
  /** Newest first; by default one new key. */
  readonly masters?: readonly KeyObject[];
  readonly database?: Database.Database;
}

export const openLocalObjects = async (root: string, options: Options = {}): Promise<LocalObjects> => {
  const { masters = [createSecretKey(randomBytes(32))], database = databaseInMemory() } = options;
  const rows = createObjectRows({ database, clock: systemClock, node: 'test', durable: false });
  return await createLocalObjects({ root, ring: createKeyRing(masters, systemRandom), rows });
};
