/** A server starts only with the object store of its records: nodes with two places, and records of others, are refused. */
import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { parseConfig } from '../../../src/server/config/read-config.ts';
import { checkObjects } from '../../../src/server/operations/check-objects.ts';
import { diagnose } from '../../../src/server/operations/doctor.ts';
import { queryPostgres, runPostgresUrl } from '../../support/engines/databases.ts';
import { whyNoPostgres } from '../../support/engines/postgres-cluster.ts';
import { isStoreId, type S3Double, startS3Double } from '../../support/server/s3-double.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const whyNot = whyNoPostgres();
const keyText = randomBytes(32).toString('base64url');
const OTHER_PLACE = 'The objects of these records are not in the bucket linkshot-test, below "q": correct objects.s3.';
const OTHER_RECORDS = 'The objects in the bucket linkshot-test, below "p", belong to other records';

let double: S3Double;
const ends: (() => Promise<void>)[] = [];
beforeEach(async () => {
  double = await startS3Double();
  ends.push(double.close);
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

describe.skipIf(whyNot !== null)(`a node${whyNot === null ? '' : ` [skipped: ${whyNot}]`}`, () => {
  const configOf = (url: string, prefix = 'p') => ({
    database: { url },
    objects: { s3: { ...double.settings, prefix } },
  });
  const start = async (url: string, prefix = 'p', data?: string): Promise<RunningServer> => {
    const service = await startServer({ keyText, config: configOf(url, prefix), ...(data !== undefined && { data }) });
    ends.push(service.stop);
    return service;
  };
  const writeNote = async (service: RunningServer): Promise<void> => {
    const { apiKey: key } = await service.user();
    const body = { text: 'A note', format: 'plain' };
    const made = await ask<Content>(service.url, { method: 'POST', path: '/api/v1/pastes', key, body });
    expect(made.status).toBe(201);
  };
  const ids = () => [...double.objects].filter(([key]) => isStoreId(key)).map(([key, id]) => [key, String(id).trim()]);
  const row = async (url: string) => {
    const [found] = await queryPostgres<{ id: string; isPlaced: 0 | 1 }>(
      url,
      `SELECT "id", "placedAt" IS NOT NULL AS "isPlaced" FROM "storeId"`,
    );
    return found;
  };
  /** As a version before this one has left it. */
  const forgetId = async (url: string): Promise<void> => {
    await queryPostgres(url, 'DELETE FROM "storeId"');
    for (const key of double.objects.keys()) if (isStoreId(key)) double.objects.delete(key);
  };

  it('with another prefix than the others have is refused, before and after something is stored', async () => {
    const url = await runPostgresUrl('store_id_prefix');
    const first = await start(url);
    await expect(start(url, 'q')).rejects.toThrow(OTHER_PLACE);
    await writeNote(first);
    await start(url);
    await first.stop();
    await expect(start(url, 'q')).rejects.toThrow(OTHER_PLACE);
    expect(ids()).toEqual([['p/store-id', (await row(url))?.id]]);
  });

  it('that starts at the same time as others has the same place as they, or is refused', async () => {
    const url = await runPostgresUrl('store_id_race');
    const started = await Promise.allSettled(['p', 'q', 'p', 'q'].map((prefix) => start(url, prefix)));
    const served = started.flatMap(({ status }, at) => (status === 'fulfilled' ? [at % 2] : []));
    expect(served).toHaveLength(2);
    expect(new Set(served).size).toBe(1);
    expect(ids().map(([, id]) => id)).toEqual([(await row(url))?.id]);
  });

  it('may have another place and the first one again, as long as nothing is stored and no other one runs', async () => {
    const url = await runPostgresUrl('store_id_corrected');
    await (await start(url, 'q')).stop();
    const service = await start(url, 'p');
    await expect(start(url, 'q')).rejects.toThrow(OTHER_PLACE);
    await service.stop();
    const again = await start(url, 'q');
    await writeNote(again);
    await again.stop();
    await expect(start(url, 'p')).rejects.toThrow('are not in the bucket linkshot-test, below "p"');
  });

  it('ties records of the version before to the place that has their objects, and to no other one', async () => {
    const url = await runPostgresUrl('store_id_before');
    const service = await start(url);
    await writeNote(service);
    await service.stop();
    await forgetId(url);
    await expect(start(url, 'q')).rejects.toThrow(OTHER_PLACE);
    expect(ids()).toEqual([]);
    await (await start(url, 'p')).stop();
    expect(ids()).toEqual([['p/store-id', (await row(url))?.id]]);
    await expect(start(url, 'q')).rejects.toThrow(OTHER_PLACE);
  });

  it('of new records is refused at the place of others', async () => {
    const [url, other] = [await runPostgresUrl('store_id_own'), await runPostgresUrl('store_id_other')];
    const service = await start(url);
    await expect(start(other)).rejects.toThrow(OTHER_RECORDS);
    await writeNote(service);
    await expect(start(other)).rejects.toThrow(OTHER_RECORDS);
    const another = await start(other, 'q');
    await writeNote(another);
    await another.stop();
    await expect(start(other)).rejects.toThrow(OTHER_RECORDS);
    // Restored from a backup that the version before has made.
    await service.stop();
    const before = ids();
    await queryPostgres(url, 'DELETE FROM "storeId"');
    await start(url);
    expect(ids()).toEqual(before);
    expect((await row(url))?.id).toBe(before.find(([key]) => key === 'p/store-id')?.[1]);
  });

  it.each([
    ['does not tell a missing key from a forbidden one', 403],
    ['knows missing keys', 404],
  ])('writes the id again where it is missing beside the objects, in a store that %s', async (_, status) => {
    const url = await runPostgresUrl(`store_id_again_${status}`);
    double.fault((method, key) =>
      method === 'GET' && key !== '' && !double.objects.has(key)
        ? { kind: 'refuse', status, code: status === 403 ? 'AccessDenied' : 'NoSuchKey' }
        : null,
    );
    const service = await start(url);
    await writeNote(service);
    await service.stop();
    const before = ids();
    double.objects.delete('p/store-id');
    const again = await start(url);
    expect(ids()).toEqual(before);
    expect(again.logged.join()).toContain('The id of the object store was missing');
    await again.stop();
    // All objects are lost: the operator may say that this is their place.
    double.objects.clear();
    await expect(start(url)).rejects.toThrow(`store the text ${before[0]?.[1]} there under the key store-id`);
    double.objects.set('p/store-id', Buffer.from(before[0]?.[1] ?? ''));
    await start(url);
  });

  it('starts with a full store, and ties it once there is space', async () => {
    const url = await runPostgresUrl('store_id_full');
    double.fault((method) => (method === 'PUT' ? { kind: 'refuse', status: 507, code: 'InsufficientStorage' } : null));
    await (await start(url)).stop();
    expect(await row(url)).toMatchObject({ isPlaced: 0 });
    double.fault(() => null);
    await start(url);
    expect(ids()).toEqual([['p/store-id', (await row(url))?.id]]);
  });

  it.each([
    ['', 'store_id_killed', 1],
    [', also where the clock was set back since', 'store_id_ahead', Date.now() + 24 * 3_600_000],
  ])('goes on where another one was killed before it had tied the store%s', async (_, name, claimedUntil) => {
    const url = await runPostgresUrl(name);
    await queryPostgres(
      url,
      `INSERT INTO "storeId" ("only", "id", "claimedBy", "claimedUntil") VALUES (1, 'an id', 'killed', ${claimedUntil})`,
    );
    await start(url);
    expect(ids()).toEqual([['p/store-id', 'an id']]);
  });

  it('and its place are compared before orphans are deleted', async () => {
    const [url, other] = [await runPostgresUrl('store_id_check'), await runPostgresUrl('store_id_check_other')];
    for (const [records, prefix] of [
      [url, 'p'],
      [other, 'q'],
    ] as const) {
      const service = await start(records, prefix);
      await writeNote(service);
      await service.stop();
    }
    const before = [...double.objects.keys()];
    const check = (records: string, prefix: string) =>
      checkObjects({
        ...{ data: temporaryFolder('store-id'), deleteOrphans: true, log: () => {} },
        config: parseConfig(configOf(records, prefix)),
      });
    await expect(check(other, 'p')).rejects.toThrow(OTHER_RECORDS);
    await forgetId(url);
    await expect(check(url, 'p')).rejects.toThrow('start a server on them once');
    expect([...double.objects.keys()]).toEqual(before.filter((key) => !isStoreId(key)));
  });

  describe('with its files in a folder', () => {
    const serve = async (url: string, data: string): Promise<RunningServer> => {
      const service = await startServer({ data, keyText, config: { database: { url } } });
      ends.push(service.stop);
      return service;
    };
    const failed = async (url: string, data: string) =>
      (await diagnose({ data, config: parseConfig({ database: { url } }), keyText })).filter(({ ok }) => !ok);
    const newFolder = (): string => join(temporaryFolder('store-id'), 'data');
    const idIn = (data: string): string => join(data, 'objects', 'store-id');
    const elsewhere = (data: string): string =>
      `The objects of these records are not in the folder ${join(data, 'objects')}: correct --data.`;

    it('is refused on another folder than that of its records, and goes on with a copy of it', async () => {
      const [url, data, wrong] = [await runPostgresUrl('store_id_folder'), newFolder(), newFolder()];
      const service = await serve(url, data);
      await writeNote(service);
      await service.stop();
      await expect(serve(url, wrong)).rejects.toThrow(elsewhere(wrong));
      expect(await failed(url, wrong)).toMatchObject([
        { name: 'object store', detail: expect.stringContaining(elsewhere(wrong)) },
      ]);
      expect(await failed(url, data)).toEqual([]);
      const copy = newFolder();
      cpSync(data, copy, { recursive: true });
      await (await serve(url, copy)).stop();
      await (await serve(url, data)).stop();
      expect(readFileSync(idIn(data), 'utf8').trim()).toBe((await row(url))?.id);
    });

    it('ties records of the version before to the folder that has their objects, and to no other one', async () => {
      const [url, data, wrong] = [await runPostgresUrl('store_id_folder_before'), newFolder(), newFolder()];
      const service = await serve(url, data);
      await writeNote(service);
      await service.stop();
      await queryPostgres(url, 'DELETE FROM "storeId"');
      rmSync(idIn(data));
      await expect(serve(url, wrong)).rejects.toThrow(elsewhere(wrong));
      await (await serve(url, data)).stop();
      // Restored without it.
      rmSync(idIn(data));
      await (await serve(url, data)).stop();
      expect(readFileSync(idIn(data), 'utf8').trim()).toBe((await row(url))?.id);
    });

    it('may have another folder as long as nothing is stored', async () => {
      const [url, data, other] = [await runPostgresUrl('store_id_folder_empty'), newFolder(), newFolder()];
      for (const folder of [data, other, data]) await (await serve(url, folder)).stop();
    });
  });
});
