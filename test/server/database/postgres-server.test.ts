/** A server with its records in PostgreSQL: it serves as with SQLite, and says 503 while PostgreSQL is away. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { runServerCommandLine } from '../../../src/server/command-line/run-server-command-line.ts';
import { queryPostgres, runPostgresUrl } from '../../support/engines/databases.ts';
import { whyNoPostgres } from '../../support/engines/postgres-cluster.ts';
import { startTcpFaultProxy } from '../../support/engines/tcp-fault-proxy.ts';
import { ANY_BITRATE, mp4Bytes } from '../../support/media/sample-bytes.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask, uploader } from '../../support/server/service-client.ts';
import { objectFiles } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const whyNot = whyNoPostgres();
const MIB = 1024 * 1024;
/** Of all servers here, so that nothing but the records tells them apart. */
const keyText = randomBytes(32).toString('base64url');

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const start = async (data: string, url: string): Promise<RunningServer> => {
  const service = await startServer({ data, keyText, config: { ...ANY_BITRATE, database: { url } } });
  ends.push(service.stop);
  return service;
};

const mediaOf = async ({ url }: RunningServer, { apiKey }: User, id: string) => {
  const answer = await fetch(`${url}/api/media/${id}`, { headers: { authorization: `Bearer ${apiKey}` } });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
};

describe.skipIf(whyNot !== null)(`a server on PostgreSQL${whyNot === null ? '' : ` [skipped: ${whyNot}]`}`, () => {
  it('publishes an upload, serves it after a restart, and deletes its bytes', async () => {
    const url = await runPostgresUrl('server_whole');
    const data = temporaryFolder('postgres-server');
    const first = await start(data, url);
    const user = await first.user();
    const bytes = await mp4Bytes(5 * MIB);
    const { status, body } = await uploader(first.url, user).publish(bytes);
    expect(status).toBe(200);
    const id = body.content?.id ?? '';
    await expect
      .poll(() => queryPostgres(url, 'SELECT "previewWanted", "mediaStatus", "jobBy" FROM "content"'))
      .toEqual([{ previewWanted: 0, mediaStatus: 'READY', jobBy: null }]);
    await first.stop();

    const second = await start(data, url);
    expect(await mediaOf(second, user, id)).toEqual({ status: 200, bytes });
    expect(await queryPostgres(url, 'SELECT "state", "node" FROM "objects" WHERE "node" IS NOT NULL')).toEqual([]);
    const deleted = await ask(second.url, { method: 'DELETE', path: `/api/v1/content/${id}`, key: user.apiKey });
    expect(deleted.status).toBeLessThan(300);
    await expect.poll(() => objectFiles(data)).toEqual({ staged: [], permanent: [] });
    expect((await mediaOf(second, user, id)).status).toBe(404);
    expect(existsSync(join(data, 'linkshot.sqlite'))).toBe(false);
    await expect.poll(() => queryPostgres(url, 'SELECT "id" FROM "objects"')).toEqual([]);
  });

  it('deletes no file whose records are in another database', async () => {
    const data = temporaryFolder('postgres-other');
    const first = await start(data, await runPostgresUrl('server_first'));
    expect((await uploader(first.url, await first.user()).publish(await mp4Bytes(3 * MIB))).status).toBe(200);
    await first.stop();
    const before = await objectFiles(data);
    const other = await runPostgresUrl('server_other');
    await expect(start(data, other)).rejects.toThrow('The records of the files in this data folder are missing');
    await expect(startServer({ data, keyText })).rejects.toThrow(
      'The records of the files in this data folder are missing',
    );
    const elsewhere = await start(temporaryFolder('postgres-elsewhere'), other);
    await elsewhere.user();
    await elsewhere.stop();
    await expect(start(data, other)).rejects.toThrow('belong to other records');
    expect(await objectFiles(data)).toEqual(before);
  });

  it('says 503 with Retry-After while PostgreSQL is away, and goes on by itself', async () => {
    const target = await runPostgresUrl('server_away');
    const proxy = await startTcpFaultProxy(Number(new URL(target).port));
    onTestFinished(() => proxy.close());
    const service = await start(temporaryFolder('postgres-away'), target.replace(/:\d+\//, `:${proxy.port}/`));
    const user = await service.user();
    const account = () => ask(service.url, { path: '/api/v1/uploads/resumable', key: user.apiKey });
    expect((await account()).status).toBe(200);
    proxy.away();
    const away = await account();
    expect(away).toMatchObject({ status: 503, problem: { code: 'UPLOAD_SERVER_BUSY' } });
    expect(Number(away.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask(service.url, { path: '/readyz' })).status).toBe(503);
    await proxy.back();
    expect((await account()).status).toBe(200);
    expect((await ask(service.url, { path: '/readyz' })).status).toBe(200);
  });

  it('stops without an error while PostgreSQL is away', async () => {
    const target = await runPostgresUrl('server_stop_away');
    const proxy = await startTcpFaultProxy(Number(new URL(target).port));
    onTestFinished(() => proxy.close());
    const service = await start(temporaryFolder('postgres-stop'), target.replace(/:\d+\//, `:${proxy.port}/`));
    const user = await service.user();
    expect((await ask(service.url, { path: '/api/v1/account', key: user.apiKey })).status).toBe(200);
    proxy.away();
    await expect(service.server.close()).resolves.toBeUndefined();
  });

  it('shows its statements and connections in the metrics, also while PostgreSQL is away', async () => {
    const target = await runPostgresUrl('server_metrics');
    const proxy = await startTcpFaultProxy(Number(new URL(target).port));
    onTestFinished(() => proxy.close());
    const token = 'a-token';
    const url = target.replace(/:\d+\//, `:${proxy.port}/`);
    const service = await startServer({ config: { database: { url }, metrics: { token } } });
    ends.push(service.stop);
    const metrics = async () => (await ask<string>(service.url, { path: '/metrics', key: token })).body;
    const before = await metrics();
    expect(before).toMatch(/linkshot_database_duration_seconds_count\{kind="statement",outcome="ok"\} [1-9]/);
    expect(before).toMatch(/linkshot_database_connections\{state="idle"\} \d/);
    expect(before).toContain('linkshot_queue_length{queue="deletions"} 0');
    proxy.away();
    expect(await metrics()).not.toContain('linkshot_queue_length{');
    // What fails for one reading is counted in the next.
    expect(await metrics()).toMatch(
      /linkshot_database_duration_seconds_count\{kind="statement",outcome="failed"\} [1-9]/,
    );
    await proxy.back();
  });

  it('has the same command lines, and a doctor that says what its schema is', async () => {
    const url = await runPostgresUrl('server_commands');
    const data = temporaryFolder('postgres-commands');
    const run = async (...args: readonly string[]) => {
      const printed: unknown[] = [];
      const environment = { LINKSHOT_SERVER_DATABASE_URL: url };
      const code = await runServerCommandLine([...args, '--data', data], {
        print: (value) => void printed.push(value),
        log: () => {},
        environment,
      });
      return { code, printed };
    };
    expect(await run('account', 'add', 'ada', '--plan', 'free')).toMatchObject({
      code: 0,
      printed: [{ username: 'ada' }],
    });
    expect(await queryPostgres(url, 'SELECT "username" FROM "accounts"')).toEqual([{ username: 'ada' }]);
    const [report] = (await run('doctor')).printed as { checks: { name: string; ok: boolean; detail: string }[] }[];
    const database = report?.checks.find(({ name }) => name === 'database');
    expect(database).toMatchObject({ ok: true, detail: expect.stringMatching(/has schema \d+\.$/) });
  });
});
