/**
 * Objects in S3: written as chunks in any order, read by range, removed, always encrypted, and whole after the faults of a
 * store. `LINKSHOT_TEST_S3` (the settings as JSON) runs the tests without faults on a real store too.
 */
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock, systemRandom } from '../../../src/server/clock-and-random.ts';
import { parseConfig } from '../../../src/server/config/read-config.ts';
import { sql } from '../../../src/server/database/sql-template.ts';
import { createKeyRing } from '../../../src/server/storage/key-ring.ts';
import { createObjectRows } from '../../../src/server/storage/object-rows.ts';
import type { ObjectId } from '../../../src/server/storage/object-store-interface.ts';
import { openObjectStore } from '../../../src/server/storage/open-object-store.ts';
import { CHUNK_BYTES, getStored, putStored } from '../../../src/server/storage/s3-chunks.ts';
import { createS3Client, type S3Client, type S3Settings } from '../../../src/server/storage/s3-client.ts';
import { createS3Objects } from '../../../src/server/storage/s3-objects.ts';
import { SEGMENT_BYTES } from '../../../src/server/storage/sealed-format.ts';
import { readSealedFile } from '../../../src/server/storage/sealed-reader.ts';
import { WriteLease } from '../../../src/server/storage/write-lease.ts';
import { recordsInMemory } from '../../support/server/local-objects.ts';
import { badDay, isProbe, type S3Double, type S3Fault, startS3Double } from '../../support/server/s3-double.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { passUndiciTime } from '../../support/undici-clock.ts';

const real = process.env['LINKSHOT_TEST_S3'];
const never = new AbortController().signal;
const random = { ...systemRandom };
const ring = createKeyRing([createSecretKey(randomBytes(32))], random);
const records = recordsInMemory();
const rows = createObjectRows({ records, clock: systemClock, node: 'test', durable: true });
const scratch = temporaryFolder('s3-scratch');
const clients: S3Client[] = [];
let double: S3Double;
beforeAll(async () => {
  double = await startS3Double();
});
beforeEach(() => {
  double.fault(() => null);
  double.requests.length = 0;
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await double.close();
});

const open = (settings: S3Settings, tries = 4) => {
  const client = createS3Client({ settings, clock: systemClock, random, tries });
  clients.push(client);
  return createS3Objects({ client, ring, rows, node: 'test', scratch });
};
type Store = ReturnType<typeof open>;

const stored = async (store: Store, bytes: Buffer): Promise<ObjectId> => {
  const id = randomUUID() as ObjectId;
  const sink = await store.stageStream(id);
  for (let at = 0; at < bytes.length; at += 700_001) await sink.append(bytes.subarray(at, at + 700_001));
  await sink.finish();
  await sink.close();
  await store.commit(id);
  return id;
};
const read = (store: Store, id: ObjectId, start: number, end: number) => buffer(store.read(id, { start, end }, never));
const keysOf = (id: string): string[] => [...double.objects.keys()].filter((key) => key.includes(id));

const STORES: readonly (readonly [string, () => S3Settings])[] = [
  ['the strict double', () => double.settings],
  ...(real === undefined ? [] : [['a real store', () => JSON.parse(real) as S3Settings] as const]),
];

describe.each(STORES)('An object in %s', (_name, settings) => {
  it('is written in any order, also again and by another process, and is read once committed', async () => {
    const [a, b] = [open(settings()), open(settings())];
    const id = randomUUID() as ObjectId;
    const bytes = randomBytes(2 * CHUNK_BYTES + 300_000);
    await a.stage(id, bytes.length);
    const part = async (store: Store, n: number) => {
      const place = { position: n * CHUNK_BYTES, length: Math.min(CHUNK_BYTES, bytes.length - n * CHUNK_BYTES) };
      const staged = await store.openStaged(id);
      await staged.write(new WriteLease(id, place), bytes.subarray(place.position, place.position + place.length));
      await staged.sync();
      await staged.close();
    };
    await part(b, 2);
    await part(a, 0);
    await part(b, 0);
    await part(a, 1);
    await b.commit(id);
    await a.commit(id);
    await expect(a.openStaged(id)).rejects.toThrow('is permanent');
    expect(await a.size(id)).toBe(bytes.length);
    expect((await read(a, id, 0, bytes.length - 1)).equals(bytes)).toBe(true);
    expect((await b.withSealedFile(id, readSealedFile, never)).equals(bytes)).toBe(true);
    expect(readdirSync(scratch)).toEqual([]);
    await b.remove(id);
    await b.remove(id);
    await expect(read(a, id, 0, 9)).rejects.toMatchObject({ name: 'DamagedObjectError' });
  });

  it('that is about to be deleted takes no byte, and says so', async () => {
    const store = open(settings());
    const id = randomUUID() as ObjectId;
    const bytes = randomBytes(1_000);
    await store.stage(id, bytes.length);
    const staged = await store.openStaged(id);
    const write = () => staged.write(new WriteLease(id, { position: 0, length: bytes.length }), bytes);
    await records.run(sql`INSERT INTO "deletions" ("objectId", "attempts", "dueAt") VALUES (${id}, 0, 0)`);
    await expect(write()).rejects.toMatchObject({ code: 'OBJECT_REMOVED' });
    expect(keysOf(id)).toEqual([]);
    await store.remove(id);
  });

  it('is written while as many clients as there are connections have stopped reading another one', async () => {
    const client = createS3Client({ settings: settings(), clock: systemClock, random, streams: 200 });
    clients.push(client);
    const store = createS3Objects({ client, ring, rows, node: 'test', scratch });
    const id = await stored(store, randomBytes(2 * CHUNK_BYTES));
    const stop = new AbortController();
    const readers = Array.from({ length: 80 }, () =>
      store.read(id, { start: 0, end: 2 * CHUNK_BYTES - 1 }, stop.signal)[Symbol.asyncIterator](),
    );
    await Promise.all(readers.map((reader) => reader.next()));
    const bytes = randomBytes(1_000);
    const other = await stored(store, bytes);
    expect((await read(store, other, 0, 999)).equals(bytes)).toBe(true);
    stop.abort();
    await Promise.all(readers.map((reader) => reader.return?.()));
    for (const written of [id, other]) await store.remove(written);
  });

  it('of unknown size gives for every range the bytes that were written', async () => {
    const store = open(settings());
    for (const size of [1, SEGMENT_BYTES, CHUNK_BYTES, CHUNK_BYTES + 1, 5 * CHUNK_BYTES + 77]) {
      const bytes = randomBytes(size);
      const id = await stored(store, bytes);
      const edges = [0, 1, SEGMENT_BYTES - 1, SEGMENT_BYTES, CHUNK_BYTES - 1, CHUNK_BYTES, size - 1, size + 5];
      for (const start of edges.filter((edge) => edge < size)) {
        for (const end of edges.filter((edge) => edge >= start)) {
          expect((await read(store, id, start, end)).equals(bytes.subarray(start, end + 1))).toBe(true);
        }
      }
      await store.remove(id);
      expect(keysOf(id)).toEqual([]);
    }
  });

  it('probes by writing, reading and removing', async () => {
    await open(settings()).probe();
    expect([...double.objects.keys()].filter((key) => key.includes('probe'))).toEqual([]);
  });
});

describe('An object in a store', () => {
  it('cannot be used before its end, and an unfinished one is removed with all its chunks', async () => {
    const store = open(double.settings);
    const id = randomUUID() as ObjectId;
    const sink = await store.stageStream(id);
    await sink.append(randomBytes(6 * CHUNK_BYTES));
    expect(keysOf(id)).toHaveLength(5);
    await expect(store.commit(id)).rejects.toThrow('never finished');
    await store.remove(id);
    expect(keysOf(id)).toEqual([]);
    expect(await rows.byId(id)).toBeUndefined();
  });

  it('keeps no chunk that arrives while another node removes it', async () => {
    const remover = open(double.settings);
    const id = randomUUID() as ObjectId;
    await remover.stage(id, 2 * CHUNK_BYTES);
    const client = createS3Client({ settings: double.settings, clock: systemClock, random });
    clients.push(client);
    const late: S3Client = {
      ...client,
      send: async (request) => {
        if (request.operation === 'put') await remover.remove(id);
        return await client.send(request);
      },
    };
    const writer = createS3Objects({ client: late, ring, rows, node: 'other', scratch });
    const staged = await writer.openStaged(id);
    const written = staged.write(new WriteLease(id, { position: 0, length: CHUNK_BYTES }), randomBytes(CHUNK_BYTES));
    await expect(written).rejects.toMatchObject({ code: 'OBJECT_REMOVED' });
    expect(keysOf(id)).toEqual([]);
  });

  it('is encrypted, and damage, exchange and loss of a chunk are errors', async () => {
    const store = open(double.settings);
    const bytes = Buffer.alloc(2 * CHUNK_BYTES, 'a secret text ');
    const id = await stored(store, bytes);
    const [first = '', second = ''] = keysOf(id).toSorted();
    const [one, two] = [double.objects.get(first), double.objects.get(second)] as [Buffer, Buffer];
    expect(one.includes('secret text')).toBe(false);
    expect(first).toBe(`some/prefix/${id}/0`);
    const flipped = Buffer.from(one);
    flipped[700_000] = (flipped[700_000] ?? 0) ^ 1;
    for (const tampered of [two, flipped, one.subarray(0, -1)]) {
      double.objects.set(first, tampered);
      await expect(read(store, id, 0, CHUNK_BYTES - 1)).rejects.toThrow();
      expect((await read(store, id, CHUNK_BYTES, 2 * CHUNK_BYTES)).equals(bytes.subarray(CHUNK_BYTES))).toBe(true);
    }
    double.objects.delete(first);
    await expect(read(store, id, 0, 9)).rejects.toMatchObject({ name: 'DamagedObjectError' });
  });

  it('reads whole segments of the range alone', async () => {
    const store = open(double.settings);
    const id = await stored(store, randomBytes(3 * CHUNK_BYTES));
    double.requests.length = 0;
    await read(store, id, CHUNK_BYTES + 5, CHUNK_BYTES + 10);
    expect(double.requests.filter((request) => request.includes(id))).toEqual([`GET some/prefix/${id}/1`]);
  });
});

// A store removes the chunks of a staged object once more after a while: only a test's own requests count.
describe('A store with faults', () => {
  const requestsOf = (folder: string) => double.requests.filter((request) => request.includes(`/${folder}/`));

  it('that is busy, drops connections, loses answers and cuts bodies loses and doubles nothing', async () => {
    const store = open(double.settings);
    const bytes = randomBytes(4 * CHUNK_BYTES + 123_456);
    double.fault(badDay());
    const id = await stored(store, bytes);
    expect(keysOf(id)).toHaveLength(5);
    expect((await read(store, id, 0, bytes.length)).equals(bytes)).toBe(true);
    await store.remove(id);
    expect(keysOf(id)).toEqual([]);
  });

  it('that is away is an error that may be tried again, after as many tries as configured', async () => {
    const store = open(double.settings, 3);
    double.fault((_method, key) => (isProbe(key) ? { kind: 'drop' } : null));
    await expect(store.probe()).rejects.toMatchObject({ code: 'OBJECTS_UNAVAILABLE' });
    expect(double.requests.filter(isProbe)).toHaveLength(3);
    double.fault(() => null);
    await store.probe();
  });

  it.each<[string, S3Fault]>([
    ['a proxy without a backend', { kind: 'proxy', status: 404, body: '404 page not found\n' }],
    ['a 404 without a body', { kind: 'proxy', status: 404, body: '' }],
    ['a bucket that is missing', { kind: 'refuse', status: 404, code: 'NoSuchBucket' }],
  ])('that answers a deletion by %s has not deleted, and the object is removed later', async (_name, fault) => {
    const store = open(double.settings);
    const id = await stored(store, randomBytes(2 * CHUNK_BYTES));
    double.fault(() => fault);
    await expect(store.remove(id)).rejects.toMatchObject({ name: 'S3RefusedError', operation: 'delete', status: 404 });
    expect(await rows.byId(id)).toBeDefined();
    double.fault(() => null);
    expect(keysOf(id)).toHaveLength(2);
    await store.remove(id);
    expect(keysOf(id)).toEqual([]);
    expect(await rows.byId(id)).toBeUndefined();
  });

  it('that knows no such key has deleted, whether it says so by 204 or by NoSuchKey', async () => {
    const store = open(double.settings);
    for (const fault of [null, { kind: 'refuse', status: 404, code: 'NoSuchKey' }] as const) {
      const id = await stored(store, randomBytes(2 * CHUNK_BYTES));
      for (const key of keysOf(id)) double.objects.delete(key);
      double.fault((method) => (method === 'DELETE' ? fault : null));
      await store.remove(id);
      expect(await rows.byId(id)).toBeUndefined();
    }
  });

  it('that needs seconds for each request is unhealthy, and a server starts on it', async () => {
    let now = 0;
    const due: (() => void)[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const [ends, end] = [now + ms, new AbortController()];
      due.push(() => {
        if (now >= ends) end.abort();
      });
      return end.signal;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    double.fault(() => {
      now += 3_000;
      for (const check of due) check();
      return null;
    });
    const opened = await openObjectStore({
      ...{ ring, rows, random, records: recordsInMemory(), node: 'test', isAlone: async () => true, log: () => {} },
      config: parseConfig({ objects: { s3: double.settings } }),
      folder: { objects: temporaryFolder('s3-slow'), scratch },
      ...{ clock: systemClock, sharedClock: systemClock },
    });
    await expect(opened.objects.probe()).rejects.toThrow('it is too slow');
    await opened.close();
  });

  it('that takes a chunk slowly is not given up while another request ends without an answer', async () => {
    const client = createS3Client({ settings: double.settings, clock: systemClock, random });
    clients.push(client);
    const taken = Promise.withResolvers<void>();
    double.fault(() => ({ kind: 'hold', until: taken.promise }));
    const put = putStored(client, 'slow/0', randomBytes(CHUNK_BYTES));
    const get = getStored(client, 'slow/1');
    const refused = expect(get).rejects.toMatchObject({ reason: 'UND_ERR_HEADERS_TIMEOUT' });
    await expect.poll(() => requestsOf('slow')).toHaveLength(2);
    passUndiciTime(CHUNK_BYTES / 16.384);
    await refused;
    taken.resolve();
    await put;
  });

  it('that answers nothing is asked once, for a chunk as long as the slowest link needs for it', async () => {
    const client = createS3Client({ settings: double.settings, clock: systemClock, random });
    clients.push(client);
    double.fault(() => ({ kind: 'hold', until: new Promise(() => {}) }));
    const away = { status: 'rejected', reason: { code: 'OBJECTS_UNAVAILABLE', reason: 'UND_ERR_HEADERS_TIMEOUT' } };
    const small = [getStored(client, 'silent/0'), putStored(client, 'silent/1', randomBytes(100))];
    const chunk = putStored(client, 'silent/2', randomBytes(CHUNK_BYTES));
    const outcomes = [Promise.allSettled(small), Promise.allSettled([chunk])];
    await expect.poll(() => requestsOf('silent')).toHaveLength(3);
    passUndiciTime(25_000);
    expect(await outcomes[0]).toMatchObject([away, away]);
    passUndiciTime(150_000);
    expect(await outcomes[1]).toMatchObject([away]);
    expect(requestsOf('silent')).toHaveLength(3);
  });

  it('is sent no more large bodies at once than fit, and small ones beside them', async () => {
    const client = createS3Client({ settings: double.settings, clock: systemClock, random, bodies: 3 });
    clients.push(client);
    const taken = Promise.withResolvers<void>();
    double.fault((_method, key) => (key.includes('large') ? { kind: 'hold', until: taken.promise } : null));
    const puts = Array.from({ length: 8 }, (_, at) => putStored(client, `large/${at}`, randomBytes(100_000)));
    await expect.poll(() => requestsOf('large')).toHaveLength(3);
    await putStored(client, 'small/0', randomBytes(32));
    expect(requestsOf('large')).toHaveLength(3);
    taken.resolve();
    await Promise.all(puts);
    expect(requestsOf('large')).toHaveLength(8);
  });

  it('waits as long as the store wants', async () => {
    const store = open(double.settings);
    let refused = 0;
    double.fault((_method, key) =>
      isProbe(key) && refused++ === 0 ? { kind: 'refuse', status: 503, code: 'SlowDown', retryAfter: 1 } : null,
    );
    const began = performance.now();
    await store.probe();
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
  });

  it.each<[string, Partial<S3Settings>, string]>([
    ['another secret', { secretAccessKey: 'wrong' }, 'SignatureDoesNotMatch'],
    ['another key', { accessKeyId: 'UNKNOWN' }, 'InvalidAccessKeyId'],
    ['another bucket', { bucket: 'missing' }, 'NoSuchBucket'],
    ['another region', { region: 'us-east-1' }, 'AuthorizationHeaderMalformed'],
  ])('refuses %s at once and shows no secret', async (_name, wrong, s3Code) => {
    const error = await open({ ...double.settings, ...wrong })
      .probe()
      .then(
        () => null,
        (thrown: unknown) => thrown,
      );
    expect(error).toMatchObject({ name: 'S3RefusedError', s3Code });
    expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain(double.settings.secretAccessKey);
  });
});
