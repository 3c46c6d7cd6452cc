/** A transfer ends with the access it started with, and the client can detect that it is incomplete. */
import { EventEmitter, once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join as joinPath, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { parseConfig } from '../../../src/server/config/read-config.ts';
import { closedSignal } from '../../../src/server/http/closed-signal.ts';
import { createTransfers } from '../../../src/server/media/send-object.ts';
import { longPngBytes } from '../../support/media/sample-bytes.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { type CrowdMember, head, join } from '../../support/server/crowd.ts';
import { browser, change, editRow, publish, remove } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { type Answer, ask } from '../../support/server/service-client.ts';
import { formBrowser, userWithPassword } from '../../support/server/signed-in.ts';

const SIZE = 40 * 1024 * 1024;
const BUDGETS = { guestRequestsPerMinute: 100_000, requestsPerMinute: 100_000, uploadRequestsPerMinute: 100_000 };

let service: RunningServer;
let owner: User;
let bytes: Buffer;
beforeAll(async () => {
  service = await startServer({ config: { limits: BUDGETS } });
  owner = await service.user({ plan: 'pro' });
  bytes = await longPngBytes(SIZE);
});
afterAll(() => service.stop());

/** A client that starts to read an item's media and then stops reading. */
const begin = async (item: Content, headers: Record<string, string> = {}, query = ''): Promise<CrowdMember> => {
  const reader = join(service.url, head(service.url, `GET /api/media/${item.id}${query}`, headers));
  reader.socket.once('data', () => reader.pause());
  await expect.poll(() => reader.text()).toMatch(/^HTTP\/1\.1 200 /);
  return reader;
};

const bodyLength = (text: string): number => text.length - text.indexOf('\r\n\r\n') - 4;

/** Reads the rest and resolves with the length of the received body. */
const rest = async (reader: CrowdMember): Promise<number> => {
  reader.read();
  return bodyLength(await reader.closed);
};

type Act = (item: Content) => unknown;
const endings: readonly (readonly [string, Act])[] = [
  ['the owner deletes the item', (item) => remove(service, owner, item.id)],
  ['the owner makes the item private', (item) => change(service, owner, item.id, { visibility: 'private' })],
  ['the owner sets a password', (item) => change(service, owner, item.id, { password: 'correct horse' })],
  ['the owner makes the link one-time', (item) => change(service, owner, item.id, { oneTime: true })],
  [
    'a moderator holds the item back',
    (item) => editRow(service, "UPDATE content SET moderationHold = 'blocked' WHERE id = ?", item.id),
  ],
  ['the item expires', (item) => editRow(service, 'UPDATE content SET expiresAt = 1 WHERE id = ?', item.id)],
];

describe('a transfer to a guest', () => {
  it.each(endings)('ends when %s', async (_, act) => {
    const item = await publish(service, owner, {}, bytes);
    const reader = await begin(item);
    await act(item);
    await expect.poll(() => service.server.load().reads).toBe(0);
    expect(await rest(reader)).toBeLessThan(SIZE);
  });

  it('of a download ends when the owner allows no more downloads', async () => {
    const item = await publish(service, owner, {}, bytes);
    const reader = await begin(item, {}, '?download=1');
    await change(service, owner, item.id, { allowDownload: false });
    await expect.poll(() => service.server.load().reads).toBe(0);
    expect(await rest(reader)).toBeLessThan(SIZE);
  });

  it('opened with a password ends when the password changes', async () => {
    const item = await publish(service, owner, { password: 'correct horse' }, bytes);
    const guest = browser(service);
    expect((await guest.open(item.id, 'correct horse')).status).toBe(200);
    const reader = await begin(item, { cookie: guest.cookie() });
    await change(service, owner, item.id, { password: 'another horse' });
    await expect.poll(() => service.server.load().reads).toBe(0);
    expect(await rest(reader)).toBeLessThan(SIZE);
  });
});

describe('a transfer to the owner', () => {
  const asOwner = (user: User) => ({ authorization: `Bearer ${user.apiKey}`, connection: 'close' });

  it('continues to its last byte when the item becomes private and is held back', async () => {
    const item = await publish(service, owner, {}, bytes);
    const [reader, guest] = [await begin(item, asOwner(owner)), await begin(item)];
    await change(service, owner, item.id, { visibility: 'private' });
    await editRow(service, "UPDATE content SET moderationHold = 'review' WHERE id = ?", item.id);
    await expect.poll(() => service.server.load().reads).toBe(1);
    expect(await rest(reader)).toBe(SIZE);
    expect(await rest(guest)).toBeLessThan(SIZE);
  });

  it('ends when the key is revoked', async () => {
    const item = await publish(service, owner, { visibility: 'private' }, bytes);
    const second = await service.key(owner);
    const reader = await begin(item, asOwner(second));
    await service.server.keys.revoke(second.keyId);
    await expect.poll(() => service.server.load().reads).toBe(0);
    expect(await rest(reader)).toBeLessThan(SIZE);
  });

  it('ends when the account is banned', async () => {
    const banned = await service.user({ plan: 'pro' });
    const item = await publish(service, banned, { visibility: 'private' }, bytes);
    const reader = await begin(item, asOwner(banned));
    await service.server.accounts.ban(banned.username);
    await expect.poll(() => service.server.load().reads).toBe(0);
    expect(await rest(reader)).toBeLessThan(SIZE);
  });
});

describe('a response that waits for a download slot', () => {
  const clock = movableClock();
  const TEXT = 'what only its readers may see';
  const LATER = 11 * 60_000;
  let narrow: RunningServer;
  let author: User;
  let large: Content;
  beforeAll(async () => {
    // A stalled reader keeps the only slot, however long a busy machine takes.
    const limits = { ...BUDGETS, openReadsPerAddress: 1, readWaitSeconds: 240, readYieldSeconds: 240 };
    narrow = await startServer({ config: { limits }, clock });
    author = await narrow.user({ plan: 'pro' });
    large = await publish(narrow, author, {}, bytes);
  });
  afterAll(() => narrow.stop());

  const note = async (fields: Record<string, unknown> = {}, user: User = author): Promise<Content> => {
    const body = { text: TEXT, format: 'plain', ...fields };
    return (await ask<Content>(narrow.url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body })).body;
  };

  /** Asks while the only slot is taken, and frees it after `meanwhile`. */
  const overtaken = async (send: () => Promise<Answer<string>>, meanwhile: () => unknown): Promise<Answer<string>> => {
    const reader = join(narrow.url, head(narrow.url, `GET /api/media/${large.id}`));
    reader.socket.once('data', () => reader.pause());
    onTestFinished(() => void reader.socket.destroy());
    await expect.poll(() => reader.text()).toMatch(/^HTTP\/1\.1 200 /);
    await expect.poll(() => narrow.server.load().requests).toBe(1);
    const answer = send();
    await expect.poll(() => narrow.server.load().requests).toBe(2);
    await meanwhile();
    reader.socket.destroy();
    return await answer;
  };
  const get = (path: string, headers: Record<string, string> = {}) => ask<string>(narrow.url, { path, headers });

  const PARTS = [
    ['page of an item', (id: string) => `/s/${id}`],
    ['media', (id: string) => `/api/media/${id}`],
  ] as const;

  describe.each(PARTS)('with the %s', (_, pathOf) => {
    it.each<readonly [string, (id: string) => unknown]>([
      ['is made private', (id) => change(narrow, author, id, { visibility: 'private' })],
      ['is deleted', (id) => remove(narrow, author, id)],
      ['is held back', (id) => editRow(narrow, "UPDATE content SET moderationHold = 'blocked' WHERE id = ?", id)],
    ])('is not available when the item %s', async (_, act) => {
      const { id } = await note();
      const { status, body } = await overtaken(
        () => get(pathOf(id)),
        () => act(id),
      );
      expect(status).toBe(404);
      expect(JSON.stringify(body)).not.toContain(TEXT);
    });

    it('is not available when the time of a one-time viewer is over', async () => {
      const { id } = await note({ oneTime: true });
      const guest = browser(narrow);
      expect((await guest.open(id)).status).toBe(200);
      const { status } = await overtaken(
        () => guest.send<string>({ path: pathOf(id) }),
        () => clock.advance(LATER),
      );
      expect(status).toBe(404);
    });

    it('is what a guest gets when the session of its owner ends', async () => {
      const signedIn = await userWithPassword(narrow, { plan: 'pro' });
      const user = formBrowser(narrow);
      await user.signIn(signedIn.username);
      const { id } = await note({ visibility: 'private' }, signedIn);
      expect((await user.get(pathOf(id))).status).toBe(200);
      const { status } = await overtaken(
        () => user.get(pathOf(id)),
        () => user.post('/sign-out'),
      );
      expect(status).toBe(404);
    });

    it('is refused when the key of its owner is revoked', async () => {
      const second = await narrow.key(author);
      const { id } = await note({ visibility: 'private' });
      const { status } = await overtaken(
        () => get(pathOf(id), { authorization: `Bearer ${second.apiKey}` }),
        () => narrow.server.keys.revoke(second.keyId),
      );
      expect(status).toBe(401);
    });
  });

  it('asks for a password that the owner sets meanwhile', async () => {
    const { id } = await note();
    const page = await overtaken(
      () => get(`/s/${id}`),
      () => change(narrow, author, id, { password: 'correct horse' }),
    );
    expect(page.status).toBe(200);
    expect(page.body).toContain('name="password"');
    expect(page.body).not.toContain(TEXT);
    const { id: other } = await note();
    const media = await overtaken(
      () => get(`/api/media/${other}`),
      () => change(narrow, author, other, { password: 'correct horse' }),
    );
    expect([media.status, media.problem.code]).toEqual([403, 'SHARE_OPEN_REQUIRED']);
  });

  it('has the name and the text that the item has by then, and counts no view', async () => {
    const { id } = await note();
    const edit = { text: 'after', title: 'another title', revision: 1 };
    const page = await overtaken(
      () => get(`/s/${id}`),
      () => change(narrow, author, id, edit),
    );
    expect(page.status).toBe(200);
    expect(page.body).toContain('another title');
    expect(page.body).not.toContain(TEXT);
    const { id: limited } = await note({});
    await change(narrow, author, limited, { viewLimit: 2 });
    const guest = browser(narrow);
    await guest.open(limited);
    const shown = await overtaken(
      () => guest.page(limited),
      () => change(narrow, author, limited, { title: 'another title' }),
    );
    expect(shown.status).toBe(200);
    const own = await ask<Content>(narrow.url, { path: `/api/v1/content/${limited}`, key: author.apiKey });
    expect(own.body.views).toBe(1);
  });
});

it('access that time ends is checked every limits.accessCheckSeconds', async () => {
  vi.useFakeTimers();
  try {
    const config = parseConfig({ limits: { accessCheckSeconds: 30 } });
    const deps = {
      config,
      records: { dialect: {}, version: () => 1 },
      objects: {},
      log: () => {},
      webOrigin: () => '',
    };
    const transfers = createTransfers(deps as never);
    const raw = Object.assign(new EventEmitter(), { destroy: () => raw.emit('close') });
    let mayRead = true;
    const isStillAllowed = vi.fn(async () => mayRead);
    const closed = closedSignal(raw as never);
    const sending = { bytes: null as never, length: 1, closed, isStillAllowed, endsAt: null };
    transfers.send({ headers: {} } as never, { raw, send: () => null } as never, sending);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(isStillAllowed).toHaveBeenCalledOnce();
    mayRead = false;
    await vi.advanceTimersByTimeAsync(28_000);
    expect([isStillAllowed.mock.calls.length, transfers.open()]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([isStillAllowed.mock.calls.length, transfers.open()]).toEqual([2, 0]);
    transfers.close();
  } finally {
    vi.useRealTimers();
  }
});

describe('a transfer whose bytes have all left, while its file is still open', () => {
  /** A server of one route, whose first response has its bytes at once and ends when `fileIsClosed` is resolved. */
  const openSlow = async (isAllowed: boolean, endsAt: number | null) => {
    const fileIsClosed = Promise.withResolvers<void>();
    let version = 0;
    const isStillAllowed = vi.fn(async () => isAllowed);
    const transfers = createTransfers({
      ...{ config: parseConfig({}), objects: {}, log: () => {}, webOrigin: () => '', clock: { now: () => 0 } },
      records: { dialect: {}, version: () => version++ },
    } as never);
    const slow = async function* () {
      yield Buffer.from('all');
      await fileIsClosed.promise;
    };
    const server = createServer((request, raw) => {
      if (request.url !== '/item') return raw.end('next');
      raw.setHeader('content-length', 3);
      const bytes = Readable.from(slow(), { objectMode: false });
      const sending = { bytes, length: 3, closed: closedSignal(raw), isStillAllowed, endsAt };
      transfers.send({ headers: {} } as never, { raw, send: () => bytes.pipe(raw) } as never, sending);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connections: 1 });
    onTestFinished(async () => {
      transfers.close();
      await client.destroy();
      server.close();
    });
    const get = async (path: string) => (await client.request({ method: 'GET', path })).body.text();
    return { get, isStillAllowed, fileIsClosed };
  };

  it('does not take the next request of its connection with it when the access has ended', async () => {
    const { get, isStillAllowed, fileIsClosed } = await openSlow(false, null);
    expect(await get('/item')).toBe('all');
    const next = get('/next');
    await Promise.race([next, expect.poll(() => isStillAllowed.mock.calls.length).toBeGreaterThan(1)]);
    fileIsClosed.resolve();
    expect(await next).toBe('next');
  });

  it('nor when its time is over', async () => {
    const { get, fileIsClosed } = await openSlow(true, 50);
    expect(await get('/item')).toBe('all');
    const next = get('/next');
    await Promise.race([next, sleep(100)]);
    fileIsClosed.resolve();
    expect(await next).toBe('next');
  });
});

it('a client that is gone before its bytes are sent is not checked again and again', () => {
  const deps = { config: parseConfig({}), records: { dialect: {}, version: () => 1 }, objects: {} };
  const transfers = createTransfers(deps as never);
  const raw = new EventEmitter();
  const hijack = vi.fn();
  const closed = AbortSignal.abort();
  const sending = { bytes: null as never, length: 1, closed, isStillAllowed: async () => true, endsAt: null };
  transfers.send({ headers: {} } as never, { raw, hijack, send: () => null } as never, sending);
  expect([transfers.open(), hijack.mock.calls.length]).toEqual([0, 1]);
  transfers.close();
});

/** The modules of the server whose text matches, in alphabetical order. */
const modulesWith = (pattern: RegExp): readonly string[] => {
  const root = resolve(import.meta.dirname, '../../../src/server');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && pattern.test(readFileSync(joinPath(root, path), 'utf8')))
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();
};

it('stored bytes are read for a response in send-object.ts only, which checks the access', () => {
  // The notes and the archive are read into memory, for a page or a JSON response. The doctor reads back what it has
  // written, and the metrics count the errors of the store that they wrap.
  expect(modulesWith(/objects\.read\(/)).toEqual([
    'media/send-object.ts',
    'notes/note-objects.ts',
    'operations/doctor.ts',
    'operations/metrics.ts',
    'pages/share/notes-and-folders/folder-archive.ts',
  ]);
});

it('a response is ended in send-object.ts only, which spares the next request of its connection', () => {
  expect(modulesWith(/\braw\.destroy\(/)).toEqual(['media/send-object.ts']);
});
