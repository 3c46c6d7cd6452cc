import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { ANY_BITRATE, mp4Bytes } from '../../support/media/sample-bytes.ts';
import { type MovableClock, movableClock } from '../../support/movable-clock.ts';
import { browser, change, cookiesAfter, editRow, publish, read, ready, remove } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { queryData } from '../../support/server/stored-bytes.ts';

const PASSWORD = 'correct horse battery';
const HOUR = 3_600_000;

let clock: MovableClock;
let server: RunningServer;
let owner: User;
let other: User;

beforeAll(async () => {
  clock = movableClock();
  server = await startServer({
    clock,
    config: { limits: { guestRequestsPerMinute: 100_000, requestsPerMinute: 100_000 } },
  });
  owner = await server.user({ plan: 'pro' });
  other = await server.user();
});
afterAll(() => server.stop());

const statuses = async (id: string, guest = browser(server)) => {
  const [page, media] = [await guest.page(id), await guest.media(id)];
  const api = await read(server, other, id);
  return { page: page.status, media: media.status, api: api.status };
};

describe('A plain item', () => {
  it('is on its page, its media and, when public, in the API; unlisted it is not in the API', async () => {
    const unlisted = await publish(server, owner);
    const open = await publish(server, owner, { visibility: 'public' });
    expect(await statuses(unlisted.id)).toEqual({ page: 200, media: 200, api: 404 });
    expect(await statuses(open.id)).toEqual({ page: 200, media: 200, api: 200 });
  });
  it('counts a view once per browser while its grant lasts, and none for looking or for the owner', async () => {
    const { id } = await publish(server, owner);
    const views = async () => (await read(server, owner, id)).body.views;
    const guest = browser(server);
    await guest.page(id);
    await guest.media(id);
    await guest.send({ method: 'GET', path: `/api/share/${id}/open` });
    await ask(server.url, { method: 'POST', path: `/api/share/${id}/open`, key: owner.apiKey });
    expect(await views()).toBe(0);
    expect((await guest.open(id)).status).toBe(200);
    expect((await guest.open(id)).body.id).toBe(id);
    expect(await views()).toBe(1);
    await browser(server).open(id);
    expect(await views()).toBe(2);
    clock.advance(24 * HOUR);
    await guest.open(id);
    expect(await views()).toBe(3);
  });
  it('gives a grant in a cookie that scripts and other sites cannot use', async () => {
    const { id } = await publish(server, owner);
    const { headers } = await browser(server).open(id);
    const cookie = (name: string) =>
      expect.stringMatching(`^${name}=[\\w-]{22}; Max-Age=86400; Path=/; HttpOnly; SameSite=Lax$`);
    expect(headers['set-cookie']).toEqual([cookie('viewer'), cookie(`viewer_${id}`)]);
  });
});

describe('The link that is not available', () => {
  it('answers the same bytes for every cause: open, media and API', async () => {
    const gone = await publish(server, owner);
    await remove(server, owner, gone.id);
    const hidden = await publish(server, owner, { visibility: 'private' });
    const held = await publish(server, owner, { visibility: 'public' });
    await editRow(server, 'UPDATE content SET moderationHold = ? WHERE id = ?', 'review', held.id);
    const consumed = await publish(server, owner, { oneTime: true });
    await browser(server).open(consumed.id);
    const spent = await publish(server, owner);
    await change(server, owner, spent.id, { viewLimit: 1 });
    await browser(server).open(spent.id);
    const expired = await publish(server, owner, { ttl: 'day' });
    clock.advance(25 * HOUR);
    const ids = [
      'unknown',
      '%00',
      'x'.repeat(300),
      'x'.repeat(9_000),
      gone.id,
      hidden.id,
      held.id,
      consumed.id,
      spent.id,
      expired.id,
    ];
    const bodies = new Map<string, number>();
    for (const id of ids)
      for (const answer of [
        await browser(server).open(id, 'some password'),
        await browser(server).media(id),
        await ask(server.url, { path: `/api/media/${id}?download=1` }),
      ]) {
        expect(answer.status, id).toBe(404);
        const { date, 'x-request-id': request, 'x-ratelimit-remaining': left, ...headers } = answer.headers;
        const key = JSON.stringify([answer.body, headers]);
        bodies.set(key, (bodies.get(key) ?? 0) + 1);
      }
    expect([...bodies.keys()]).toHaveLength(1);
    expect([...bodies.keys()][0]).toContain('SHARE_UNAVAILABLE');
    const api = new Set<string>();
    for (const id of ids.filter((one) => one.length < 65 && one !== '%00')) {
      const answer = await read(server, other, id);
      expect(answer.status, id).toBe(404);
      api.add(JSON.stringify(answer.body));
    }
    expect(api.size).toBe(1);
    const pages = new Set<string>();
    for (const id of ids) {
      const answer = await browser(server).page(id);
      expect(answer.status, id).toBe(404);
      pages.add(answer.body);
    }
    expect(pages.size).toBe(1);
  });
  it('returns 410 to the owner of an expired item in the API, and 404 everywhere else', async () => {
    const { id } = await publish(server, owner, { ttl: 'day' });
    clock.advance(25 * HOUR);
    const answer = await read(server, owner, id);
    expect([answer.status, answer.problem.code]).toEqual([410, 'CONTENT_GONE']);
    expect((await change(server, owner, id, { title: 'x' })).status).toBe(410);
    const asOwner = { headers: { authorization: `Bearer ${owner.apiKey}` } };
    expect((await ask(server.url, { path: `/s/${id}`, ...asOwner })).status).toBe(404);
    expect((await ask(server.url, { path: `/api/media/${id}`, ...asOwner })).status).toBe(404);
  });
  it('is 401 for a bad key, never 404 and never a guest', async () => {
    const { id } = await publish(server, owner, { visibility: 'public' });
    for (const path of [`/s/${id}`, `/api/media/${id}`, `/api/v1/content/${id}`, '/s/unknown', '/api/media/unknown'])
      expect((await ask(server.url, { path, key: 'lsk_wrong' })).status, path).toBe(401);
    expect((await ask(server.url, { method: 'POST', path: `/api/share/${id}/open`, key: 'lsk_wrong' })).status).toBe(
      401,
    );
  });
});

describe('The owner', () => {
  it('sees page and media of an item that is held, private, consumed or used up, and consumes nothing', async () => {
    const { id } = await publish(server, owner, { oneTime: true });
    await change(server, owner, id, { viewLimit: 1 });
    const key = owner.apiKey;
    const look = async () => [
      (await ask(server.url, { path: `/s/${id}`, key })).status,
      (await ask(server.url, { path: `/api/media/${id}`, key })).status,
      (await ask(server.url, { method: 'POST', path: `/api/share/${id}/open`, key })).status,
    ];
    expect(await look()).toEqual([200, 200, 200]);
    expect((await read(server, owner, id)).body).toMatchObject({ views: 0, consumedAt: null });
    await browser(server).open(id);
    expect(await look()).toEqual([200, 200, 200]);
    await change(server, owner, id, { visibility: 'private' });
    await editRow(server, "UPDATE content SET moderationHold = 'blocked' WHERE id = ?", id);
    expect(await look()).toEqual([200, 200, 200]);
    expect((await read(server, owner, id)).body.moderationHold).toBe('blocked');
  });
  it('needs the permission content:read to be served what others may not see', async () => {
    const { id } = await publish(server, owner, { visibility: 'private', title: 'Nobody else' });
    const { apiKey: key } = await server.key(owner, { scopes: ['content:write', 'content:delete', 'account:read'] });
    const media = await ask(server.url, { path: `/api/media/${id}`, key });
    expect([media.status, media.problem.code]).toEqual([403, 'SCOPE_MISSING']);
    const opened = await ask(server.url, { method: 'POST', path: `/api/share/${id}/open`, key });
    expect([opened.status, opened.problem.code]).toEqual([403, 'SCOPE_MISSING']);
    const page = await ask<string>(server.url, { path: `/s/${id}`, key });
    expect(page.status).toBe(403);
    expect(page.body).not.toContain('Nobody else');
  });
});

describe('A password', () => {
  it('locks page, media and API and shows nothing of the item', async () => {
    const hidden = { password: PASSWORD, title: 'Secret title', tags: ['hidden-tag'] };
    const item = await publish(server, owner, { ...hidden, visibility: 'public' });
    const guest = browser(server);
    const page = await guest.page(item.id);
    expect(page.status).toBe(200);
    expect(page.body).toContain('<form method="post"');
    for (const trace of ['Secret title', 'hidden-tag', owner.username, 'og:', '320', '/api/media'])
      expect(page.body).not.toContain(trace);
    const media = await guest.media(item.id);
    expect([media.status, JSON.parse(JSON.stringify(media.body)).code]).toEqual([403, 'SHARE_OPEN_REQUIRED']);
    const card = await read(server, other, item.id);
    expect(card.body).toEqual({
      id: item.id,
      type: 'IMAGE',
      author: { id: owner.accountId, username: owner.username, name: owner.username },
      locked: true,
      passwordProtected: true,
    });
  });
  it('opens with the right one, in any Unicode form of it, and with no other', async () => {
    const { id } = await publish(server, owner, { password: 'Pässwörtchen Å' });
    const guest = browser(server);
    for (const wrong of [undefined, '', 'wrong password', 'x'.repeat(129)]) {
      const answer = await guest.open(id, wrong);
      expect([answer.status, answer.problem.code]).toEqual([403, 'SHARE_PASSWORD_INVALID']);
    }
    const opened = await guest.open(id, 'Pa\u0308sswo\u0308rtchen \u212b');
    expect(opened.status).toBe(200);
    expect((await guest.page(id)).body).toContain('/api/media/');
    expect((await guest.media(id)).headers['cache-control']).toBe('no-store');
    expect((await browser(server).media(id)).status).toBe(403);
  });
  it('opens also where a keyboard types it with fewer characters than it was set with', async () => {
    const { id } = await publish(server, owner, { password: 'tiếng1'.normalize('NFD') });
    const guest = browser(server);
    for (const wrong of ['tiêng1', 'tieng1', 'tiếng']) expect((await guest.open(id, wrong)).status).toBe(403);
    expect((await guest.open(id, 'tiếng1'.normalize('NFC'))).status).toBe(200);
  });
  it('may be guessed wrong ten times in 15 minutes from one address, then 429, and consumes nothing', async () => {
    const { id } = await publish(server, owner, { password: PASSWORD, oneTime: true });
    const guest = browser(server);
    const tries = await Promise.all(Array.from({ length: 14 }, () => guest.open(id, 'wrong password')));
    expect(tries.filter(({ status }) => status === 403)).toHaveLength(10);
    const refused = tries.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(800);
    expect((await guest.open(id, PASSWORD)).status).toBe(429);
    expect((await read(server, owner, id)).body).toMatchObject({ views: 0, consumedAt: null });
    clock.advance(15 * 60_000);
    expect((await guest.open(id, PASSWORD)).status).toBe(200);
  });
  it('that its owner changes can be tried immediately, while any other change keeps the wait', async () => {
    const { id } = await publish(server, owner, { password: PASSWORD });
    const guest = browser(server);
    for (let turn = 0; turn < 10; turn++) await guest.open(id, 'wrong password');
    await change(server, owner, id, { visibility: 'public', password: PASSWORD });
    expect((await guest.open(id, PASSWORD)).status).toBe(429);
    await change(server, owner, id, { password: 'another password' });
    expect((await guest.open(id, PASSWORD)).status).toBe(403);
    expect((await guest.open(id, 'another password')).status).toBe(200);
  });
  it('that was right is not counted as wrong', async () => {
    const { id } = await publish(server, owner, { password: PASSWORD });
    for (let turn = 0; turn < 12; turn++) expect((await browser(server).open(id, PASSWORD)).status).toBe(200);
  });
  it('that changes ends what viewers were granted, while another title does not', async () => {
    const { id } = await publish(server, owner, { password: PASSWORD });
    const guest = browser(server);
    await guest.open(id, PASSWORD);
    await change(server, owner, id, { title: 'other', password: PASSWORD });
    expect((await guest.media(id)).status).toBe(200);
    await change(server, owner, id, { password: 'another password' });
    expect((await guest.media(id)).status).toBe(403);
    expect((await guest.page(id)).body).toContain('<form method="post"');
  });
});

describe('A one-time link', () => {
  it('lets the first of 50 browsers in and no other', async () => {
    const { id } = await publish(server, owner, { oneTime: true });
    const guests = Array.from({ length: 50 }, () => browser(server));
    const opened = await Promise.all(guests.map((guest) => guest.open(id)));
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(opened.filter(({ status }) => status === 404)).toHaveLength(49);
    expect((await read(server, owner, id)).body.views).toBe(1);
  });
  it('is not consumed by a hundred looks of bots, and shows them only a button', async () => {
    const { id } = await publish(server, owner, { oneTime: true, title: 'Secret title' });
    for (let turn = 0; turn < 25; turn++) {
      const guest = browser(server);
      const page = await guest.page(id);
      expect(page.body).not.toContain('Secret title');
      expect(page.body).toContain('<form method="post"');
      for (const method of ['HEAD'] as const)
        await fetch(`${server.url}/s/${id}`, { method, headers: { purpose: 'prefetch' } });
      expect((await guest.media(id)).status).toBe(403);
      await guest.send({ method: 'GET', path: `/s/${id}/open` });
    }
    expect((await read(server, owner, id)).body.consumedAt).toBeNull();
  });
  it('serves its viewer for ten minutes and then ends', async () => {
    const { id } = await publish(server, owner, { oneTime: true });
    const guest = browser(server);
    await guest.open(id);
    const seen = (await read(server, owner, id)).body;
    expect(Date.parse(seen.readExpiresAt ?? '') - Date.parse(seen.consumedAt ?? '')).toBe(600_000);
    clock.advance(599_000);
    expect((await guest.media(id, { range: 'bytes=0-3' })).status).toBe(206);
    expect((await guest.open(id)).status).toBe(200);
    clock.advance(1_000);
    expect([(await guest.media(id)).status, (await guest.page(id)).status, (await guest.open(id)).status]).toEqual([
      404, 404, 404,
    ]);
  });
  it('is armed again by turning it off and on', async () => {
    const { id } = await publish(server, owner, { oneTime: true });
    await browser(server).open(id);
    await change(server, owner, id, { oneTime: true });
    expect((await browser(server).open(id)).status).toBe(404);
    await change(server, owner, id, { oneTime: false });
    const armed = await change(server, owner, id, { oneTime: true });
    expect(armed.body).toMatchObject({ consumedAt: null, readExpiresAt: null, accessVersion: 3 });
    expect((await browser(server).open(id)).status).toBe(200);
  });
  it('behind a password asks for it first, and a wrong one consumes nothing', async () => {
    const { id } = await publish(server, owner, { oneTime: true, password: PASSWORD });
    await browser(server).open(id, 'wrong password');
    const opened = await Promise.all(Array.from({ length: 5 }, () => browser(server).open(id, PASSWORD)));
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('A view limit', () => {
  it('lets exactly as many of 50 browsers in, and those keep their access', async () => {
    const { id } = await publish(server, owner);
    await change(server, owner, id, { viewLimit: 3 });
    const guests = Array.from({ length: 50 }, () => browser(server));
    expect((await guests[0]?.media(id))?.status).toBe(403);
    expect((await guests[0]?.page(id))?.body).toContain('<form method="post"');
    const opened = await Promise.all(guests.map((guest) => guest.open(id)));
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(3);
    const seen = (await read(server, owner, id)).body;
    expect(seen).toMatchObject({ views: 3, viewLimit: 3, viewLimitReachedAt: new Date(clock.now()).toISOString() });
    const winner = guests[opened.findIndex(({ status }) => status === 200)];
    expect([(await winner?.media(id))?.status, (await winner?.page(id))?.status]).toEqual([200, 200]);
    expect(await statuses(id)).toEqual({ page: 404, media: 404, api: 404 });
  });
  it('that is raised lets more in', async () => {
    const { id } = await publish(server, owner);
    await change(server, owner, id, { viewLimit: 1 });
    await browser(server).open(id);
    const raised = await change(server, owner, id, { viewLimit: 2 });
    expect(raised.body).toMatchObject({ viewLimitReachedAt: null, accessVersion: 1 });
    expect((await browser(server).open(id)).status).toBe(200);
  });
});

describe('Links that a browser opens at the same time', () => {
  const seenWith = async (cookie: string, id: string) => ({
    page: (await ask<string>(server.url, { path: `/s/${id}`, headers: { cookie } })).body.includes(
      '<form method="post"',
    )
      ? 'gate'
      : 'item',
    media: (await ask(server.url, { path: `/api/media/${id}`, headers: { cookie } })).status,
    again: (await ask(server.url, { method: 'POST', path: `/api/share/${id}/open`, headers: { cookie } })).status,
  });
  const SEEN = { page: 'item', media: 200, again: 200 };

  it('all stay open to it, whatever the order of the answers', async () => {
    const guest = browser(server);
    const ids = [
      (await publish(server, owner, { oneTime: true })).id,
      (await publish(server, owner, { oneTime: true })).id,
      (await publish(server, owner, { password: PASSWORD })).id,
    ];
    const answers = await Promise.all(ids.map((id) => guest.open(id, PASSWORD)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const order of [answers, answers.toReversed()])
      for (const id of ids) expect(await seenWith(cookiesAfter(...order), id)).toEqual(SEEN);
  });
  it('stay open also when one is opened between the answers to two others', async () => {
    const ids = [];
    for (let count = 0; count < 3; count++) ids.push((await publish(server, owner, { oneTime: true })).id);
    const [first = '', second = '', third = ''] = ids;
    const early = await browser(server).open(first);
    const late = await browser(server).open(second);
    const cookie = cookiesAfter(early);
    const between = await ask(server.url, { method: 'POST', path: `/api/share/${third}/open`, headers: { cookie } });
    for (const id of ids) expect(await seenWith(cookiesAfter(early, between, late), id)).toEqual(SEEN);
  });
  it('give it no more than twenty cookies of single items, each as long as its grant', async () => {
    const guest = browser(server);
    const oneTime = await guest.open((await publish(server, owner, { oneTime: true })).id);
    expect(oneTime.headers['set-cookie']?.[1]).toContain('Max-Age=600;');
    const ids = [];
    for (let count = 0; count < 25; count++) ids.push((await publish(server, owner, { oneTime: true })).id);
    for (const id of ids) await guest.open(id);
    expect(guest.cookie().match(/viewer_/g)).toHaveLength(20);
    for (const id of ids) expect((await guest.media(id)).status).toBe(200);
  });
});

describe('An open', () => {
  it('from another site is refused and consumes nothing', async () => {
    const { id } = await publish(server, owner, { oneTime: true });
    const foreign: readonly Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', origin: server.url },
      { 'sec-fetch-site': 'same-site', origin: server.url },
    ];
    for (const headers of foreign) {
      const answer = await ask(server.url, { method: 'POST', path: `/api/share/${id}/open`, headers });
      expect([answer.status, answer.problem.code], JSON.stringify(headers)).toEqual([403, 'SHARE_OPEN_REQUIRED']);
      const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
      expect(
        (await fetch(`${server.url}/s/${id}/open`, { method: 'POST', headers: form, redirect: 'manual' })).status,
      ).toBe(403);
    }
    expect((await read(server, owner, id)).body.consumedAt).toBeNull();
    const own = { origin: server.url, 'sec-fetch-site': 'same-origin' };
    expect((await ask(server.url, { method: 'POST', path: `/api/share/${id}/open`, headers: own })).status).toBe(200);
  });
  it('does not accept a cookie that another site planted', async () => {
    const { id } = await publish(server, owner, { password: PASSWORD });
    const planted = 'viewer=AAAAAAAAAAAAAAAAAAAAAA';
    const body = { password: PASSWORD };
    const answer = await ask(server.url, {
      method: 'POST',
      path: `/api/share/${id}/open`,
      headers: { cookie: planted },
      body,
    });
    expect(answer.headers['set-cookie']).not.toContain(planted);
    expect((await ask(server.url, { path: `/api/media/${id}`, headers: { cookie: planted } })).status).toBe(403);
  });
});

describe('A part of an item', () => {
  it('is kept when the address of a form is loaded again', async () => {
    const { headers } = await ask(server.url, { path: '/s/an-id/open?file=a.ts&t=5&other=1' });
    expect(headers['location']).toBe('/s/an-id?file=a.ts&t=5');
  });
});

describe('A picture that could not be processed', () => {
  it('is called a picture, and a video a video', async () => {
    const { id } = await publish(server, owner);
    const failed = "UPDATE content SET mediaStatus = 'FAILED', mediaError = 'x'";
    await editRow(server, `${failed} WHERE id = ?`, id);
    const guest = browser(server);
    expect((await guest.page(id)).body).toContain('The image couldn’t be processed');
    expect((await guest.media(id)).problem.detail).toContain('The image could not be processed');
    await editRow(server, `${failed}, type = 'VIDEO' WHERE id = ?`, id);
    expect((await guest.page(id)).body).toContain('The video couldn’t be processed');
    expect((await guest.media(id)).problem.detail).toContain('The video could not be processed');
  });
});

describe('The times of the configuration', () => {
  it('are those that the pages name, and a one-time link of a month is not cut at once', async () => {
    const limits = { oneTimeSeconds: 30 * 86_400, viewerGrantSeconds: 2 * 3_600 };
    const long = await startServer({ config: { ...ANY_BITRATE, limits } });
    try {
      const user = await long.user({ plan: 'pro' });
      const textOf = async (id: string, language: string): Promise<string> =>
        (await ask<string>(long.url, { path: `/s/${id}`, headers: { 'accept-language': language } })).body;
      const bytes = await mp4Bytes(32 * 1024 ** 2);
      const { id } = await publish(long, user, { oneTime: true }, bytes);
      expect(await textOf(id, 'en')).toContain('view it for 30 days.');
      expect(await textOf(id, 'ru')).toContain('в течение 30\u00a0дней.');
      const limited = await publish(long, user);
      await change(long, user, limited.id, { viewLimit: 5 });
      expect(await textOf(limited.id, 'en')).toContain('again for 2 hours without');
      expect(await textOf(limited.id, 'ru')).toContain('В течение 2\u00a0часов повторные');
      await ready(long, user, id);
      const guest = browser(long);
      await guest.open(id);
      const answer = await fetch(`${long.url}/api/media/${id}`, { headers: { cookie: guest.cookie() } });
      expect((await answer.arrayBuffer()).byteLength).toBe(bytes.length);
    } finally {
      await long.stop();
    }
  });
});

describe('A note that is edited while its page waits', () => {
  it('is shown as it is now', async () => {
    const limits = { openReads: 1, readWaitSeconds: 60, readYieldSeconds: 60 };
    const narrow = await startServer({ config: { ...ANY_BITRATE, limits } });
    try {
      const user = await narrow.user();
      const body = { text: 'The first text', format: 'plain' };
      const note = await ask<Content>(narrow.url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body });
      const { id } = note.body;
      const large = await publish(narrow, user, {}, await mp4Bytes(32 * 1024 ** 2));
      await ready(narrow, user, large.id);
      // It has the only slot, and does not read on.
      const reader = await new Promise<IncomingMessage>((resolve) =>
        get(`${narrow.url}/api/media/${large.id}`, resolve),
      );
      const page = browser(narrow).page(id);
      // The server has read the row by the time it has answered further requests.
      await read(narrow, user, id);
      const edited = await change(narrow, user, id, { text: 'The second text', revision: 1 });
      expect(edited.status).toBe(200);
      await expect.poll(() => queryData(narrow.data, 'SELECT "objectId" FROM deletions')).toEqual([]);
      reader.destroy();
      const answer = await page;
      expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('The second text')]);
    } finally {
      await narrow.stop();
    }
  });
});

/** The reader below needs half a minute. */
const ONE_TIME_SECONDS = 3;

describe('A one-time stream', () => {
  it('ends with the ten minutes, in the middle of a byte if need be', async () => {
    const config = { ...ANY_BITRATE, limits: { oneTimeSeconds: ONE_TIME_SECONDS } };
    // The clock stands still: all of the time is left when the stream begins, and only its own timer ends it.
    const short = await startServer({ clock: movableClock(), config });
    try {
      const user = await short.user();
      const { id } = await publish(short, user, { oneTime: true }, await mp4Bytes(32 * 1024 ** 2));
      await ready(short, user, id);
      const guest = browser(short);
      await guest.open(id);
      const outcome = await new Promise<string>((resolve, reject) => {
        const request = get(`${short.url}/api/media/${id}`, { headers: { cookie: guest.cookie() } }, (response) => {
          // A slow reader that would need half a minute for everything.
          response.on('data', () => {
            response.pause();
            setTimeout(() => response.resume(), 50);
          });
          response.once('aborted', () => resolve('cut'));
          response.once('error', () => resolve('cut'));
          response.once('end', () => resolve('whole'));
        });
        request.once('error', reject);
      });
      expect(outcome).toBe('cut');
    } finally {
      await short.stop();
    }
  });
});
