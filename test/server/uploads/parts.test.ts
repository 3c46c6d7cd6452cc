/** `PUT .../parts/{index}` (API document, "upload a part"; API decisions 1), on a real server. */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LIMITS } from '../../../src/api/limits.ts';
import { describeAbout } from '../../support/engines/only-on-engines.ts';
import { ANY_BITRATE, mp4Bytes, pngBytes } from '../../support/media/sample-bytes.ts';
import { itWith } from '../../support/only-on.ts';
import { rawRequest } from '../../support/server/raw-http.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask, partsOf, uploader } from '../../support/server/service-client.ts';
import { storedBytes } from '../../support/server/stored-bytes.ts';

const MIB = 1024 * 1024;
const PART = LIMITS.partBytes;

let service: RunningServer;
beforeAll(async () => {
  service = await startServer({ config: { ...ANY_BITRATE, limits: { uploadRequestsPerMinute: 10_000 } } });
});
afterAll(() => service.stop());

const partPath = (id: string, index: number): string => `/api/v1/uploads/resumable/${id}/parts/${index}`;

/** A part request whose body the test sends in pieces. */
const openPart = (
  user: User,
  id: string,
  index: number,
  length: number,
  headers: Record<string, string> = {},
  url = service.url,
) =>
  rawRequest(url, `PUT ${partPath(id, index)}`, {
    authorization: `Bearer ${user.apiKey}`,
    'content-type': 'application/octet-stream',
    'content-length': String(length),
    ...headers,
  });

/** A request for a part of `length` bytes, once it has a slot and the server asks for its body. */
const acceptedPart = async (user: User, id: string, index: number, url = service.url, length = PART) => {
  const request = rawRequest(url, `PUT ${partPath(id, index)}`, {
    authorization: `Bearer ${user.apiKey}`,
    'content-length': String(length),
    expect: '100-continue',
  });
  await once(request.socket, 'data');
  return request;
};

describe('a part', () => {
  it('is confirmed with its number and its bytes, in any order', async () => {
    const user = await service.user();
    const bytes = await mp4Bytes(5 * MIB);
    const [first, second, third] = partsOf(bytes);
    const api = uploader(service.url, user);
    const { body } = await api.start(bytes, { filename: 'a.mp4' });
    expect(body).toMatchObject({ chunkCount: 3, chunkSize: PART, received: [], receivedBytes: 0, content: null });

    const last = await api.part(body.id, 2, third as Buffer);
    expect(last.status).toBe(200);
    expect(last.body).toMatchObject({ state: 'UPLOADING', received: [2], receivedBytes: MIB });
    await api.part(body.id, 0, first as Buffer);
    const all = await api.part(body.id, 1, second as Buffer);
    expect(all.body).toMatchObject({ received: [0, 1, 2], receivedBytes: 5 * MIB });
    expect((await api.status(body.id)).body).toEqual(all.body);
  });

  it('that is repeated with the same bytes is 200 and changes nothing', async () => {
    const api = uploader(service.url, await service.user());
    const bytes = await pngBytes();
    const { body } = await api.start(bytes);
    const once = await api.part(body.id, 0, bytes);
    const twice = await api.part(body.id, 0, bytes);
    expect(twice.status).toBe(200);
    expect(twice.body).toEqual(once.body);
  });

  it('sent twice at the same time is 200 both times and counts once', async () => {
    const api = uploader(service.url, await service.user());
    const bytes = await mp4Bytes(3 * MIB);
    const [first] = partsOf(bytes);
    const { body } = await api.start(bytes);
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.part(body.id, 0, first as Buffer)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await api.status(body.id)).body).toMatchObject({ received: [0], receivedBytes: PART });
  });

  it('with other bytes is 400 UPLOAD_PART_MISMATCH, and a stored part stays intact', async () => {
    const api = uploader(service.url, await service.user());
    const bytes = await pngBytes();
    const { body } = await api.start(bytes);
    const fresh = await api.part(body.id, 0, randomBytes(bytes.length));
    expect([fresh.status, fresh.problem.code]).toEqual([400, 'UPLOAD_PART_MISMATCH']);
    expect((await api.status(body.id)).body.received).toEqual([]);

    await api.part(body.id, 0, bytes);
    const repeated = await api.part(body.id, 0, randomBytes(bytes.length));
    expect([repeated.status, repeated.problem.code]).toEqual([400, 'UPLOAD_PART_MISMATCH']);
    const done = await api.complete(body.id, randomUUID());
    expect(done.body.state).toBe('COMPLETED');
    const stored = await storedBytes(service.data, done.body.id);
    expect(stored.equals(bytes)).toBe(true);
  });

  it('after completion is verified and answered with the item', async () => {
    const api = uploader(service.url, await service.user());
    const bytes = await pngBytes();
    const done = await api.publish(bytes);
    const again = await api.part(done.body.id, 0, bytes);
    expect([again.status, again.body.content?.id]).toEqual([200, done.body.content?.id]);
    expect((await api.part(done.body.id, 0, randomBytes(bytes.length))).problem.code).toBe('UPLOAD_PART_MISMATCH');
  });

  it.each(['3', '50', '2047', '2048', '-1', '1.5', 'x', '%31%'])('with index %s is 400', async (index) => {
    const user = await service.user();
    const bytes = await mp4Bytes(5 * MIB);
    const { body } = await uploader(service.url, user).start(bytes);
    const answer = await ask(service.url, {
      method: 'PUT',
      path: `/api/v1/uploads/resumable/${body.id}/parts/${index}`,
      key: user.apiKey,
      body: bytes.subarray(0, PART),
    });
    expect([answer.status, answer.problem.code]).toEqual([400, 'INVALID_INPUT']);
  });

  it('fault 18: with a wrong Content-Length is 400 before a byte of the body is sent', async () => {
    const user = await service.user();
    const bytes = await mp4Bytes(5 * MIB);
    const { body } = await uploader(service.url, user).start(bytes);
    for (const [index, length] of [
      [0, PART - 1],
      [0, 1],
      [2, PART],
      [2, MIB + 1],
      [0, 3 * PART],
    ] as const) {
      const { answer, socket } = openPart(user, body.id, index, length);
      expect((await answer).status).toBe(400);
      socket.destroy();
    }
  });

  it('without a Content-Length is 400', async () => {
    const user = await service.user();
    const bytes = await pngBytes();
    const { body } = await uploader(service.url, user).start(bytes);
    const chunked = rawRequest(service.url, `PUT ${partPath(body.id, 0)}`, {
      authorization: `Bearer ${user.apiKey}`,
      'transfer-encoding': 'chunked',
    });
    expect((await chunked.answer).status).toBe(400);
    chunked.socket.destroy();
  });

  it('for another account is 409 ACCOUNT_MISMATCH before a byte of the body is sent', async () => {
    const user = await service.user();
    const bytes = await mp4Bytes(3 * MIB);
    const { body } = await uploader(service.url, user).start(bytes);
    const { answer, socket } = openPart(user, body.id, 0, PART, {
      'x-service-account': (await service.user()).accountId,
    });
    const { status, body: problem } = await answer;
    expect([status, JSON.parse(problem).code]).toEqual([409, 'ACCOUNT_MISMATCH']);
    socket.destroy();
  });

  it('of an upload of another account is 404', async () => {
    const bytes = await pngBytes();
    const { body } = await uploader(service.url, await service.user()).start(bytes);
    const answer = await uploader(service.url, await service.user()).part(body.id, 0, bytes);
    expect([answer.status, answer.problem.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('is received when the client waits for 100 Continue', async () => {
    const user = await service.user();
    const bytes = await pngBytes();
    const { body } = await uploader(service.url, user).start(bytes);
    const part = openPart(user, body.id, 0, bytes.length, { expect: '100-continue' });
    await once(part.socket, 'data');
    part.send(bytes);
    expect((await part.answer).status).toBe(200);
    part.socket.destroy();
  });
});

describe('a body that does not arrive', () => {
  it('is 408 UPLOAD_STALLED after the stall time, and its slot is free', async () => {
    // A server of its own: parts of other tests stop for as long on a busy machine.
    const hasty = await startServer({ config: { ...ANY_BITRATE, limits: { partStallSeconds: 1 } } });
    onTestFinished(() => hasty.stop());
    const user = await hasty.user();
    const bytes = await mp4Bytes(9 * MIB);
    const api = uploader(hasty.url, user);
    const { body } = await api.start(bytes);
    const stalled = [0, 1, 2].map((index) => openPart(user, body.id, index, PART, {}, hasty.url));
    for (const request of stalled) request.send(Buffer.alloc(1_000));
    const answers = await Promise.all(stalled.map(({ answer }) => answer));
    expect(answers.map(({ status, body: text }) => [status, JSON.parse(text).code])).toEqual(
      Array.from({ length: 3 }, () => [408, 'UPLOAD_STALLED']),
    );
    await Promise.all(stalled.map(({ closed }) => closed));
    // It begins, whether or not its body arrives within a second.
    const next = openPart(user, body.id, 3, PART, { expect: '100-continue' }, hasty.url);
    const outcome = [next.begun.then(() => 'begun'), next.answer.then(({ status }) => status)];
    expect(await Promise.race(outcome)).toBe('begun');
    next.socket.destroy();
    expect((await api.status(body.id)).body.received).toEqual([]);
  });

  it('fault 18: and ends too early stores nothing and frees its slot', async () => {
    const user = await service.user();
    const bytes = await mp4Bytes(9 * MIB);
    const api = uploader(service.url, user);
    const { body } = await api.start(bytes);
    for (let round = 0; round < 5; round += 1) {
      const torn = await acceptedPart(user, body.id, 0);
      // All of them arrive before the end does.
      torn.socket.end(bytes.subarray(0, PART - 1));
      await torn.closed;
    }
    const [, second] = partsOf(bytes);
    expect((await api.part(body.id, 1, second as Buffer)).body).toMatchObject({ received: [1], receivedBytes: PART });
  });
});

describe('parts at the same time', () => {
  let patient: RunningServer;
  beforeAll(async () => {
    patient = await startServer({ config: { ...ANY_BITRATE, limits: { partStallSeconds: 60 } } });
  });
  afterAll(() => patient.stop());

  it('are three for an account; the fourth is 429 UPLOAD_USER_BUSY with Retry-After', async () => {
    const user = await patient.user();
    const bytes = await mp4Bytes(9 * MIB);
    const api = uploader(patient.url, user);
    const [one, two] = [await api.start(bytes), await api.start(await mp4Bytes(9 * MIB))];
    const held = [
      await acceptedPart(user, one.body.id, 0, patient.url),
      await acceptedPart(user, one.body.id, 1, patient.url),
      await acceptedPart(user, two.body.id, 0, patient.url),
    ];
    const parts = partsOf(bytes);
    const fourth = await api.part(one.body.id, 2, parts[2] as Buffer);
    expect([fourth.status, fourth.problem.code]).toEqual([429, 'UPLOAD_USER_BUSY']);
    expect(Number(fourth.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    const stranger = uploader(patient.url, await patient.user());
    const { body } = await stranger.start(bytes);
    expect((await stranger.part(body.id, 2, parts[2] as Buffer)).status).toBe(200);
    for (const { socket } of held) socket.destroy();
  });

  it('let a repeated index take the slot of a stale request for it, which is ended', async () => {
    const user = await patient.user();
    const bytes = await mp4Bytes(9 * MIB);
    const parts = partsOf(bytes);
    const api = uploader(patient.url, user);
    const { body } = await api.start(bytes);
    const stale = await Promise.all([0, 1, 2].map((index) => acceptedPart(user, body.id, index, patient.url)));
    for (const request of stale) request.send(Buffer.alloc(70_000));
    for (const index of [0, 1, 2]) expect((await api.part(body.id, index, parts[index] as Buffer)).status).toBe(200);
    for (const { answer } of stale) expect((await answer).status).toBe(408);
    expect((await api.status(body.id)).body.received).toEqual([0, 1, 2]);
  });

  it('that were replaced keep no buffer, so that parts of other accounts are received', async () => {
    // As many slots as buffers, so that only the buffers limit them.
    const generous = await startServer({
      config: { ...ANY_BITRATE, limits: { partStallSeconds: 60, partsAtOnce: 64 } },
    });
    onTestFinished(() => generous.stop());
    const user = await generous.user();
    const bytes = await mp4Bytes(PART + 1);
    const upload = await uploader(generous.url, user).start(bytes);
    const next = () => acceptedPart(user, upload.body.id, 1, generous.url, 1);
    const chain = [await next()];
    while (chain.length < 64) {
      const newer = await next();
      // The older one is complete, and waits for the newer one.
      chain.at(-1)?.send(bytes.subarray(PART));
      chain.push(newer);
    }
    const stranger = uploader(generous.url, await generous.user());
    const { body } = await stranger.start(bytes);
    expect((await stranger.part(body.id, 1, bytes.subarray(PART))).status).toBe(200);
    chain.at(-1)?.send(bytes.subarray(PART));
    expect((await chain.at(-1)?.answer)?.status).toBe(200);
    for (const { socket } of chain) socket.destroy();
  });
});

describe('the first part', () => {
  it('of an unsupported format is 400 UPLOAD_FORMAT_UNSUPPORTED and cancels the upload at once', async () => {
    const api = uploader(service.url, await service.user());
    const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    const { body } = await api.start(bytes, { filename: 'image.png' });
    const answer = await api.part(body.id, 0, bytes);
    expect([answer.status, answer.problem.code]).toEqual([400, 'UPLOAD_FORMAT_UNSUPPORTED']);
    expect((await api.status(body.id)).body.state).toBe('CANCELLED');
    expect((await api.part(body.id, 0, bytes)).problem.code).toBe('UPLOAD_GONE');
  });

  it('that is refused stops the other parts in flight', async () => {
    const user = await service.user();
    const bytes = randomBytes(5 * MIB);
    const api = uploader(service.url, user);
    const { body } = await api.start(bytes);
    const other = await acceptedPart(user, body.id, 1);
    other.send(bytes.subarray(PART, PART + 5_000));
    await api.part(body.id, 0, bytes.subarray(0, PART));
    const { status, body: problem } = await other.answer;
    expect([status, JSON.parse(problem).code]).toEqual([410, 'UPLOAD_GONE']);
  });

  it('of an image over the plan is 413 IMAGE_TOO_LARGE by the declared size, and cancels', async () => {
    const api = uploader(service.url, await service.user());
    const bytes = Buffer.concat([await pngBytes(), Buffer.alloc(10 * MIB)]);
    const { body } = await api.start(bytes);
    const answer = await api.part(body.id, 0, bytes.subarray(0, PART));
    expect([answer.status, answer.problem.code]).toEqual([413, 'IMAGE_TOO_LARGE']);
    expect(answer.problem.params).toEqual({ limitBytes: 10 * MIB });
    expect((await api.status(body.id)).body.state).toBe('CANCELLED');
  });

  it('of an image over the server for a paid plan names the ceiling', async () => {
    const api = uploader(service.url, await service.user({ plan: 'pro' }));
    const bytes = Buffer.concat([await pngBytes(), Buffer.alloc(64 * MIB)]);
    const { body } = await api.start(bytes);
    const answer = await api.part(body.id, 0, bytes.subarray(0, PART));
    expect(answer.problem).toMatchObject({
      code: 'IMAGE_TOO_LARGE',
      params: { limitBytes: 64 * MIB, ceiling: 'server' },
    });
  });

  it('may come after the others', async () => {
    const api = uploader(service.url, await service.user());
    const bytes = await mp4Bytes(3 * MIB);
    const [first, second] = partsOf(bytes);
    const { body } = await api.start(bytes);
    expect((await api.part(body.id, 1, second as Buffer)).status).toBe(200);
    expect((await api.part(body.id, 0, first as Buffer)).status).toBe(200);
    expect((await api.complete(body.id, randomUUID())).body.state).toBe('COMPLETED');
  });
});

describeAbout('SQLite', 'local files')('the data folder', () => {
  itWith('modes of files')('keeps its files to itself: 0600 in folders of 0700', async () => {
    const bytes = await pngBytes();
    await uploader(service.url, await service.user()).start(bytes);
    const mode = async (path: string): Promise<string> =>
      ((await stat(join(service.data, path))).mode & 0o777).toString(8);
    expect(await mode('.')).toBe('700');
    expect(await mode('objects/staged')).toBe('700');
    expect(await mode('linkshot.sqlite')).toBe('600');
    expect(await mode('linkshot.sqlite-wal')).toBe('600');
    expect(await mode('serve.lock')).toBe('600');
  });
});
