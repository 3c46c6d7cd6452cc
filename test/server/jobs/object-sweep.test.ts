/** Objects that nothing owns are found by their rows, and objects that another process is staging are left alone. */
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { systemRandom } from '../../../src/server/clock-and-random.ts';
import { openDatabase } from '../../../src/server/database.ts';
import { createDeletions } from '../../../src/server/jobs/deletions.ts';
import { createObjectSweep } from '../../../src/server/jobs/object-sweep.ts';
import { createKeyRing } from '../../../src/server/storage/key-ring.ts';
import { createLocalObjects } from '../../../src/server/storage/local-objects.ts';
import { openMasterKeys } from '../../../src/server/storage/master-key.ts';
import { createObjectRows } from '../../../src/server/storage/object-rows.ts';
import { type ObjectId, writeObject } from '../../../src/server/storage/object-store.ts';
import { ANY_BITRATE, mp4Bytes } from '../../support/media/sample-bytes.ts';
import { type MovableClock, movableClock } from '../../support/movable-clock.ts';
import { startServer } from '../../support/server/server.ts';
import { uploader } from '../../support/server/service-client.ts';
import { objectFiles, ownedObjects, queryData, readObject } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DAY_MS = 24 * 3_600_000;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A process of the node `node` on the folder `data`, without a server around it. */
const openProcess = async (data: string, node: string, clock: MovableClock) => {
  const root = join(data, 'objects');
  const masters = openMasterKeys({ data, objects: root, keyFile: null, keyText: null, log: () => {} });
  const database = openDatabase(join(data, 'linkshot.sqlite'));
  const rows = createObjectRows({ database, clock, node, durable: false });
  const objects = await createLocalObjects({ root, ring: createKeyRing(masters, systemRandom), rows });
  const deletions = createDeletions({ database, objects, clock, log: () => {}, node });
  const sweep = createObjectSweep({ rows, deletions, files: null, clock, log: () => {} });
  ends.push(async () => {
    await sweep.close();
    await deletions.close();
    database.close();
  });
  return {
    objects,
    rows,
    sweep: async () => {
      await sweep.run();
      await deletions.run();
    },
    start: async () => {
      await sweep.start();
      await deletions.run();
    },
  };
};

it('leaves what another process is staging alone, until it was untouched for a day', async () => {
  const data = temporaryFolder('sweep');
  const clock = movableClock();
  const [a, b] = [await openProcess(data, 'a', clock), await openProcess(data, 'b', clock)];
  const [staged, permanent] = [
    randomUUID() as ObjectId,
    await writeObject({ objects: a.objects, random: systemRandom }, randomBytes(9)),
  ];
  await a.objects.stage(staged, 1_000);
  await b.start();
  clock.advance(DAY_MS - 1);
  await b.sweep();
  expect(objectFiles(data)).toEqual({ staged: [staged], permanent: [permanent] });
  clock.advance(2);
  await b.sweep();
  expect(objectFiles(data)).toEqual({ staged: [], permanent: [] });
  expect(queryData(data, 'SELECT id FROM objects')).toEqual([]);
});

it('removes what an earlier process of the same node has left, at its start', async () => {
  const data = temporaryFolder('sweep');
  const clock = movableClock();
  const before = await openProcess(data, 'a', clock);
  const other = await openProcess(data, 'b', clock);
  const kept = randomUUID() as ObjectId;
  await other.objects.stage(kept, 1_000);
  await before.objects.stage(randomUUID() as ObjectId, 1_000);
  await writeObject({ objects: before.objects, random: systemRandom }, randomBytes(9));
  const sink = await before.objects.stageStream(randomUUID() as ObjectId);
  await sink.append(randomBytes(1_000));
  await sink.close();
  await (await openProcess(data, 'a', clock)).start();
  expect(objectFiles(data)).toEqual({ staged: [kept], permanent: [] });
});

it('keeps what uploads and items own, whose rows are written before the first byte', async () => {
  const data = temporaryFolder('sweep');
  const clock = movableClock();
  const service = await startServer({ data, clock, config: ANY_BITRATE });
  ends.push(service.stop);
  const client = uploader(service.url, service.user());
  const video = await mp4Bytes(5 * 1024 * 1024);
  expect((await client.publish(video)).status).toBe(200);
  const pending = (await client.start(await mp4Bytes(3 * 1024 * 1024))).body.id;
  const [upload] = queryData<{ objectId: string }>(data, 'SELECT objectId FROM uploads WHERE id = ?', pending);
  await expect.poll(() => queryData(data, 'SELECT 1 FROM content WHERE previewWanted = 1')).toEqual([]);
  const other = await openProcess(data, 'b', clock);
  clock.advance(2 * DAY_MS);
  await other.start();
  const { permanent } = ownedObjects(data);
  expect(objectFiles(data)).toEqual({ staged: [upload?.objectId], permanent });
  const rows = queryData(data, 'SELECT id, state, node IS NULL AS settled FROM objects ORDER BY state, id');
  expect(rows).toEqual([
    ...permanent.map((id) => ({ id, state: 'permanent', settled: 1 })),
    { id: upload?.objectId, state: 'staged', settled: 0 },
  ]);
});

it('adds rows for the files of an earlier version, which open as before', async () => {
  const data = temporaryFolder('sweep');
  const first = await startServer({ data, config: ANY_BITRATE });
  const user = first.user();
  const bytes = await mp4Bytes(3 * 1024 * 1024);
  expect((await uploader(first.url, user).publish(bytes)).status).toBe(200);
  await expect.poll(() => queryData(data, 'SELECT 1 FROM content WHERE previewWanted = 1')).toEqual([]);
  await first.stop();
  const database = new Database(join(data, 'linkshot.sqlite'));
  database.exec('DELETE FROM objects');
  database.close();
  const second = await startServer({ data, config: ANY_BITRATE });
  ends.push(second.stop);
  const [item] = queryData<{ objectId: string }>(data, 'SELECT objectId FROM content');
  expect((await readObject(data, item?.objectId ?? '')).equals(bytes)).toBe(true);
  const rows = queryData(data, 'SELECT id, state, keyId, node FROM objects ORDER BY id');
  expect(rows).toEqual(ownedObjects(data).permanent.map((id) => ({ id, state: 'permanent', keyId: null, node: null })));
  expect(objectFiles(data)).toEqual(ownedObjects(data));
});
