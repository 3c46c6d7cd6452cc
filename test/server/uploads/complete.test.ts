/** `POST .../complete` (API document, "complete the upload"; API decisions 1), on a real server. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UploadId } from '../../../src/api/ids.ts';
import { fieldsDigest } from '../../../src/server/uploads/idempotency.ts';
import { video } from '../../support/media/media.ts';
import { ANY_BITRATE, mp4Bytes, pngBytes } from '../../support/media/sample-bytes.ts';
import { remove } from '../../support/server/items.ts';
import { previewsMade } from '../../support/server/previews.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { ask, partsOf, uploader } from '../../support/server/service-client.ts';
import { changeData, objectFiles, queryData, storedBytes } from '../../support/server/stored-bytes.ts';

const MIB = 1024 * 1024;

let service: RunningServer;
beforeAll(async () => {
  service = await startServer({
    config: { ...ANY_BITRATE, limits: { uploadRequestsPerMinute: 10_000, requestsPerMinute: 10_000 } },
  });
});
afterAll(() => service.stop());

const itemsOf = (accountId: string) => queryData(service.data, 'SELECT id FROM content WHERE accountId = ?', accountId);
const usedBy = async (accountId: string): Promise<number> =>
  (
    await queryData<{ storageUsed: number }>(service.data, 'SELECT storageUsed FROM accounts WHERE id = ?', accountId)
  )[0]?.storageUsed ?? -1;

describe('a completion', () => {
  it('publishes the item with its fields and the bytes as they were sent', async () => {
    const user = await service.user();
    const api = uploader(service.url, user);
    const bytes = await mp4Bytes(5 * MIB);
    const id = await api.send(bytes, { filename: 'clip.mp4' });
    const { status, body } = await api.complete(id, randomUUID(), {
      title: 'A clip',
      tags: ['  Two  Words ', 'ONE', 'one'],
      visibility: 'public',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, state: 'COMPLETED', receivedBytes: bytes.length });
    expect(body.content).toMatchObject({
      type: 'VIDEO',
      mime: 'video/mp4',
      title: 'A clip',
      tags: ['two words', 'one'],
      visibility: 'public',
      originalName: 'clip.mp4',
      size: bytes.length,
      revision: 1,
      accessVersion: 1,
    });
    expect((await storedBytes(service.data, id)).equals(bytes)).toBe(true);
    expect((await api.status(id)).body.content?.id).toBe(body.content?.id);
    expect((await api.list()).body.items).toEqual([]);
    expect(await usedBy(user.accountId)).toBe(bytes.length);
  });

  it('may be asked for with uuids in capitals, which are the same ones', async () => {
    const api = uploader(service.url, await service.user());
    const bytes = await pngBytes();
    const idempotencyKey = randomUUID();
    const { id } = (await api.start(bytes, { idempotencyKey })).body;
    const loud = (await api.start(bytes, { idempotencyKey: idempotencyKey.toUpperCase() })).body.id;
    expect(loud).toBe(id);
    expect((await api.part(id.toUpperCase() as typeof id, 0, bytes)).status).toBe(200);
    const key = randomUUID();
    const published = (await api.complete(id.toUpperCase() as typeof id, key)).body;
    await previewsMade(service.data);
    const { content } = (await api.status(id)).body;
    expect(content?.id).toBe(published.content?.id);
    expect((await api.complete(id, key.toUpperCase())).body).toEqual({ ...published, content });
    expect((await api.status(id.toUpperCase() as typeof id)).body).toEqual({ ...published, content });
  });

  it('with parts missing is 409 UPLOAD_INCOMPLETE that names them', async () => {
    const api = uploader(service.url, await service.user());
    const bytes = await mp4Bytes(9 * MIB);
    const { body } = await api.start(bytes);
    await api.part(body.id, 1, partsOf(bytes)[1] as Buffer);
    const answer = await api.complete(body.id, randomUUID());
    expect([answer.status, answer.problem.code]).toEqual([409, 'UPLOAD_INCOMPLETE']);
    expect(answer.problem.params).toEqual({ missing: [0, 2, 3, 4] });
    expect((await api.status(body.id)).body.state).toBe('UPLOADING');
  });

  it('fault 25: raced by twenty with the same key publishes one item, and all answer the same', async () => {
    const user = await service.user();
    const api = uploader(service.url, user);
    const id = await api.send(await pngBytes());
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.complete(id, key, { title: 'One' })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    // Its preview may be ready between two of the answers.
    const same = answers.map(({ body }) => ({ ...body, content: { ...body.content, previewUrl: null } }));
    expect(new Set(same.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(await itemsOf(user.accountId)).toHaveLength(1);
  });

  it('raced by twenty with keys of their own publishes one item; the others are 409 COMPLETE_CONFLICT', async () => {
    const user = await service.user();
    const api = uploader(service.url, user);
    const id = await api.send(await pngBytes());
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.complete(id, randomUUID())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ problem }) => problem.code === 'COMPLETE_CONFLICT')).toHaveLength(19);
    expect(await itemsOf(user.accountId)).toHaveLength(1);
  });

  it('repeated with the same key and fields, in any order, is the same item; other fields or another key are 409', async () => {
    const api = uploader(service.url, await service.user());
    const id = await api.send(await pngBytes());
    const key = randomUUID();
    const first = await api.complete(id, key, { title: 'T', tags: ['a', 'b'], password: 'open sesame' });
    const again = await api.complete(id, key, {
      password: 'open sesame',
      tags: ['B', 'A '],
      title: 'T',
      oneTime: false,
    });
    expect([again.status, again.body.content?.id]).toEqual([200, first.body.content?.id]);
    for (const answer of [
      await api.complete(id, key, { title: 'T', tags: ['a', 'b'], password: 'open sesame!' }),
      await api.complete(id, key, { title: 'Other' }),
      await api.complete(id, randomUUID(), { title: 'T', tags: ['a', 'b'], password: 'open sesame' }),
    ]) {
      expect([answer.status, answer.problem.code]).toEqual([409, 'COMPLETE_CONFLICT']);
    }
  });

  it('repeated with a default that it has left out, or without one that it has named, is the same item', async () => {
    const user = await service.user();
    const api = uploader(service.url, user);
    const setDefault = (isPrivate: 0 | 1) =>
      changeData(service.data, 'UPDATE accounts SET privateByDefault = ? WHERE id = ?', isPrivate, user.accountId);
    const named = { title: 'picture', visibility: 'unlisted' };
    for (const [sent, ...repeats] of [
      [{}, { visibility: 'unlisted' }, { title: 'picture' }, named],
      [named, {}, { visibility: 'unlisted' }, { title: 'picture' }],
    ]) {
      const [id, key] = [await api.send(await pngBytes()), randomUUID()];
      const first = await api.complete(id, key, sent);
      // The item counts, and not what the account has as its default now.
      await setDefault(1);
      for (const fields of repeats) {
        const again = await api.complete(id, key, fields);
        expect([again.status, again.body.content?.id], JSON.stringify(fields)).toEqual([200, first.body.content?.id]);
      }
      for (const fields of [{ visibility: 'private' }, { visibility: 'public' }, { title: 'Picture' }]) {
        const other = await api.complete(id, key, fields);
        expect([other.status, other.problem.code], JSON.stringify(fields)).toEqual([409, 'COMPLETE_CONFLICT']);
      }
      await setDefault(0);
    }
  });
  it('with the default of the account named and left out publishes one item, also at the same time', async () => {
    const api = uploader(service.url, await service.user());
    const [id, key] = [await api.send(await pngBytes()), randomUUID()];
    const forms = [{}, { visibility: 'unlisted' }, { title: 'picture' }];
    const answers = await Promise.all(forms.map((fields) => api.complete(id, key, fields)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.content?.id)).size).toBe(1);
  });

  it('repeated after its item was deleted is 410 whatever its fields; another key is 409', async () => {
    const user = await service.user();
    const api = uploader(service.url, user);
    const [id, key] = [await api.send(await pngBytes()), randomUUID()];
    const { body } = await api.complete(id, key);
    await remove(service, user, body.content?.id ?? '');
    const forms = [{}, { title: 'picture' }, { visibility: 'unlisted' }, { title: 'Other' }];
    for (const fields of forms) {
      const { status, problem } = await api.complete(id, key, fields);
      expect([status, problem.code], JSON.stringify(fields)).toEqual([410, 'CONTENT_GONE']);
    }
    const atOnce = await Promise.all(forms.map((fields) => api.complete(id, key, fields)));
    expect(atOnce.map(({ problem }) => problem.code)).toEqual(forms.map(() => 'CONTENT_GONE'));
    expect((await api.complete(id, randomUUID())).problem.code).toBe('COMPLETE_CONFLICT');
  });

  it('with wrong fields is 400 and may be tried again with right ones', async () => {
    const api = uploader(service.url, await service.user());
    const id = await api.send(await pngBytes());
    for (const fields of [
      { title: 'x'.repeat(181) },
      { tags: Array.from({ length: 11 }, (_, index) => `tag ${index}`) },
      { visibility: 'secret' },
      { password: 'short' },
      { ttl: 'year' },
    ]) {
      const answer = await api.complete(id, randomUUID(), fields);
      expect([answer.status, answer.problem.code]).toEqual([400, 'INVALID_INPUT']);
    }
    const both = await api.complete(id, randomUUID(), { visibility: 'public', oneTime: true });
    expect([both.status, both.problem.code]).toEqual([400, 'ONE_TIME_NOT_PUBLIC']);
    expect((await api.complete(id, 'not a uuid')).status).toBe(400);
    expect((await api.complete(id, randomUUID(), { title: 'Right' })).body.content?.title).toBe('Right');
  });

  it('public together with oneTime is 400 ONE_TIME_NOT_PUBLIC whatever state the parts are in, as other wrong fields are', async () => {
    const api = uploader(service.url, await service.user());
    const bytes = await pngBytes();
    const { id } = (await api.start(bytes)).body;
    const completeKey = randomUUID();
    const publicOnce = async () => {
      const { status, problem } = await api.complete(id, completeKey, { visibility: 'public', oneTime: true });
      return [status, problem.code];
    };
    expect(await publicOnce()).toEqual([400, 'ONE_TIME_NOT_PUBLIC']);
    await api.part(id, 0, bytes);
    expect(await publicOnce()).toEqual([400, 'ONE_TIME_NOT_PUBLIC']);
    expect((await api.complete(id, completeKey)).status).toBe(200);
    expect(await publicOnce()).toEqual([400, 'ONE_TIME_NOT_PUBLIC']);
  });

  it('with a misspelt oneTime is 400 and publishes nothing openly', async () => {
    const user = await service.user();
    const api = uploader(service.url, user);
    const id = await api.send(await pngBytes());
    const answer = await api.complete(id, randomUUID(), { onetime: true });
    expect([answer.status, answer.problem.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.problem.params).toEqual({ issues: [{ path: '/onetime', message: 'is not a known field' }] });
    expect((await api.status(id)).body.state).toBe('UPLOADING');
    expect(await itemsOf(user.accountId)).toEqual([]);
  });

  it('of a video outside limits.video is 415 VIDEO_NOT_SUITABLE with the problems, stores nothing and cancels', async () => {
    const user = await service.user();
    const api = uploader(service.url, user);
    const mpeg4 = await readFile(await video('mpeg4.mp4', { args: ['-c:v', 'mpeg4', '-c:a', 'aac'] }));
    const id = await api.send(mpeg4, { filename: 'old.mp4' });
    const answer = await api.complete(id, randomUUID());
    expect([answer.status, answer.problem.code]).toEqual([415, 'VIDEO_NOT_SUITABLE']);
    expect(answer.problem.params?.['problems']).toContainEqual(expect.objectContaining({ code: expect.any(String) }));
    expect((await api.status(id)).body).toMatchObject({ state: 'CANCELLED', content: null });
    expect((await api.complete(id, randomUUID())).problem.code).toBe('UPLOAD_GONE');
    expect(await usedBy(user.accountId)).toBe(0);
    await expect.poll(() => queryData(service.data, 'SELECT objectId FROM deletions')).toEqual([]);
  });

  it('of bytes that only begin like an image is 400 UPLOAD_FORMAT_UNSUPPORTED and cancels', async () => {
    const api = uploader(service.url, await service.user());
    const id = await api.send((await pngBytes()).subarray(0, 60));
    const answer = await api.complete(id, randomUUID());
    expect([answer.status, answer.problem.code]).toEqual([400, 'UPLOAD_FORMAT_UNSUPPORTED']);
    expect((await api.status(id)).body.state).toBe('CANCELLED');
  });

  it('that cancels its upload leaves no hash of its fields', async () => {
    const api = uploader(service.url, await service.user());
    const id = await api.send((await pngBytes()).subarray(0, 60));
    await api.complete(id, randomUUID(), { title: 'One' });
    expect((await api.status(id)).body.state).toBe('CANCELLED');
    expect(await queryData(service.data, 'SELECT completeDigest FROM uploads WHERE id = ?', id)).toEqual([
      { completeDigest: null },
    ]);
  });

  it.each(['CANCELLED', 'EXPIRED'])(
    'of an upload that is %s is 410, with other fields than before too',
    async (state) => {
      const api = uploader(service.url, await service.user());
      const id = await api.send((await pngBytes()).subarray(0, 60));
      const key = randomUUID();
      await api.complete(id, key, { title: 'One' });
      await changeData(service.data, 'UPDATE uploads SET state = ? WHERE id = ?', state, id);
      for (const title of ['One', 'Other']) {
        const answer = await api.complete(id, key, { title });
        expect([answer.status, answer.problem.code]).toEqual([410, 'UPLOAD_GONE']);
      }
    },
  );

  it('of an upload of another account is 404', async () => {
    const id = await uploader(service.url, await service.user()).send(await pngBytes());
    const answer = await uploader(service.url, await service.user()).complete(id, randomUUID());
    expect([answer.status, answer.problem.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('the quota', () => {
  it('for one of ten racing uploads lets one through; the others are 413 and stay UPLOADING', async () => {
    const bytes = await Promise.all(Array.from({ length: 10 }, () => pngBytes()));
    const size = Math.max(...bytes.map(({ length }) => length));
    const small = await startServer({ config: { plans: { free: { quotaBytes: size } } } });
    try {
      const user = await small.user();
      const api = uploader(small.url, user);
      const ids: string[] = [];
      for (const file of bytes) ids.push(await api.send(file));
      const answers = await Promise.all(ids.map((id) => api.complete(id, randomUUID())));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const refused = answers.filter(({ problem }) => problem.code === 'QUOTA_EXCEEDED');
      expect(refused).toHaveLength(9);
      const published = answers.find(({ status }) => status === 200)?.body.content;
      const params = { limitBytes: size, usedBytes: published?.size };
      for (const { problem } of refused) expect(problem.params).toEqual(params);
      const states = await Promise.all(ids.map(async (id) => (await api.status(id)).body.state));
      expect(states.filter((state) => state === 'UPLOADING')).toHaveLength(9);

      await ask(small.url, { method: 'DELETE', path: `/api/v1/content/${published?.id}`, key: user.apiKey });
      const waiting = ids[states.indexOf('UPLOADING')] ?? '';
      expect((await api.complete(waiting, randomUUID())).status).toBe(200);
    } finally {
      await small.stop();
    }
  });

  it('is released once when an item is deleted, and its bytes leave the folder', async () => {
    const user = await service.user();
    const api = uploader(service.url, user);
    const { body } = await api.publish(await pngBytes());
    await previewsMade(service.data);
    const before = (await objectFiles(service.data)).permanent.length;
    const path = `/api/v1/content/${body.content?.id}`;
    await Promise.all([1, 2, 3].map(() => ask(service.url, { method: 'DELETE', path, key: user.apiKey })));
    expect(await usedBy(user.accountId)).toBe(0);
    await expect.poll(async () => (await objectFiles(service.data)).permanent.length).toBe(before - 2);
  });
});

it('equal fields have equal digests, others have others, and a password is part of them', async () => {
  const id = randomUUID() as UploadId;
  const fields = fc.record(
    {
      title: fc.stringMatching(/^[a-z]{1,10}$/),
      tags: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}$/), { maxLength: 5 }),
      visibility: fc.constantFrom('private' as const, 'unlisted' as const),
      ttl: fc.constantFrom('day' as const, 'week' as const),
      oneTime: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fields, async (given) => {
      const shuffled = Object.fromEntries(Object.entries(given).reverse());
      const digest = await fieldsDigest(id, given);
      expect(await fieldsDigest(id, { ...shuffled, tags: given.tags?.toReversed() ?? [] })).toBe(digest);
      expect(await fieldsDigest(id, { ...given, title: `${given.title ?? ''}x` })).not.toBe(digest);
    }),
    { numRuns: 100 },
  );
  expect(await fieldsDigest(id, { password: 'password one' })).not.toBe(
    await fieldsDigest(id, { password: 'password two' }),
  );
});
