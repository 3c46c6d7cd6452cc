/** Rules that hold for all resumable endpoints. */
import { randomUUID } from 'node:crypto';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ResumableUpload } from '../../src/api/resumable-upload.ts';
import { ANY_BITRATE, mp4Bytes, pngBytes } from '../support/media/sample-bytes.ts';
import { movableClock } from '../support/movable-clock.ts';
import { editRow } from '../support/server/items.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';
import { type Ask, ask, partsOf, uploader } from '../support/server/service-client.ts';

const MIB = 1024 ** 2;
const HOUR = 3_600_000;
const BASE = '/api/v1/uploads/resumable';
const clock = movableClock();
let service: RunningServer;
beforeAll(async () => {
  service = await startServer({ clock });
});
afterAll(() => service.stop());

it('every answer of a resumable upload is a ResumableUpload, with content null until it is completed', async () => {
  const api = uploader(service.url, await service.user());
  const bytes = await pngBytes();
  const started = await api.start(bytes);
  const { id } = started.body;
  const before = [started, await api.part(id, 0, bytes), await api.status(id)];
  const after = [await api.complete(id, randomUUID()), await api.status(id)];
  for (const { status, body } of [...before, ...after]) {
    expect(status).toBe(200);
    expect(Value.Errors(ResumableUpload, body)).toEqual([]);
    expect(body).toMatchObject({ id, chunkSize: 2_097_152, chunkCount: 1, size: bytes.length });
  }
  expect(before.map(({ body }) => body.content)).toEqual([null, null, null]);
  expect(after.map(({ body }) => body.content?.type)).toEqual(['IMAGE', 'IMAGE']);
});

it('while COMPLETING an upload neither expires nor can be cancelled', async () => {
  const api = uploader(service.url, await service.user());
  const { body } = await api.start(await pngBytes());
  await editRow(service, `UPDATE uploads SET state = 'COMPLETING' WHERE id = ?`, body.id);
  clock.advance(25 * HOUR);
  expect((await api.status(body.id)).body.state).toBe('COMPLETING');
  expect((await api.cancel(body.id)).status).toBe(409);
  expect((await api.status(body.id)).body.state).toBe('COMPLETING');
});

it('a cancelled upload answers parts and completion with 410 UPLOAD_GONE', async () => {
  const api = uploader(service.url, await service.user());
  const bytes = await pngBytes();
  const { body } = await api.start(bytes);
  expect((await api.cancel(body.id)).status).toBe(204);
  for (const answer of [await api.part(body.id, 0, bytes), await api.complete(body.id, randomUUID())]) {
    expect([answer.status, answer.problem.code]).toEqual([410, 'UPLOAD_GONE']);
  }
});

it('X-Service-Account of another account is 409 ACCOUNT_MISMATCH on every resumable endpoint, and nothing happens', async () => {
  const user = await service.user();
  const api = uploader(service.url, user);
  const id = await api.send(await pngBytes());
  const asks: Ask[] = [
    { path: BASE },
    { path: `${BASE}/${id}` },
    { method: 'PUT', path: `${BASE}/${id}/parts/0`, body: Buffer.from('x') },
    { method: 'POST', path: `${BASE}/${id}/complete`, body: { completeKey: randomUUID() } },
    { method: 'DELETE', path: `${BASE}/${id}` },
  ];
  for (const question of asks) {
    const headers = { 'x-service-account': (await service.user()).accountId };
    const { status, problem } = await ask(service.url, { ...question, key: user.apiKey, headers });
    expect([status, problem.code], question.path).toEqual([409, 'ACCOUNT_MISMATCH']);
  }
  expect((await api.status(id)).body).toMatchObject({ state: 'UPLOADING', received: [0] });
  const headers = { 'x-service-account': user.accountId };
  expect((await ask(service.url, { path: `${BASE}/${id}`, key: user.apiKey, headers })).status).toBe(200);
});

it('a video over its limit is 413 VIDEO_TOO_LARGE and cancels; above that of the server it names the ceiling', async () => {
  const own = await startServer({
    config: {
      ...ANY_BITRATE,
      plans: { free: { videoBytes: 3 * MIB } },
      server: { videoBytes: 5 * MIB },
    },
  });
  try {
    for (const { plan, size, params } of [
      { plan: 'free', size: 4 * MIB, params: { limitBytes: 3 * MIB } },
      { plan: 'pro', size: 6 * MIB, params: { limitBytes: 5 * MIB, ceiling: 'server' } },
    ] as const) {
      const api = uploader(own.url, await own.user({ plan }));
      const bytes = await mp4Bytes(size);
      const { body } = await api.start(bytes);
      const refused = await api.part(body.id, 0, partsOf(bytes)[0] ?? bytes);
      expect([refused.status, refused.problem.code]).toEqual([413, 'VIDEO_TOO_LARGE']);
      expect(refused.problem.params).toEqual(params);
      expect((await api.status(body.id)).body.state).toBe('CANCELLED');
    }
  } finally {
    await own.stop();
  }
});

it('the rate headers are those of the budget of the route: 60, 240, 1,200, and 600 for guests', async () => {
  const user = await service.user();
  const api = uploader(service.url, user);
  const bytes = await pngBytes();
  const limitOf = ({ headers }: { headers: Readonly<Record<string, string>> }) => Number(headers['x-ratelimit-limit']);
  const started = await api.start(bytes);
  const part = await api.part(started.body.id, 0, bytes);
  const uploads = [started, await api.status(started.body.id), await api.list()];
  uploads.push(await api.complete(started.body.id, randomUUID()), await api.cancel(started.body.id));
  expect(uploads.map(limitOf)).toEqual([240, 240, 240, 240, 240]);
  expect(limitOf(part)).toBe(1_200);
  expect(limitOf(await ask(service.url, { path: '/api/v1/account', key: user.apiKey }))).toBe(60);
  expect(limitOf(await ask(service.url, { path: '/s/nothing' }))).toBe(600);
  for (const name of ['x-ratelimit-remaining', 'x-ratelimit-reset']) expect(part.headers[name]).toMatch(/^\d+$/);
});

it('an Idempotency-Key is kept for more than 24 hours after its upload was completed', async () => {
  const api = uploader(service.url, await service.user());
  const bytes = await pngBytes();
  const idempotencyKey = randomUUID();
  const id = await api.send(bytes, { idempotencyKey });
  const { body } = await api.complete(id, randomUUID());
  clock.advance(25 * HOUR);
  const again = await api.start(bytes, { idempotencyKey });
  expect(again.body).toMatchObject({ id, state: 'COMPLETED', content: { id: body.content?.id } });
});
