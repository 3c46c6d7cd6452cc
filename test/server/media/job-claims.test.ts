/** Two nodes on the same records: each item is processed by one of them, and by the other one when its node has ended. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { systemRandom } from '../../../src/server/clock-and-random.ts';
import type { ServerDatabase } from '../../../src/server/database/database-interface.ts';
import { sql } from '../../../src/server/database/sql-template.ts';
import type { ServerDeps } from '../../../src/server/deps.ts';
import type { Inspector } from '../../../src/server/media/media-inspector.ts';
import { createMediaJobs } from '../../../src/server/media/media-jobs.ts';
import { createObjectRows } from '../../../src/server/storage/object-rows.ts';
import type { ObjectId } from '../../../src/server/storage/object-store-interface.ts';
import { S3FullError, S3RefusedError, S3UnavailableError } from '../../../src/server/storage/s3-client.ts';
import { openRecordsOf } from '../../support/engines/engines.ts';
import { type MovableClock, movableClock } from '../../support/movable-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Preview = Awaited<ReturnType<Inspector['preview']>>;
const MADE: Preview = { kind: 'made', bytes: Buffer.from('a preview') };
const CLAIM_MS = 60_000;

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Records with `count` items that want a preview. */
const openRecords = async (count: number) => {
  const records = await openRecordsOf(temporaryFolder('job-claims'));
  ends.push(records.close);
  await records.run(
    sql`INSERT INTO "accounts" ("id", "username", "name", "plan", "createdAt") VALUES ('a', 'a', 'a', 'free', 0)`,
  );
  for (let n = 0; n < count; n += 1) await addItem(records, n);
  return records;
};

const addItem = async (records: ServerDatabase, n: number): Promise<void> => {
  await records.run(
    sql`INSERT INTO "content" ("id", "accountId", "objectId", "type", "mime", "size", "originalName", "title",
        "searchText", "visibility", "mediaStatus", "createdAt", "previewWanted")
      VALUES (${`item-${n}`}, 'a', ${`object-${n}`}, 'IMAGE', 'image/png', 9, 'a', 'a', 'a', 'private', 'READY', 0, 1)`,
  );
};

/** `committed` runs when the bytes of a preview are stored, and before its item has it. */
const startNode = (
  records: ServerDatabase,
  clock: MovableClock,
  node: string,
  committed = async (): Promise<void> => {},
) => {
  const rows = createObjectRows({ records, clock, node, durable: true });
  const seen: ObjectId[] = [];
  const store = { isAway: false };
  const [discarded, logged]: [ObjectId[], string[]] = [[], []];
  const previews: PromiseWithResolvers<Preview>[] = [];
  const sink = { append: async () => {}, finish: async () => {}, close: async () => {} };
  const objects = {
    withSealedFile: (_id: ObjectId, use: (file: object) => Promise<unknown>) => use({}),
    ...{ size: async () => 9, stageStream: async () => sink, remove: async () => {} },
    probe: async () => {
      if (store.isAway) throw new Error('The store is away.');
    },
    commit: async (id: ObjectId) => {
      await rows.insert({ id, size: 9, chunks: 1, header: null, keyId: 'key', wrappedKey: Buffer.alloc(1) });
      await rows.makePermanent(id);
      await committed();
    },
  };
  const deps = {
    ...{
      records,
      clock,
      sharedClock: clock,
      node,
      objects,
      random: { ...systemRandom, uuid: () => `${node}-${randomUUID()}` },
    },
    deletions: { enqueue: async (_tx: unknown, id: ObjectId) => void discarded.push(id) },
    runsJobs: true,
    log: (line: string) => void logged.push(line),
  } as unknown as ServerDeps;
  const inspector: Pick<Inspector, 'preview' | 'debtOf'> = {
    debtOf: () => 0,
    preview: ({ id }) => {
      seen.push(id);
      const preview = Promise.withResolvers<Preview>();
      previews.push(preview);
      return preview.promise;
    },
  };
  const jobs = createMediaJobs(deps, inspector);
  ends.push(async () => {
    for (const { resolve } of previews) resolve({ kind: 'later' });
    await jobs.close();
  });
  return { jobs, store, seen, previews, discarded, logged };
};

const left = async (records: ServerDatabase): Promise<number> =>
  (await records.get<{ n: number }>(sql`SELECT count(*) AS "n" FROM "content" WHERE "previewWanted" = 1`))?.n ?? -1;

it('share the items between them', async () => {
  const records = await openRecords(2);
  const clock = movableClock();
  const [a, b] = [startNode(records, clock, 'a'), startNode(records, clock, 'b')];
  a.jobs.wake();
  await expect.poll(() => a.seen).toEqual(['object-0']);
  b.jobs.wake();
  await expect.poll(() => b.seen).toEqual(['object-1']);
  a.previews[0]?.resolve(MADE);
  b.previews[0]?.resolve(MADE);
  await expect.poll(() => left(records)).toBe(0);
  expect([a.seen, b.seen]).toEqual([['object-0'], ['object-1']]);
});

it('take over an item when the claim of its node has ended, whose late result is discarded', async () => {
  const records = await openRecords(1);
  const clock = movableClock();
  const [a, b] = [startNode(records, clock, 'a'), startNode(records, clock, 'b')];
  a.jobs.wake();
  await expect.poll(() => a.seen).toEqual(['object-0']);
  clock.advance(CLAIM_MS + 1);
  b.jobs.wake();
  await expect.poll(() => b.seen).toEqual(['object-0']);
  b.previews[0]?.resolve(MADE);
  await expect.poll(() => left(records)).toBe(0);
  a.previews[0]?.resolve(MADE);
  await expect.poll(() => a.discarded).toEqual([expect.stringMatching(/^a-/)]);
  const row = await records.get(sql`SELECT "previewId", "jobBy", "jobUntil" FROM "content"`);
  expect(row).toEqual({ previewId: expect.stringMatching(/^b-/), jobBy: null, jobUntil: null });
});

it('take over an item whose claim was made before the clock was set back', async () => {
  const records = await openRecords(1);
  const clock = movableClock();
  const [a, b] = [startNode(records, clock, 'a'), startNode(records, clock, 'b')];
  a.jobs.wake();
  await expect.poll(() => a.seen).toEqual(['object-0']);
  clock.advance(-24 * 3_600_000);
  b.jobs.wake();
  await expect.poll(() => b.seen).toEqual(['object-0']);
  for (const node of [a, b]) node.previews[0]?.resolve(MADE);
  await expect.poll(() => left(records)).toBe(0);
});

it('settle the preview of an item, and make another one when the sweep has taken it', async () => {
  const records = await openRecords(1);
  const clock = movableClock();
  let previews = 0;
  const sweep = async (): Promise<void> => {
    previews += 1;
    if (previews > 1) return;
    clock.advance(25 * 3_600_000);
    const now = clock.now();
    const other = createObjectRows({ records, clock, node: 'b', durable: true });
    expect(await other.enqueueOrphans(now - 24 * 3_600_000, now - 30_000)).toBe(1);
  };
  const a = startNode(records, clock, 'a', sweep);
  a.jobs.wake();
  await expect.poll(() => a.previews.length).toBe(1);
  a.previews[0]?.resolve(MADE);
  await expect.poll(() => a.previews.length).toBe(2);
  expect(await records.get(sql`SELECT "previewId", "previewWanted" FROM "content"`)).toEqual({
    previewId: null,
    previewWanted: 1,
  });
  a.previews[1]?.resolve(MADE);
  await expect.poll(() => left(records)).toBe(0);
  const kept = sql`SELECT "objects"."node" FROM "objects" JOIN "content" ON "content"."previewId" = "objects"."id"`;
  expect(await records.all(kept)).toEqual([{ node: null }]);
});

it('leave an item to the other node at once when they stop', async () => {
  const records = await openRecords(1);
  const clock = movableClock();
  const [a, b] = [startNode(records, clock, 'a'), startNode(records, clock, 'b')];
  a.jobs.wake();
  await expect.poll(() => a.previews.length).toBe(1);
  const closed = a.jobs.close();
  a.previews[0]?.resolve({ kind: 'later' });
  await closed;
  b.jobs.wake();
  await expect.poll(() => b.seen).toEqual(['object-0']);
});

it('count the errors at an item together, and skip it after three', async () => {
  const records = await openRecords(1);
  const clock = movableClock();
  const nodes = ['a', 'b', 'a'].map((node) => startNode(records, clock, node));
  for (const { jobs, previews } of nodes) {
    jobs.wake();
    await expect.poll(() => previews.length).toBe(1);
    previews[0]?.reject(new Error('The disk is full.'));
    await expect.poll(() => records.get(sql`SELECT "jobBy" FROM "content"`)).toEqual({ jobBy: null });
    // It would try again by itself.
    await jobs.close();
  }
  expect(await left(records)).toBe(0);
  expect(nodes.map(({ logged }) => logged[0])).toEqual([
    'Processing a file failed and will be tried again: Error: The disk is full.',
    'Processing a file failed and will be tried again: Error: The disk is full.',
    'Processing object object-0 failed for good: Error: The disk is full.',
  ]);
  expect(await records.get(sql`SELECT "jobTries" FROM "content"`)).toEqual({ jobTries: 0 });
});

it('skip an item over which three of them were killed', async () => {
  const records = await openRecords(2);
  const clock = movableClock();
  for (const node of ['a', 'b', 'c']) {
    const killed = startNode(records, clock, node);
    killed.jobs.wake();
    await expect.poll(() => killed.seen).toEqual(['object-0']);
    clock.advance(CLAIM_MS + 1);
  }
  const { jobs, seen, logged, previews } = startNode(records, clock, 'd');
  jobs.wake();
  await expect.poll(() => seen).toEqual(['object-1']);
  expect(logged).toEqual(['Processing object object-0 failed for good: the server ended over it 3 times.']);
  previews[0]?.resolve(MADE);
  await expect.poll(() => left(records)).toBe(0);
  const rows = await records.all(sql`SELECT "mediaStatus", "jobTries" FROM "content" ORDER BY "seq"`);
  expect(rows).toEqual(Array(2).fill({ mediaStatus: 'READY', jobTries: 0 }));
});

it('log the object of an item that cannot be processed, and not its id, which is its link', async () => {
  const records = await openRecords(2);
  const { jobs, previews, logged } = startNode(records, movableClock(), 'a');
  jobs.wake();
  await expect.poll(() => previews.length).toBe(1);
  previews[0]?.reject(new S3UnavailableError('get', '500 InternalError', null));
  for (let tries = 1; tries <= 3; tries += 1) {
    await expect.poll(() => previews.length).toBe(tries + 1);
    previews[tries]?.reject(new Error('The disk is full.'));
    await expect.poll(() => logged.length).toBe(tries + 1);
    jobs.wake();
  }
  expect(logged.filter((line) => line.includes('object-'))).toHaveLength(2);
  expect(logged.filter((line) => line.includes('item-'))).toEqual([]);
});

it('begin an item as often as they are stopped', async () => {
  const records = await openRecords(1);
  const clock = movableClock();
  for (const node of ['a', 'b', 'a', 'b', 'a']) {
    const { jobs, previews } = startNode(records, clock, node);
    jobs.wake();
    await expect.poll(() => previews.length).toBe(1);
    const closed = jobs.close();
    previews[0]?.resolve({ kind: 'later' });
    await closed;
  }
  expect(await records.get(sql`SELECT "jobTries" FROM "content"`)).toEqual({ jobTries: 0 });
});

it('count no try that they could not give back while the records were away', async () => {
  const records = await openRecords(1);
  const clock = movableClock();
  let isAway = false;
  const busy = () => Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' });
  const failing: ServerDatabase = {
    ...records,
    transaction: (work, options) => (isAway ? Promise.reject(busy()) : records.transaction(work, options)),
  };
  const { jobs, previews, logged } = startNode(failing, clock, 'a');
  for (let tries = 1; tries <= 5; tries += 1) {
    jobs.wake();
    await expect.poll(() => previews.length).toBe(tries);
    isAway = true;
    previews[tries - 1]?.reject(new S3UnavailableError('get', '503', null));
    await expect.poll(() => logged.length).toBe(tries);
    isAway = false;
  }
  expect(logged.join()).not.toContain('for good');
});

it('wait while the store or the records are away, however often they ask', async () => {
  const records = await openRecords(1);
  const clock = movableClock();
  const away = [
    new S3UnavailableError('get', '503', null),
    Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' }),
    new S3UnavailableError('get', 'ECONNREFUSED', null),
    new S3UnavailableError('get', 'ECONNREFUSED', null),
  ];
  for (const error of away) {
    const { jobs, store, previews, logged } = startNode(records, clock, 'a');
    store.isAway = true;
    jobs.wake();
    await expect.poll(() => previews.length).toBe(1);
    previews[0]?.reject(error);
    await expect.poll(() => logged).toEqual([`Processing a file failed and will be tried again: ${String(error)}`]);
    expect(await records.get(sql`SELECT "jobBy" FROM "content"`)).toEqual({ jobBy: null });
    await jobs.close();
  }
  const { jobs, previews } = startNode(records, clock, 'a');
  jobs.wake();
  await expect.poll(() => previews.length).toBe(1);
  previews[0]?.resolve(MADE);
  await expect.poll(() => left(records)).toBe(0);
  expect(await records.get(sql`SELECT "previewId" FROM "content"`)).toEqual({
    previewId: expect.stringMatching(/^a-/),
  });
});

it.each<[string, Error]>([
  ['answers an error', new S3UnavailableError('get', '500 InternalError', null)],
  ['is forbidden', new S3RefusedError('get', 403, 'AccessDenied')],
])(
  'go on with the next items while the object of one %s, and ask for it more and more rarely',
  async (_name, error) => {
    const records = await openRecords(3);
    const clock = movableClock();
    const { jobs, seen, previews, logged } = startNode(records, clock, 'a');
    jobs.wake();
    await expect.poll(() => seen).toEqual(['object-0']);
    previews[0]?.reject(error);
    await expect.poll(() => seen).toEqual(['object-0', 'object-1']);
    previews[1]?.resolve(MADE);
    await expect.poll(() => seen.at(-1)).toBe('object-2');
    previews[2]?.resolve(MADE);
    await expect.poll(() => left(records)).toBe(1);
    let next = 3;
    for (const seconds of [5, 10, 20, 40, 80, 160, 300, 300]) {
      clock.advance(seconds * 1_000 - 1);
      await addItem(records, next);
      jobs.wake();
      await expect.poll(() => seen.at(-1)).toBe(`object-${next}`);
      previews.at(-1)?.resolve(MADE);
      await expect.poll(() => left(records)).toBe(1);
      clock.advance(1);
      jobs.wake();
      await expect.poll(() => seen.at(-1)).toBe('object-0');
      previews.at(-1)?.reject(error);
      next += 1;
      await expect.poll(() => logged.length).toBe(next - 2);
    }
    expect(await records.get(sql`SELECT "jobTries" FROM "content" WHERE "previewWanted" = 1`)).toEqual({ jobTries: 0 });
  },
);

it('make no preview that a full store does not take', async () => {
  const records = await openRecords(2);
  const { jobs, seen, previews, logged } = startNode(records, movableClock(), 'a', async () => {
    throw new S3FullError('put', 507, 'QuotaExceeded');
  });
  jobs.wake();
  await expect.poll(() => previews.length).toBe(1);
  previews[0]?.resolve(MADE);
  await expect.poll(() => logged.join()).toContain('507 QuotaExceeded');
  expect(seen).toEqual(['object-0']);
});
