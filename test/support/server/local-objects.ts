/** Opens the server's own store of files, with the rows of its objects in memory or in a database of a test. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { systemClock, systemRandom } from '../../../src/server/clock-and-random.ts';
import type { ServerDatabase } from '../../../src/server/database/database-interface.ts';
import { IN_MEMORY, openSqlite } from '../../../src/server/database/sqlite.ts';
import { createKeyRing } from '../../../src/server/storage/key-ring.ts';
import { createLocalObjects, type LocalObjects } from '../../../src/server/storage/local-objects.ts';
import { createObjectRows } from '../../../src/server/storage/object-rows.ts';
import { afterEveryFile } from '../ends.ts';

const opened: ServerDatabase[] = [];
afterEveryFile(async () => {
  for (const records of opened.splice(0)) await records.close();
});

/** Records in memory, closed after the test file. */
export const recordsInMemory = (): ServerDatabase => {
  const records = openSqlite(IN_MEMORY);
  opened.push(records);
  return records;
};

interface Options {
  /** Newest first; by default one new key. */
  readonly masters?: readonly KeyObject[];
  readonly records?: ServerDatabase;
}

export const openLocalObjects = async (root: string, options: Options = {}): Promise<LocalObjects> => {
  const { masters = [createSecretKey(randomBytes(32))], records = recordsInMemory() } = options;
  const rows = createObjectRows({ records, clock: systemClock, node: 'test', durable: false });
  return await createLocalObjects({ root, ring: createKeyRing(masters, systemRandom), rows });
};
