/** Notes on the wire (API document, "What the service does", "Errors"; API decisions 3 and 6), on a real server. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import type { NoteText } from '../../../src/api/note.ts';
import type { CreatedContent } from '../../../src/api/single-request-upload.ts';
import { describeAbout } from '../../support/engines/only-on-engines.ts';
import { editRow } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { type Answer, ask } from '../../support/server/service-client.ts';
import { objectFiles, queryData } from '../../support/server/stored-bytes.ts';

let service: RunningServer;
let owner: User;
let other: User;
beforeAll(async () => {
  service = await startServer({
    config: {
      limits: { requestsPerMinute: 100_000, guestRequestsPerMinute: 100_000 },
      plans: { free: { quotaBytes: 1_000_000 } },
    },
  });
  owner = await service.user({ plan: 'pro' });
  other = await service.user();
});
afterAll(() => service.stop());

const post = (body: unknown, user: User = owner): Promise<Answer<CreatedContent>> =>
  ask(service.url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body });
const create = async (body: Record<string, unknown>, user: User = owner): Promise<Content> => {
  const answer = await post({ format: 'plain', ...body }, user);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.content;
};
const patch = (id: string, body: unknown, user: User = owner): Promise<Answer<Content>> =>
  ask(service.url, { method: 'PATCH', path: `/api/v1/content/${id}`, key: user.apiKey, body });
const readText = (id: string, user: User = owner): Promise<Answer<NoteText>> =>
  ask(service.url, { path: `/api/v1/content/${id}/text`, key: user.apiKey });
const media = (id: string, headers: Record<string, string> = {}, query = ''): Promise<Answer<string>> =>
  ask(service.url, { path: `/api/media/${id}${query}`, headers });
const usedBy = async (user: User): Promise<number> =>
  (
    await queryData<{ storageUsed: number }>(
      service.data,
      'SELECT storageUsed FROM accounts WHERE id = ?',
      user.accountId,
    )
  )[0]?.storageUsed ?? -1;
const deletionsDone = () => expect.poll(() => queryData(service.data, 'SELECT 1 FROM deletions')).toEqual([]);

describe('POST /pastes', () => {
  it('publishes a note of code with its fields', async () => {
    const { status, body } = await post({
      text: 'package main\n',
      format: 'code',
      language: 'go',
      title: 'Main',
      tags: [' Go ', 'go'],
      visibility: 'public',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      type: 'PASTE',
      mime: 'text/plain',
      title: 'Main',
      originalName: 'Main.go',
      tags: ['go'],
      pasteFormat: 'code',
      pasteLanguage: 'go',
      folderFiles: null,
      revision: 1,
      accessVersion: 1,
      size: 13,
      visibility: 'public',
      mediaStatus: 'READY',
      width: null,
      durationMs: null,
      url: `${service.url}/s/${body.id}`,
      mediaUrl: `/api/media/${body.id}`,
    });
    const { content, ...item } = body;
    expect(content).toEqual(item);
    expect((await readText(body.id)).body).toEqual({
      text: 'package main\n',
      format: 'code',
      language: 'go',
      revision: 1,
    });
  });

  it('finds a title in the text when none is given', async () => {
    expect(await create({ text: '\n# The *plan*\n\nText', format: 'markdown' })).toMatchObject({
      title: 'The plan',
      originalName: 'The plan.md',
      pasteFormat: 'markdown',
      pasteLanguage: null,
    });
    for (const title of ['  ', '\u0000', ' \u001b\n']) expect((await create({ text: 'a', title })).title).toBe('a');
  });

  it('keeps every character and counts UTF-8 bytes', async () => {
    const user = await service.user();
    const text = '\ufeff\0\x1b\r\n\t😀é\u202e\u2028 \n\n';
    const note = await create({ text }, user);
    expect(note.size).toBe(Buffer.byteLength(text));
    expect(await usedBy(user)).toBe(note.size);
    expect((await readText(note.id, user)).body.text).toBe(text);
    const raw = await fetch(`${service.url}/api/media/${note.id}`);
    expect(Buffer.from(await raw.arrayBuffer()).equals(Buffer.from(text))).toBe(true);
  });

  it('takes 200,000 characters of four bytes and refuses one more', async () => {
    const text = '😀'.repeat(200_000);
    const note = await create({ text });
    expect(note.size).toBe(800_000);
    expect((await readText(note.id)).body.text === text).toBe(true);
    const refused = await post({ text: `${text}a`, format: 'plain' });
    expect([refused.status, refused.problem.code]).toEqual([400, 'INVALID_INPUT']);
    expect(refused.problem.params?.['issues']).toEqual([
      { path: '/text', message: 'must be at most 200,000 characters' },
    ]);
  });

  it.each([
    ['no text', { format: 'plain' }],
    ['an empty text', { text: '', format: 'plain' }],
    ['no format', { text: 'a' }],
    ['an unknown format', { text: 'a', format: 'html' }],
    ['an unknown language', { text: 'a', format: 'code', language: 'klingon' }],
    ['a language of what is no code', { text: 'a', format: 'markdown', language: 'go' }],
    ['a field that does not exist', { text: 'a', format: 'plain', visiblity: 'private' }],
    ['a title that is too long', { text: 'a', format: 'plain', title: 'a'.repeat(181) }],
    ['a password that is too short', { text: 'a', format: 'plain', password: '1234567' }],
    ['no object', 'text'],
  ])('refuses %s with 400 and stores nothing', async (_, body) => {
    const user = await service.user();
    const before = (await objectFiles(service.data)).permanent.length;
    const { status, problem } = await post(body, user);
    expect([status, problem.code]).toEqual([400, 'INVALID_INPUT']);
    expect(await usedBy(user)).toBe(0);
    expect((await objectFiles(service.data)).permanent.length).toBe(before);
  });

  it('refuses half a surrogate pair, which has no UTF-8', async () => {
    const answer = await fetch(`${service.url}/api/v1/pastes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.apiKey}`, 'content-type': 'application/json' },
      body: '{"text":"a\\ud800","format":"plain"}',
    });
    expect(answer.status).toBe(400);
  });

  it('refuses one-time with public', async () => {
    const { status, problem } = await post({ text: 'a', format: 'plain', oneTime: true, visibility: 'public' });
    expect([status, problem.code]).toEqual([400, 'ONE_TIME_NOT_PUBLIC']);
  });

  it('refuses a body over 1 MB with 413', async () => {
    expect((await post({ text: 'a'.repeat(1_100_000), format: 'plain' })).status).toBe(413);
  });

  it('over the quota is 413 QUOTA_EXCEEDED and leaves no object', async () => {
    const user = await service.user();
    await create({ text: 'é'.repeat(200_000) }, user);
    await create({ text: 'é'.repeat(200_000) }, user);
    const before = await objectFiles(service.data);
    const { status, problem } = await post({ text: 'é'.repeat(200_000), format: 'plain' }, user);
    expect([status, problem.code]).toEqual([413, 'QUOTA_EXCEEDED']);
    expect(await usedBy(user)).toBe(800_000);
    expect(await objectFiles(service.data)).toEqual(before);
  });

  it('needs a key with content:write', async () => {
    const reader = await service.key(owner, { scopes: ['content:read'] });
    expect((await post({ text: 'a', format: 'plain' }, reader)).problem.code).toBe('SCOPE_MISSING');
    const guest = await ask(service.url, {
      method: 'POST',
      path: '/api/v1/pastes',
      body: { text: 'a', format: 'plain' },
    });
    expect(guest.status).toBe(401);
  });
});

describe('An edit of a note', () => {
  it('needs the revision, raises it, and changes text, size and quota, not the address or the access', async () => {
    const user = await service.user();
    const note = await create({ text: 'one', password: 'correct horse', title: 'T' }, user);
    const without = await patch(note.id, { text: 'two' }, user);
    expect([without.status, without.problem.params?.['issues']]).toMatchObject([400, [{ path: '/revision' }]]);

    const { status, body } = await patch(note.id, { text: 'two, longer', revision: 1 }, user);
    expect(status).toBe(200);
    expect(body).toEqual({ ...note, revision: 2, size: 11 });
    expect((await readText(note.id, user)).body).toMatchObject({ text: 'two, longer', revision: 2 });
    expect(await usedBy(user)).toBe(11);
    const shorter = await patch(note.id, { text: '2', revision: 2 }, user);
    expect(shorter.body).toMatchObject({ revision: 3, size: 1 });
    expect(await usedBy(user)).toBe(1);
  });

  it('from an older revision is 409 with the current one, and changes nothing', async () => {
    const note = await create({ text: 'one' });
    await patch(note.id, { text: 'two', revision: 1 });
    const late = await patch(note.id, { text: 'mine', title: 'Mine', revision: 1 });
    expect(late.status).toBe(409);
    expect(late.problem).toMatchObject({ code: 'PASTE_REVISION_CONFLICT', currentRevision: 2 });
    expect((await readText(note.id)).body).toMatchObject({ text: 'two', revision: 2 });
    expect((await patch(note.id, { text: 'mine', revision: 3 })).status).toBe(409);
  });

  it('wins or loses as a whole among twenty that race', async () => {
    const user = await service.user();
    const note = await create({ text: 'start' }, user);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => patch(note.id, { text: `text ${index}`, revision: 1 }, user)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(19).fill(409)]);
    for (const { problem, status } of answers) if (status === 409) expect(problem.currentRevision).toBe(2);
    const winner = answers.findIndex(({ status }) => status === 200);
    const { text, revision } = (await readText(note.id, user)).body;
    expect([text, revision]).toEqual([`text ${winner}`, 2]);
    expect(await usedBy(user)).toBe(Buffer.byteLength(text));
  });

  it('leaves one object a note, also when edits lose or break the quota', async () => {
    const own = await startServer({ config: { plans: { free: { quotaBytes: 10 } } } });
    try {
      const user = await own.user();
      const send = (method: 'POST' | 'PATCH', path: string, body: unknown) =>
        ask<Content>(own.url, { method, path: `/api/v1/${path}`, key: user.apiKey, body });
      const { id } = (await send('POST', 'pastes', { text: '12345', format: 'plain' })).body;
      const tooLong = await send('PATCH', `content/${id}`, { text: '12345678901', revision: 1 });
      expect([tooLong.status, tooLong.problem.code]).toEqual([413, 'QUOTA_EXCEEDED']);
      await Promise.all(['a', 'b', 'c'].map((text) => send('PATCH', `content/${id}`, { text, revision: 1 })));
      await send('PATCH', `content/${id}`, { text: '1234567890', revision: 2 });
      await expect.poll(async () => (await objectFiles(own.data)).permanent.length).toBe(1);
      expect((await objectFiles(own.data)).staged).toEqual([]);
      expect(await queryData(own.data, 'SELECT storageUsed, revision, size FROM accounts, content')).toEqual([
        { storageUsed: 10, revision: 3, size: 10 },
      ]);
    } finally {
      await own.stop();
    }
  });

  it('may change format and language, which are guarded the same', async () => {
    const note = await create({ text: 'a = 1', title: 'Script' });
    expect((await patch(note.id, { format: 'code' })).status).toBe(400);
    const code = await patch(note.id, { format: 'code', language: 'python', revision: 1 });
    expect(code.body).toMatchObject({
      pasteFormat: 'code',
      pasteLanguage: 'python',
      revision: 2,
      size: 5,
      originalName: 'Script.py',
    });
    expect((await patch(note.id, { language: 'rust', revision: 2 })).body).toMatchObject({
      pasteLanguage: 'rust',
      revision: 3,
    });
    expect((await patch(note.id, { format: 'markdown', revision: 3 })).body).toMatchObject({
      pasteFormat: 'markdown',
      pasteLanguage: null,
      originalName: 'Script.md',
    });
    expect((await patch(note.id, { language: 'go', revision: 4 })).status).toBe(400);
    expect((await readText(note.id)).body).toEqual({ text: 'a = 1', format: 'markdown', language: null, revision: 4 });
  });

  it.each([{ format: 'plain' }, { format: 'markdown' }, { format: 'code', language: 'go' }])(
    'may send back all that was read of %j',
    async (kind) => {
      const note = await create({ text: 'a', ...kind });
      const read = (await readText(note.id)).body;
      const edited = await patch(note.id, { ...read, text: 'b' });
      expect([edited.status, edited.body.revision]).toEqual([200, 2]);
      expect((await readText(note.id)).body).toEqual({ ...read, text: 'b', revision: 2 });
    },
  );

  it('that changes nothing raises nothing', async () => {
    const note = await create({ text: 'same', format: 'code', language: 'go' });
    expect((await patch(note.id, { text: 'same', format: 'code', language: 'go', revision: 1 })).body).toEqual(note);
    expect((await patch(note.id, { title: 'Other' })).body).toMatchObject({ revision: 1, title: 'Other' });
  });

  it('may come together with a change of access, which has its own version', async () => {
    const note = await create({ text: 'a' });
    expect((await patch(note.id, { text: 'b', revision: 1, visibility: 'private' })).body).toMatchObject({
      revision: 2,
      accessVersion: 2,
      url: `${service.url}/s/${note.id}?v=2`,
    });
  });

  it.each([
    { text: '' },
    { text: 'a'.repeat(200_001) },
    { text: 5 },
    { text: 'b', revision: '1' },
    { text: 'b', revision: 0 },
  ])('with a text or revision that breaks the rules is 400', async (update) => {
    const note = await create({ text: 'a' });
    expect((await patch(note.id, { revision: 1, ...update })).status).toBe(400);
    expect((await readText(note.id)).body.text).toBe('a');
  });

  it('is for the owner alone', async () => {
    const note = await create({ text: 'a', visibility: 'public' });
    expect((await patch(note.id, { text: 'b', revision: 1 }, other)).status).toBe(404);
  });

  it('lets a link that was opened stay open', async () => {
    const note = await create({ text: 'one', password: 'correct horse' });
    const opened = await ask(service.url, {
      method: 'POST',
      path: `/api/share/${note.id}/open`,
      body: { password: 'correct horse' },
    });
    const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
    expect((await media(note.id)).status).toBe(403);
    await patch(note.id, { text: 'two', revision: 1 });
    const after = await media(note.id, { cookie });
    expect([after.status, after.body]).toEqual([200, 'two']);
  });
});

describe('GET /content/{id}/text', () => {
  it.each([
    ['unlisted', { visibility: 'unlisted' }, 404, 'SHARE_UNAVAILABLE'],
    ['private', { visibility: 'private' }, 404, 'SHARE_UNAVAILABLE'],
    ['protected', { visibility: 'public', password: 'correct horse' }, 403, 'SHARE_OPEN_REQUIRED'],
    ['one-time', { visibility: 'unlisted', oneTime: true }, 404, 'SHARE_UNAVAILABLE'],
  ])('gives the owner the text and others none while the note is %s', async (_, fields, status, code) => {
    const note = await create({ text: 'secret', ...fields });
    expect((await readText(note.id)).body.text).toBe('secret');
    const asked = await readText(note.id, other);
    expect([asked.status, asked.problem.code]).toEqual([status, code]);
    expect(JSON.stringify(asked.body)).not.toContain('secret');
    expect((await ask(service.url, { path: `/api/v1/content/${note.id}/text` })).status).toBe(401);
  });
  it('gives a public note to every key, and a limited one only after its link is opened', async () => {
    const note = await create({ text: 'open', visibility: 'public' });
    expect((await readText(note.id, other)).body.text).toBe('open');
    await patch(note.id, { viewLimit: 1 });
    expect((await readText(note.id, other)).problem.code).toBe('SHARE_OPEN_REQUIRED');
    expect((await readText(note.id)).body.text).toBe('open');
  });
  it('of an unknown or deleted note is 404', async () => {
    const note = await create({ text: 'a' });
    await ask(service.url, { method: 'DELETE', path: `/api/v1/content/${note.id}`, key: owner.apiKey });
    expect((await readText(note.id)).status).toBe(404);
    expect((await readText('nothing')).status).toBe(404);
    await deletionsDone();
  });
  it('of a note that has expired is 410 to its owner alone', async () => {
    const note = await create({ text: 'a', visibility: 'public', ttl: 'day' });
    await editRow(service, 'UPDATE content SET expiresAt = 1 WHERE id = ?', note.id);
    const answers = [await readText(note.id), await readText(note.id, other)];
    expect(answers.map(({ problem }) => problem.code)).toEqual(['CONTENT_GONE', 'SHARE_UNAVAILABLE']);
    await deletionsDone();
  });
  it('is always of one revision while the note is edited', async () => {
    const note = await create({ text: 'revision 1' });
    let done = false;
    const edits = (async () => {
      for (let revision = 1; revision <= 30; revision += 1)
        await patch(note.id, { text: `revision ${revision + 1}`, revision });
      done = true;
    })();
    while (!done) {
      const { status, body } = await readText(note.id);
      expect([status, body.text]).toEqual([200, `revision ${body.revision}`]);
    }
    await edits;
  });
});

describe('The raw text of a note', () => {
  it('is plain text that no browser interprets differently', async () => {
    const note = await create({ text: '<script>alert(1)</script>', format: 'markdown', title: 'page.html' });
    const { status, headers, body } = await media(note.id);
    expect([status, body]).toEqual([200, '<script>alert(1)</script>']);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'inline; filename="page.html.md"',
    });
    const download = await media(note.id, {}, '?download=1');
    expect(download.headers['content-disposition']).toBe('attachment; filename="page.html.md"');
  });
  it('has a new validator after an edit, so that no old copy is shown', async () => {
    const note = await create({ text: 'one' });
    const { etag = '', 'last-modified': modified = '' } = (await media(note.id)).headers;
    expect((await media(note.id, { 'if-none-match': etag })).status).toBe(304);
    expect((await media(note.id, { 'if-modified-since': modified })).status).toBe(304);
    await patch(note.id, { text: 'two', revision: 1 });
    expect((await media(note.id, { 'if-none-match': etag })).body).toBe('two');
    expect((await media(note.id, { 'if-modified-since': modified })).body).toBe('two');
  });
});

describe('Notes in lists', () => {
  it('are found by type and by their title', async () => {
    const user = await service.user();
    const note = await create({ text: 'Milk and bread' }, user);
    const found = await ask<{ items: Content[] }>(service.url, {
      path: '/api/v1/content?type=PASTE&q=milk',
      key: user.apiKey,
    });
    expect(found.body.items.map(({ id }) => id)).toEqual([note.id]);
  });
});

describeAbout('local files')('A note whose stored text', () => {
  it.each([
    ['is damaged', (path: string) => writeFileSync(path, Buffer.alloc(200))],
    ['is lost', (path: string) => rmSync(path)],
  ])('%s is an error of the server that its log names, and its owner can write it again', async (_, harm) => {
    const { id } = await create({ text: 'the first text' });
    const [row] = await queryData<{ objectId: string }>(service.data, 'SELECT objectId FROM content WHERE id = ?', id);
    const objectId = row?.objectId ?? '';
    harm(join(service.data, 'objects/permanent', objectId.slice(0, 2), objectId));
    const before = service.logged.length;
    const answer = await readText(id);
    expect([answer.status, answer.problem.code]).toEqual([500, 'INTERNAL']);
    expect(service.logged.slice(before)).toEqual([expect.stringContaining(objectId)]);
    expect((await patch(id, { text: 'the other text', revision: 1 })).status).toBe(200);
    expect((await readText(id)).body.text).toBe('the other text');
  });
});
