/** What the sweep has taken is not published, whoever comes first: an item without bytes would be lost data with a 201. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { systemRandom } from '../../../src/server/clock-and-random.ts';
import type { ServerDatabase } from '../../../src/server/database/database-interface.ts';
import { sql } from '../../../src/server/database/sql-template.ts';
import { createObjectRows, settleObject } from '../../../src/server/storage/object-rows.ts';
import type { ObjectId } from '../../../src/server/storage/object-store-interface.ts';
import { openRecordsOf } from '../../support/engines/engines.ts';
import { itAbout } from '../../support/engines/only-on-engines.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { startServer } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { changeData, queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const clock = movableClock();
let records: ServerDatabase;
beforeAll(async () => {
  records = await openRecordsOf(temporaryFolder('swept-bytes'));
});
afterAll(() => records.close());

const rowsOf = () => createObjectRows({ records, clock, node: 'a', durable: true });
const settle = (id: ObjectId) => records.transaction((tx) => settleObject(tx, id));
const stage = async (): Promise<ObjectId> => {
  const id = systemRandom.uuid() as ObjectId;
  const keys = { keyId: 'key', wrappedKey: Buffer.alloc(1) };
  await rowsOf().insert({ id, size: 1, chunks: 1, header: null, ...keys });
  return id;
};
/** As when the node of the object seems to have ended. */
const sweep = async (): Promise<number> => {
  await rowsOf().disown();
  return await rowsOf().enqueueOrphans(0, 0);
};

it('an object is given to an item only while it is permanent and not about to be deleted', async () => {
  const [published, swept, staged] = [await stage(), await stage(), await stage()];
  for (const id of [published, swept]) expect(await rowsOf().makePermanent(id)).toBe(true);
  expect(await settle(published)).toBe(true);
  expect(await settle(staged)).toBe(false);
  expect(await sweep()).toBe(2);
  expect(await settle(swept)).toBe(false);
  expect(await settle(staged)).toBe(false);
  expect(await settle(systemRandom.uuid() as ObjectId)).toBe(false);
  expect(await rowsOf().isKept(published)).toBe(true);
  expect(await sweep()).toBe(0);
});

itAbout('SQLite')('a note whose bytes the sweep takes before its commit is refused', async () => {
  const server = await startServer();
  try {
    const user = await server.user();
    const create = () =>
      ask<Content>(server.url, {
        ...{ method: 'POST', path: '/api/v1/pastes', key: user.apiKey },
        headers: { 'idempotency-key': randomUUID() },
        body: { text: 'A note', format: 'plain' },
      });
    const { body: before } = await create();
    await changeData(
      server.data,
      `CREATE TRIGGER sweep AFTER UPDATE OF state ON objects WHEN NEW.state = 'permanent'
        BEGIN INSERT INTO deletions (objectId, attempts, dueAt) VALUES (NEW.id, 0, 0); END`,
    );
    const refused = await create();
    expect([refused.status, refused.problem.code]).toEqual([503, 'UPLOAD_SERVER_BUSY']);
    const edited = await ask<Content>(server.url, {
      ...{ method: 'PATCH', path: `/api/v1/content/${before.id}`, key: user.apiKey },
      body: { text: 'Another text', revision: 1 },
    });
    expect([edited.status, edited.problem.code]).toEqual([503, 'UPLOAD_SERVER_BUSY']);
    expect(await queryData(server.data, 'SELECT id FROM content')).toEqual([{ id: before.id }]);
    const read = await ask<{ text: string }>(server.url, {
      path: `/api/v1/content/${before.id}/text`,
      key: user.apiKey,
    });
    expect(read.body.text).toBe('A note');
  } finally {
    await server.stop();
  }
});

it('a master key that a row needs is not forgotten, and without it no server starts', async () => {
  await stage();
  const check = async (): Promise<void> => {};
  expect(await rowsOf().registerMasterKey('newer', ['newer'])).toEqual(['key']);
  expect(await rowsOf().keepOnlyMasterKey('newer', check)).toBe(false);
  expect(await rowsOf().registerMasterKey('newer', ['newer', 'key'])).toEqual([]);
  await records.run(sql`DELETE FROM "objects"`);
  await expect(rowsOf().keepOnlyMasterKey('newer', () => Promise.reject(new Error('A node')))).rejects.toThrow(
    'A node',
  );
  expect(await rowsOf().keepOnlyMasterKey('newer', check)).toBe(true);
  expect(await rowsOf().masterKeys()).toEqual(['newer']);
});
