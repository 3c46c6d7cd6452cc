/** Which servers may run on the same records, what each of them does, and what one leaves to the others. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { parseConfig } from '../../../src/server/config/read-config.ts';
import { rotateKeys } from '../../../src/server/operations/rotate-keys.ts';
import { queryPostgres, runPostgresUrl } from '../../support/engines/databases.ts';
import { whyNoPostgres } from '../../support/engines/postgres-cluster.ts';
import { startTcpFaultProxy } from '../../support/engines/tcp-fault-proxy.ts';
import { ANY_BITRATE, mp4Bytes } from '../../support/media/sample-bytes.ts';
import { startS3Double } from '../../support/server/s3-double.ts';
import { type ConfigFile, type RunningServer, startServer } from '../../support/server/server.ts';
import { ask, uploader } from '../../support/server/service-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const whyNot = whyNoPostgres();
const newKey = (): string => randomBytes(32).toString('base64url');
const keyText = newKey();

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Start {
  readonly key?: string;
  readonly data?: string;
}

const start = async (config: ConfigFile, { key = keyText, data }: Start = {}): Promise<RunningServer> => {
  const service = await startServer({ keyText: key, config, ...(data !== undefined && { data }) });
  ends.push(service.stop);
  return service;
};

const startStore = async (): Promise<ConfigFile> => {
  const double = await startS3Double();
  ends.push(double.close);
  return { s3: double.settings };
};

it('a server alone refuses a role that leaves work to others', async () => {
  for (const role of ['api', 'worker']) {
    await expect(start({ node: { role }, database: { url: null }, objects: { s3: null } })).rejects.toThrow(
      `Configuration key "node.role" is "${role}", which needs other servers beside this one`,
    );
  }
});

describe.skipIf(whyNot !== null)(`servers on one PostgreSQL${whyNot === null ? '' : ` [skipped: ${whyNot}]`}`, () => {
  it('are refused beside one whose files are in a data folder, until it has ended', async () => {
    const database = { url: await runPostgresUrl('registry_files') };
    const objects = { s3: null };
    const first = await start({ database, objects, node: { name: 'first' } });
    const refusal = 'Another server, "first", runs on these records, and this server has its files in a data folder';
    await expect(start({ database, objects })).rejects.toThrow(refusal);
    const other = 'and the server "first" has its files in a data folder';
    await expect(start({ database, objects: await startStore() })).rejects.toThrow(other);
    await first.stop();
    await (await start({ database, objects })).stop();
    expect(await queryPostgres(database.url, 'SELECT * FROM "nodes"')).toEqual([]);
  });

  it('are refused with another master key than the others have', async () => {
    const config = { database: { url: await runPostgresUrl('registry_keys') }, objects: await startStore() };
    const first = await start({ ...config, node: { name: 'first' } });
    const other = newKey();
    await expect(start(config, { key: other })).rejects.toThrow(
      'The server "first", which runs on these records, does not have the newest master key of this one.',
    );
    await first.stop();
    await expect(start(config, { key: other })).rejects.toThrow('Stored files need the master key');
    await start(config);
  });

  it('replace the master key one after the other, and rotate only when all encrypt with the new one', async () => {
    const config = { database: { url: await runPostgresUrl('registry_rotate') }, objects: await startStore() };
    const [older, newer] = [keyText, newKey()];
    const folders = [temporaryFolder('rotate-a'), temporaryFolder('rotate-b')] as const;
    const startBoth = async (key: string) => {
      const both = [
        await start({ ...config, node: { name: 'a' } }, { key, data: folders[0] }),
        await start({ ...config, node: { name: 'b' } }, { key, data: folders[1] }),
      ] as const;
      return both;
    };
    const before = await startBoth(older);
    const user = await before[0].user();
    const made = await ask<Content>(before[0].url, {
      ...{ method: 'POST', path: '/api/v1/pastes', key: user.apiKey },
      body: { text: 'Written before', format: 'plain' },
    });
    for (const service of before) await service.stop();
    const prepared = await startBoth(`${older},${newer}`);
    await prepared[0].stop();
    const first = await start({ ...config, node: { name: 'a' } }, { key: `${newer},${older}`, data: folders[0] });
    const rotate = () => rotateKeys({ data: folders[0], config: parseConfig(config), keyText: `${newer},${older}` });
    await expect(rotate()).rejects.toThrow('The server "b" still encrypts with another key');
    await prepared[1].stop();
    const second = await start({ ...config, node: { name: 'b' } }, { key: `${newer},${older}`, data: folders[1] });
    expect(await rotate()).toMatchObject({ done: true, left: 0 });
    for (const service of [first, second]) await service.stop();
    for (const service of await startBoth(newer)) {
      const read = await ask<{ text: string }>(service.url, {
        path: `/api/v1/content/${made.body.id}/text`,
        key: user.apiKey,
      });
      expect(read.body.text).toBe('Written before');
    }
  });

  it('divide the work by their roles', async () => {
    const token = 'a-token';
    const url = await runPostgresUrl('registry_roles');
    const config = { ...ANY_BITRATE, database: { url }, objects: await startStore(), metrics: { token } };
    const api = await start({ ...config, node: { role: 'api', name: 'api' } });
    const user = await api.user();
    const published = await uploader(api.url, user).publish(await mp4Bytes(300_000));
    expect(published.status).toBe(200);
    const id = published.body.content?.id;
    const item = async () => (await ask<Content>(api.url, { path: `/api/v1/content/${id}`, key: user.apiKey })).body;
    const worker = await start({ ...config, node: { role: 'worker', name: 'worker' } });
    await expect.poll(async () => (await item()).mediaStatus, { interval: 500 }).toBe('READY');
    await expect
      .poll(() => queryPostgres(url, 'SELECT "previewWanted" FROM "content"'))
      .toEqual([{ previewWanted: 0 }]);
    for (const path of ['/livez', '/readyz', '/healthz']) expect((await ask(worker.url, { path })).status).toBe(200);
    expect((await ask(worker.url, { path: `/api/v1/content/${id}`, key: user.apiKey })).status).toBe(404);
    expect((await ask(worker.url, { path: `/s/${id}` })).status).toBe(404);
    const { body: metrics } = await ask<string>(worker.url, { path: '/metrics', key: token });
    expect(metrics).toContain('linkshot_nodes{role="all"} 0');
    expect(metrics).toContain('linkshot_nodes{role="api"} 1');
    expect(metrics).toContain('linkshot_nodes{role="worker"} 1');
    const deleted = await ask(api.url, { method: 'DELETE', path: `/api/v1/content/${id}`, key: user.apiKey });
    expect(deleted.status).toBe(204);
    await expect.poll(() => queryPostgres(url, 'SELECT "id" FROM "objects"')).toEqual([]);
  });

  it('keep the bytes of an item whose commit was done and whose answer was lost', async () => {
    const target = await runPostgresUrl('registry_lost');
    const proxy = await startTcpFaultProxy(Number(new URL(target).port));
    onTestFinished(() => proxy.close());
    const service = await start({ database: { url: target.replace(/:\d+\//, `:${proxy.port}/`) } });
    const user = await service.user();
    const create = (headers: Record<string, string>) =>
      ask<Content>(service.url, {
        ...{ method: 'POST', path: '/api/v1/pastes', key: user.apiKey, headers },
        body: { text: 'Still there', format: 'plain' },
      });
    // The whole statement: a transaction begins as READ COMMITTED. A job of the server may commit first.
    let headers = { 'idempotency-key': randomUUID() as string };
    const isCommittedUnheard = async (): Promise<boolean> => {
      headers = { 'idempotency-key': randomUUID() };
      void proxy.loseAnswerTo('COMMIT\0');
      const { status } = await create(headers);
      const made = await queryPostgres(target, 'SELECT 1 FROM "idempotencyRecords" WHERE "key" = $1', [
        headers['idempotency-key'],
      ]);
      return status === 503 && made.length === 1;
    };
    await expect.poll(isCommittedUnheard).toBe(true);
    const repeated = await create(headers);
    expect(repeated.status).toBe(201);
    const read = await ask<{ text: string }>(service.url, {
      path: `/api/v1/content/${repeated.body.id}/text`,
      key: user.apiKey,
    });
    expect(read.body.text).toBe('Still there');
  });
});
