/** `GET /metrics` as Prometheus reads it: what it counts, who may read it, and that it names no one. */

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer as createTcpServer } from 'node:net';
import { expect, it } from 'vitest';
import { LIMITS } from '../../../src/api/limits.ts';
import { parseConfig } from '../../../src/server/config/read-config.ts';
import { createServer } from '../../../src/server/create-server.ts';
import { flatImage } from '../../support/media/media.ts';
import { ANY_BITRATE, mp4Bytes } from '../../support/media/sample-bytes.ts';
import { type ConfigFile, type RunningServer, startServer } from '../../support/server/server.ts';
import { ask, partsOf, uploader } from '../../support/server/service-client.ts';
import { changeData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const TOKEN = 'metrics-token';
const withServer = async (config: ConfigFile, use: (service: RunningServer) => Promise<void>) => {
  const service = await startServer({ config });
  try {
    await use(service);
  } finally {
    await service.stop();
  }
};
const read = (url: string, token?: string) =>
  fetch(`${url}/metrics`, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });

/** Values by name and labels, as `name{label="value"}`. */
const samples = async (answer: Response): Promise<ReadonlyMap<string, number>> => {
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
};

it('counts requests, refusals, bytes, uploads, jobs and operations of the store', async () => {
  await withServer({ metrics: { token: TOKEN }, node: { name: 'node-7' }, ...ANY_BITRATE }, async (service) => {
    const user = await service.user();
    const api = uploader(service.url, user);
    const parts = partsOf(await mp4Bytes(2 * LIMITS.partBytes + 5));
    const { id } = (await api.start(Buffer.concat(parts))).body;
    expect((await api.part(id, 0, parts[0] ?? Buffer.alloc(0))).status).toBe(200);
    await ask(service.url, { method: 'GET', path: '/api/v1/account', key: 'lsk_wrong' });
    await ask(service.url, { method: 'GET', path: '/api/v1/account', key: user.apiKey });
    const found = await samples(await read(service.url, TOKEN));
    const requests = (labels: string) => found.get(`linkshot_http_request_duration_seconds_count{${labels}}`);
    expect(requests('method="GET",route="/api/v1/account",status="200"')).toBe(1);
    expect(requests('method="GET",route="/api/v1/account",status="401"')).toBe(1);
    expect(found.get('linkshot_http_refusals_total{code="API_KEY_INVALID"}')).toBe(1);
    expect(found.get('linkshot_http_bytes_total{direction="received"}')).toBeGreaterThan(LIMITS.partBytes);
    expect(found.get('linkshot_http_bytes_total{direction="sent"}')).toBeGreaterThan(100);
    expect(found.get('linkshot_uploads{state="UPLOADING"}')).toBe(1);
    expect(found.get('linkshot_uploads{state="COMPLETED"}')).toBe(0);
    expect(found.get('linkshot_object_store_duration_seconds_count{operation="write"}')).toBe(1);
    expect([...found.keys()].find((name) => name.startsWith('linkshot_node_info'))).toContain('node="node-7"');
    for (const queue of ['processing', 'previews', 'deletions']) {
      expect(found.get(`linkshot_queue_length{queue="${queue}"}`)).toBe(0);
      expect(found.get(`linkshot_queue_oldest_seconds{queue="${queue}"}`)).toBe(0);
    }
    expect(found.get('linkshot_data_free_bytes')).toBeGreaterThan(0);
    expect(found.get('nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0);
    await api.cancel(id);
    const later = await samples(await read(service.url, TOKEN));
    expect(later.get('linkshot_uploads{state="UPLOADING"}')).toBe(0);
    expect(later.get('linkshot_uploads{state="CANCELLED"}')).toBe(1);
  });
});

it('shows a deletion that fails for ever by the number of its tries', async () => {
  await withServer({ metrics: { token: TOKEN } }, async (service) => {
    const tries = async () => (await samples(await read(service.url, TOKEN))).get('linkshot_deletion_tries_max');
    expect(await tries()).toBe(0);
    const later = Date.now() + 900_000;
    for (const [id, attempts] of [
      ['first', 12],
      ['second', 3],
    ] as const)
      await changeData(
        service.data,
        `INSERT INTO deletions (objectId, attempts, dueAt) VALUES ('${id}', ${attempts}, ${later})`,
      );
    expect(await tries()).toBe(12);
  });
});

it('says by which setting ended uploads are counted no more', async () => {
  await withServer({ metrics: { token: TOKEN } }, async (service) => {
    const text = await (await read(service.url, TOKEN)).text();
    const [, help] = /^# HELP linkshot_uploads (.*)$/m.exec(text) ?? [];
    expect(help).toContain('limits.idempotencySeconds');
  });
});

it('names no user, no item, no address and no path that a client has made up', async () => {
  await withServer({ metrics: { token: TOKEN } }, async (service) => {
    const user = await service.user();
    const bytes = await readFile(await flatImage('png', 8, 8));
    const { id } = (await uploader(service.url, user).start(bytes)).body;
    await ask(service.url, { method: 'GET', path: `/api/v1/uploads/${id}`, key: user.apiKey });
    await fetch(`${service.url}/made/up/by-a-client`);
    const text = await (await read(service.url, TOKEN)).text();
    for (const secret of [user.accountId, user.username, user.apiKey, id, 'by-a-client', '127.0.0.1', TOKEN]) {
      expect(text).not.toContain(secret);
    }
  });
});

it('is nowhere without configuration, and needs the token on the address of the service', async () => {
  await withServer({}, async ({ url }) => expect((await read(url)).status).toBe(404));
  await withServer({ metrics: { token: TOKEN } }, async ({ url }) => {
    expect((await read(url)).status).toBe(401);
    expect((await read(url, `${TOKEN}x`)).status).toBe(401);
    expect((await read(url, TOKEN)).status).toBe(200);
  });
});

it('has an address of its own with metrics.port, where nothing else is served', async () => {
  const server = await createServer({
    data: temporaryFolder('metrics'),
    config: parseConfig({ metrics: { port: 0 } }),
  });
  try {
    const { url, metricsUrl = '' } = await server.listen({ host: '127.0.0.1', port: 0 });
    expect((await samples(await fetch(metricsUrl))).get('linkshot_connections')).toBe(0);
    expect((await fetch(new URL('/healthz', metricsUrl))).status).toBe(404);
    expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(404);
    expect((await read(url)).status).toBe(404);
  } finally {
    await server.close();
  }
});

it('stops the start with a sentence when its port is taken', async () => {
  const taken = createTcpServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const server = await createServer({ data: temporaryFolder('metrics'), config: parseConfig({ metrics: { port } }) });
  try {
    await expect(server.listen({ host: '127.0.0.1', port: 0 })).rejects.toThrow(
      /^The metrics cannot be served on 127\.0\.0\.1, port \d+ .* Set metrics\.host and metrics\.port to a free address\.$/,
    );
  } finally {
    await server.close();
    taken.close();
  }
});
