/** A ban hides everything that an account shows to others, and lifting it restores everything. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Album, AlbumWithItems } from '../../../src/api/albums.ts';
import type { ItemPage } from '../../../src/api/item-lists.ts';
import { browser, publish, read, remove } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { formBrowser, userWithPassword } from '../../support/server/signed-in.ts';

let server: RunningServer;
let other: User;
beforeAll(async () => {
  server = await startServer({ config: { limits: { guestRequestsPerMinute: 10_000, requestsPerMinute: 10_000 } } });
  other = await server.user();
});
afterAll(() => server.stop());

const call = <T = unknown>(user: User, method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
  ask<T>(server.url, { method, path: `/api/v1${path}`, key: user.apiKey, ...(body !== undefined && { body }) });
const shown = async (path: string) => (await call<ItemPage>(other, 'GET', path)).body.items.map(({ id }) => id);

describe('A banned account', () => {
  it('has its links, media, favorites, albums, feed entries and profile closed to others until the ban is lifted', async () => {
    const user = await server.user();
    const item = await publish(server, user, { visibility: 'public' });
    const unlisted = await publish(server, user, { visibility: 'unlisted' });
    const album = (await call<Album>(user, 'POST', '/albums', { title: 'Ours', visibility: 'unlisted' })).body;
    const kept = (await call<Album>(other, 'POST', '/albums', { title: 'Kept' })).body;
    await call(other, 'PUT', `/content/${item.id}/favorite`);
    await call(other, 'PUT', `/albums/${kept.id}/content/${item.id}`);
    const viewer = browser(server);
    expect((await viewer.open(unlisted.id)).status).toBe(200);
    const look = async () => ({
      page: (await browser(server).page(item.id)).status,
      media: (await browser(server).media(item.id)).status,
      open: (await browser(server).open(item.id)).status,
      api: (await read(server, other, item.id)).status,
      grant: [(await viewer.page(unlisted.id)).status, (await viewer.media(unlisted.id)).status],
      feed: (await shown('/feed')).includes(item.id),
      favorite: (await shown('/content?favorite=true')).includes(item.id),
      entry: (await call<AlbumWithItems>(other, 'GET', `/albums/${kept.id}`)).body.items.length,
      album: (await call(other, 'GET', `/albums/${album.id}`)).status,
      profile: (await call(other, 'GET', `/users/${user.username}`)).status,
      key: (await call(user, 'GET', '/account')).status,
    });
    const open = {
      ...{ page: 200, media: 200, open: 200, api: 200, grant: [200, 200], feed: true, favorite: true, entry: 1 },
      ...{ album: 200, profile: 200, key: 200 },
    };
    const closed = {
      ...{ page: 404, media: 404, open: 404, api: 404, grant: [404, 404], feed: false, favorite: false, entry: 0 },
      ...{ album: 404, profile: 404, key: 401 },
    };
    expect(await look()).toEqual(open);
    await server.server.accounts.ban(user.username);
    expect(await look()).toEqual(closed);
    await server.server.accounts.unban(user.username);
    expect(await look()).toEqual(open);
  });
  it('has links that answer byte for byte as one that does not exist', async () => {
    const user = await server.user();
    const item = await publish(server, user, { visibility: 'public' });
    await server.server.accounts.ban(user.username);
    for (const answerTo of [
      (id: string) => browser(server).media(id),
      (id: string) => browser(server).open(id),
      (id: string) => read(server, other, id),
    ])
      expect(JSON.stringify((await answerTo(item.id)).body)).toBe(JSON.stringify((await answerTo('unknown')).body));
  });
  it('is signed out permanently: lifting the ban restores its keys, and no session', async () => {
    const user = await userWithPassword(server);
    const visitor = formBrowser(server);
    await visitor.signIn(user.username);
    expect((await visitor.get('/account')).status).toBe(200);
    await server.server.accounts.ban(user.username);
    expect((await visitor.get('/account')).status).toBe(401);
    expect((await visitor.signIn(user.username)).status).toBe(401);
    await server.server.accounts.unban(user.username);
    expect((await visitor.get('/account')).status).toBe(303);
    expect((await call(user, 'GET', '/account')).status).toBe(200);
    expect((await visitor.signIn(user.username)).status).toBe(303);
  });
  it('owns again what it owned, after the ban', async () => {
    const user = await server.user();
    const item = await publish(server, user);
    await server.server.accounts.ban(user.username);
    await server.server.accounts.unban(user.username);
    expect((await read(server, user, item.id)).body.moderationHold).toBeNull();
    expect((await remove(server, user, item.id)).status).toBe(204);
  });
});
