/** `GET /healthz` as monitoring uses it. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startServer } from '../../support/server/server.ts';

const health = async (url: string, headers = {}) => {
  const answer = await fetch(`${url}/healthz`, { headers });
  return { status: answer.status, body: await answer.json(), cache: answer.headers.get('cache-control') };
};

it('answers 200 while database and storage answer, 503 without one, and 200 again', async () => {
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
