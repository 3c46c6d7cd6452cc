/** Objects that nothing owns are found by their rows, and objects that another process is staging are left alone. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { systemRandom } from '../../../src/server/clock-and-random.ts';
import { createDeletionQueue } from '../../../src/server/jobs/deletion-queue.ts';
import { createObjectSweep } from '../../../src/server/jobs/object-sweep.ts';
import { createObjectRows } from '../../../src/server/storage/object-rows.ts';
import type { ObjectId } from '../../../src/server/storage/object-store-interface.ts';
import { writeObject } from '../../../src/server/storage/write-and-discard-object.ts';
import { openRecordsOf } from '../../support/engines/engines.ts';
import { itAbout } from '../../support/engines/only-on-engines.ts';
import { ANY_BITRATE, mp4Bytes } from '../../support/media/sample-bytes.ts';
import { type MovableClock, movableClock } from '../../support/movable-clock.ts';
import { startServer } from '../../support/server/server.ts';
import { uploader } from '../../support/server/service-client.ts';
import {
  changeData,
  objectFiles,
  openStore,
  ownedObjects,
  queryData,
  readObject,
} from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DAY_MS = 24 * 3_600_000;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A process of the node `node` on the folder `data`, without a server around it. */
const openProcess = async (data: string, node: string, clock: MovableClock) => {
  const records = await openRecordsOf(data);
  const rows = createObjectRows({ records, clock, node, durable: false });
  const { objects, close } = await openStore(data, rows);
  const deletions = createDeletionQueue({ records, objects, clock, log: () => {}, node });
  const sweep = createObjectSweep({
    ...{ rows, deletions, files: null, restage: null, clock, log: () => {} },
    ...{ disownLost: async () => {}, runsJobs: true },
  });
  ends.push(async () => {
    await sweep.close();
    await deletions.close();
    await close();
    await records.close();
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
  expect(await objectFiles(data)).toEqual({ staged: [staged], permanent: [permanent] });
  clock.advance(2);
  await b.sweep();
  expect(await objectFiles(data)).toEqual({ staged: [], permanent: [] });
  expect(await queryData(data, 'SELECT id FROM objects')).toEqual([]);
});

it('leaves what arrives slowly alone, however long it takes', async () => {
  const data = temporaryFolder('sweep');
  const clock = movableClock();
  const [a, b] = [await openProcess(data, 'a', clock), await openProcess(data, 'b', clock)];
  const id = randomUUID() as ObjectId;
  const sink = await a.objects.stageStream(id);
  for (let hours = 0; hours < 40; hours += 20) {
    await sink.append(randomBytes(1_000));
    clock.advance((20 * DAY_MS) / 24);
    await b.sweep();
  }
  expect(await objectFiles(data)).toEqual({ staged: [id], permanent: [] });
  await sink.finish();
  await sink.close();
  await a.objects.commit(id);
  expect((await readObject(data, id)).length).toBe(2_000);
});

it('removes an object that was abandoned half a minute ago, unless an item owns it', async () => {
  const data = temporaryFolder('sweep');
  const clock = movableClock();
  const { objects, sweep } = await openProcess(data, 'a', clock);
  const write = () => writeObject({ objects, random: systemRandom }, randomBytes(9));
  const [owned, unowned] = [await write(), await write()];
  await changeData(
    data,
    `INSERT INTO accounts (id, username, name, plan, createdAt) VALUES ('a', 'a', 'a', 'free', 0)`,
  );
  await changeData(
    data,
    `INSERT INTO content (id, accountId, objectId, type, mime, size, originalName, title, searchText, visibility,
      mediaStatus, createdAt)
      VALUES ('c', 'a', ?, 'PASTE', 'text/plain', 9, 'a', 'a', 'a', 'private', 'READY', 0)`,
    owned,
  );
  for (const id of [owned, unowned]) await objects.abandon(id);
  clock.advance(29_000);
  await sweep();
  expect((await objectFiles(data)).permanent).toEqual([owned, unowned].sort());
  clock.advance(2_000);
  await sweep();
  expect((await objectFiles(data)).permanent).toEqual([owned]);
  clock.advance(2 * DAY_MS);
  await sweep();
  expect((await objectFiles(data)).permanent).toEqual([owned]);
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
  expect(await objectFiles(data)).toEqual({ staged: [kept], permanent: [] });
});

it('keeps what uploads and items own, whose rows are written before the first byte', async () => {
  const data = temporaryFolder('sweep');
  const clock = movableClock();
  const service = await startServer({ data, clock, config: ANY_BITRATE });
  ends.push(service.stop);
  const client = uploader(service.url, await service.user());
  const video = await mp4Bytes(5 * 1024 * 1024);
  expect((await client.publish(video)).status).toBe(200);
  const pending = (await client.start(await mp4Bytes(3 * 1024 * 1024))).body.id;
  const [upload] = await queryData<{ objectId: string }>(data, 'SELECT objectId FROM uploads WHERE id = ?', pending);
  await expect.poll(() => queryData(data, 'SELECT 1 FROM content WHERE previewWanted = 1')).toEqual([]);
  const other = await openProcess(data, 'b', clock);
  clock.advance(2 * DAY_MS);
  await other.start();
  const { permanent } = await ownedObjects(data);
  expect(await objectFiles(data)).toEqual({ staged: [upload?.objectId], permanent });
  const rows = await queryData(data, 'SELECT id, state, node IS NULL AS settled FROM objects ORDER BY state, id');
  expect(rows).toEqual([
    ...permanent.map((id) => ({ id, state: 'permanent', settled: 1 })),
    { id: upload?.objectId, state: 'staged', settled: 0 },
  ]);
});

itAbout('SQLite', 'local files')('adds rows for the files of an earlier version, which open as before', async () => {
  const data = temporaryFolder('sweep');
  const first = await startServer({ data, config: ANY_BITRATE });
  const user = await first.user();
  const bytes = await mp4Bytes(3 * 1024 * 1024);
  expect((await uploader(first.url, user).publish(bytes)).status).toBe(200);
  await expect.poll(() => queryData(data, 'SELECT 1 FROM content WHERE previewWanted = 1')).toEqual([]);
  await first.stop();
  await changeData(data, 'DELETE FROM objects');
  const second = await startServer({ data, config: ANY_BITRATE });
  ends.push(second.stop);
  const [item] = await queryData<{ objectId: string }>(data, 'SELECT objectId FROM content');
  expect((await readObject(data, item?.objectId ?? '')).equals(bytes)).toBe(true);
  const rows = await queryData(data, 'SELECT id, state, keyId, node FROM objects ORDER BY id');
  expect(rows).toEqual(
    (await ownedObjects(data)).permanent.map((id) => ({ id, state: 'permanent', keyId: null, node: null })),
  );
  expect(await objectFiles(data)).toEqual(await ownedObjects(data));
});
