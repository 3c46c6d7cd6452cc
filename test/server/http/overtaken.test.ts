/** A permission must still exist when a request takes effect, not only when it begins. */
import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { ENGINES, s3Double } from '../../support/engines/engines.ts';
import { describeAbout } from '../../support/engines/only-on-engines.ts';
import { zipOf } from '../../support/folder/forge-zip.ts';
import { ANY_BITRATE, pngBytes } from '../../support/media/sample-bytes.ts';
import { movableClock } from '../../support/movable-clock.ts';
import { holdBody } from '../../support/server/held-body.ts';
import { editRow } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { type Answer, ask, uploader } from '../../support/server/service-client.ts';
import { objectFiles, ownedObjects, queryData } from '../../support/server/stored-bytes.ts';

const config = { ...ANY_BITRATE, plans: { free: { quotaBytes: 1_000 }, pro: { quotaBytes: 1_000_000 } } };

const clock = movableClock();
let service: RunningServer;
let user: User;
beforeAll(async () => {
  service = await startServer({ config, clock });
});
beforeEach(async () => {
  user = await service.user({ plan: 'pro' });
});
afterAll(() => service.stop());

const BOUNDARY = 'a-boundary';
const formOf = (filename: string, bytes: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\n` +
        'content-type: application/octet-stream\r\n\r\n',
    ),
    bytes,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);

type Answered = Content & { readonly code?: string };

/** Publishing requests, each with its body almost completely sent. */
const HELD = {
  'a file': async () =>
    holdBody<Answered>(service.url, 'POST /api/v1/uploads', {
      key: user.apiKey,
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: formOf('picture.png', Buffer.concat([await pngBytes(), Buffer.alloc(2_000)])),
    }),
  'a folder': () =>
    holdBody<Answered>(service.url, 'POST /api/v1/folders', {
      key: user.apiKey,
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: formOf('folder.zip', zipOf({ 'a.txt': randomBytes(3_000).toString('base64') })),
    }),
  'a note': () =>
    holdBody<Answered>(service.url, 'POST /api/v1/pastes', {
      key: user.apiKey,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ text: 'n'.repeat(2_000), format: 'plain' })),
    }),
} as const;
const KINDS = Object.keys(HELD) as (keyof typeof HELD)[];

const items = async (): Promise<number> =>
  (
    await queryData<{ n: number }>(
      service.data,
      'SELECT count(*) AS n FROM content WHERE accountId = ?',
      user.accountId,
    )
  )[0]?.n ?? 0;

const setPrivateByDefault = (): Promise<void> =>
  editRow(service, 'UPDATE accounts SET privateByDefault = 1 WHERE id = ?', user.accountId);

describe.each(KINDS)('%s whose body is still arriving', (kind) => {
  it('is not published with a key that was revoked meanwhile', async () => {
    const held = await HELD[kind]();
    await service.server.keys.revoke(user.keyId);
    const { status, body } = await held.finish();
    expect([status, body.code]).toEqual([401, 'API_KEY_REVOKED']);
    expect(await items()).toBe(0);
  });

  it('is published for no account that was banned meanwhile', async () => {
    const held = await HELD[kind]();
    await service.server.accounts.ban(user.username);
    const { body } = await held.finish();
    expect(body.code).toBe('ACCOUNT_BANNED');
    expect(await items()).toBe(0);
  });

  it('gets the visibility that is the default when it is published', async () => {
    const held = await HELD[kind]();
    await setPrivateByDefault();
    const { status, body } = await held.finish();
    expect([status, body.visibility]).toEqual([201, 'private']);
  });

  it('counts against the plan that the account has when it is published', async () => {
    const held = await HELD[kind]();
    await service.server.accounts.setPlan(user.username, 'free', null);
    expect((await held.finish()).body.code).toBe('QUOTA_EXCEEDED');
    expect(await items()).toBe(0);
    // The preview of what was published before may be made meanwhile.
    await expectNoStrays();
  });
});

/**
 * Pauses the next object of this process just before it becomes permanent. In an S3 store an upload waits while it is
 * inspected, a note while it is written.
 */
const holdCommit = async (what: 'upload' | 'note') => {
  const { rename } = fs;
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  if (ENGINES.objects === 's3') {
    const double = await s3Double();
    double.fault((method) => {
      if (method !== (what === 'note' ? 'PUT' : 'GET')) return null;
      double.fault(() => null);
      reached.resolve();
      return { kind: 'hold', until: gate.promise };
    });
    return { reached: reached.promise, release: () => gate.resolve() };
  }
  const use = (one: typeof rename): void => {
    (fs as { rename: typeof rename }).rename = one;
    syncBuiltinESMExports();
  };
  onTestFinished(() => use(rename));
  use(async (...paths) => {
    use(rename);
    reached.resolve();
    await gate.promise;
    await rename(...paths);
  });
  return { reached: reached.promise, release: () => gate.resolve() };
};

describeAbout('a store that waits on request')('an upload that is being completed', () => {
  it('is not published with a key that was revoked meanwhile, but with another key of the account', async () => {
    const other = await service.key(user);
    const id = await uploader(service.url, user).send(await pngBytes());
    const completeKey = randomUUID();
    const commit = await holdCommit('upload');
    const first = uploader(service.url, user).complete(id, completeKey);
    await commit.reached;
    const second = uploader(service.url, other).complete(id, completeKey);
    await service.server.keys.revoke(user.keyId);
    commit.release();
    expect((await first).problem.code).toBe('API_KEY_REVOKED');
    expect((await second).body.state).toBe('COMPLETED');
    expect(await items()).toBe(1);
  });

  it('is published for no account that was banned meanwhile', async () => {
    const id = await uploader(service.url, user).send(await pngBytes());
    const commit = await holdCommit('upload');
    const completion = uploader(service.url, user).complete(id, randomUUID());
    await commit.reached;
    await service.server.accounts.ban(user.username);
    commit.release();
    expect((await completion).problem.code).toBe('ACCOUNT_BANNED');
    expect(await items()).toBe(0);
  });

  it('gets the visibility that is the default when it is published', async () => {
    const id = await uploader(service.url, user).send(await pngBytes());
    const commit = await holdCommit('upload');
    const completion = uploader(service.url, user).complete(id, randomUUID());
    await commit.reached;
    await setPrivateByDefault();
    commit.release();
    expect((await completion).body.content?.visibility).toBe('private');
  });
});

/** Objects that nothing owns; what an earlier test has left, the next start removes. */
const strayObjects = async (): Promise<string[]> => {
  const [held, owned] = [await objectFiles(service.data), await ownedObjects(service.data)];
  const known = new Set([...owned.staged, ...owned.permanent]);
  return [...held.staged, ...held.permanent].filter((id) => !known.has(id));
};
let straysBefore: string[] = [];
beforeEach(async () => {
  straysBefore = await strayObjects();
});
const newStrays = async () => (await strayObjects()).filter((id) => !straysBefore.includes(id));
const expectNoStrays = (): Promise<void> => expect.poll(newStrays).toEqual([]);

describeAbout('a store that waits on request')('a note that is being stored', () => {
  it.each<readonly [string, () => Promise<unknown>]>([
    ['API_KEY_REVOKED', () => service.server.keys.revoke(user.keyId)],
    ['ACCOUNT_BANNED', () => service.server.accounts.ban(user.username)],
  ])('is not published after %s', async (code, meanwhile) => {
    const commit = await holdCommit('note');
    const body = { text: 'n'.repeat(2_000), format: 'plain' };
    const created = ask(service.url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body });
    await commit.reached;
    await meanwhile();
    commit.release();
    expect((await created).problem.code).toBe(code);
    expect(await items()).toBe(0);
    await expectNoStrays();
  });
});

describeAbout('a store that waits on request')('a change of a note that is being stored', () => {
  const LATER = 2 * 86_400_000;

  /** Pauses the change between reading the note and its transaction. */
  const change = async (update: Record<string, unknown>, meanwhile: (path: string) => Promise<void> | void) => {
    const note = await ask<Content>(service.url, {
      method: 'POST',
      path: '/api/v1/pastes',
      key: user.apiKey,
      body: { text: 'before', format: 'plain', ttl: 'day' },
    });
    const path = `/api/v1/content/${note.body.id}`;
    const commit = await holdCommit('note');
    const body = { text: 'after', revision: 1, ...update };
    const changed = ask(service.url, { method: 'PATCH', path, key: user.apiKey, body });
    await commit.reached;
    await meanwhile(path);
    commit.release();
    return await changed;
  };

  it('does not bring it back when it expires meanwhile', async () => {
    const changed = await change({ ttl: 'forever' }, () => clock.advance(LATER));
    expect([changed.status, changed.problem.code]).toEqual([410, 'CONTENT_GONE']);
  });

  it('asks for the plan that the account has by then', async () => {
    const changed = await change({ viewLimit: 3 }, async () => {
      await service.server.accounts.setPlan(user.username, 'free', null);
    });
    expect(changed.problem.code).toBe('PLAN_FEATURE_REQUIRED');
  });

  it('is not made for an account that was banned meanwhile', async () => {
    const changed = await change({}, async () => void (await service.server.accounts.ban(user.username)));
    expect(changed.problem.code).toBe('ACCOUNT_BANNED');
  });

  it('is not made with a key that was revoked meanwhile', async () => {
    let path = '';
    const changed = await change({ visibility: 'public' }, async (of) => {
      path = of;
      await service.server.keys.revoke(user.keyId);
    });
    expect([changed.status, changed.problem.code]).toEqual([401, 'API_KEY_REVOKED']);
    const now = await ask<Content>(service.url, { path, key: (await service.key(user)).apiKey });
    expect(now.body).toMatchObject({ visibility: 'unlisted', revision: 1 });
    await expectNoStrays();
  });

  it('does not bring it back when it was deleted meanwhile', async () => {
    const changed = await change({}, async (path) => {
      expect((await ask(service.url, { method: 'DELETE', path, key: user.apiKey })).status).toBe(204);
    });
    expect(changed.status).toBe(404);
  });
});

describeAbout('local files')('bytes that are about to be read', () => {
  /** Asks for the bytes of an item, which changes before its file is opened. */
  const overtaken = async (path: string, meanwhile: () => Promise<unknown>, key?: string): Promise<Answer<unknown>> => {
    const { open } = fs;
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const use = (one: typeof open): void => {
      (fs as { open: typeof open }).open = one;
      syncBuiltinESMExports();
    };
    onTestFinished(() => use(open));
    use(async (...args) => {
      if (!String(args[0]).startsWith(service.data)) return await open(...args);
      use(open);
      reached.resolve();
      await gate.promise;
      return await open(...args);
    });
    const answer = ask(service.url, { path, headers: {}, ...(key !== undefined && { key }) });
    await reached.promise;
    await meanwhile();
    await expect.poll(() => queryData(service.data, 'SELECT 1 FROM deletions')).toEqual([]);
    gate.resolve();
    return await answer;
  };
  const remove = (id: string) =>
    ask(service.url, { method: 'DELETE', path: `/api/v1/content/${id}`, key: user.apiKey });

  it('are those of the edited note when a note was edited meanwhile', async () => {
    const body = { text: 'before', format: 'plain' };
    const note = await ask<Content>(service.url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body });
    const { id } = note.body;
    const answer = await overtaken(`/api/media/${id}`, () =>
      ask(service.url, {
        method: 'PATCH',
        path: `/api/v1/content/${id}`,
        key: user.apiKey,
        body: { text: 'afterwards', revision: 1 },
      }),
    );
    expect([answer.status, answer.body]).toEqual([200, 'afterwards']);
    expect(answer.headers['last-modified']).toBeUndefined();
  });

  it.each(['/api/media/ID', '/s/ID', '/api/v1/content/ID/text'])(
    'are not available when the note was made private meanwhile: %s',
    async (address) => {
      const body = { text: 'before', format: 'plain', visibility: 'public' };
      const note = await ask<Content>(service.url, { method: 'POST', path: '/api/v1/pastes', key: user.apiKey, body });
      const other = await service.user();
      const path = `/api/v1/content/${note.body.id}`;
      const answer = await overtaken(
        address.replace('ID', note.body.id),
        () => ask(service.url, { method: 'PATCH', path, key: user.apiKey, body: { visibility: 'private' } }),
        address.startsWith('/api/v1') ? other.apiKey : undefined,
      );
      expect(answer.status).toBe(404);
    },
  );

  it.each(['/s/ID', '/s/ID/raw?file=a.txt'])(
    'are not available when the folder was deleted meanwhile: %s',
    async (address) => {
      const body = formOf('folder.zip', zipOf({ 'a.txt': 'before' }));
      const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
      const made = { method: 'POST', path: '/api/v1/folders', key: user.apiKey, headers, body } as const;
      const { id } = (await ask<Content>(service.url, made)).body;
      const answer = await overtaken(address.replace('ID', id), () => remove(id));
      expect(answer.status).toBe(404);
    },
  );

  it.each(['', '/preview', '/preview.jpg'])(
    'are not available when the item was deleted meanwhile: /api/media/ID%s',
    async (part) => {
      const { body } = await uploader(service.url, user).publish(await pngBytes());
      const id = body.content?.id ?? '';
      // Not `/preview.jpg`: it is converted once, and then no file is opened.
      await expect.poll(async () => (await ask(service.url, { path: `/api/media/${id}/preview` })).status).toBe(200);
      const answer = await overtaken(`/api/media/${id}${part}`, () => remove(id));
      expect([answer.status, answer.problem.code]).toEqual([404, 'SHARE_UNAVAILABLE']);
    },
  );
});

it('a change of an item whose body is still arriving is not made with a key that was revoked meanwhile', async () => {
  const { body } = await uploader(service.url, user).publish(await pngBytes());
  const path = `/api/v1/content/${body.content?.id}`;
  const held = await holdBody<Answered>(service.url, `PATCH ${path}`, {
    key: user.apiKey,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ title: 'changed', visibility: 'public' })),
  });
  await service.server.keys.revoke(user.keyId);
  expect((await held.finish()).body.code).toBe('API_KEY_REVOKED');
  const now = await ask<Content>(service.url, { path, key: (await service.key(user)).apiKey });
  expect(now.body).toMatchObject({ title: body.content?.title, visibility: body.content?.visibility });
});
