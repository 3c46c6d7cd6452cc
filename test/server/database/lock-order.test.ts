/** Transactions of two nodes lock the same rows in the same order, so that neither waits for the other. */
import { expect, it } from 'vitest';
import type { AccountId, UploadId } from '../../../src/api/ids.ts';
import { createRequestLog } from '../../../src/server/accounts/request-log.ts';
import { systemClock, systemRandom } from '../../../src/server/clock-and-random.ts';
import type { ServerDatabase, Transaction } from '../../../src/server/database/database-interface.ts';
import type { Query } from '../../../src/server/database/sql-template.ts';
import { createUploads } from '../../../src/server/uploads/upload-store.ts';
import { recordsInMemory } from '../../support/server/local-objects.ts';

/** Records whose transactions only note the first value of each statement. */
const noting = () => {
  const noted: unknown[] = [];
  const note = async (query: Query) => {
    noted.push(query.values[0]);
    return { id: query.values[0], state: 'COMPLETED' };
  };
  const records = recordsInMemory();
  const tx = { ...records, get: note, run: note, afterCommit: () => {} } as unknown as Transaction;
  const doubled = { ...records, transaction: <T>(work: (tx: Transaction) => Promise<T>) => work(tx) } as ServerDatabase;
  return { noted, records: doubled };
};

it('of a batch of parts, and each part has the row of its own upload', async () => {
  const { noted, records } = noting();
  const uploads = createUploads({
    ...{ records, clock: systemClock, sharedClock: systemClock, random: systemRandom, node: 'test' },
    deletions: { enqueue: async () => {} } as never,
  });
  const ids = ['c', 'a', 'b', 'a'];
  const rows = await uploads.confirm(ids.map((id, index) => ({ uploadId: id as UploadId, index, length: 1 })));
  expect(noted).toEqual(['a', 'a', 'b', 'c']);
  expect(rows.map(({ id }) => id)).toEqual(ids);
});

it('of the request logs of accounts', async () => {
  const { noted, records } = noting();
  const log = createRequestLog({ records, clock: systemClock, log: () => {} });
  for (const account of ['c', 'a', 'b'])
    log.record(account as AccountId, { method: 'GET', path: '/', status: 200, keyName: 'a key', time: 1 });
  await log.close();
  expect(noted.filter((value) => typeof value === 'string')).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
});
