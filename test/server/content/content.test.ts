import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Account } from '../../../src/api/account.ts';
import { Content } from '../../../src/api/content.ts';
import { goodMp4, image } from '../../support/media/media.ts';
import { type MovableClock, movableClock } from '../../support/movable-clock.ts';
import { browser, change, editRow, publish, read, remove } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask, uploader } from '../../support/server/service-client.ts';
import { objectFiles, queryData, recordsHave } from '../../support/server/stored-bytes.ts';

/** Only own items, which are never locked. */
interface OwnPage {
  readonly items: readonly Content[];
  readonly nextCursor: string | null;
}

const DAY = 86_400_000;
const PASSWORD = 'correct horse battery';

let clock: MovableClock;
let server: RunningServer;
let owner: User;
let free: User;

beforeAll(async () => {
  clock = movableClock();
  server = await startServer({
    clock,
    config: { limits: { guestRequestsPerMinute: 100_000, requestsPerMinute: 100_000 } },
  });
  owner = await server.user({ plan: 'pro' });
  free = await server.user();
});
afterAll(() => server.stop());

const list = (user: User, query = '', { url } = server) =>
  ask<OwnPage>(url, { path: `/api/v1/content${query}`, key: user.apiKey });
const storageUsed = async (user: User, { url } = server): Promise<number> =>
  (await ask<Account>(url, { path: '/api/v1/account', key: user.apiKey })).body.user.storageUsed;

describe('A new item', () => {
  it('has the fields of the document with their defaults', async () => {
    const item = await publish(server, owner);
    expect(Value.Check(Content, item)).toBe(true);
    expect(item).toMatchObject({
      title: 'picture',
      originalName: 'picture.png',
      tags: [],
      type: 'IMAGE',
      mime: 'image/png',
      revision: 1,
      accessVersion: 1,
      visibility: 'unlisted',
      allowDownload: true,
      passwordProtected: false,
      oneTime: false,
      views: 0,
      viewLimit: null,
      mediaStatus: 'READY',
      width: 320,
      height: 200,
      folderFiles: null,
      expiresAt: null,
      url: `${server.url}/s/${item.id}`,
      mediaUrl: `/api/media/${item.id}`,
      author: { id: owner.accountId, username: owner.username, name: owner.username },
    });
    expect(item.size).toBe((await readFile(await image('png'))).length);
    expect(item.id).toMatch(/^[0-9A-Za-z]{16}$/);
    // 40 fields; favorite and owned come with lists.
    expect(Object.keys(item)).toHaveLength(38);
  });
  it('takes title, tags, visibility, ttl, password and oneTime', async () => {
    const item = await publish(server, owner, {
      title: 'A title',
      tags: ['One', 'one', 'two'],
      visibility: 'unlisted',
      ttl: 'month',
      password: PASSWORD,
      oneTime: true,
    });
    expect(item).toMatchObject({
      title: 'A title',
      tags: ['one', 'two'],
      passwordProtected: true,
      oneTime: true,
      expiresAt: new Date(clock.now() + 30 * DAY).toISOString(),
    });
    expect(JSON.stringify(item)).not.toContain(PASSWORD);
    expect(await recordsHave(server.data, PASSWORD)).toBe(false);
  });
  it('is private where the account requires it', async () => {
    const shy = await server.user();
    await editRow(server, 'UPDATE accounts SET privateByDefault = 1 WHERE id = ?', shy.accountId);
    expect((await publish(server, shy)).visibility).toBe('private');
    expect((await publish(server, shy, { visibility: 'public' })).visibility).toBe('public');
  });
  it('is refused for fields that break the rules, and may be completed after', async () => {
    const up = uploader(server.url, owner);
    const id = await up.send(await readFile(await image('png')));
    for (const [fields, code] of [
      [{ visibility: 'public', oneTime: true }, 'ONE_TIME_NOT_PUBLIC'],
      [{ password: 'short' }, 'INVALID_INPUT'],
      [{ title: 'x'.repeat(181) }, 'INVALID_INPUT'],
      [{ tags: ['a\tb'] }, 'INVALID_INPUT'],
      [{ visibility: 'secret' }, 'INVALID_INPUT'],
      [{ ttl: 'year' }, 'INVALID_INPUT'],
    ] as const) {
      const answer = await up.complete(id, crypto.randomUUID(), fields);
      expect([answer.status, answer.problem.code]).toEqual([400, code]);
    }
    expect((await up.complete(id, crypto.randomUUID())).status).toBe(200);
  });
  it('counts against the quota and is refused above it, storing nothing', async () => {
    const bytes = await readFile(await image('png'));
    const tight = await startServer({ config: { plans: { free: { quotaBytes: bytes.length * 2 + 10 } } } });
    const user = await tight.user();
    const up = uploader(tight.url, user);
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.push(await up.send(bytes));
    const outcomes = await Promise.all(ids.map((id) => up.complete(id, crypto.randomUUID())));
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const { status, problem } of outcomes.filter((one) => one.status !== 200))
      expect([status, problem.code]).toEqual([413, 'QUOTA_EXCEEDED']);
    await tight.stop();
  });
});

describe('PATCH', () => {
  it('changes the given fields and keeps the others', async () => {
    const { id } = await publish(server, owner, { title: 'Old', tags: ['keep'] });
    const changed = await change(server, owner, id, { title: 'New', allowDownload: false });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      title: 'New',
      tags: ['keep'],
      allowDownload: false,
      accessVersion: 1,
      revision: 1,
    });
    expect((await change(server, owner, id, { tags: [] })).body.tags).toEqual([]);
    expect((await change(server, owner, id, { title: '' })).body.title).toBe('picture');
    expect((await change(server, owner, id, {})).status).toBe(200);
    expect((await read(server, owner, id)).body).toMatchObject({ title: 'picture', tags: [], allowDownload: false });
  });
  it('raises accessVersion for visibility, password and one-time, and not for unchanged values', async () => {
    const { id } = await publish(server, owner);
    const version = async (body: Record<string, unknown>) => (await change(server, owner, id, body)).body.accessVersion;
    expect(await version({ visibility: 'unlisted', password: '', oneTime: false, ttl: 'week', title: 'x' })).toBe(1);
    expect(await version({ visibility: 'public' })).toBe(2);
    expect(await version({ visibility: 'public' })).toBe(2);
    expect(await version({ visibility: 'unlisted', oneTime: true })).toBe(3);
    expect(await version({ password: PASSWORD })).toBe(4);
    expect(await version({ password: PASSWORD })).toBe(4);
    expect(await version({ password: 'another password' })).toBe(5);
    expect(await version({ password: '' })).toBe(6);
    expect(await version({ password: '' })).toBe(6);
    const { url, passwordProtected } = (await read(server, owner, id)).body;
    expect(url).toBe(`${server.url}/s/${id}?v=6`);
    expect(passwordProtected).toBe(false);
    expect((await browser(server).send({ path: `/s/${id}?v=1` })).status).toBe(200);
  });
  it('refuses a state that is public and one-time, whichever comes last', async () => {
    const once = await publish(server, owner, { oneTime: true });
    const open = await publish(server, owner, { visibility: 'public' });
    for (const answer of [
      await change(server, owner, once.id, { visibility: 'public' }),
      await change(server, owner, open.id, { oneTime: true }),
    ])
      expect([answer.status, answer.problem.code]).toEqual([400, 'ONE_TIME_NOT_PUBLIC']);
    expect((await change(server, owner, once.id, { visibility: 'public', oneTime: false })).status).toBe(200);
  });
  it('needs the plan for expiresAt and viewLimit, and not where nothing changes', async () => {
    const { id } = await publish(server, free);
    for (const [body, feature] of [
      [{ expiresAt: new Date(clock.now() + DAY).toISOString() }, 'link_expiry'],
      [{ viewLimit: 5 }, 'view_limit'],
    ] as const) {
      const answer = await change(server, free, id, body);
      expect([answer.status, answer.problem.code, answer.problem.params]).toEqual([
        403,
        'PLAN_FEATURE_REQUIRED',
        { feature },
      ]);
    }
    expect((await change(server, free, id, { expiresAt: null, viewLimit: null })).status).toBe(200);
    expect((await change(server, free, id, { ttl: 'week' })).status).toBe(200);
  });
  it('sets an end by ttl or by time, and forever takes it away', async () => {
    const { id } = await publish(server, owner);
    const at = new Date(clock.now() + 5 * DAY).toISOString();
    expect((await change(server, owner, id, { expiresAt: at })).body.expiresAt).toBe(at);
    expect((await change(server, owner, id, { ttl: 'day' })).body.expiresAt).toBe(
      new Date(clock.now() + DAY).toISOString(),
    );
    expect((await change(server, owner, id, { ttl: 'forever' })).body.expiresAt).toBeNull();
    for (const body of [
      { expiresAt: new Date(clock.now()).toISOString() },
      { expiresAt: 'tomorrow' },
      { expiresAt: at, ttl: 'day' },
      { viewLimit: 0 },
      { viewLimit: 1_000_001 },
      { text: 'only for notes', revision: 1 },
      { unknown: 1 },
      { title: 5 },
    ])
      expect((await change(server, owner, id, body)).problem.code, JSON.stringify(body)).toBe('INVALID_INPUT');
  });
  it('is not possible for another account, which learns nothing', async () => {
    const { id } = await publish(server, owner, { visibility: 'public' });
    const answer = await change(server, free, id, { title: 'mine' });
    expect(answer.body).toEqual((await change(server, free, 'unknown', { title: 'mine' })).body);
    expect([answer.status, (await remove(server, free, id)).status]).toEqual([404, 404]);
    expect((await read(server, owner, id)).body.title).toBe('picture');
  });
  it('counts every one of many at the same time', async () => {
    const { id } = await publish(server, owner);
    const flips = Array.from({ length: 10 }, (_, index) =>
      change(server, owner, id, { password: `password number ${index}` }),
    );
    await Promise.all(flips);
    expect((await read(server, owner, id)).body.accessVersion).toBe(11);
  });
});

describe('DELETE', () => {
  it('takes the item and its bytes away once, gives the storage back once, and is 404 from then on', async () => {
    // Previews of the items of other tests may still be in the making.
    const own = await startServer();
    onTestFinished(() => own.stop());
    const user = await own.user();
    const stored = async (): Promise<readonly string[]> => {
      const { staged, permanent } = await objectFiles(own.data);
      return [...staged, ...permanent];
    };
    const { id, size } = await publish(own, user);
    expect(await stored()).not.toEqual([]);
    expect(await storageUsed(user, own)).toBe(size);
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(own, user, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
    expect(await storageUsed(user, own)).toBe(0);
    expect([(await read(own, user, id)).status, (await browser(own).page(id)).status]).toEqual([404, 404]);
    await expect.poll(stored).toEqual([]);
  });
});

describe('Expiry', () => {
  it('frees the bytes and the storage once, and keeps telling the owner 410', async () => {
    const data = await startServer({ clock });
    const user = await data.user();
    const { id, size } = await publish(data, user, { ttl: 'day' });
    const account = async () =>
      (await ask<Account>(data.url, { path: '/api/v1/account', key: user.apiKey })).body.user.storageUsed;
    expect(await account()).toBe(size);
    clock.advance(DAY);
    // A restart sweeps immediately; a running server does so every five seconds.
    await data.server.close();
    const again = await startServer({ clock, data: data.data });
    await expect
      .poll(async () => {
        const { body } = await ask<Account>(again.url, { path: '/api/v1/account', key: user.apiKey });
        return body.user.storageUsed;
      })
      .toBe(0);
    expect((await read(again, user, id)).status).toBe(410);
    expect((await remove(again, user, id)).status).toBe(204);
    expect((await read(again, user, id)).status).toBe(404);
    await again.stop();
    await data.stop();
    expect(existsSync(data.data)).toBe(false);
  });

  it('empties the record of what the item says, also where an earlier version has left it, and stays 410', async () => {
    const expiring = await startServer({ clock });
    const user = await expiring.user();
    const says = { title: 'A diagnosis', tags: ['clinic'], password: PASSWORD };
    const [{ id }, earlier] = [
      await publish(expiring, user, { ...says, ttl: 'day' }),
      await publish(expiring, user, { ...says, ttl: 'day' }),
    ];
    const { id: kept } = await publish(expiring, user, says);
    await browser(expiring).open(id, PASSWORD);
    await editRow(expiring, 'UPDATE content SET objectId = NULL, previewId = NULL WHERE id = ?', earlier.id);
    const { id: deleted } = await publish(expiring, user, says);
    await editRow(expiring, 'DELETE FROM content WHERE id = ?', deleted);
    clock.advance(DAY);
    await expiring.server.close();
    const again = await startServer({ clock, data: expiring.data });
    const records = (where: string) =>
      queryData(
        again.data,
        `SELECT DISTINCT title, tags, originalName, searchText, passwordHash, chapters FROM content WHERE ${where}`,
      );
    await expect
      .poll(() => records('expiresAt IS NOT NULL'))
      .toEqual([{ title: '', tags: '[]', originalName: '', searchText: '', passwordHash: null, chapters: null }]);
    expect(await queryData(again.data, 'SELECT * FROM viewDays')).toEqual([]);
    const uploadOf = (item: string) =>
      queryData(
        again.data,
        `SELECT filename, completeDigest, (SELECT count(*) FROM uploadHashes WHERE uploadId = uploads.id) AS hashes
          FROM uploads WHERE contentId = ?`,
        item,
      );
    for (const gone of [id, earlier.id, deleted])
      await expect.poll(() => uploadOf(gone)).toEqual([{ filename: '', completeDigest: null, hashes: 0 }]);
    expect(await uploadOf(kept)).toEqual([{ filename: 'picture.png', completeDigest: expect.any(String), hashes: 1 }]);
    expect(await records('expiresAt IS NULL')).toMatchObject([{ title: says.title, originalName: 'picture.png' }]);
    clock.advance(-DAY);
    for (const expired of [id, earlier.id]) expect((await read(again, user, expired)).status).toBe(410);
    expect((await list(user, '', again)).body.items.map((item) => item.id)).toEqual([kept]);
    await again.stop();
    await expiring.stop();
  });
});

describe('The list of own items', () => {
  it('is newest first, 25 a page, and stays in step while items come and go', async () => {
    const user = await server.user();
    const bytes = await readFile(await image('png', 8, 8));
    const ids: string[] = [];
    for (let index = 0; index < 30; index++)
      ids.unshift((await publish(server, user, { title: `Item ${index}` }, bytes)).id);
    const first = await list(user);
    expect(first.body.items.map(({ id }) => id)).toEqual(ids.slice(0, 25));
    expect(first.body.items[0]).toMatchObject({ owned: true, favorite: false, author: { username: user.username } });
    await publish(server, user, {}, bytes);
    await remove(server, user, ids[3] ?? '');
    await remove(server, user, ids[24] ?? '');
    const second = await list(user, `?cursor=${first.body.nextCursor}`);
    expect(second.body.items.map(({ id }) => id)).toEqual(ids.slice(25));
    expect(second.body.nextCursor).toBeNull();
  });
  it('holds exactly a page without promising another', async () => {
    const user = await server.user();
    const bytes = await readFile(await image('png', 8, 8));
    for (let index = 0; index < 25; index++) await publish(server, user, {}, bytes);
    const { items, nextCursor } = (await list(user)).body;
    expect([items.length, nextCursor]).toEqual([25, null]);
  });
  it('is narrowed by type, words, tag and favorite, and contains no items of others and no expired ones', async () => {
    const user = await server.user();
    const picture = await publish(server, user, { title: 'Отчёт за год', tags: ['Work'] });
    const film = await publish(server, user, { title: '100% _done_', tags: ['home'] }, await readFile(await goodMp4()));
    await publish(server, user, { title: 'short-lived', ttl: 'day' });
    await editRow(server, 'INSERT INTO favorites VALUES (?, ?, 0)', user.accountId, film.id);
    clock.advance(DAY);
    const found = async (query: string) => (await list(user, query)).body.items.map(({ id }) => id);
    expect(await found('')).toEqual([film.id, picture.id]);
    expect(await found('?type=VIDEO')).toEqual([film.id]);
    expect(await found(`?q=${encodeURIComponent('отчёт')}`)).toEqual([picture.id]);
    expect(await found(`?q=${encodeURIComponent('0% _')}`)).toEqual([film.id]);
    expect(await found('?q=%25')).toEqual([film.id]);
    expect(await found('?q=WORK')).toEqual([picture.id]);
    expect(await found('?q=picture.PNG')).toEqual([film.id, picture.id]);
    expect(await found('?tag=WORK')).toEqual([picture.id]);
    expect(await found('?tag=wor')).toEqual([]);
    expect(await found('?favorite=true')).toEqual([film.id]);
    expect(await found('?favorite=false')).toEqual([picture.id]);
    expect(await found('?type=VIDEO&tag=work')).toEqual([]);
    expect((await list(user, '?type=VIDEO')).body.items[0]?.favorite).toBe(true);
    expect((await list(await server.user())).body).toEqual({ items: [], nextCursor: null });
  });
  it('finds a tag of commas, brackets, quotes and backslashes only in items that have it', async () => {
    const user = await server.user();
    const bytes = await readFile(await image('png', 8, 8));
    const items: { id: string; tags: readonly string[] }[] = [];
    for (const tags of [
      ['a,', 'b'],
      ['a",', ']b'],
      ['a",', ',b'],
      ['\\",', ',', ']'],
      [',', 'a'],
      ['[', ','],
      ['\\,', '"'],
    ])
      items.unshift({ id: (await publish(server, user, { tags }, bytes)).id, tags });
    for (const tag of [...new Set(items.flatMap(({ tags }) => tags)), '","', ',"', '[",', '\\']) {
      const { body } = await list(user, `?tag=${encodeURIComponent(tag)}`);
      const having = items.filter(({ tags }) => tags.includes(tag)).map(({ id }) => id);
      expect([tag, body.items.map(({ id }) => id)]).toEqual([tag, having]);
    }
    expect((await list(user, '?tag=%00')).body.items).toEqual([]);
  });
  it('finds the characters of a pattern as themselves, in words and in tags', async () => {
    const user = await server.user();
    const tags = ['50%', 'a_b', 'c\\d', 'say "hi"', 'x[', 'e, f'];
    const item = await publish(server, user, { title: String.raw`100% _done_ C:\temp [x] (y)* ?`, tags });
    const decoy = await publish(server, user, { title: '100x adonee C:temp', tags: ['50x', 'axb', 'cxd', 'x'] });
    const found = async (name: 'q' | 'tag', text: string) =>
      (await list(user, `?${name}=${encodeURIComponent(text)}`)).body.items.map(({ id }) => id);
    for (const words of ['0% _', '_DONE_', String.raw`c:\temp`, '\\', '[x]', '(y)*', '?', ...tags])
      expect([words, await found('q', words)]).toEqual([words, [item.id]]);
    for (const tag of tags) expect([tag, await found('tag', tag)]).toEqual([tag, [item.id]]);
    expect(await found('tag', 'x')).toEqual([decoy.id]);
    for (const tag of ['50', '%', '_', 'a%', '"', '[', 'hi', ' f'])
      expect([tag, await found('tag', tag)]).toEqual([tag, []]);
  });
  it('takes words and tags as long as an item can be searched by, counted in the form that is compared', async () => {
    const user = await server.user();
    /** Eighteen characters in the compatible form. */
    const many = '\ufdfa';
    const title = many.repeat(180);
    const item = await publish(server, user, { title, tags: ['😀'.repeat(32)] });
    const answer = (query: Record<string, string>) => list(user, `?${new URLSearchParams(query)}`);
    for (const query of [
      { q: many.repeat(11) },
      { q: ` ${'\ufb03'.repeat(66)} ` },
      { tag: '😀'.repeat(32) },
      { tag: `  ${many} ` },
    ])
      expect([query, (await answer(query)).status]).toEqual([query, 200]);
    expect((await answer({ q: many.repeat(11) })).body.items.map(({ id }) => id)).toEqual([item.id]);
    expect((await answer({ tag: '😀'.repeat(32) })).body.items.map(({ id }) => id)).toEqual([item.id]);
    for (const [name, text] of [
      ['q', many.repeat(12)],
      ['q', many.repeat(1_520)],
      ['q', 'x'.repeat(201)],
      ['tag', 'x'.repeat(33)],
      ['tag', many.repeat(2)],
      ['tag', many.repeat(1_520)],
    ] as const) {
      const { status, problem } = await answer({ [name]: text });
      expect([status, problem.code, problem.params]).toEqual([
        400,
        'INVALID_INPUT',
        { issues: [{ path: `/${name}`, message: `must have at most ${name === 'q' ? 200 : 32} characters` }] },
      ]);
    }
  });
  it.each(['?cursor=nonsense', '?cursor=', '?type=AUDIO', '?favorite=perhaps'])('refuses %s', async (query) => {
    expect((await list(owner, query)).problem.code).toBe('INVALID_INPUT');
  });
});

describe('A permission', () => {
  it('is needed for each of reading, changing and deleting', async () => {
    const { id } = await publish(server, owner);
    for (const [method, path, scope] of [
      ['GET', '/api/v1/content', 'content:read'],
      ['GET', `/api/v1/content/${id}`, 'content:read'],
      ['PATCH', `/api/v1/content/${id}`, 'content:write'],
      ['DELETE', `/api/v1/content/${id}`, 'content:delete'],
    ] as const) {
      const others = (['content:read', 'content:write', 'content:delete', 'account:read'] as const).filter(
        (one) => one !== scope,
      );
      const lesser = await server.key(owner, { scopes: others });
      const body = method === 'PATCH' ? { title: 'x' } : undefined;
      const refused = await ask(server.url, { method, path, key: lesser.apiKey, body });
      expect([refused.status, refused.problem.params]).toEqual([403, { scope }]);
      expect((await ask(server.url, { method, path, body })).problem.code).toBe('AUTH_REQUIRED');
    }
  });
});
