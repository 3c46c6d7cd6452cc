/**
 * A number or boolean in an address is parsed exactly, or 400: nothing is rounded, guessed or taken from repeated
 * values.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pngBytes } from '../../support/media/sample-bytes.ts';
import { publish } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask, uploader } from '../../support/server/service-client.ts';

let server: RunningServer;
let owner: User;
let itemId: string;
beforeAll(async () => {
  server = await startServer({ config: { limits: { requestsPerMinute: 100_000, partsPerMinute: 100_000 } } });
  owner = await server.user({ plan: 'pro' });
  itemId = (await publish(server, owner)).id;
});
afterAll(() => server.stop());

const answerTo = async (path: string) => {
  const { status, problem } = await ask(server.url, { path, key: owner.apiKey });
  return [status, problem.code];
};

const NO_WHOLE_NUMBERS = [
  '1.5',
  '1.0',
  '1e0',
  '1E1',
  '',
  '%20',
  '%201',
  '1%20',
  '+1',
  '%2B1',
  '0x1',
  '01',
  '-0',
  '1_0',
  'true',
  '١',
];

describe('A whole number in an address', () => {
  it.each([...NO_WHOLE_NUMBERS, '1&days=2', '1&days=1', '9007199254740993'])('is not days=%s', async (text) => {
    expect(await answerTo(`/api/v1/content/${itemId}/views?days=${text}`)).toEqual([400, 'INVALID_INPUT']);
  });

  it('is refused with the name of its parameter', async () => {
    const { problem } = await ask(server.url, { path: `/api/v1/content/${itemId}/views?days=1.5`, key: owner.apiKey });
    expect(problem.params?.['issues']).toEqual([{ path: '/days', message: 'must be integer' }]);
  });

  it('is not the index of a part that is no number, and no such part is stored', async () => {
    const bytes = await pngBytes();
    const api = uploader(server.url, owner);
    const { id } = (await api.start(bytes)).body;
    // An empty index is a different path.
    for (const index of ['0.5', '0.0', '0e0', '%20', '+0', '-0', '00', '0x0', 'false']) {
      const path = `/api/v1/uploads/resumable/${id}/parts/${index}`;
      const answer = await ask(server.url, { method: 'PUT', path, key: owner.apiKey, body: bytes });
      expect([index, answer.status, answer.problem.code]).toEqual([index, 400, 'INVALID_INPUT']);
    }
    expect((await api.status(id)).body.received).toEqual([]);
    expect((await api.part(id, 0, bytes)).body.received).toEqual([0]);
  });
});

describe('A whole number in a body', () => {
  it.each(['1.5', '"5"', '+5', '05', '5.', 'true', '[5]', '1e-1', '1e99'])('is not viewLimit: %s', async (json) => {
    const answer = await ask(server.url, {
      method: 'PATCH',
      path: `/api/v1/content/${itemId}`,
      key: owner.apiKey,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(`{"viewLimit":${json}}`),
    });
    expect([answer.status, answer.problem.code]).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('A truth value in an address', () => {
  it.each(['1', '0', 'TRUE', '', 'yes', 'true&favorite=true'])('is not favorite=%s', async (text) => {
    expect(await answerTo(`/api/v1/content?favorite=${text}`)).toEqual([400, 'INVALID_INPUT']);
  });

  it.each(['true', 'false'])('is favorite=%s', async (text) => {
    expect((await answerTo(`/api/v1/content?favorite=${text}`))[0]).toBe(200);
  });
});

it.each(['cursor=a&cursor=b', 'q=a&q=b', 'tag=a&tag=b', 'type=IMAGE&type=IMAGE'])(
  'A parameter given twice is 400: %s',
  async (query) => {
    expect(await answerTo(`/api/v1/content?${query}`)).toEqual([400, 'INVALID_INPUT']);
  },
);
