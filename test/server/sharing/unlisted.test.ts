/**
 * An unlisted item is accessible by its link only: another account can never read it through the API (API decisions 6).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Album, AlbumWithItems } from '../../../src/api/albums.ts';
import type { Content } from '../../../src/api/content.ts';
import type { ItemPage } from '../../../src/api/item-lists.ts';
import { browser, change, type Fields, publish, read } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { type Answer, ask } from '../../support/server/service-client.ts';

const PASSWORD = 'correct horse battery';

let server: RunningServer;
let owner: User;
let other: User;
beforeAll(async () => {
  server = await startServer({ config: { limits: { guestRequestsPerMinute: 10_000, requestsPerMinute: 10_000 } } });
  owner = await server.user({ plan: 'pro' });
  other = await server.user({ plan: 'pro' });
});
afterAll(() => server.stop());

const call = <T = unknown>(user: User, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  ask<T>(server.url, { method, path: `/api/v1${path}`, key: user.apiKey, ...(body !== undefined && { body }) });

const note = async (fields: Fields): Promise<Content> => {
  const answer = await call<Content>(owner, 'POST', '/pastes', { text: 'A quiet text', format: 'plain', ...fields });
  expect(answer.status).toBe(201);
  return answer.body;
};

type State = 'plain' | 'password' | 'view limit';
const STATES: readonly State[] = ['plain', 'password', 'view limit'];

const inState = async (state: State, visibility: 'public' | 'unlisted'): Promise<Content> => {
  const item = await note({ visibility, ...(state === 'password' && { password: PASSWORD }) });
  if (state === 'view limit') await change(server, owner, item.id, { viewLimit: 5 });
  return item;
};

const outcome = ({ status, problem }: Answer<unknown>) => [status, problem.code];

describe('An unlisted item of another account', () => {
  it.each([...STATES, 'one-time' as const])(
    '(%s) is 404 in content, text and views, and changes nothing',
    async (state) => {
      const item =
        state === 'one-time' ? await note({ visibility: 'unlisted', oneTime: true }) : await inState(state, 'unlisted');
      for (const path of ['', '/text', '/views'])
        expect(outcome(await call(other, 'GET', `/content/${item.id}${path}`)), path).toEqual([
          404,
          'SHARE_UNAVAILABLE',
        ]);
      const { body } = await call<{ items: unknown[] }>(other, 'GET', `/content/media-status?ids=${item.id}`);
      expect(body.items).toEqual([]);
      expect((await read(server, owner, item.id)).body).toMatchObject({ views: 0, consumedAt: null });
    },
  );
  it.each(STATES)('(%s) becomes no favorite and enters no album', async (state) => {
    const item = await inState(state, 'unlisted');
    const album = (await call<Album>(other, 'POST', '/albums', { title: 'Found' })).body;
    expect(outcome(await call(other, 'PUT', `/content/${item.id}/favorite`))).toEqual([404, 'SHARE_UNAVAILABLE']);
    expect(outcome(await call(other, 'PUT', `/albums/${album.id}/content/${item.id}`))).toEqual([
      404,
      'SHARE_UNAVAILABLE',
    ]);
    for (const path of ['/feed', `/users/${owner.username}/content`, '/content?favorite=true'])
      expect((await call<ItemPage>(other, 'GET', path)).body.items.map(({ id }) => id)).not.toContain(item.id);
  });
  it('disappears from favorites and albums when its owner makes it unlisted, can be removed from them, and reappears', async () => {
    const album = (await call<Album>(other, 'POST', '/albums', { title: 'Kept' })).body;
    for (const state of STATES) {
      const { id } = await inState(state, 'public');
      await call(other, 'PUT', `/content/${id}/favorite`);
      await call(other, 'PUT', `/albums/${album.id}/content/${id}`);
      const shown = async () => [
        ...(await call<ItemPage>(other, 'GET', '/content?favorite=true')).body.items.map((item) => item.id),
        ...(await call<AlbumWithItems>(other, 'GET', `/albums/${album.id}`)).body.items.map((item) => item.id),
      ];
      expect(await shown(), state).toEqual([id, id]);
      await change(server, owner, id, { visibility: 'unlisted' });
      expect(await shown(), state).toEqual([]);
      await change(server, owner, id, { visibility: 'public' });
      expect(await shown(), state).toEqual([id, id]);
      await change(server, owner, id, { visibility: 'unlisted' });
      expect((await call(other, 'DELETE', `/content/${id}/favorite`)).status, state).toBe(204);
      expect((await call(other, 'DELETE', `/albums/${album.id}/content/${id}`)).status, state).toBe(204);
    }
  });
  it('is open to everyone with its link as before, and its media too where nothing must be opened', async () => {
    for (const [state, media] of [
      ['plain', 200],
      ['password', 403],
      ['view limit', 403],
    ] as const) {
      const { id } = await inState(state, 'unlisted');
      const guest = browser(server);
      expect([(await guest.page(id)).status, (await guest.media(id)).status], state).toEqual([200, media]);
      const key = other.apiKey;
      expect((await ask(server.url, { path: `/api/media/${id}`, key })).status, state).toBe(media);
      expect((await guest.open(id, PASSWORD)).status, state).toBe(200);
      expect((await guest.media(id)).status, state).toBe(200);
    }
  });
});

describe('A public item of another account', () => {
  it('is a locked card with a password, and whole with a view limit or plain', async () => {
    const bodies = await Promise.all(
      STATES.map(async (state) => (await read(server, other, (await inState(state, 'public')).id)).body),
    );
    expect(bodies.map((body) => ['locked' in body, 'title' in body])).toEqual([
      [false, true],
      [true, false],
      [false, true],
    ]);
  });
  it('in an image is found in the feed as before', async () => {
    const item = await publish(server, owner, { visibility: 'public' });
    expect((await call<ItemPage>(other, 'GET', '/feed')).body.items[0]?.id).toBe(item.id);
  });
});
