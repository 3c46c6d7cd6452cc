/** The feed, profiles, favorites and albums: accounts find what they may see, and the rest is not disclosed. */
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Album, type AlbumPage, AlbumWithItems } from '../../../src/api/albums.ts';
import type { Content, LockedCard } from '../../../src/api/content.ts';
import { ItemPage } from '../../../src/api/item-lists.ts';
import { Profile } from '../../../src/api/public-profile.ts';
import { ANSWERS, standingOf } from '../../../src/server/sharing/access-rules.ts';
import { type MovableClock, movableClock } from '../../support/movable-clock.ts';
import { change, editRow, publish, read, remove } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { type Answer, ask } from '../../support/server/service-client.ts';

const PASSWORD = 'correct horse battery';
const DAY = 86_400_000;

let clock: MovableClock;
let server: RunningServer;
let owner: User;
let other: User;
beforeAll(async () => {
  clock = movableClock();
  server = await startServer({
    clock,
    config: { limits: { guestRequestsPerMinute: 100_000, requestsPerMinute: 1_000_000 } },
  });
  owner = await server.user({ plan: 'pro' });
  other = await server.user({ plan: 'pro' });
});
afterAll(() => server.stop());

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
const call = <T = unknown>(user: User, method: Method, path: string, body?: unknown): Promise<Answer<T>> =>
  ask<T>(server.url, { method, path: `/api/v1${path}`, key: user.apiKey, ...(body !== undefined && { body }) });
const page = (user: User, path: string) => call<ItemPage>(user, 'GET', path);
const feed = async (user: User) => (await page(user, '/feed')).body.items;
const idsOf = (items: ItemPage['items']) => items.map(({ id }) => id);
const entry = (items: ItemPage['items'], id: string): Content | LockedCard | undefined =>
  items.find((item) => item.id === id);
/** The complete list. */
const walk = async (user: User, path: string): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await page(user, `${path}${cursor}`);
    ids.push(...idsOf(body.items));
    if (body.nextCursor === null) return ids;
    cursor = `${path.includes('?') ? '&' : '?'}cursor=${body.nextCursor}`;
  }
};
/** Copies of an item directly in the database: lists read rows, not files. */
const copies = async (id: string, count: number, prefix: string): Promise<void> => {
  const columns =
    'accountId, type, mime, size, originalName, title, tags, searchText, visibility, passwordHash, mediaStatus, createdAt';
  for (let index = 0; index < count; index++)
    await editRow(
      server,
      `INSERT INTO content (id, ${columns}) SELECT ?, ${columns} FROM content WHERE id = ?`,
      `${prefix}${index}`,
      id,
    );
};

describe('The feed', () => {
  it('shows public items of everyone, newest first, with favorite, owned and author', async () => {
    const first = await publish(server, owner, { visibility: 'public', title: 'First' });
    const second = await publish(server, other, { visibility: 'public', title: 'Second' });
    const hidden = [
      await publish(server, owner, { visibility: 'unlisted' }),
      await publish(server, owner, { visibility: 'private' }),
    ];
    const { body } = await page(other, '/feed');
    expect(Value.Check(ItemPage, body)).toBe(true);
    expect(idsOf(body.items).slice(0, 2)).toEqual([second.id, first.id]);
    expect(entry(body.items, first.id)).toMatchObject({
      title: 'First',
      owned: false,
      favorite: false,
      author: { id: owner.accountId, username: owner.username },
    });
    expect(entry(body.items, second.id)).toMatchObject({ owned: true });
    for (const { id } of hidden) expect(idsOf(body.items)).not.toContain(id);
  });
  it('shows others a protected item as a locked card, and its owner all of it', async () => {
    const item = await publish(server, owner, {
      visibility: 'public',
      title: 'Secret plans',
      tags: ['hush'],
      password: PASSWORD,
    });
    const card = entry(await feed(other), item.id);
    expect(card).toEqual({
      id: item.id,
      type: 'IMAGE',
      author: { id: owner.accountId, username: owner.username, name: owner.username },
      locked: true,
      passwordProtected: true,
      favorite: false,
      owned: false,
    });
    expect(entry(await feed(owner), item.id)).toMatchObject({ title: 'Secret plans', owned: true });
  });
  it('omits items that are expired, held, used up or of a banned account', async () => {
    const item = await publish(server, owner, { visibility: 'public' });
    const shown = async () => idsOf(await feed(other)).includes(item.id);
    expect(await shown()).toBe(true);
    await editRow(server, "UPDATE content SET moderationHold = 'blocked' WHERE id = ?", item.id);
    expect(await shown()).toBe(false);
    await editRow(server, 'UPDATE content SET moderationHold = NULL, viewLimit = 3, views = 2 WHERE id = ?', item.id);
    expect(await shown()).toBe(true);
    await editRow(server, 'UPDATE content SET views = 3 WHERE id = ?', item.id);
    expect(await shown()).toBe(false);
    await editRow(
      server,
      'UPDATE content SET viewLimit = NULL, expiresAt = ? WHERE id = ?',
      clock.now() + DAY,
      item.id,
    );
    expect(await shown()).toBe(true);
    clock.advance(DAY);
    expect(await shown()).toBe(false);
    const banned = await server.user();
    const last = await publish(server, banned, { visibility: 'public' });
    expect(idsOf(await feed(other))).toContain(last.id);
    await server.server.accounts.ban(banned.username);
    expect(idsOf(await feed(other))).not.toContain(last.id);
    expect((await page(other, `/users/${banned.username}`)).problem.code).toBe('NOT_FOUND');
  });
  it('is for accounts with content:read, and refuses a cursor that it has not made', async () => {
    expect((await ask(server.url, { path: '/api/v1/feed' })).problem.code).toBe('AUTH_REQUIRED');
    const weak = await server.key(owner, { scopes: ['content:write'] });
    expect((await page(weak, '/feed')).problem.code).toBe('SCOPE_MISSING');
    expect((await page(owner, '/feed?cursor=x')).problem.code).toBe('INVALID_INPUT');
  });
});

describe('A profile', () => {
  it('contains the name of the account and none of its settings', async () => {
    await editRow(server, "UPDATE accounts SET bio = 'I share things.' WHERE id = ?", owner.accountId);
    const { status, body } = await call<Record<string, unknown>>(
      other,
      'GET',
      `/users/${owner.username.toUpperCase()}`,
    );
    expect(status).toBe(200);
    expect(Value.Check(Profile, body)).toBe(true);
    expect(Object.keys(body).sort()).toEqual([
      'avatarRevision',
      'avatarUrl',
      'bio',
      'createdAt',
      'id',
      'name',
      'username',
    ]);
    expect(body).toMatchObject({ id: owner.accountId, username: owner.username, bio: 'I share things.' });
    expect((await call(other, 'GET', '/users/nobody-at-all')).problem.code).toBe('NOT_FOUND');
    expect((await call(other, 'GET', '/users/nobody-at-all/content')).problem.code).toBe('NOT_FOUND');
  });
  it('shows the public items of its account alone, protected ones as locked cards, never one-time ones', async () => {
    const user = await server.user();
    const open = await publish(server, user, { visibility: 'public' });
    const locked = await publish(server, user, { visibility: 'public', password: PASSWORD });
    await publish(server, user, { visibility: 'unlisted' });
    await publish(server, user, { visibility: 'unlisted', oneTime: true });
    await publish(server, other, { visibility: 'public' });
    for (const viewer of [other, user])
      expect(await walk(viewer, `/users/${user.username}/content`)).toEqual([locked.id, open.id]);
    expect(entry((await page(other, `/users/${user.username}/content`)).body.items, locked.id)).toHaveProperty(
      'locked',
      true,
    );
  });
});

describe('A favorite', () => {
  const mark = (user: User, id: string) => call(user, 'PUT', `/content/${id}/favorite`);
  const unmark = (user: User, id: string) => call(user, 'DELETE', `/content/${id}/favorite`);
  const favorites = async (user: User, more = '') => (await page(user, `/content?favorite=true${more}`)).body.items;

  it('is set and taken away as often as one likes, and seen in every list', async () => {
    const user = await server.user();
    const item = await publish(server, owner, { visibility: 'public', title: 'A likeable thing' });
    expect([(await mark(user, item.id)).status, (await mark(user, item.id)).status]).toEqual([204, 204]);
    expect(entry(await favorites(user), item.id)).toMatchObject({
      title: 'A likeable thing',
      favorite: true,
      owned: false,
      moderationHold: null,
    });
    expect(entry(await feed(user), item.id)).toMatchObject({ favorite: true });
    expect(entry(await feed(owner), item.id)).toMatchObject({ favorite: false });
    expect([(await unmark(user, item.id)).status, (await unmark(user, item.id)).status]).toEqual([204, 204]);
    expect(await favorites(user)).toEqual([]);
  });
  it('may be only what the asker may see', async () => {
    const user = await server.user();
    const hidden = [
      await publish(server, owner, { visibility: 'private' }),
      await publish(server, owner, { visibility: 'unlisted' }),
      await publish(server, owner, { visibility: 'unlisted', oneTime: true }),
      await publish(server, owner, { visibility: 'unlisted', oneTime: true, password: PASSWORD }),
    ];
    for (const { id } of [...hidden, { id: 'nothing' }])
      for (const answer of [await mark(user, id), await unmark(user, id)])
        expect([answer.status, answer.problem.code]).toEqual([404, 'SHARE_UNAVAILABLE']);
    const own = await publish(server, user, { visibility: 'private' });
    expect((await mark(user, own.id)).status).toBe(204);
    expect(idsOf(await favorites(user))).toEqual([own.id]);
    const weak = await server.key(user, { scopes: ['content:read'] });
    expect((await mark(weak, own.id)).problem.code).toBe('SCOPE_MISSING');
  });
  it('becomes a locked card, disappears and returns as its owner changes it, and can always be removed', async () => {
    const user = await server.user();
    const item = await publish(server, owner, { visibility: 'public', title: 'Needle', tags: ['hay'] });
    await mark(user, item.id);
    await change(server, owner, item.id, { password: PASSWORD });
    expect(await favorites(user)).toEqual([
      expect.objectContaining({ id: item.id, locked: true, favorite: true, owned: false }),
    ]);
    // Not even a search reveals its content.
    expect(await favorites(user, '&q=needle')).toEqual([]);
    expect(await favorites(user, '&tag=hay')).toEqual([]);
    expect(await favorites(user, '&type=IMAGE')).toHaveLength(1);
    await change(server, owner, item.id, { password: '' });
    expect(await favorites(user, '&q=needle&tag=hay')).toHaveLength(1);
    await change(server, owner, item.id, { visibility: 'private' });
    expect(await favorites(user)).toEqual([]);
    await change(server, owner, item.id, { visibility: 'public' });
    expect(await favorites(user)).toHaveLength(1);
    await change(server, owner, item.id, { visibility: 'private' });
    expect((await unmark(user, item.id)).status).toBe(204);
    expect((await unmark(user, item.id)).status).toBe(404);
    await change(server, owner, item.id, { visibility: 'public' });
    expect(await favorites(user)).toEqual([]);
    await mark(user, item.id);
    await remove(server, owner, item.id);
    expect(await favorites(user)).toEqual([]);
  });
  it('of others is in no list of own items', async () => {
    const user = await server.user();
    const item = await publish(server, owner, { visibility: 'public' });
    const own = await publish(server, user);
    await mark(user, item.id);
    expect(await walk(user, '/content')).toEqual([own.id]);
    expect(await walk(user, '/content?favorite=false')).toEqual([own.id]);
  });
});

describe('An album', () => {
  const make = async (user: User, body: Record<string, unknown> = { title: 'Holidays' }) =>
    (await call<Album>(user, 'POST', '/albums', body)).body;
  const put = (user: User, album: string, id: string) => call(user, 'PUT', `/albums/${album}/content/${id}`);
  const take = (user: User, album: string, id: string) => call(user, 'DELETE', `/albums/${album}/content/${id}`);
  const open = (user: User, album: string) => call<AlbumWithItems>(user, 'GET', `/albums/${album}`);

  it('is made, listed, renamed and deleted by its owner, and its items stay', async () => {
    const user = await server.user();
    const made = await call<Album>(user, 'POST', '/albums', { title: '  My\nholidays ' });
    expect([made.status, made.body.title, made.body.visibility, made.body.owned]).toEqual([
      201,
      'My holidays',
      'private',
      true,
    ]);
    const second = await make(user);
    const listed = (await call<AlbumPage>(user, 'GET', '/albums')).body;
    expect([listed.items.map(({ id }) => id), listed.nextCursor]).toEqual([[second.id, made.body.id], null]);
    const renamed = await call<Album>(user, 'PATCH', `/albums/${second.id}`, { title: 'Work' });
    expect(renamed.body).toEqual({ ...second, title: 'Work' });
    const item = await publish(server, user);
    await put(user, second.id, item.id);
    expect((await call(user, 'DELETE', `/albums/${second.id}`)).status).toBe(204);
    expect((await open(user, second.id)).problem.code).toBe('NOT_FOUND');
    expect((await read(server, user, item.id)).status).toBe(200);
  });
  it.each([
    {},
    { title: '' },
    { title: ' \n' },
    { title: 'x'.repeat(181) },
    { title: 'x', visibility: 'public' },
    { title: 'x', color: 'red' },
  ])('is not made of %j', async (body) => {
    expect((await call(owner, 'POST', '/albums', body)).problem.code).toBe('INVALID_INPUT');
  });
  it('holds own items and visible ones of others, the last added first, each once', async () => {
    const album = await make(owner);
    const own = await publish(server, owner, { visibility: 'private' });
    const foreign = await publish(server, other, { visibility: 'public' });
    const hidden = await publish(server, other, { visibility: 'unlisted' });
    expect([(await put(owner, album.id, foreign.id)).status, (await put(owner, album.id, own.id)).status]).toEqual([
      204, 204,
    ]);
    expect((await put(owner, album.id, foreign.id)).status).toBe(204);
    expect((await put(owner, album.id, hidden.id)).problem.code).toBe('SHARE_UNAVAILABLE');
    const { body } = await open(owner, album.id);
    expect(Value.Check(AlbumWithItems, body)).toBe(true);
    expect(idsOf(body.items)).toEqual([own.id, foreign.id]);
    expect([(await take(owner, album.id, own.id)).status, (await take(owner, album.id, own.id)).status]).toEqual([
      204, 404,
    ]);
    await remove(server, other, foreign.id);
    expect((await open(owner, album.id)).body.items).toEqual([]);
  });
  it('is the owner’s alone while it is private, and changed by the owner alone', async () => {
    const album = await make(owner);
    const item = await publish(server, other, { visibility: 'public' });
    const refusals = async () =>
      (
        await Promise.all([
          call(other, 'PATCH', `/albums/${album.id}`, { title: 'Mine' }),
          call(other, 'DELETE', `/albums/${album.id}`),
          put(other, album.id, item.id),
          take(other, album.id, item.id),
        ])
      ).map(({ problem }) => problem.code);
    const none = Array.from({ length: 4 }, () => 'NOT_FOUND');
    expect((await open(other, album.id)).problem.code).toBe('NOT_FOUND');
    expect(await refusals()).toEqual(none);
    await call(owner, 'PATCH', `/albums/${album.id}`, { visibility: 'unlisted' });
    expect((await open(other, album.id)).body).toMatchObject({
      title: 'Holidays',
      owned: false,
      author: { username: owner.username },
    });
    expect(await refusals()).toEqual(none);
    expect((await call<AlbumPage>(other, 'GET', '/albums')).body.items.map(({ id }) => id)).not.toContain(album.id);
  });
  it('shows others its public items alone, protected ones as locked cards', async () => {
    const album = await make(owner, { title: 'For you', visibility: 'unlisted' });
    const shown = await publish(server, owner, { visibility: 'public' });
    const locked = await publish(server, owner, { visibility: 'public', password: PASSWORD });
    const hidden = [
      await publish(server, owner, { visibility: 'private' }),
      await publish(server, owner, { visibility: 'unlisted' }),
      await publish(server, owner, { visibility: 'unlisted', password: PASSWORD }),
      await publish(server, owner, { visibility: 'unlisted', oneTime: true }),
    ];
    for (const { id } of [shown, locked, ...hidden]) await put(owner, album.id, id);
    expect((await open(owner, album.id)).body.items).toHaveLength(6);
    const { items } = (await open(other, album.id)).body;
    expect(idsOf(items)).toEqual([locked.id, shown.id]);
    expect(items[0]).not.toHaveProperty('title');
  });
});

describe('What a list shows', () => {
  it('follows the access table for every item, without one-time items of others', async () => {
    const user = await server.user({ plan: 'pro' });
    const viewer = await server.user();
    const template = await publish(server, user, { visibility: 'public' });
    const album = (await call<Album>(viewer, 'POST', '/albums', { title: 'All' })).body;
    const cases = ['private', 'unlisted', 'public'].flatMap((visibility) =>
      [false, true].flatMap((expired) =>
        [false, true].flatMap((held) =>
          [false, true].flatMap((passwordProtected) =>
            (['no', 'unused', 'consumed'] as const).flatMap((oneTime) =>
              (['none', 'views-left', 'reached'] as const)
                .map((viewLimit) => ({ visibility, expired, held, passwordProtected, oneTime, viewLimit }) as const)
                .filter((facts) => !(facts.oneTime !== 'no' && facts.visibility === 'public')),
            ),
          ),
        ),
      ),
    );
    await copies(template.id, cases.length, 'case');
    for (const [index, facts] of cases.entries()) {
      const id = `case${index}`;
      await editRow(
        server,
        `UPDATE content SET visibility = ?, expiresAt = ?, moderationHold = ?, passwordHash = ?, oneTime = ?, consumedAt = ?,
           viewLimit = ?, views = 1 WHERE id = ?`,
        facts.visibility,
        facts.expired ? clock.now() : null,
        facts.held ? 'review' : null,
        facts.passwordProtected ? 'hash' : null,
        facts.oneTime === 'no' ? 0 : 1,
        facts.oneTime === 'consumed' ? 1 : null,
        facts.viewLimit === 'none' ? null : facts.viewLimit === 'reached' ? 1 : 2,
        id,
      );
      await editRow(server, 'INSERT INTO favorites VALUES (?, ?, 0)', viewer.accountId, id);
      await editRow(server, 'INSERT INTO favorites VALUES (?, ?, 0)', user.accountId, id);
      await editRow(server, 'INSERT INTO albumItems (albumId, contentId) VALUES (?, ?)', album.id, id);
    }
    const expected = (who: 'owner' | 'other', visibility?: string) =>
      cases
        .map((facts, index) => ({
          facts: facts as Parameters<typeof standingOf>[0] & typeof facts,
          id: `case${index}`,
        }))
        .filter(({ facts }) => visibility === undefined || facts.visibility === visibility)
        .filter(({ facts }) => {
          const { api } = ANSWERS[standingOf(facts as never, { who, grant: 'none', password: 'none' })];
          return who === 'owner' ? api === 'show' : facts.oneTime === 'no' && (api === 'show' || api === 'locked-card');
        })
        .map(({ id }) => id)
        .reverse();
    const copiesOf = (ids: readonly string[]) => ids.filter((id) => id.startsWith('case'));
    expect(copiesOf(await walk(viewer, '/content?favorite=true'))).toEqual(expected('other'));
    expect(copiesOf(await walk(viewer, `/albums/${album.id}`))).toEqual(expected('other'));
    expect(copiesOf(await walk(viewer, '/feed'))).toEqual(expected('other', 'public'));
    expect(copiesOf(await walk(viewer, `/users/${user.username}/content`))).toEqual(expected('other', 'public'));
    expect(copiesOf(await walk(user, '/content?favorite=true'))).toEqual(expected('owner'));
    expect(copiesOf(await walk(user, '/content'))).toEqual(expected('owner'));
    await editRow(server, "DELETE FROM content WHERE id LIKE 'case%'");
  });
});

describe('Cursors', () => {
  it('find each item that stays exactly once, whatever is added and deleted between the pages', async () => {
    const template = await publish(server, owner, { visibility: 'public' });
    let run = 0;
    const step = fc.record({ add: fc.integer({ min: 0, max: 9 }), remove: fc.array(fc.nat(200), { maxLength: 9 }) });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 80 }), fc.array(step, { maxLength: 4 }), async (count, steps) => {
        const user = await server.user();
        run += 1;
        const make = async (amount: number, name: string): Promise<string[]> => {
          await copies(template.id, amount, `${name}-`);
          const ids = Array.from({ length: amount }, (_, index) => `${name}-${index}`);
          for (const id of ids) {
            await editRow(server, 'UPDATE content SET accountId = ? WHERE id = ?', user.accountId, id);
            await editRow(server, 'INSERT INTO favorites VALUES (?, ?, 0)', user.accountId, id);
          }
          return ids;
        };
        const initial = await make(count, `run${run}`);
        const removed = new Set<string>();
        for (const path of ['/content?', '/content?favorite=true&', `/users/${user.username}/content?`]) {
          const there = initial.filter((id) => !removed.has(id));
          const goneBefore = removed.size;
          const seen: string[] = [];
          let cursor: string | null = '';
          for (let index = 0; cursor !== null; index++) {
            const { body }: Answer<ItemPage> = await page(user, `${path}${cursor === '' ? '' : `cursor=${cursor}`}`);
            expect(body.items.length).toBeLessThanOrEqual(25);
            if (body.nextCursor !== null) expect(body.items).toHaveLength(25);
            seen.push(...idsOf(body.items));
            cursor = body.nextCursor;
            const { add, remove: places } = steps[index] ?? { add: 0, remove: [] };
            await make(add, `run${run}-${path.length}-${index}`);
            for (const place of places) {
              const id = there[place];
              if (id === undefined || removed.has(id)) continue;
              removed.add(id);
              await editRow(server, 'DELETE FROM content WHERE id = ?', id);
            }
          }
          expect(new Set(seen).size).toBe(seen.length);
          const mine = seen.filter((id) => there.includes(id));
          expect(mine).toEqual(there.toReversed().filter((id) => mine.includes(id)));
          for (const id of there) if (!removed.has(id)) expect(mine).toContain(id);
          expect(removed.size).toBeGreaterThanOrEqual(goneBefore);
        }
        await editRow(server, 'DELETE FROM content WHERE accountId = ?', user.accountId);
      }),
      { numRuns: 12 },
    );
  });
  it('of albums keep to the order of adding', async () => {
    const template = await publish(server, owner, { visibility: 'public' });
    await copies(template.id, 30, 'place');
    const album = (await call<Album>(owner, 'POST', '/albums', { title: 'Thirty' })).body;
    const order = Array.from({ length: 30 }, (_, index) => `place${(index * 7) % 30}`);
    for (const id of order) await call(owner, 'PUT', `/albums/${album.id}/content/${id}`);
    const first = (await call<AlbumWithItems>(owner, 'GET', `/albums/${album.id}`)).body;
    expect(idsOf(first.items)).toEqual(order.toReversed().slice(0, 25));
    await call(owner, 'DELETE', `/albums/${album.id}/content/${order[29]}`);
    await call(owner, 'PUT', `/albums/${album.id}/content/${template.id}`);
    const second = (await call<AlbumWithItems>(owner, 'GET', `/albums/${album.id}?cursor=${first.nextCursor}`)).body;
    expect([idsOf(second.items), second.nextCursor]).toEqual([order.toReversed().slice(25), null]);
    await editRow(server, "DELETE FROM content WHERE id LIKE 'place%'");
  });
});
