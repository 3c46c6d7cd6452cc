/** `POST .../resumable` (API document, "start a resumable upload"; API decisions 1), on a real server. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprintText } from '../../../src/api/resumable-upload.ts';
import { ANY_BITRATE, mp4Bytes, pngBytes } from '../../support/media/sample-bytes.ts';
import { remove } from '../../support/server/items.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { ask, manifestOf, uploader } from '../../support/server/service-client.ts';
import { objectFiles, queryData } from '../../support/server/stored-bytes.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

let service: RunningServer;
beforeAll(async () => {
  service = await startServer({ config: { ...ANY_BITRATE, limits: { uploadRequestsPerMinute: 10_000 } } });
});
afterAll(() => service.stop());

/** A manifest for a file that does not exist: sizes are checked before any byte. */
const imagined = (accountId: string, size: number) => {
  const count = Math.ceil(size / (2 * MIB));
  const chunkHashes = Array.from({ length: count }, (_, index) => index.toString(16).padStart(64, '0'));
  const fingerprint = createHash('sha256').update(fingerprintText(size, chunkHashes)).digest('hex');
  return { accountId, filename: 'a.mp4', size, chunkSize: 2 * MIB, chunkHashes, fingerprint };
};

const start = (user: { apiKey: string }, body: unknown, headers: Record<string, string> = {}) =>
  ask(service.url, {
    method: 'POST',
    path: '/api/v1/uploads/resumable',
    key: user.apiKey,
    headers: { 'idempotency-key': randomUUID(), ...headers },
    body,
  });

describe('a start', () => {
  it('answers the confirmed state with an expiry 24 hours ahead', async () => {
    const bytes = await pngBytes();
    const before = Date.now();
    const { status, body } = await uploader(service.url, await service.user()).start(bytes, { filename: 'a b.png' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: 'UPLOADING',
      filename: 'a b.png',
      size: bytes.length,
      chunkSize: 2 * MIB,
      chunkCount: 1,
      fingerprint: manifestOf('', bytes).fingerprint,
      received: [],
      receivedBytes: 0,
      content: null,
    });
    const life = Date.parse(body.expiresAt) - before;
    expect(life).toBeGreaterThan(86_399_000);
    expect(life).toBeLessThan(86_460_000);
  });

  it('computes the fingerprint vector of one byte "a"', () => {
    const text = fingerprintText(1, [createHash('sha256').update('a').digest('hex')]);
    expect(createHash('sha256').update(text).digest('hex')).toBe(
      '1b4e09a4ca02ff38eda51cf0aa3b9c5806303cdd5a4dd35588cbb085d29bfbbf',
    );
  });

  it('of 100 MiB on the free plan has exactly 50 parts, of 4 GiB on a paid plan 2,048', async () => {
    const free = await service.user();
    expect((await start(free, imagined(free.accountId, 100 * MIB))).body).toMatchObject({ chunkCount: 50 });
    const pro = await service.user({ plan: 'pro' });
    expect((await start(pro, imagined(pro.accountId, 4 * GIB))).body).toMatchObject({ chunkCount: 2_048 });
  });

  it('over the plan is 413 UPLOAD_TOO_LARGE with its limit; over the server the ceiling is named', async () => {
    const free = await service.user();
    const overPlan = await start(free, imagined(free.accountId, 100 * MIB + 1));
    expect(overPlan.status).toBe(413);
    expect(overPlan.problem).toMatchObject({ code: 'UPLOAD_TOO_LARGE' });
    expect(overPlan.problem.params).toEqual({ limitBytes: 100 * MIB });
    const pro = await service.user({ plan: 'pro' });
    const overServer = await start(pro, imagined(pro.accountId, 4 * GIB + 1));
    expect(overServer.status).toBe(413);
    expect(overServer.problem.params).toEqual({ limitBytes: 4 * GIB, ceiling: 'server' });
  });

  it('that cannot fit into the quota is 413 QUOTA_EXCEEDED', async () => {
    const small = await startServer({ config: { plans: { free: { quotaBytes: 1_000 } } } });
    try {
      const user = await small.user();
      const answer = await uploader(small.url, user).start(Buffer.alloc(1_001));
      expect([answer.status, answer.problem.code]).toEqual([413, 'QUOTA_EXCEEDED']);
      expect((await uploader(small.url, user).start(Buffer.alloc(1_000))).status).toBe(200);
    } finally {
      await small.stop();
    }
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a fingerprint of other bytes', { fingerprint: 'a'.repeat(64) }, '/fingerprint'],
    ['a fingerprint in capitals', { fingerprint: 'A'.repeat(64) }, '/fingerprint'],
    ['too many hashes', { chunkHashes: ['a'.repeat(64), 'b'.repeat(64)] }, '/chunkHashes'],
    ['no hashes', { chunkHashes: [] }, '/chunkHashes'],
    ['an invalid hash', { chunkHashes: ['xyz'] }, '/chunkHashes/0'],
    ['another chunk size', { chunkSize: 1024 }, '/chunkSize'],
    ['size 0', { size: 0 }, '/size'],
    ['a broken size', { size: 1.5 }, '/size'],
    ['a size as text', { size: '10' }, '/size'],
    ['an empty name', { filename: '' }, '/filename'],
    ['a name of 1,025 characters', { filename: 'x'.repeat(1_025) }, '/filename'],
    ['no account', { accountId: undefined }, '/accountId'],
  ])('with %s is 400 INVALID_INPUT that names the field', async (_, change, path) => {
    const user = await service.user();
    const body = { ...manifestOf(user.accountId, Buffer.from('abc')), ...change };
    const answer = await start(user, body);
    expect([answer.status, answer.problem.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.problem.params?.['issues']).toContainEqual({ path, message: expect.any(String) });
  });

  it.each([[undefined], [''], ['short'], ['not-a-uuid-but-36-characters-long!!!']])(
    'with the Idempotency-Key %j is 400',
    async (key) => {
      const user = await service.user();
      const answer = await ask(service.url, {
        method: 'POST',
        path: '/api/v1/uploads/resumable',
        key: user.apiKey,
        headers: key === undefined ? {} : { 'idempotency-key': key },
        body: manifestOf(user.accountId, Buffer.from('abc')),
      });
      expect([answer.status, answer.problem.code]).toEqual([400, 'INVALID_INPUT']);
    },
  );

  it('for another account is 409 ACCOUNT_MISMATCH, by the header even before the body is looked at', async () => {
    const user = await service.user();
    const other = await service.user();
    const byBody = await start(user, manifestOf(other.accountId, Buffer.from('abc')));
    expect([byBody.status, byBody.problem.code]).toEqual([409, 'ACCOUNT_MISMATCH']);
    const byHeader = await start(user, { nonsense: true }, { 'x-service-account': other.accountId });
    expect([byHeader.status, byHeader.problem.code]).toEqual([409, 'ACCOUNT_MISMATCH']);
    const right = await start(user, manifestOf(user.accountId, Buffer.from('abc')), {
      'x-service-account': user.accountId,
    });
    expect(right.status).toBe(200);
  });
});

describe('an Idempotency-Key', () => {
  it('with the same bytes gives the same upload and its first name', async () => {
    const api = uploader(service.url, await service.user());
    const bytes = await pngBytes();
    const idempotencyKey = randomUUID();
    const first = await api.start(bytes, { idempotencyKey, filename: 'first.png' });
    await api.part(first.body.id, 0, bytes);
    const again = await api.start(bytes, { idempotencyKey, filename: 'second.png' });
    expect(again.body).toMatchObject({ id: first.body.id, filename: 'first.png', received: [0] });
  });

  it('fault 24: with other bytes is 409 IDEMPOTENCY_CONFLICT', async () => {
    const api = uploader(service.url, await service.user());
    const idempotencyKey = randomUUID();
    await api.start(await pngBytes(), { idempotencyKey });
    const other = await api.start(await pngBytes(), { idempotencyKey });
    expect([other.status, other.problem.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  });

  it('repeated with hashes that its fingerprint is not of is 400, and the upload stays as it was', async () => {
    const api = uploader(service.url, await service.user());
    const bytes = await pngBytes();
    const idempotencyKey = randomUUID();
    const { id } = (await api.start(bytes, { idempotencyKey })).body;
    for (const chunkHashes of [['0'.repeat(64)], ['0'.repeat(64), '1'.repeat(64)]]) {
      const { status, problem } = await api.start(bytes, { idempotencyKey, more: { chunkHashes } });
      expect([status, problem.code]).toEqual([400, 'INVALID_INPUT']);
    }
    expect((await api.part(id, 0, bytes)).body.received).toEqual([0]);
  });

  it('belongs to its account', async () => {
    const bytes = await pngBytes();
    const idempotencyKey = randomUUID();
    const one = await uploader(service.url, await service.user()).start(bytes, { idempotencyKey });
    const two = await uploader(service.url, await service.user()).start(bytes, { idempotencyKey });
    expect(two.body.id).not.toBe(one.body.id);
  });

  it('used ten times at once makes one upload and leaves one file', async () => {
    const before = (await objectFiles(service.data)).staged.length;
    const api = uploader(service.url, await service.user());
    const bytes = await pngBytes();
    const idempotencyKey = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.start(bytes, { idempotencyKey })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await objectFiles(service.data)).staged.length).toBe(before + 1);
  });

  it('answers the item after completion, and 410 CONTENT_GONE once that was deleted', async () => {
    const user = await service.user();
    const api = uploader(service.url, user);
    const bytes = await pngBytes();
    const idempotencyKey = randomUUID();
    const id = await api.send(bytes, { idempotencyKey });
    const completeKey = randomUUID();
    const { body } = await api.complete(id, completeKey);
    const replay = await api.start(bytes, { idempotencyKey });
    expect(replay.body).toMatchObject({ state: 'COMPLETED', content: { id: body.content?.id } });

    const path = `/api/v1/content/${body.content?.id}`;
    expect((await ask(service.url, { method: 'DELETE', path, key: user.apiKey })).status).toBe(204);
    for (const answer of [
      await api.start(bytes, { idempotencyKey }),
      await api.status(id),
      await api.complete(id, completeKey),
      await api.part(id, 0, bytes),
    ]) {
      expect([answer.status, answer.problem.code]).toEqual([410, 'CONTENT_GONE']);
    }
  });

  it('keeps neither the name nor the hashes of a file whose item is deleted, nor the hash of its fields', async () => {
    const user = await service.user();
    const api = uploader(service.url, user);
    const id = await api.send(await pngBytes(), { filename: 'my report.png' });
    const { body } = await api.complete(id, randomUUID());
    const stored = () =>
      queryData(
        service.data,
        `SELECT filename, completeDigest, (SELECT count(*) FROM uploadHashes WHERE uploadId = id) AS hashes
          FROM uploads WHERE id = ?`,
        id,
      );
    expect(await stored()).toEqual([{ filename: 'my report.png', completeDigest: expect.any(String), hashes: 1 }]);
    await remove(service, user, body.content?.id ?? '');
    expect(await stored()).toEqual([{ filename: '', completeDigest: null, hashes: 0 }]);
  });
});

describe('pending uploads', () => {
  it('are at most ten; the eleventh is 429 UPLOAD_USER_BUSY until one is cancelled', async () => {
    const api = uploader(service.url, await service.user());
    const started = [];
    for (let count = 0; count < 10; count += 1) started.push((await api.start(await pngBytes())).body.id);
    const eleventh = await api.start(await pngBytes());
    expect([eleventh.status, eleventh.problem.code]).toEqual([429, 'UPLOAD_USER_BUSY']);
    expect(Number(eleventh.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await api.list()).body.items.map(({ id }) => id)).toEqual(started);
    expect((await api.cancel(started[0] ?? '')).status).toBe(204);
    expect((await api.start(await pngBytes())).status).toBe(200);
  });

  it('count also when many start at once', async () => {
    const api = uploader(service.url, await service.user());
    const many = await Promise.all(Array.from({ length: 16 }, () => pngBytes()));
    const answers = await Promise.all(many.map((bytes) => api.start(bytes)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect((await api.list()).body.items).toHaveLength(10);
  });

  it('of others are not listed', async () => {
    await uploader(service.url, await service.user()).start(await mp4Bytes(3 * MIB));
    expect((await uploader(service.url, await service.user()).list()).body).toEqual({ items: [] });
  });
});
