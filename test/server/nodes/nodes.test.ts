/** Three servers on one PostgreSQL and one S3 store keep the promises of one server, whichever node a request meets. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { LIMITS } from '../../../src/api/limits.ts';
import { queryPostgres, runPostgresUrl } from '../../support/engines/databases.ts';
import { whyNoPostgres } from '../../support/engines/postgres-cluster.ts';
import { ANY_BITRATE, mp4Bytes, pngBytes } from '../../support/media/sample-bytes.ts';
import { startNodes, type TestNodes } from '../../support/server/nodes.ts';
import { type RawRequest, rawRequest } from '../../support/server/raw-http.ts';
import type { User } from '../../support/server/server.ts';
import { type Answer, ask, partsOf, uploader } from '../../support/server/service-client.ts';
import { formOf } from '../../support/server/single-request-upload.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const whyNot = whyNoPostgres();
const PART = LIMITS.partBytes;
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
const REQUESTS_PER_MINUTE = 40;
const PARTS_PER_MINUTE = 50;
const config = {
  ...ANY_BITRATE,
  limits: {
    requestsPerMinute: REQUESTS_PER_MINUTE,
    partsPerMinute: PARTS_PER_MINUTE,
    // Requests are held open while others are answered, which takes long on a busy machine.
    partStallSeconds: 3_600,
    uploadStallSeconds: 3_600,
    uploadRequestsPerMinute: 10_000,
    guestRequestsPerMinute: 10_000,
  },
};

/** A request whose body the test withholds; `status` is 100 once the server asks for the body. */
const openRequest = async (
  url: string,
  line: string,
  headers: Record<string, string>,
): Promise<{ readonly status: number; readonly request: RawRequest }> => {
  const request = rawRequest(url, line, { expect: '100-continue', ...headers });
  onTestFinished(() => void request.socket.destroy());
  const first = await new Promise<string>((resolve) => request.socket.once('data', resolve));
  return { status: Number(first.split(' ')[1]), request };
};

const openPart = (url: string, user: User, id: string, index: number, length: number) =>
  openRequest(url, `PUT /api/v1/uploads/resumable/${id}/parts/${index}`, {
    authorization: `Bearer ${user.apiKey}`,
    'content-type': 'application/octet-stream',
    'content-length': String(length),
  });

const countOf = (answers: readonly { readonly status: number }[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

describe.skipIf(whyNot !== null)(`three nodes${whyNot === null ? '' : ` [skipped: ${whyNot}]`}`, () => {
  let nodes: TestNodes;
  let url = '';
  beforeAll(async () => {
    url = await runPostgresUrl('nodes');
    nodes = await startNodes(temporaryFolder('nodes'), { databaseUrl: url, config });
  });
  afterAll(() => nodes?.stop());

  const storageUsed = async ({ accountId }: User): Promise<number | undefined> => {
    const rows = await queryPostgres<{ used: number }>(
      url,
      'SELECT "storageUsed"::int AS "used" FROM "accounts" WHERE "id" = $1',
      [accountId],
    );
    return rows[0]?.used;
  };

  const note = (node: string, user: User, more: object = {}, headers: Record<string, string> = {}) =>
    ask<Content>(node, {
      ...{ method: 'POST', path: '/api/v1/pastes', key: user.apiKey, headers },
      body: { text: `A note ${randomUUID()}`, format: 'plain', ...more },
    });

  it('open a one-time link once in 50 parallel opens', async () => {
    const { status, body } = await note(nodes.next(), await nodes.user(), { oneTime: true });
    expect(status).toBe(201);
    const open = () => ask(nodes.next(), { method: 'POST', path: `/api/share/${body.id}/open` });
    const opened = await Promise.all(times(50).map(open));
    expect([countOf(opened, 200), countOf(opened, 404)]).toEqual([1, 49]);
  });

  it('take exactly as many requests and parts a minute as one node', async () => {
    const user = await nodes.user();
    const read = () => ask(nodes.next(), { path: '/api/v1/content', key: user.apiKey });
    const reads = await Promise.all(times(2 * REQUESTS_PER_MINUTE).map(read));
    expect([countOf(reads, 200), countOf(reads, 429)]).toEqual([REQUESTS_PER_MINUTE, REQUESTS_PER_MINUTE]);
    const remaining = reads.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(remaining.filter((rest) => rest > 0).sort((a, b) => a - b)).toEqual(
      times(REQUESTS_PER_MINUTE - 1).map((at) => at + 1),
    );
    const part = () => uploader(nodes.next(), user).part(randomUUID(), 0, new Uint8Array(1));
    const parts = await Promise.all(times(2 * PARTS_PER_MINUTE).map(part));
    expect([countOf(parts, 404), countOf(parts, 429)]).toEqual([PARTS_PER_MINUTE, PARTS_PER_MINUTE]);
  });

  it('check exactly as many wrong passwords of an item as one node', async () => {
    const { body } = await note(nodes.next(), await nodes.user(), { password: 'the right password' });
    const guess = () =>
      ask(nodes.next(), { method: 'POST', path: `/api/share/${body.id}/open`, body: { password: 'a wrong password' } });
    const guesses = await Promise.all(times(24).map(guess));
    expect([countOf(guesses, 403), countOf(guesses, 429)]).toEqual([10, 14]);
  });

  it('receive three parts of an account at once, and free their slots', async () => {
    const user = await nodes.user();
    const bytes = await mp4Bytes(9 * PART);
    const { body } = await uploader(nodes.next(), user).start(bytes);
    const opened = await Promise.all(times(9).map((index) => openPart(nodes.next(), user, body.id, index, PART)));
    expect([countOf(opened, 100), countOf(opened, 429)]).toEqual([3, 6]);
    const parts = partsOf(bytes);
    await Promise.all(
      opened.map(async ({ status, request }, index) => {
        if (status !== 100) return;
        request.send(parts[index] as Uint8Array);
        expect((await request.answer).status).toBe(200);
      }),
    );
    const again = await Promise.all(times(9).map((index) => openPart(nodes.next(), user, body.id, index, PART)));
    expect([countOf(again, 100), countOf(again, 429)]).toEqual([3, 6]);
  });

  it('receive two whole files of an account at once, and one for each Idempotency-Key', async () => {
    const user = await nodes.user();
    const encoded = new Response(formOf(await pngBytes(), 'a.png'));
    const body = new Uint8Array(await encoded.arrayBuffer());
    const open = (key: string) =>
      openRequest(nodes.next(), 'POST /api/v1/uploads', {
        authorization: `Bearer ${user.apiKey}`,
        'content-type': encoded.headers.get('content-type') ?? '',
        'content-length': String(body.length),
        'idempotency-key': key,
      });
    const key = randomUUID();
    const twins = await Promise.all(times(5).map(() => open(key)));
    expect([countOf(twins, 100), countOf(twins, 409)]).toEqual([1, 4]);
    const others = await Promise.all(times(5).map(() => open(randomUUID())));
    expect([countOf(others, 100), countOf(others, 429)]).toEqual([1, 4]);
    const answers = [...twins, ...others].filter(({ status }) => status === 100);
    await Promise.all(
      answers.map(async ({ request }) => {
        request.send(body);
        expect((await request.answer).status).toBe(201);
      }),
    );
    expect(await storageUsed(user)).toBe(2 * (await pngBytes()).length);
  });

  it('let a newer request for a part take over from one at another node, and publish the right bytes', async () => {
    const user = await nodes.user();
    const bytes = await mp4Bytes(5 * PART);
    const parts = partsOf(bytes);
    const { body } = await uploader(nodes.url(0), user).start(bytes);
    const held = await Promise.all(times(3).map((index) => openPart(nodes.url(0), user, body.id, index, PART)));
    expect(countOf(held, 100)).toBe(3);
    const [first] = held;
    first?.request.send((parts[0] as Uint8Array).subarray(0, PART / 2));
    const taken = await uploader(nodes.url(1), user).part(body.id, 0, parts[0] as Uint8Array);
    expect(taken.status).toBe(200);
    expect(taken.body.received).toEqual([0]);
    // Its slot went with it: one is free, though the older request goes on.
    const third = await openPart(nodes.url(2), user, body.id, 3, PART);
    expect(third.status).toBe(100);
    // The older request is answered as soon as its bytes have come; they change nothing. At its next renewal it notices that
    // it was replaced, and has a second for its bytes, which a busy machine can miss.
    first?.request.send((parts[0] as Uint8Array).subarray(PART / 2));
    expect((await first?.request.answer)?.status).toBeOneOf([200, 408]);
    // Its end frees no other one.
    expect((await openPart(nodes.url(2), user, body.id, 4, PART)).status).toBe(429);
    third.request.send(parts[3] as Uint8Array);
    expect((await third.request.answer).status).toBe(200);
    for (const index of [1, 2]) held[index]?.request.send(parts[index] as Uint8Array);
    for (const index of [1, 2]) expect((await held[index]?.request.answer)?.status).toBe(200);
    expect((await uploader(nodes.next(), user).part(body.id, 4, parts[4] as Uint8Array)).status).toBe(200);
    const done = await uploader(nodes.next(), user).complete(body.id, randomUUID());
    expect(done.body).toMatchObject({ state: 'COMPLETED', receivedBytes: bytes.length });
    expect(await mediaOf(user, done)).toEqual(Buffer.from(bytes));
  });

  const mediaOf = async (user: User, { body }: Answer): Promise<Buffer> => {
    const read = () =>
      fetch(`${nodes.next()}/api/media/${body.content?.id}?download=1`, {
        headers: { authorization: `Bearer ${user.apiKey}` },
      });
    return Buffer.from(await (await read()).arrayBuffer());
  };

  it('publish one item for completions at all nodes at the same time', async () => {
    const user = await nodes.user();
    const bytes = await mp4Bytes(2 * PART + 1_000);
    const id = await uploader(nodes.next(), user).send(bytes);
    const completeKey = randomUUID();
    const answers = await Promise.all(
      times(9).map(() => uploader(nodes.next(), user).complete(id, completeKey, { title: 'One' })),
    );
    expect(countOf(answers, 200)).toBe(9);
    expect(new Set(answers.map(({ body }) => body.content?.id)).size).toBe(1);
    expect(await storageUsed(user)).toBe(bytes.length);
    const other = await uploader(nodes.next(), user).complete(id, randomUUID());
    expect([other.status, other.problem.code]).toEqual([409, 'COMPLETE_CONFLICT']);
  });

  it('make one note for an Idempotency-Key that all nodes get at the same time', async () => {
    const user = await nodes.user();
    const headers = { 'idempotency-key': randomUUID() };
    const twins = await Promise.all(times(9).map(() => note(nodes.next(), user, { text: 'The note' }, headers)));
    expect(countOf(twins, 201) + countOf(twins, 409)).toBe(9);
    const ids = twins.filter(({ status }) => status === 201).map(({ body }) => body.id);
    expect(new Set(ids).size).toBe(1);
    const repeated = await note(nodes.next(), user, { text: 'The note' }, headers);
    expect([repeated.status, repeated.body.id]).toEqual([201, ids[0]]);
    expect(await storageUsed(user)).toBe('The note'.length);
  });

  it.skipIf(process.env['LINKSHOT_TEST_S3'] !== undefined)(
    'finish a completion whose node was killed, once its lease has ended',
    async () => {
      const user = await nodes.user();
      const bytes = await mp4Bytes(PART + 1_000);
      const id = await uploader(nodes.url(0), user).send(bytes);
      const completeKey = randomUUID();
      // The completion waits for the bytes.
      nodes.double?.fault((method) => (method === 'GET' ? { kind: 'refuse', status: 503, code: 'SlowDown' } : null));
      const cut = uploader(nodes.url(0), user).complete(id, completeKey);
      cut.catch(() => {});
      const stateOf = async () =>
        (await queryPostgres<{ state: string }>(url, 'SELECT "state" FROM "uploads" WHERE "id" = $1', [id]))[0]?.state;
      await expect.poll(stateOf).toBe('COMPLETING');
      await nodes.kill(0);
      await expect(cut).rejects.toThrow();
      nodes.double?.fault(() => null);
      const other = uploader(nodes.url(1), user).complete(id, completeKey);
      // Half a minute later, or the test would wait for it.
      await queryPostgres(url, 'UPDATE "uploads" SET "leaseUntil" = 1 WHERE "id" = $1', [id]);
      const done = await other;
      expect([done.status, done.body.state]).toEqual([200, 'COMPLETED']);
      await nodes.start(0);
      const repeated = await uploader(nodes.url(0), user).complete(id, completeKey);
      expect(repeated.body.content?.id).toBe(done.body.content?.id);
      expect(await mediaOf(user, done)).toEqual(Buffer.from(bytes));
      expect(await storageUsed(user)).toBe(bytes.length);
    },
  );

  it('process what a node has published that was killed', async () => {
    const user = await nodes.user();
    await nodes.kill(2);
    const answer = await uploader(nodes.url(0), user).publish(await mp4Bytes(300_000));
    // As if its node had ended between publishing it and processing it.
    await queryPostgres(
      url,
      `UPDATE "content" SET "mediaStatus" = 'PROCESSING', "previewWanted" = 1, "jobBy" = NULL, "jobUntil" = NULL
        WHERE "id" = $1`,
      [answer.body.content?.id],
    );
    const statusOf = async () =>
      (await ask<Content>(nodes.url(1), { path: `/api/v1/content/${answer.body.content?.id}`, key: user.apiKey })).body
        .mediaStatus;
    await expect.poll(statusOf, { interval: 1_500 }).toBe('READY');
    await nodes.start(2);
  });
});
