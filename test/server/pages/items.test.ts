/** The account's own items on the web: the rules of the server, over HTTP as a browser without scripts sends it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Content, UpdateContent } from '../../../src/api/content.ts';
import { browser, change, editRow, publish, read } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { type FormBrowser, formBrowser, userWithPassword } from '../../support/server/signed-in.ts';

let service: RunningServer;
let user: User;
let visitor: FormBrowser;
beforeAll(async () => {
  const limits = { guestRequestsPerMinute: 100_000, requestsPerMinute: 100_000, oneTimeSeconds: 30 * 60 };
  service = await startServer({ config: { limits } });
});
beforeEach(async () => {
  user = await userWithPassword(service, { plan: 'pro' });
  visitor = formBrowser(service);
  await visitor.signIn(user.username);
});
afterAll(() => service.stop());

const note = async (fields: Record<string, unknown>, owner = user): Promise<Content> => {
  const body = { text: 'words', format: 'plain', ...fields };
  return (await ask<Content>(service.url, { method: 'POST', path: '/api/v1/pastes', key: owner.apiKey, body })).body;
};
const titles = async (path: string): Promise<string[]> => {
  const { status, body } = await visitor.get(path);
  expect(status).toBe(200);
  return [...body.matchAll(/<strong>([^<]*)<\/strong><span class="hint">/g)].map(([, title]) => title ?? '');
};
/** The fields of the settings form as a browser sends them when nothing was changed. */
const formOf = async (id: string): Promise<Record<string, string>> => {
  const { body } = await visitor.get(`/account/items/${id}`);
  const form =
    /<form method="post" action="\/account\/items\/[^"]+">[\s\S]*?name="version"[\s\S]*?<\/form>/.exec(body)?.[0] ?? '';
  const valueIn = (pattern: RegExp): string => pattern.exec(form)?.[1] ?? '';
  const checked = (name: string) => new RegExp(`name="${name}" checked`).test(form);
  return {
    version: valueIn(/name="version" value="([^"]*)"/),
    title: valueIn(/name="title"[^>]* value="([^"]*)"/),
    tags: valueIn(/name="tags"[^>]* value="([^"]*)"/),
    visibility: valueIn(/name="visibility" value="([^"]*)" checked/),
    ttl: valueIn(/<option value="([^"]*)" selected/),
    expiresAt: '',
    password: '',
    viewLimit: valueIn(/name="viewLimit"[^>]* value="([^"]*)"/),
    ...(checked('oneTime') && { oneTime: 'on' }),
    ...(checked('allowDownload') && { allowDownload: 'on' }),
  };
};
const save = async (id: string, fields: Record<string, string>) =>
  visitor.post(`/account/items/${id}`, { ...(await formOf(id)), ...fields });
const stored = async (id: string): Promise<Content> => (await read(service, user, id)).body;

describe('the list of own items', () => {
  it('finds them by name, tag, kind and access, newest first', async () => {
    const plain = await note({ title: 'Ёлка plan', tags: ['winter'], visibility: 'unlisted' });
    await note({ title: 'Locked', password: 'correct horse', visibility: 'public' });
    await note({ title: 'Once', oneTime: true, visibility: 'private' });
    await publish(service, user, { title: 'A picture', visibility: 'private' });
    expect(await titles('/account/items')).toEqual(['A picture', 'Once', 'Locked', 'Ёлка plan']);
    expect(await titles('/account/items?q=%D1%91%D0%BB%D0%BA')).toEqual(['Ёлка plan']);
    expect(await titles('/account/items?q=winter')).toEqual(['Ёлка plan']);
    expect(await titles('/account/items?type=IMAGE')).toEqual(['A picture']);
    expect(await titles('/account/items?access=private')).toEqual(['A picture', 'Once']);
    expect(await titles('/account/items?access=public')).toEqual(['Locked']);
    expect(await titles('/account/items?access=password')).toEqual(['Locked']);
    expect(await titles('/account/items?access=one-time&type=PASTE')).toEqual(['Once']);
    expect(await titles('/account/items?q=nothing')).toEqual([]);
    expect(await titles('/account/items?type=other&access=other&q=')).toHaveLength(4);
    const opened = browser(service);
    await opened.open(plain.id);
    expect((await visitor.get('/account/items?q=winter')).body).toContain('1 view<');
  });

  it('searches for the start of words that are too long, without half a character', async () => {
    await note({ title: '\ufdfa'.repeat(180) });
    await note({ title: '😀'.repeat(150) });
    const long = encodeURIComponent('\ufdfa'.repeat(1_520));
    expect(await titles(`/account/items?q=${long}`)).toHaveLength(1);
    expect((await visitor.get(`/account/items?q=${long}`)).body).toContain(`value="${'\ufdfa'.repeat(200)}"`);
    const split = `a${'😀'.repeat(200)}`;
    expect((await visitor.get(`/account/items?q=${encodeURIComponent(split)}`)).body).toContain(
      `value="a${'😀'.repeat(199)}"`,
    );
  });

  it('tells the views of the last 30 days on the page of an item', async () => {
    const { id } = await note({ title: 'Seen', visibility: 'unlisted' });
    const about = async () => (await visitor.get(`/account/items/${id}`)).body;
    expect(await about()).toContain('>0 views in the last 30 days<');
    await browser(service).open(id);
    expect(await about()).toContain('>1 view in the last 30 days<');
    await browser(service).open(id);
    expect(await about()).toContain('>2 views in the last 30 days<');
    await editRow(service, 'UPDATE accounts SET "planUntil" = ? WHERE id = ?', 1, user.accountId);
    expect(await about()).not.toContain('in the last 30 days');
  });

  it('has 25 on a page, and keeps its filters from page to page', async () => {
    for (let number = 1; number <= 27; number += 1) await note({ title: `Note ${number}` });
    await publish(service, user, { title: 'A picture' });
    const first = await visitor.get('/account/items?type=PASTE');
    const next = /href="([^"]+)" rel="next"/.exec(first.body)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(await titles('/account/items?type=PASTE')).toHaveLength(25);
    expect(await titles(next)).toEqual(['Note 2', 'Note 1']);
    expect((await visitor.get(next)).body).not.toContain('rel="next"');
    expect((await visitor.get('/account/items?cursor=bad')).status).toBe(400);
  });

  it('shows nothing of other accounts, and what is expired no more', async () => {
    const other = await userWithPassword(service);
    const foreign = await note({ title: 'Foreign', visibility: 'public' }, other);
    const mine = await note({ title: 'Mine', ttl: 'day' });
    expect(await titles('/account/items')).toEqual(['Mine']);
    for (const path of [`/account/items/${foreign.id}`, '/account/items/unknown']) {
      const answer = await visitor.get(path);
      expect([answer.status, answer.body.includes('Foreign')]).toEqual([404, false]);
    }
    const taken = await visitor.post(`/account/items/${foreign.id}`, { title: 'Taken', visibility: 'private' });
    expect(taken.status).toBe(404);
    await visitor.post('/account/items/delete', { id: foreign.id, confirmed: 'yes' });
    expect((await read(service, other, foreign.id)).body).toMatchObject({ title: 'Foreign', visibility: 'public' });
    await editRow(service, 'UPDATE content SET expiresAt = ? WHERE id = ?', Date.now() - 1, mine.id);
    expect(await titles('/account/items')).toEqual([]);
    expect((await visitor.get(`/account/items/${mine.id}`)).status).toBe(404);
  });

  it('escapes names of any kind', async () => {
    const { id } = await note({ title: '"><script>alert(1)</script>', tags: ['<b>'] });
    for (const path of ['/account/items', `/account/items/${id}`]) {
      const { body } = await visitor.get(path);
      expect(body).toContain('&quot;&gt;&lt;script&gt;');
      expect(body).not.toMatch(/<script>|<b>/);
    }
    const searched = await visitor.get('/account/items?q=%22%3E%3Cscript%3E');
    expect(searched.body).not.toContain('<script>');
  });

  it('is for a sign-in alone: neither a key of any permission nor another site opens or changes it', async () => {
    const { id } = await note({ title: 'Mine' });
    const [reading, all] = [await service.user({ scopes: ['content:read'] }), user];
    for (const { apiKey } of [reading, all]) {
      for (const path of ['/account/items', `/account/items/${id}`, '/account/security']) {
        const answer = await ask(service.url, { path, key: apiKey });
        expect([answer.status, answer.headers['location']?.startsWith('/sign-in')]).toEqual([303, true]);
      }
    }
    const foreign = { 'sec-fetch-site': 'cross-site' };
    const forged = [
      await visitor.post(`/account/items/${id}`, { ...(await formOf(id)), title: 'Forged' }, foreign),
      await visitor.post('/account/items/delete', { id, confirmed: 'yes' }, foreign),
    ];
    expect(forged.map(({ status }) => status)).toEqual([403, 403]);
    expect((await stored(id)).title).toBe('Mine');
    await service.server.accounts.ban(user.username);
    expect((await visitor.get('/account/items')).status).toBe(401);
    expect((await visitor.post('/account/items/delete', { id, confirmed: 'yes' })).status).toBe(401);
    await service.server.accounts.unban(user.username);
    expect((await stored(id)).title).toBe('Mine');
  });
});

describe('the settings of an item', () => {
  it('change what the API then says, and nothing when nothing was typed', async () => {
    const { id } = await note({ title: 'Before', tags: ['a', 'b'], visibility: 'unlisted' });
    const before = await stored(id);
    expect((await save(id, {})).headers['location']).toBe(`/account/items/${id}?done=saved#settings`);
    expect(await stored(id)).toEqual(before);
    await save(id, {
      title: 'After <b>',
      tags: 'Winter, winter,  c ',
      visibility: 'public',
      password: 'correct horse',
      ttl: 'week',
      viewLimit: '7',
    });
    const after = await stored(id);
    expect(after).toMatchObject({
      title: 'After <b>',
      tags: ['winter', 'c'],
      visibility: 'public',
      passwordProtected: true,
      viewLimit: 7,
      allowDownload: true,
      accessVersion: 2,
    });
    expect((Date.parse(after.expiresAt ?? '') - Date.now()) / 86_400_000).toBeCloseTo(7, 2);
    const fields = await formOf(id);
    expect([fields['ttl'], fields['viewLimit'], fields['tags']]).toEqual(['', '7', 'winter, c']);
    await save(id, { title: '', removePassword: 'on', expiresAt: '2999-12-31T23:59', viewLimit: '' });
    expect(await stored(id)).toMatchObject({
      passwordProtected: false,
      viewLimit: null,
      expiresAt: '2999-12-31T23:59:00.000Z',
    });
    const { allowDownload: _, ...closed } = await formOf(id);
    await visitor.post(`/account/items/${id}`, { ...closed, visibility: 'private', oneTime: 'on', ttl: 'forever' });
    expect(await stored(id)).toMatchObject({
      visibility: 'private',
      oneTime: true,
      allowDownload: false,
      expiresAt: null,
    });
  });

  it('keep a tag that contains a comma, and add others beside it', async () => {
    const { id } = await note({ title: 'Before', tags: ['salt, pepper', 'kitchen'], visibility: 'unlisted' });
    await save(id, { title: 'After' });
    expect(await stored(id)).toMatchObject({ title: 'After', tags: ['salt, pepper', 'kitchen'] });
    await save(id, { tags: 'salt, pepper, sugar' });
    expect(await stored(id)).toMatchObject({ tags: ['salt, pepper', 'sugar'] });
  });

  it.each([
    [{ title: 'x'.repeat(181) }, 'Use at most 180 characters.'],
    [{ tags: 'x'.repeat(33) }, 'of up to 32 characters each'],
    [{ tags: '1,2,3,4,5,6,7,8,9,10,11' }, 'at most 10 tags'],
    [{ password: 'short' }, 'Use 8 to 128 characters.'],
    [{ visibility: 'public', oneTime: 'on' }, 'A one-time link can’t be public.'],
    [{ viewLimit: '0' }, 'Enter a whole number from 1 to 1,000,000.'],
    [{ viewLimit: '1e7' }, 'Enter a whole number from 1 to 1,000,000.'],
    [{ expiresAt: '2001-01-01T00:00' }, 'Choose a time in the future.'],
    [{ expiresAt: 'soon' }, 'Choose a time in the future.'],
  ] as const)('refuse %o beside the field, and keep what was typed', async (fields, words) => {
    const { id } = await note({ title: 'Before', visibility: 'unlisted' });
    const before = await stored(id);
    const answer = await save(id, { tags: 'kept', ...fields });
    expect([answer.status, answer.body.includes(words)]).toEqual([400, true]);
    if (!('tags' in fields)) expect(answer.body).toContain('value="kept"');
    expect(answer.body).not.toContain('value="short"');
    expect(await stored(id)).toEqual(before);
  });

  it.each([
    ['en', 'Enter a new password or remove the current one, not both.'],
    ['ru', 'Введите новый пароль или уберите текущий, но не то и другое сразу.'],
  ])('keep the password when a new one is typed and it is also to be removed (%s)', async (language, words) => {
    const { id } = await note({ title: 'Before', visibility: 'unlisted', password: 'correct horse' });
    const before = await stored(id);
    const both = { ...(await formOf(id)), password: 'another secret', removePassword: 'on' };
    const answer = await visitor.post(`/account/items/${id}`, both, { 'accept-language': language });
    expect([answer.status, answer.body.includes(words)]).toEqual([400, true]);
    expect(answer.body).not.toContain('another secret');
    expect(await stored(id)).toEqual(before);
  });

  it('name the time of a one-time link as it is configured', async () => {
    const { id } = await note({ title: 'Once' });
    expect((await visitor.get(`/account/items/${id}`)).body).toContain('can see it, for 30 minutes.');
  });

  it('offer only what the plan includes, and refuse the rest', async () => {
    const plain = await userWithPassword(service);
    const { id } = await note({ title: 'Mine' }, plain);
    visitor = formBrowser(service);
    await visitor.signIn(plain.username);
    const { body } = await visitor.get(`/account/items/${id}`);
    expect([body.includes('name="viewLimit"'), body.includes('name="expiresAt"')]).toEqual([false, false]);
    const { viewLimit: _, ...fields } = await formOf(id);
    expect((await visitor.post(`/account/items/${id}`, { ...fields, viewLimit: '3' })).status).toBe(400);
    expect((await visitor.post(`/account/items/${id}`, { ...fields, ttl: 'day' })).status).toBe(303);
  });

  it.each<UpdateContent>([
    { visibility: 'private' },
    { password: 'correct horse' },
    { oneTime: true },
    { title: 'Changed' },
    { tags: ['changed'] },
    { allowDownload: false },
    { ttl: 'week' },
    { viewLimit: 5 },
  ])('do not undo what was changed elsewhere after the page was opened: %j', async (elsewhere) => {
    const { id } = await note({ title: 'Before', tags: ['draft'], visibility: 'unlisted' });
    const stale = await formOf(id);
    await change(service, user, id, { ...elsewhere });
    const changed = await stored(id);
    const answer = await visitor.post(`/account/items/${id}`, { ...stale, title: 'After' });
    expect([answer.status, answer.body.includes('changed elsewhere')]).toEqual([409, true]);
    expect(await stored(id)).toEqual(changed);
  });

  it('are saved for one of several forms that were sent at the same time from the same page', async () => {
    const { id } = await note({ title: 'Before', visibility: 'unlisted' });
    const form = await formOf(id);
    const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
    const answers = await Promise.all(names.map((title) => visitor.post(`/account/items/${id}`, { ...form, title })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409, 409, 409, 409]);
    expect((await stored(id)).title).toBe(names[answers.findIndex(({ status }) => status === 303)]);
  });

  it('give the link in each format, a picture as the picture itself only where anyone may load it', async () => {
    const open = await publish(service, user, { title: 'Open', visibility: 'unlisted' });
    const locked = await publish(service, user, { title: 'Locked', visibility: 'unlisted', password: 'correct horse' });
    const page = async (id: string): Promise<string> => (await visitor.get(`/account/items/${id}`)).body;
    const direct = `${service.url}/api/media/${open.id}`;
    for (const text of [`![Open](${direct})`, `[img]${direct}[/img]`, `&lt;img src=&quot;${direct}&quot;`])
      expect(await page(open.id)).toContain(text);
    expect(await page(locked.id)).toContain(`[Locked](${locked.url})`);
    expect(await page(locked.id)).not.toContain(`${service.url}/api/media/`);
  });
});

describe('a deletion', () => {
  it('names what is selected, deletes only after the confirmation, and returns to the same list', async () => {
    const [one, two, three] = [
      await note({ title: 'One' }),
      await note({ title: 'Two' }),
      await note({ title: 'Three' }),
    ];
    const back = '/account/items?q=o';
    const asked = await visitor.post('/account/items/delete', { id: [one.id, two.id], back });
    expect(asked.status).toBe(200);
    expect(asked.body).toContain('Delete 2 items?');
    expect(asked.body).toContain(`href="${back}"`);
    expect(await titles('/account/items')).toEqual(['Three', 'Two', 'One']);
    const deleted = await visitor.post('/account/items/delete', { id: [one.id, two.id], back, confirmed: 'yes' });
    expect(deleted.headers['location']).toBe('/account/items?deleted=2&q=o');
    expect((await visitor.get('/account/items?deleted=2&q=o')).body).toContain('2 items deleted.');
    expect(await titles('/account/items')).toEqual(['Three']);
    expect((await read(service, user, one.id)).status).toBe(404);
    const again = await visitor.post('/account/items/delete', { id: [one.id], confirmed: 'yes' });
    expect(again.headers['location']).toBe('/account/items?deleted=0');
    expect((await stored(three.id)).title).toBe('Three');
  });

  it('of more than one page of items is refused and deletes nothing', async () => {
    const { id } = await note({ title: 'One' });
    const others = Array.from({ length: 25 }, (_, index) => `unknown-${index}`);
    for (const more of [{}, { confirmed: 'yes' }]) {
      const answer = await visitor.post('/account/items/delete', { id: [id, ...others], ...more });
      expect(answer.status).toBe(400);
    }
    expect((await stored(id)).title).toBe('One');
    const asked = await visitor.post('/account/items/delete', { id: [id, id, ...others.slice(1)] });
    expect(asked.body).toContain('Delete 1 item?');
  });

  it('of nothing says so, and leads to no other site', async () => {
    const answer = await visitor.post('/account/items/delete', { back: '/account/items?q=x' });
    expect(answer.headers['location']).toBe('/account/items?selected=none&q=x');
    expect((await visitor.get('/account/items?selected=none')).body).toContain('Select the items to delete first.');
    const { id } = await note({ title: 'One' });
    for (const back of ['//evil.example', 'https://evil.example', '/sign-out', '/account/itemsx']) {
      const asked = await visitor.post('/account/items/delete', { id, back });
      expect(asked.body).toContain('<a class="button" href="/account/items">');
    }
  });
});
