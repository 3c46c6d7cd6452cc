/** The Idempotency-Key of `POST /pastes` (decisions of this project, "Notes"), on a real server. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CreatedContent } from '../../../src/api/single-request-upload.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { type Answer, ask } from '../../support/server/service-client.ts';
import { objectFiles, queryData } from '../../support/server/stored-bytes.ts';

let service: RunningServer;
beforeAll(async () => {
  service = await startServer({ config: { limits: { requestsPerMinute: 100_000 } } });
});
afterAll(() => service.stop());

const NOTE = { text: 'const a = 1;\n', format: 'code', language: 'typescript', title: 'Once', tags: ['b', 'a'] };

const post = (
  user: User,
  key: string,
  body: unknown = NOTE,
  headers: Record<string, string> = {},
): Promise<Answer<CreatedContent>> =>
  ask(service.url, {
    method: 'POST',
    path: '/api/v1/pastes',
    key: user.apiKey,
    headers: { 'idempotency-key': key, ...headers },
    body,
  });
const countOf = async ({ accountId }: User): Promise<number> =>
  (await queryData(service.data, 'SELECT id FROM content WHERE accountId = ?', accountId)).length;

it('a repeat is 201 with the same note, and nothing is published or stored twice', async () => {
  const [user, key] = [await service.user(), randomUUID()];
  const first = await post(user, key);
  const stored = (await objectFiles(service.data)).permanent.length;
  const again = await post(user, key, { ...NOTE, tags: ['a', 'b'], oneTime: false });
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
  expect(await countOf(user)).toBe(1);
  expect((await objectFiles(service.data)).permanent).toHaveLength(stored);
});

it('a repeat that names a default, or leaves out one that was named, is the same note', async () => {
  const { title: _, ...plain } = NOTE;
  const user = await service.user();
  const made = await post(user, randomUUID(), plain);
  const named = { ...plain, title: made.body.title, visibility: 'unlisted' };
  for (const [sent, repeat] of [
    [plain, named],
    [named, plain],
  ]) {
    const key = randomUUID();
    const first = await post(user, key, sent);
    const again = await post(user, key, repeat);
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
    const other = await post(user, key, { ...plain, visibility: 'private' });
    expect([other.status, other.problem.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  }
});

it.each([
  ['another text', { text: 'const a = 2;\n' }],
  ['another language', { language: 'javascript' }],
  ['another title', { title: 'Twice' }],
  ['another password', { password: 'correct horse' }],
])('the same key with %s is 409 IDEMPOTENCY_CONFLICT', async (_, change) => {
  const [user, key] = [await service.user(), randomUUID()];
  await post(user, key);
  const other = await post(user, key, { ...NOTE, ...change });
  expect([other.status, other.problem.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  expect(await countOf(user)).toBe(1);
});

it('of twins that run at the same time one publishes, and the other is the same note or 409', async () => {
  const [user, key] = [await service.user(), randomUUID()];
  // Hashing the password delays the first one.
  const body = { ...NOTE, password: 'correct horse' };
  const answers = await Promise.all(Array.from({ length: 6 }, () => post(user, key, body)));
  const published = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(new Set(published.map(({ body: { id } }) => id)).size).toBe(1);
  expect(refused.every(({ problem }) => problem.code === 'IDEMPOTENCY_CONFLICT')).toBe(true);
  expect(refused.length).toBeGreaterThan(0);
  expect(await countOf(user)).toBe(1);
});

it('a refused note leaves its key free, one that was deleted is 410, and each account has keys of its own', async () => {
  const [user, key] = [await service.user(), randomUUID()];
  expect((await post(user, key, { ...NOTE, tags: ['\u0000'] })).status).toBe(400);
  const { status, body } = await post(user, key);
  expect(status).toBe(201);
  expect((await post(await service.user(), key)).body.id).not.toBe(body.id);
  await ask(service.url, { method: 'DELETE', path: `/api/v1/content/${body.id}`, key: user.apiKey });
  const gone = await post(user, key);
  expect([gone.status, gone.problem.code]).toEqual([410, 'CONTENT_GONE']);
});

it('a key of another form is 400, and another account than X-Service-Account names is 409', async () => {
  const user = await service.user();
  expect((await post(user, 'too short')).status).toBe(400);
  const guard = { 'x-service-account': (await service.user()).accountId };
  const other = await post(user, randomUUID(), NOTE, guard);
  expect([other.status, other.problem.code]).toEqual([409, 'ACCOUNT_MISMATCH']);
  expect(await countOf(user)).toBe(0);
});
