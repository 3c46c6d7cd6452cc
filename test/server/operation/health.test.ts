/** `GET /healthz` as monitoring uses it. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { ENGINES } from '../../support/engines/engines.ts';
import { itAbout } from '../../support/engines/only-on-engines.ts';
import { itWith } from '../../support/only-on.ts';
import { serverCommand, startServer, startServerProcess } from '../../support/server/server.ts';
import { changeData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const health = async (url: string, headers = {}) => {
  const answer = await fetch(`${url}/healthz`, { headers });
  return { status: answer.status, body: await answer.json(), cache: answer.headers.get('cache-control') };
};

itAbout('local files')('answers 200 while database and storage answer, 503 without one, and 200 again', async () => {
  const service = await startServer();
  try {
    const well = { status: 200, body: { status: 'ok', database: 'ok', storage: 'ok' }, cache: 'no-store' };
    expect(await health(service.url)).toEqual(well);
    const folder = join(service.data, 'objects/staged');
    renameSync(folder, `${folder}-gone`);
    expect(await health(service.url)).toEqual({
      status: 503,
      body: { status: 'failing', database: 'ok', storage: 'failing' },
      cache: 'no-store',
    });
    expect(service.logged.join()).toContain('The storage does not answer');
    renameSync(`${folder}-gone`, folder);
    expect(await health(service.url)).toEqual(well);
  } finally {
    await service.stop();
  }
});

it('needs no key, looks at none, and draws from no budget', async () => {
  const service = await startServer({ config: { limits: { guestRequestsPerMinute: 1 } } });
  try {
    for (let time = 0; time < 5; time += 1) {
      expect((await health(service.url, { authorization: 'Bearer lsk_wrong' })).status).toBe(200);
    }
    expect((await fetch(`${service.url}/s/none`)).status).toBe(404);
    expect((await fetch(`${service.url}/s/none`)).status).toBe(429);
    expect((await health(service.url)).status).toBe(200);
  } finally {
    await service.stop();
  }
});

/** As a newer version, or back; PostgreSQL says which versions may still read it. */
const raiseSchema = async (data: string, by: 1 | -1): Promise<void> => {
  if (ENGINES.records !== 'sqlite')
    return await changeData(data, 'UPDATE schemaVersion SET minReader = minReader + CAST(? AS BIGINT)', by * 1_000);
  const database = new Database(join(data, 'linkshot.sqlite'));
  database.pragma(`user_version = ${Number(database.pragma('user_version', { simple: true })) + by}`);
  database.close();
};

const at = async (url: string, path: string) => {
  const answer = await fetch(`${url}${path}`);
  return { status: answer.status, body: await answer.json() };
};

itAbout('local files')('says at /livez that it runs and at /readyz whether it can serve', async () => {
  const service = await startServer();
  try {
    const ready = { status: 200, body: { status: 'ok', database: 'ok', storage: 'ok', schema: 'ok' } };
    expect(await at(service.url, '/livez')).toEqual({ status: 200, body: { status: 'ok' } });
    expect(await at(service.url, '/readyz')).toEqual(ready);
    const folder = join(service.data, 'objects/staged');
    renameSync(folder, `${folder}-gone`);
    expect(await at(service.url, '/readyz')).toMatchObject({ status: 503, body: { storage: 'failing' } });
    expect(await at(service.url, '/livez')).toEqual({ status: 200, body: { status: 'ok' } });
    renameSync(`${folder}-gone`, folder);
    // A newer version has migrated the database beside this server.
    await raiseSchema(service.data, 1);
    expect(await at(service.url, '/readyz')).toMatchObject({ status: 503, body: { schema: 'failing' } });
    await raiseSchema(service.data, -1);
    expect(await at(service.url, '/readyz')).toEqual(ready);
  } finally {
    await service.stop();
  }
});

itWith('signals')('is not ready from the moment of a stop, while it still serves', async () => {
  const data = temporaryFolder('health');
  await serverCommand('account', 'add', 'someone', '--plan', 'free', '--data', data);
  const { apiKey } = await serverCommand(
    'key',
    'add',
    '--account',
    'someone',
    '--scopes',
    'account:read',
    '--data',
    data,
  );
  // In a process of its own, which need not be waited for: no pause of this one outlasts the delay.
  const service = await startServerProcess(data, { config: { node: { stopDelaySeconds: 600 } } });
  onTestFinished(async () => void (await service.end('SIGKILL')));
  void service.end('SIGTERM');
  await expect.poll(() => at(service.url, '/readyz')).toEqual({ status: 503, body: { status: 'stopping' } });
  expect((await at(service.url, '/livez')).status).toBe(200);
  const headers = { authorization: `Bearer ${apiKey}` };
  expect((await fetch(`${service.url}/api/v1/account`, { headers })).status).toBe(200);
});

it('ends after node.stopDelaySeconds', async () => {
  const service = await startServer({ config: { node: { stopDelaySeconds: 0.2 } } });
  const began = performance.now();
  await service.stop();
  expect(performance.now() - began).toBeGreaterThan(199);
  await expect(fetch(`${service.url}/livez`)).rejects.toThrow();
});
